import type { Mint } from '../../../core/tokens.ts'
import { usdc } from '../../../core/usdc.ts'
import { WORLD_MINTS } from './seededPrices.ts'

/** What the world is like in one run. Times are seconds since its start. */
export interface Scenario {
  readonly name: string
  /** Whether somebody is there to play against. */
  readonly hasOpponents: boolean
  /** When the bot is killed and started again. */
  readonly restarts: readonly number[]
  /** Share of requests that are lost, late, refused or fail, each. */
  readonly trouble: number
  /** Between these the event stream cannot be read. */
  readonly behind: readonly [from: number, to: number] | undefined
  /** Whether the service itself has no prices: contests decided then are cancelled. */
  isWorldOut(second: number): boolean
  /** Whether the bot's price feed has a price of the token. */
  isFed(mint: Mint, second: number): boolean
  /** The largest swap its guard lets through. */
  readonly maxSwap: bigint
}

const CALM: Scenario = {
  name: 'calm',
  hasOpponents: true,
  restarts: [],
  trouble: 0,
  behind: undefined,
  isWorldOut: () => false,
  isFed: () => true,
  maxSwap: usdc('1000'),
}

/** Never known to the bot, though they are drafted, traded and predicted. */
const UNKNOWN = new Set(WORLD_MINTS.filter((_, index) => index % 3 === 1))

/** The worlds that a strategy is put into, the whole list. */
export const SCENARIOS: readonly Scenario[] = [
  CALM,
  { ...CALM, name: 'restarts', restarts: [35, 50, 51, 90, 120] },
  {
    ...CALM,
    name: 'missing prices',
    // Nothing at first, a third of the tokens never, and none in the middle.
    isFed: (mint, second) => second > 20 && !UNKNOWN.has(mint) && !(second > 70 && second < 100),
  },
  { ...CALM, name: 'trouble', trouble: 0.08, behind: [60, 75] },
  { ...CALM, name: 'nobody there', hasOpponents: false },
  { ...CALM, name: 'cancelled', isWorldOut: (second) => second > 45 && second < 85 },
  { ...CALM, name: 'refused', maxSwap: usdc('0.05') },
]
