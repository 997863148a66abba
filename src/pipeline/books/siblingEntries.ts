import type { Action } from '../../strategy/action.ts'
import type { EntryTerms, SiblingEntry } from '../protocol/input.ts'
import type { Books } from './books.ts'
import { joinableOf } from './views.ts'

const termsOf = ({ mode, stake, durationSec }: EntryTerms): EntryTerms => ({ mode, stake, durationSec })

/** A contest in which this bot and another of the same config both have a seat. */
export interface Meeting {
  readonly contestId: string
  /** The other bot. */
  readonly bot: string
}

/** Meetings that were already made: the guard keeps bots apart, but the service may have seated them together. */
export function* meetingsOf({ seats, siblings }: Books): Generator<Meeting> {
  for (const { bot, contestId } of siblings.values()) {
    const seat = contestId === undefined ? undefined : seats.get(contestId)
    if (seat !== undefined) yield { contestId: seat.contestId, bot }
  }
}

/** Where this bot has money or is about to, by a key that stays the same while it has. */
export function siblingEntriesOf(
  bot: string,
  books: Books,
  underWay: Iterable<Action>,
  isClosed: (mode: string) => boolean = () => false,
): ReadonlyMap<string, SiblingEntry> {
  const entries = new Map<string, SiblingEntry>()
  const trialIn = (mode: string | undefined) => (mode !== undefined && isClosed(mode) ? { trial: mode } : {})
  const put = (key: string, entry: Omit<SiblingEntry, 'bot' | 'key'>) => {
    if (!entries.has(key)) entries.set(key, { bot, key, ...entry })
  }
  const seat = (contestId: string, mode: string | undefined, more: Pick<SiblingEntry, 'joining' | 'meant'> = {}) =>
    put(`seat:${contestId}`, { contestId, ...(mode === undefined ? {} : { mode }), ...trialIn(mode), ...more })
  const ticket = ({ mode, stake, durationSec }: EntryTerms, more: Pick<SiblingEntry, 'meant'> = {}) =>
    put(`ticket:${mode}:${stake}:${durationSec}`, { ticket: { mode, stake, durationSec }, ...trialIn(mode), ...more })
  for (const held of books.seats.values()) seat(held.contestId, held.mode)
  for (const { mode, stake, durationSec } of books.tickets.values())
    if (mode !== undefined && stake !== undefined) ticket({ mode, stake, durationSec })
  for (const action of underWay) {
    if (action.type === 'joinContest') {
      const listed = joinableOf(books, action.contestId)
      seat(action.contestId, listed?.mode, { ...(listed === undefined ? {} : { joining: termsOf(listed) }), meant: true })
    }
    if (action.type === 'enqueue') ticket(action, { meant: true })
    if (action.type === 'createContest') {
      const making = termsOf(action)
      put(`create:${making.mode}:${making.stake}:${making.durationSec}`, { making, ...trialIn(making.mode), meant: true })
    }
  }
  return entries
}
