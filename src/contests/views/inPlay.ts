import type { ContestsState } from '../state/state.ts'
import type { Contest, Ticket } from '../types.ts'

// For a shell that runs opponents of its own. What is given must only be read.

/** Tickets waiting in the queue, oldest first. */
export const queuedTickets = ({ index }: ContestsState): Iterable<Readonly<Ticket>> => index.queued.keys()

/** Open and live contests in order of creation. */
export function contestsInPlay({ index }: ContestsState): readonly Readonly<Contest>[] {
  return [...index.open, ...index.live].sort((a, b) => a.seq - b.seq)
}
