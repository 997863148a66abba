import type { Action } from '../../strategy/action.ts'
import type { EntryTerms, SiblingEntry } from '../protocol/input.ts'
import { type Books, isActive } from './books.ts'
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
    if (seat !== undefined && isActive(seat)) yield { contestId: seat.contestId, bot }
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
  const seat = (contestId: string, mode?: string, joining?: EntryTerms) => {
    entries.set(`seat:${contestId}`, {
      bot,
      key: `seat:${contestId}`,
      contestId,
      ...(mode === undefined ? {} : { mode }),
      ...trialIn(mode),
      ...(joining === undefined ? {} : { joining }),
    })
  }
  const ticket = ({ mode, stake, durationSec }: EntryTerms) => {
    const key = `ticket:${mode}:${stake}:${durationSec}`
    entries.set(key, { bot, key, ticket: { mode, stake, durationSec }, ...trialIn(mode) })
  }
  for (const held of books.seats.values()) if (isActive(held)) seat(held.contestId, held.mode)
  for (const { mode, stake, durationSec } of books.tickets.values())
    if (mode !== undefined && stake !== undefined) ticket({ mode, stake, durationSec })
  for (const action of underWay) {
    if (action.type === 'joinContest') {
      const listed = joinableOf(books, action.contestId)
      if (listed === undefined) seat(action.contestId)
      else seat(action.contestId, listed.mode, termsOf(listed))
    }
    if (action.type === 'enqueue') ticket(action)
    if (action.type === 'createContest') {
      const making = termsOf(action)
      const key = `create:${making.mode}:${making.stake}:${making.durationSec}`
      entries.set(key, { bot, key, making, ...trialIn(making.mode) })
    }
  }
  return entries
}
