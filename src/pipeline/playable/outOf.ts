import type { EnteringView } from '../../strategy/view.ts'
import type { Books } from '../books/books.ts'

/** What is out of a mode, those under way among them. */
export interface Out {
  readonly seats: number
  readonly tickets: number
}

/**
 * Tickets and seats of a mode that are not over. One whose mode is not known may be of it.
 *
 * @param entering entries without an outcome
 */
export function outOf({ seats, tickets }: Books, entering: readonly EnteringView[], mode: string): Out {
  const isOf = (item: { readonly mode: string | undefined }): boolean => item.mode === mode || item.mode === undefined
  const out = { seats: 0, tickets: 0 }
  for (const seat of seats.values()) if (isOf(seat)) out.seats += 1
  for (const ticket of tickets.values()) if (isOf(ticket)) out.tickets += 1
  for (const entry of entering) {
    // The stream may have told of it before its answer is there.
    if (!isOf(entry) || (entry.contestId !== undefined && seats.has(entry.contestId))) continue
    if (entry.type === 'enqueue') out.tickets += 1
    else out.seats += 1
  }
  return out
}
