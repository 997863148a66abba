import { entryRule } from '../rule.ts'

/** Tickets count: each can become a seat without asking again. */
export const openContests = entryRule((_entry, { config, openContests: seats, openTickets: tickets, reservations }) => {
  const pending = reservations.pendingEntries
  const held = seats + tickets + pending
  if (held < config.maxOpenContests) return undefined
  return {
    code: 'OPEN_CONTESTS',
    message: `${held} contests and tickets are open, guard.maxOpenContests is ${config.maxOpenContests}`,
    numbers: { seats, tickets, pending, maxOpenContests: config.maxOpenContests },
  }
})
