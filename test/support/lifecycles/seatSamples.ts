import { expect } from 'vitest'
import type { RefusalMeaning } from '../../../src/contract/shapes/shapes.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { type DraftTurn, emptySeat, type Seat } from '../../../src/pipeline/books/books.ts'
import type { CustodyStatus } from '../../../src/pipeline/protocol/input.ts'
import type { Outcome } from '../../../src/pipeline/protocol/outcome.ts'
import { seatMachine } from '../../../src/pipeline/seat/seatMachine.ts'
import type {
  LiveSeat,
  OpenSeat,
  SeatEffect,
  SeatHappening,
  SeatRead,
  SeatSeen,
  SeatState,
  SeatTask,
} from '../../../src/pipeline/seat/seatState.ts'
import type { ServiceAction } from '../../../src/strategy/action.ts'
import { moveOf, type Sample } from './machines.ts'

// Seats, what happens to them, and what they see.

export const NOW = 1_000_000
export const contestId = keyedUuid('contest')
export const otherId = keyedUuid('other')

/** An open seat of which everything is known that is asked for. */
const KNOWN: Seat = Object.freeze({ ...emptySeat(contestId), mode: 'pnl_usd', stake: usdc('1'), ready: true })
export const seatOf = (changes: Partial<Seat> = {}): Seat => Object.freeze({ ...KNOWN, ...changes })
export const DRAFT = { mode: 'draft_basket' }
export const PRICE = { mode: 'price_prediction' }
export const turn: DraftTurn = Object.freeze({
  ...{ available: Object.freeze(['A', 'B', 'C']), mine: Object.freeze(['D']), theirs: Object.freeze(['E']), round: 2, pickBy: NOW + 9 },
})
export const standing = (score?: string) => ({ isOwn: false, userId: 'somebody', kind: 'HUMAN', side: undefined, score })

export type Changes<S extends SeatState> = Partial<Omit<S, 'is' | 'seat'>>
const satOf = ({ dueAt = {}, followed = {}, isRefusedEarly = false }: Changes<SeatState>) => ({
  ...{ dueAt: Object.freeze(dueAt), followed: Object.freeze(followed), isRefusedEarly },
})
export const open = (seat: Partial<Seat> = {}, changes: Changes<OpenSeat> = {}): OpenSeat =>
  Object.freeze({ is: 'open', seat: seatOf(seat), ...satOf(changes) })
export const live = (seat: Partial<Seat> = {}, { isWindowAsked = false, ...changes }: Changes<LiveSeat> = {}): LiveSeat =>
  Object.freeze({ is: 'live', seat: seatOf({ phase: 'live', isRead: true, ...seat }), ...satOf(changes), isWindowAsked })

export const see = (changes: Partial<SeatSeen> = {}): SeatSeen =>
  Object.freeze({
    ...{ now: NOW, runMode: 'running', stopped: 'nothing', isStreamRead: true, isRecorded: false, predictions: 0 },
    ...{ custodyOf: () => undefined, isRevealable: () => false, isReadUnderWay: () => false, isUnderWay: () => false },
    ...{ leaveRetryMs: () => 2000, isReadiedByPolicy: () => false, moving: () => 0, early: () => 1, ...changes },
  })
// Each answers for this contest alone, so that whoever asks for another one is told otherwise.
export const custody = (status: CustodyStatus | undefined) => ({ custodyOf: (id: string) => (id === contestId ? status : undefined) })
export const revealable = { isRevealable: (id: string) => id === contestId }
export const readUnderWay = (read: SeatRead) => ({ isReadUnderWay: (asked: SeatRead, id: string) => asked === read && id === contestId })
export const readiedByPolicy = { isReadiedByPolicy: (id: string) => id === contestId }
export const underWay = (type: ServiceAction['type']) => ({
  isUnderWay: (action: ServiceAction) =>
    action.type === type && 'contestId' in action && action.contestId === contestId && (action.type !== 'ready' || action.ready),
})

