import type { Result } from '../../contract/enums.ts'
import { DAY_MS } from '../../core/day.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Dated, LosingStreak, RunMode, Stopped } from '../../guard/index.ts'
import type { LimitsView, OpenContestView, StandingView } from '../../strategy/view.ts'
import type { Custody, SiblingEntry } from '../protocol/input.ts'
import type { ByTerms } from './byTerms.ts'

// The bot's own books. Never changed in place: a strategy that answers later still holds the
// snapshot it was given.

export interface DraftTurn {
  readonly available: readonly string[]
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
  readonly round: number
  readonly pickBy: number | undefined
}

/** A ticket of this bot that waits. What the service has not said is undefined. */
export interface WaitingTicket {
  readonly ticketId: string
  readonly mode: string | undefined
  readonly stake: Usdc | undefined
  readonly durationSec: number
}

/** A seat of this bot. What the service has not said yet is undefined. */
export interface Seat {
  readonly contestId: string
  /** Of one that is over there is no seat. */
  readonly phase: 'open' | 'live'
  readonly mode: string | undefined
  readonly stake: Usdc | undefined
  readonly side: string | undefined
  readonly token: string | undefined
  /** Whether the contest itself was read: what it does not say then, it does not have. */
  readonly isRead: boolean
  /** The ticket that was seated there. */
  readonly ticketId: string | undefined
  /** What its terms say, where they were heard: the window may be another. */
  readonly durationSec: number | undefined
  readonly startsAt: number | undefined
  readonly endsAt: number | undefined
  readonly capacity: number | undefined
  readonly filled: number | undefined
  /** As the contest showed them when it was read last. */
  readonly standings: readonly StandingView[] | undefined
  readonly entryId: string | undefined
  /** Whether the mode's state, which was read, lacks what a move needs: the id of the entry or the token, which the contest may have, or a window that can be read. */
  readonly lacksPiece: boolean
  /** Undefined until the service said so. */
  readonly ready: boolean | undefined
  readonly readiedBy: 'framework' | 'policy'
  /** When the last move of ours was accepted. */
  readonly movedAt: number
  /** Set while it is this bot's turn to draft, as last read. */
  readonly turn: DraftTurn | undefined
  /** Tokens that the service has refused in this turn as taken. */
  readonly refusedPicks: readonly string[]
  /** Set while the service takes a commitment of this bot, as last read. */
  readonly commitBy: number | undefined
  /** Until when the service takes commitments, of this bot or others, as last read. */
  readonly commitsUntil: number | undefined
  /** From when the service takes the reveal, as last read. */
  readonly revealFrom: number | undefined
  /** Whether the mode took commitments, by the word of its phase, after the end that was told of the contest: that end says nothing of reveals then. */
  readonly commitsPastEnd: boolean
  /** Whether the service has refused a commitment, or a pick in this turn, as too late: another one would be, too. */
  readonly isTooLate: boolean
  /** Whether the service shows a commitment of this bot; undefined where it does not say. */
  readonly committed: boolean | undefined
  /** Whether the mode's state, as last read, still waits for picks or commitments; undefined before it was read. */
  readonly movesAhead: boolean | undefined
  /** Picks of this bot in a draft, as last read, made by itself or by the service; undefined where the service does not say. */
  readonly picksHeld: number | undefined
  /** Of a draft: when the turn ends that is being played, whoever has it, and how long it was to last when it was first seen. */
  readonly turnEndsAt: number | undefined
  readonly turnMs: number | undefined
}

export interface ModeTally {
  readonly results: Readonly<Record<Result, number>>
  readonly profit: Usdc
}

export interface Books {
  readonly caughtUp: boolean
  readonly runMode: RunMode
  readonly stopped: Stopped
  readonly limits: Dated<LimitsView> | undefined
  readonly bankroll:
    | (Dated<{ available: Usdc; inPlay: Usdc | undefined; wallet?: Usdc | undefined }> & {
        readonly answeredAt: number
        /** The number of the input that led to the read, or that brought it; undefined of one that this run has not asked for. */
        readonly askedIn: number | undefined
      })
    | undefined
  /** The address of the agent's wallet, and its lamports for fees; undefined where the service does not say. */
  readonly wallet: string | undefined
  readonly gasLamports: Dated<bigint> | undefined
  readonly tickets: ReadonlyMap<string, WaitingTicket>
  readonly seats: ReadonlyMap<string, Seat>
  readonly openContests: Dated<readonly OpenContestView[]> | undefined
  readonly siblings: ReadonlyMap<string, SiblingEntry>
  readonly custody: ReadonlyMap<string, Custody>
  readonly byMode: ReadonlyMap<string, ModeTally>
  readonly byTerms: ByTerms
  readonly cancelled: number
  readonly staked: Usdc
  /** What was realised in the last two days, as it was heard; `at` by the service's clock. */
  readonly realised: readonly Realised[]
  readonly streak: LosingStreak
  /** By how much settlements that contradict themselves or one another count for less than was told, in all. */
  readonly doubted: Usdc
}

/** The parts of the books that settled and cancelled contests change. */
export type Results = Pick<Books, 'byMode' | 'byTerms' | 'cancelled' | 'staked' | 'realised' | 'streak' | 'doubted'>

