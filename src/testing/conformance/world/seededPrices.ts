import type { PriceSource } from '../../../contests/house/index.ts'
import { type Price, priceFromNumber } from '../../../core/price.ts'
import { keyedRandom } from '../../../core/random.ts'
import { type Mint, SOL_MINT, TOKENS, USDC_MINT } from '../../../core/tokens.ts'

const MINTS = 12
/** Of a second: lively enough that averages cross and channels break within a contest. */
const VOLATILITY = 0.0015

/** The tokens of the kit's world. */
export const WORLD_MINTS: readonly Mint[] = [
  SOL_MINT,
  ...TOKENS.filter(({ mint }) => mint !== SOL_MINT && mint !== USDC_MINT)
    .slice(0, MINTS - 1)
    .map(({ mint }) => mint),
]

/** What the world's prices are, a random walk of each token by seconds. The bot's feed shows some of it. */
export class SeededPrices implements PriceSource {
  readonly #startMs: number
  readonly #isOut: (atMs: number) => boolean
  readonly #series: ReadonlyMap<Mint, readonly Price[]>

  /** @param isOut when the world itself has no price, which cancels what is decided then */
  constructor(seed: number, startMs: number, seconds: number, isOut: (atMs: number) => boolean) {
    this.#startMs = startMs
    this.#isOut = isOut
    this.#series = new Map([
      ...WORLD_MINTS.map((mint) => [mint, walk(seed, mint, seconds)] as const),
      [USDC_MINT, Array.from({ length: seconds }, () => '1')] as const,
    ])
  }

  at(mint: Mint, atMs: number): Price | null {
    if (this.#isOut(atMs)) return null
    const series = this.#series.get(mint)
    const second = Math.floor((atMs - this.#startMs) / 1000)
    return series?.[Math.min(Math.max(second, 0), series.length - 1)] ?? null
  }

  volatilityPerSecond = (): number => VOLATILITY
}

function walk(seed: number, mint: Mint, seconds: number): readonly Price[] {
  const random = keyedRandom(seed, 'walk', mint)
  let price = 10 ** random.integer(-4, 2)
  return Array.from({ length: seconds }, () => {
    price *= Math.exp(VOLATILITY * random.normal())
    return priceFromNumber(price)
  })
}
