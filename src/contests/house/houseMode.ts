import type { Random } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Contest, Move } from '../index.ts'
import type { SkillName } from './skills.ts'

/** A seat of the house in a live contest, with what its agent may use. */
export interface HouseSeat {
  readonly seed: number
  readonly agentId: string
  readonly entryId: string
  readonly skill: SkillName
  readonly contest: Contest
  /** The instant the plan is made for, Unix milliseconds: what was due before it has been done, and nothing later is known. */
  readonly now: number
  /** The contest's `agent.modes.state` as this agent sees it: the house plays by what every agent can read. */
  readonly view: Readonly<Record<string, unknown>>
  /** Tokens the world has prices for. */
  readonly mints: readonly Mint[]
  /** Another stream for every purpose, none of which depends on what happens in other contests. */
  random(purpose: string): Random
  /** The log return the agent's skill expects, looking at the prices known at `atMs`. @param look.random where it guesses */
  expect(look: { readonly mint: Mint; readonly atMs: number; readonly aheadSec: number; readonly random: Random }): number
  /** The price that agents are shown at `atMs`, which is never later than the move it is for. */
  priceAt(mint: Mint, atMs: number): string | null
  /** Standard deviation of the log return over one second; 0 without prices. */
  volatilityPerSecond(mint: Mint): number
}

/** A swap that counts for the contest, at what the DEX quotes when it is made. */
export interface Swap {
  readonly type: 'swap'
  readonly from: Mint
  readonly to: Mint
  /** Base units of `from`. */
  readonly amount: bigint
}

/** What a seat does next. */
export interface HousePlan {
  readonly atMs: number
  /** Decided only when the time has come, so that nothing later is known; `null`: only look again. */
  readonly decide: () => Move | Swap | null
}

/** How the house plays one mode: a file in this folder, in the list of `modes.ts`. */
export interface HouseMode {
  /** The sides to take in the contests it opens, one contest each; `null` where the mode has no sides. */
  readonly openings: readonly (string | null)[]
  /** The next move of a seat, from the state alone: asked twice, it answers the same. */
  plan(seat: HouseSeat): HousePlan | null
}
