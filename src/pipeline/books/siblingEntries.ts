import type { Action } from '../../strategy/action.ts'
import type { SiblingEntry } from '../protocol/input.ts'
import { type Books, isActive } from './books.ts'

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
  const seat = (contestId: string, mode?: string) => {
    entries.set(`seat:${contestId}`, {
      bot,
      key: `seat:${contestId}`,
      contestId,
      ...(mode === undefined ? {} : { mode }),
      ...trialIn(mode),
    })
  }
  const ticket = ({ mode, stake, durationSec }: { mode: string; stake: bigint; durationSec: number }) => {
    const key = `ticket:${mode}:${stake}:${durationSec}`
    entries.set(key, { bot, key, ticket: { mode, stake, durationSec }, ...trialIn(mode) })
  }
  for (const held of books.seats.values()) if (isActive(held)) seat(held.contestId, held.mode)
  for (const { mode, stake, durationSec } of books.tickets.values())
    if (mode !== undefined && stake !== undefined) ticket({ mode, stake, durationSec })
  for (const action of underWay) {
    if (action.type === 'joinContest') seat(action.contestId)
    if (action.type === 'enqueue') ticket(action)
  }
  return entries
}