export type Sampled = Sample<SeatState, SeatHappening, SeatSeen>
export const move = (state: SeatState, happening: SeatHappening) => madeOf([state, happening, see()])
export const tended = { type: 'tended' } as const
export const windUp = { type: 'windUp' } as const
export const learnt = { type: 'learnt', change: { side: 'UP' } } as const
export const started = { type: 'started', change: { phase: 'live', startsAt: NOW } } as const
export const TASKS: readonly SeatTask[] = ['contest', 'state', 'early', 'standings', 'ready', 'leave']
export const READS: readonly SeatRead[] = ['contest', 'state', 'early', 'standings']
/** Every task, each at a time of its own. */
export const PLANNED = { contest: NOW + 1, state: NOW + 2, early: NOW + 3, standings: NOW + 4, ready: NOW + 5, leave: NOW + 6 }

export type FailedAction = Extract<SeatHappening, { readonly type: 'failed' }>['action']
export const pick: FailedAction = { type: 'draftPick', contestId, token: 'B' }
export const commit: FailedAction = { type: 'commitPrediction', contestId, price: '1' }
export const rejected = (code: string, status: number, meaning?: RefusalMeaning): Outcome => ({
  ...{ status: 'rejected', refusal: { code, message: 'no', status, ...(meaning === undefined ? {} : { meaning }) } },
})
export const lost: Outcome = { status: 'unknown', reason: 'timed out' }
export const notSent: Outcome = { status: 'notSent', reason: 'no network' }
export const failed = (action: FailedAction, outcome: Outcome): SeatHappening => ({ type: 'failed', action, outcome })

const OF_BOTH: readonly SeatHappening[] = [
  ...[learnt, tended, { type: 'over' } as const, { type: 'due', task: 'state' } as const],
  ...[{ type: 'unread', read: 'state', at: NOW } as const, failed(pick, lost), failed(commit, lost)],
]
export const SAMPLES: readonly Sampled[] = [
  ...[...OF_BOTH, started, windUp].map((happening): Sampled => [open(), happening, see()]),
  ...OF_BOTH.map((happening): Sampled => [live(), happening, see()]),
]

/** The move of a sample that nothing may write to. */
function madeOf([state, happening, seen]: Sampled) {
  for (const part of [state.dueAt, state.followed, state.seat, state]) Object.freeze(part)
  return moveOf(seatMachine, [state, happening, seen])
}
/** What a happening leads to where the seat itself stays as it is: these plans beside those before, and `changes`. */
export function plans(
  sample: Sampled,
  dueAt: SeatState['dueAt'],
  changes: Changes<LiveSeat> = {},
  effects: readonly SeatEffect[] = [],
): void {
  const [before] = sample
  const { state, effects: made } = madeOf(sample)
  expect({ state, effects: made }).toEqual({ state: { ...before, ...changes, dueAt: { ...before.dueAt, ...dueAt } }, effects })
  expect(state?.seat).toBe(before.seat)
}
/** Nothing changes, whatever else it leads to. */
export function nothing(sample: Sampled, message: string, effects: readonly SeatEffect[] = []): void {
  const { state, effects: made } = madeOf(sample)
  expect(state, message).toBe(sample[0])
  expect(made, message).toEqual(effects)
}

export interface Followed {
  readonly state: SeatState
  readonly seen: SeatSeen
  readonly read: 'contest' | 'state'
  readonly periodMs: number
}
/** Reads at once, then every period, and plans nothing while a read is planned or under way. */
export function follows({ state, seen, read, periodMs }: Followed): void {
  const other = read === 'contest' ? { state: true as const } : { contest: true as const }
  const again = { ...other, [read]: true as const }
  plans([{ ...state, followed: {} }, tended, seen], { [read]: NOW }, { followed: { [read]: true } })
  plans([{ ...state, followed: other }, tended, seen], { [read]: NOW }, { followed: again })
  plans([{ ...state, followed: again }, tended, seen], { [read]: NOW + periodMs }, { followed: again })
  const beside = { ...state, followed: again, dueAt: { leave: NOW + 7 } }
  plans([beside, tended, seen], { [read]: NOW + periodMs, leave: NOW + 7 }, { followed: again })
  for (const followed of [{}, again]) {
    nothing([{ ...state, followed, dueAt: { [read]: NOW + 7 } }, tended, seen], 'planned')
    nothing([{ ...state, followed, dueAt: { [read]: 0 } }, tended, seen], 'planned, and past')
    nothing([{ ...state, followed }, tended, { ...seen, ...readUnderWay(read) }], 'under way')
  }
}
