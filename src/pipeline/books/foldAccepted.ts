import { unreachable } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { ActionOf } from '../../strategy/action.ts'
import type { OpenContestView } from '../../strategy/view.ts'
import type { Intent } from '../protocol/input.ts'
import type { Books, Seat } from './books.ts'
import { seatsOf } from './foldEvent.ts'
import { type Said, saidOfSeat } from './said.ts'

/** An action that took effect. */
export interface Accepted {
  readonly intent: Intent
  /** The contest it joins, as it was listed. */
  readonly listed: OpenContestView | undefined
  /** The ticket or contest it made. */
  readonly made: string | undefined
  readonly now: number
}

/**
 * What an accepted action says of tickets and seats. Events say the same, before or later: both ways round give the same books.
 *
 * @param ended what is over by now
 */
export function saidByAction(
  { seats }: Pick<Books, 'seats'>,
  { intent, listed, made, now }: Accepted,
  ended: ReadonlySet<string>,
): readonly Said[] {
  const { action, stake } = intent
  switch (action.type) {
    case 'swap':
    case 'sweep':
      // What a swap changes is known from the chain, as a fill.
      return []
    case 'enqueue': {
      if (made === undefined) return []
      const { mode, durationSec } = action
      if (!ended.has(made)) return [{ of: 'ticket', ticketId: made, waits: () => ({ ticketId: made, mode, stake, durationSec }) }]
      const seated = [...seats.values()].find(({ ticketId }) => ticketId === made)
      return seated === undefined ? [] : [saidOfSeat(seated.contestId, { durationSec: seated.durationSec ?? durationSec })]
    }
    case 'cancelTicket':
      return [{ of: 'ticketOver', ticketId: action.ticketId }]
    case 'createContest': {
      if (made === undefined) return []
      const { mode, durationSec } = action
      return [{ of: 'seat', contestId: made, change: (known) => ({ mode, stake, durationSec, ready: known?.ready ?? false }) }]
    }
    case 'joinContest':
      return [{ of: 'seat', contestId: action.contestId, change: (known) => joined(action, { known, stake, listed, now }) }]
    case 'leaveContest':
      return [{ of: 'seatOver', contestId: action.contestId }]
    case 'ready':
      return [saidOfSeat(action.contestId, { ready: action.ready })]
    case 'draftPick':
      return [saidOfSeat(action.contestId, { turn: undefined, movedAt: now })]
    case 'commitPrediction':
      return [saidOfSeat(action.contestId, { committed: true, commitBy: undefined, movedAt: now })]
    case 'revealPrediction':
      return []
    default:
      return unreachable(action)
  }
}

function joined(
  { side, readiedBy = 'framework' }: ActionOf<'joinContest'>,
  { known, stake, listed, now }: { readonly known: Seat | undefined; readonly stake: Usdc } & Pick<Accepted, 'listed' | 'now'>,
): Partial<Seat> {
  return {
    ...{ stake, side, readiedBy, ready: known?.ready ?? false },
    // What was read before may be of no seat, or of an earlier one.
    ...{ isRead: false, movedAt: now },
    ...(listed === undefined
      ? {}
      : { mode: listed.mode, token: listed.token, durationSec: listed.durationSec || undefined, ...seatsOf(listed, known) }),
  }
}
