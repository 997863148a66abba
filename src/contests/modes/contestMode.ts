import type { Chain, Mode } from '../../contract/enums.ts'
import type { Price } from '../../core/price.ts'
import type { Random } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Rational } from '../rational.ts'
import type { BalanceChange, Contest, Entry, ModeParams, Move, RefusalCode, Refused } from '../types.ts'

/** A contest of one mode once it has locked: its entries no longer change, and an entry's index is its seat. */
export type PlayedContest<Params, Play> = Contest & { readonly params: Params; startsAt: number; endsAt: number; play: Play }

/** From lock to `startsAt` where the mode has nothing to do first. */
export const USUAL_LEAD_MS = 3_000

/** What a mode fills its parameters from. */
export interface Seating {
  readonly capacity: number
  /** Tokens the world has prices for. */
  readonly mints: readonly Mint[]
  /** Keyed by the contest. */
  readonly random: Random
}

export type ParamsAnswer<Params> = { readonly ok: true; readonly params: Params } | { readonly ok: false; readonly message: string }

/** Whether a contest is decided by what just happened, or goes on. */
export type Progress = 'goes-on' | 'decided'

export type MoveAnswer = { readonly ok: true; readonly progress: Progress } | Refused

export type MoveType = Move['type']
export type MoveOf<T extends MoveType> = Extract<Move, { readonly type: T }>

export interface MadeMove<T extends MoveType> {
  readonly move: MoveOf<T>
  readonly seat: number
  readonly now: number
}

/** One move a mode reads. */
export interface MoveRule<Params, Play, T extends MoveType> {
  /** How it is refused while the contest is not live. */
  readonly closed: RefusalCode
  /** Plays it in a live contest, or refuses it and changes nothing. */
  play(contest: PlayedContest<Params, Play>, made: MadeMove<T>): MoveAnswer
}

export type MoveRules<Params, Play> = { readonly [T in MoveType]?: MoveRule<Params, Play, T> }

/** A swap a seat made inside the window: what it gave and what it received, each at least one token. */
export interface CountedFill {
  readonly seat: number
  readonly at: number
  readonly changes: readonly BalanceChange[]
  /** The price at `at` of any token in `changes`. */
  readonly priceOf: (mint: Mint) => Price
}

/** How a mode that is played by swaps counts them. */
export interface FillRules<Params, Play> {
  /** Tokens a swap for the contest may be of, besides USDC; null: any. */
  tokens(params: Params): readonly Mint[] | null
  count(contest: PlayedContest<Params, Play>, fill: CountedFill): Progress
}

/** Calls of `due` in even steps, as long as they need prices, each of which does nothing but mark the contest at these, and end it or not. */
export interface Looks<Params, Play> {
  readonly everyMs: number
  /** Whether a look could end it: at these prices, or at any that differ from them by less than 1 in a million. One that is NaN could. */
  couldEnd(contest: PlayedContest<Params, Play>, priceOf: (mint: Mint) => number): boolean
}

export interface Viewer {
  /** The viewer's seat; null when it has none. */
  readonly seat: number | null
  /** Who sits there, as far as the viewer may know. */
  shown(entry: Entry): string | null
}

/**
 * The rules of one mode: a file in this folder, in the list of `index.ts`. The engine does the rest:
 * stakes, seats, time, settlement, events.
 *
 * `Params` and `Play` are plain data (text, numbers, booleans, null, bigint, arrays, records), since
 * snapshots hold them.
 */
export interface ContestMode<Params extends ModeParams = ModeParams, Play = unknown> {
  readonly name: Mode
  /** Where it is played. A mode that needs swaps is played where there is a DEX. */
  readonly chains: readonly Chain[]
  /** Whether the highest or the lowest score wins. */
  readonly winner: 'highest' | 'lowest'
  /** The sides a seat can take, where seats of one side win and lose together; null: none. */
  readonly sides: readonly string[] | null
  /** The moves it reads; any other is refused. */
  readonly moves: MoveRules<Params, Play>
  /** How swaps count; null: it is not played by swaps. */
  readonly fills: FillRules<Params, Play> | null

  /** Checks what was asked for and fills in the rest. A ticket asks for nothing. */
  params(asked: Readonly<Record<string, unknown>>, seating: Seating): ParamsAnswer<Params>
  /** Time between lock and `startsAt`; above 0. */
  leadMs(params: Params, players: number): number
  /** The state of play at the lock. */
  lock(contest: Contest & { readonly params: Params }, lockedAt: number): Play

  /**
   * When the mode next has something to do, `startsAt` and `endsAt` included: the engine calls `due` then.
   * `due` does all there is to do at that instant, so that the next one is later.
   */
  nextDueAt(contest: PlayedContest<Params, Play>): number
  /** Tokens whose price at `at` that call needs. When one has none, the contest is cancelled instead. */
  mintsAt(contest: PlayedContest<Params, Play>, at: number): readonly Mint[]
  due(contest: PlayedContest<Params, Play>, at: number, priceOf: (mint: Mint) => Price): Progress
  /** How it is looked at again and again between `startsAt` and `endsAt`; left out where it is not. */
  readonly looks?: Looks<Params, Play>

  /** Takes note that a seat of a live contest was given its score; left out where that ends nothing before the end. */
  onGiven?(contest: PlayedContest<Params, Play>, at: number): void

  /** By seat, once decided: null for who made no valid move. All null: everyone is refunded. */
  scores(contest: PlayedContest<Params, Play>): readonly (Rational | null)[]
  /** What `agent.modes.state` shows beside the common fields, `phase` included. */
  view(contest: PlayedContest<Params, Play>, viewer: Viewer): Readonly<Record<string, unknown>>
}
