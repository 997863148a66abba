import type { Books } from '../pipeline/index.ts'

const FAST_MS = 1000
const IDLE_LEAST_MS = 2000
const IDLE_MOST_MS = 4000
/** Right after an entry a match may come at any moment, and with it the first turn. */
const EAGER_MS = 250
const EAGER_FOR_MS = 3000
/** What has not come for so long after it was due is not waited for any more: it comes when it comes. */
const OVERDUE_MS = 60_000
/** A webhook told of what came lately: polling is only there for what is lost. */
const HEARD_MS = 600_000

export interface PollPaceOptions {
  readonly books: Books | undefined
  readonly now: number
  /** When a webhook last came, in Unix milliseconds. */
  readonly heardAt: number
  /** When the bot last took a ticket or a seat, in Unix milliseconds. */
  readonly enteredAt: number
  /** A number from 0 up to 1. */
  readonly random: number
}

/**
 * How long to wait before the next poll, in milliseconds: two to four seconds (specification, part 6: at most five), one second while an
 * event is due: a ticket or an open seat waits for others, or a contest has come to its end; a quarter of one right after an
 * entry, while no contest that is live needs the reads. Never past the next end.
 */
export function pollPace({ books, now, heardAt, enteredAt, random }: PollPaceOptions): number {
  const idle = IDLE_LEAST_MS + random * (IDLE_MOST_MS - IDLE_LEAST_MS)
  if (books === undefined || now - heardAt < HEARD_MS) return idle
  const isEager = now - enteredAt < EAGER_FOR_MS && ![...books.seats.values()].some(({ phase }) => phase === 'live')
  const jittered = (isEager ? EAGER_MS : FAST_MS) * (1 + 0.2 * random)
  if (books.tickets.size > 0) return jittered
  let nextEnd = Number.POSITIVE_INFINITY
  for (const { phase, endsAt } of books.seats.values()) {
    if (phase === 'open') return jittered
    if (phase !== 'live' || endsAt === undefined || now > endsAt + OVERDUE_MS) continue
    if (now >= endsAt) return jittered
    nextEnd = Math.min(nextEnd, endsAt)
  }
  return Math.min(idle, Math.max(FAST_MS / 4, nextEnd - now))
}