/** One settled contest. */
export interface Realised {
  readonly at: number
  /** As it was told. */
  readonly profit: Usdc
  /** As it counts against the caps: the worse of what is told and what follows. */
  readonly counted: Usdc
  /** Undefined where no event has told of it. */
  readonly result: Result | undefined
  readonly stake: Usdc
  readonly mode: string
  readonly contestId: string
}

export const emptyBooks: Books = {
  caughtUp: false,
  runMode: 'running',
  stopped: 'nothing',
  limits: undefined,
  bankroll: undefined,
  wallet: undefined,
  gasLamports: undefined,
  tickets: new Map(),
  seats: new Map(),
  openContests: undefined,
  siblings: new Map(),
  custody: new Map(),
  byMode: new Map(),
  byTerms: new Map(),
  cancelled: 0,
  staked: 0n,
  realised: [],
  streak: { losses: 0, lastAt: 0 },
  doubted: 0n,
}

export const emptySeat = (contestId: string): Seat => ({
  contestId,
  phase: 'open',
  mode: undefined,
  stake: undefined,
  side: undefined,
  token: undefined,
  isRead: false,
  ticketId: undefined,
  durationSec: undefined,
  startsAt: undefined,
  endsAt: undefined,
  capacity: undefined,
  filled: undefined,
  standings: undefined,
  entryId: undefined,
  lacksPiece: false,
  ready: undefined,
  readiedBy: 'framework',
  movedAt: 0,
  turn: undefined,
  refusedPicks: [],
  commitBy: undefined,
  commitsUntil: undefined,
  revealFrom: undefined,
  commitsPastEnd: false,
  isTooLate: false,
  committed: undefined,
  movesAhead: undefined,
  picksHeld: undefined,
  turnEndsAt: undefined,
  turnMs: undefined,
})

/** How long what was settled is remembered: no day and no budget counts it any more then. */
export const REMEMBERED_MS = 2 * DAY_MS

/**
 * `realised` with one more, in place of what was supposed of the same contest, and without what no day can need any more.
 */
export function realisedWith({ realised }: Books, item: Realised): Books['realised'] {
  const kept = realised.filter(({ at, contestId }) => at > item.at - REMEMBERED_MS && contestId !== item.contestId)
  return [...kept, item]
}

/** Of many that were realised one after the other those that `realisedWith` leaves of them. */
export function remembered(realised: readonly Realised[]): Realised[] {
  let newestAt = Number.NEGATIVE_INFINITY
  return realised
    .toReversed()
    .filter(({ at }) => {
      const isKept = at > newestAt - REMEMBERED_MS
      newestAt = Math.max(newestAt, at)
      return isKept
    })
    .reverse()
}

/**
 * What a settlement counts for against the caps: the worse of what is told and what follows from stake and result. A loss costs the stake, and a
 * refund brings nothing.
 *
 * @param known the stake as it was known before
 */
export function countedProfit(
  told: { readonly result: Result; readonly stake: Usdc; readonly profit: Usdc },
  known: Usdc | undefined,
): Usdc {
  const { result, profit } = told
  const stake = known !== undefined && known > told.stake ? known : told.stake
  const most = result === 'LOSS' ? -stake : result === 'REFUND' ? 0n : profit
  return most < profit ? most : profit
}

/** The books once a contest that was settled is settled again: the worse of the two counts. */
export function countedAgain(books: Books, contestId: string, counted: Usdc): Books {
  const first = books.realised.find((item) => item.contestId === contestId)
  if (first === undefined || counted >= first.counted) return books
  const realised = books.realised.map((item) => (item === first ? { ...item, counted } : item))
  return { ...books, realised, doubted: books.doubted + first.counted - counted }
}

/** Stakes in waiting tickets and active seats; undefined while the stake of one is not known. */
export function inPlay({ tickets, seats }: Pick<Books, 'tickets' | 'seats'>): Usdc | undefined {
  let sum = 0n
  for (const { stake } of [...tickets.values(), ...seats.values()]) {
    if (stake === undefined) return undefined
    sum += stake
  }
  return sum
}

const noResults: Readonly<Record<Result, number>> = { WIN: 0, LOSS: 0, DRAW: 0, REFUND: 0 }

export function tallied(
  byMode: ReadonlyMap<string, ModeTally>,
  settled: { mode: string; result: Result; profit: Usdc },
): ReadonlyMap<string, ModeTally> {
  const before = byMode.get(settled.mode) ?? { results: noResults, profit: 0n }
  const results = { ...before.results, [settled.result]: before.results[settled.result] + 1 }
  return new Map(byMode).set(settled.mode, { results, profit: before.profit + settled.profit })
}

/** USDC that can be spent now, less what the bankroll may not show yet; undefined until it was read. */
export function freeUsdc({ bankroll }: Books, unseenSpend: Usdc): Usdc | undefined {
  if (bankroll === undefined) return undefined
  const free = bankroll.value.available - unseenSpend
  return free > 0n ? free : 0n
}

/** The profit of all contests together. */
export function profitOf(byMode: Books['byMode']): Usdc {
  let sum = 0n
  for (const { profit } of byMode.values()) sum += profit
  return sum
}
