import { z } from 'zod'
import { amountSchema, idSchema, instantSchema, lenient, signedAmountSchema } from './scalars.ts'

// Records whose fields the specification does not show. Each schema is loose and names, as optional,
// the fields a bot can use where a service has them; what is missing stays undefined (law 7).

export const ticketSchema = z.looseObject({
  ticketId: lenient(idSchema),
  status: lenient(z.string()),
  mode: lenient(z.string()),
  stake: lenient(amountSchema),
  durationSec: lenient(z.number()),
  opponents: lenient(z.string()),
  chain: lenient(z.string()),
  createdAt: lenient(instantSchema),
  expiresAt: lenient(instantSchema),
  contestId: lenient(idSchema.nullable()),
})
export type Ticket = z.output<typeof ticketSchema>

export const contestEntrySchema = z.looseObject({
  entryId: lenient(idSchema),
  userId: lenient(z.string().nullable()),
  kind: lenient(z.string().nullable()),
  side: lenient(z.string().nullable()),
  ready: lenient(z.boolean()),
  score: lenient(z.string().nullable()),
})

export const contestSchema = z.looseObject({
  contestId: lenient(idSchema),
  mode: lenient(z.string()),
  chain: lenient(z.string()),
  format: lenient(z.string()),
  status: lenient(z.string()),
  stake: lenient(amountSchema),
  durationSec: lenient(z.number()),
  capacity: lenient(z.number()),
  filled: lenient(z.number()),
  lane: lenient(z.string()),
  visibility: lenient(z.string()),
  params: lenient(z.record(z.string(), z.unknown())),
  startsAt: lenient(instantSchema.nullable()),
  endsAt: lenient(instantSchema.nullable()),
  entries: lenient(z.array(contestEntrySchema)),
  you: lenient(contestEntrySchema.nullable()),
})
export type Contest = z.output<typeof contestSchema>

/**
 * `agent.modes.state`. Everything else in it is read by path (`paths.ts`) and stays as the service sent it:
 * a schema here would hide from those paths what it does not expect.
 */
export const modeStateSchema = z.looseObject({
  contestId: lenient(idSchema),
  mode: lenient(z.string()),
})
export type ModeState = z.output<typeof modeStateSchema>

export const historyItemSchema = z.looseObject({
  contestId: lenient(idSchema),
  mode: lenient(z.string()),
  result: lenient(z.string()),
  stake: lenient(amountSchema),
  payout: lenient(amountSchema),
  profit: lenient(signedAmountSchema),
  versus: lenient(z.string()),
  settledAt: lenient(instantSchema),
})
