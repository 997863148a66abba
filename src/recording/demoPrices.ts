import type { Price } from '../core/price.ts'
import { keyedField } from '../core/random.ts'
import { TOKENS, USDC_MINT } from '../core/tokens.ts'
import type { PriceHistory } from './import/importPrices.ts'

/** The realm of logs that were made up: every page that is made of one says so. */
export const SYNTHETIC = 'synthetic'

export interface DemoOptions {
  readonly days: number
  readonly seed: number
}

/** Of five minutes: contests are as long as prices are apart, and a month has about thirteen hundred. */
const STEP_MS = 300_000
const STEPS_A_DAY = 288
/** A day of no particular meaning, long before anything was recorded. */
const FROM = Date.UTC(2020, 0, 1)
const MOST_TOKENS = 12
/** Standard deviation of a step's logarithmic return: about 4.5 % a day. */
const VOLATILITY = 0.0027
/** What is planted: a drift of each token that turns slowly, with this standard deviation a step, and halves in so many steps. */
const DRIFT = 0.0007
const HALF_LIFE = 12
const DIGITS = 6

/**
 * Prices of a market that never was, with one thing planted in it: what has risen over the last hour goes on rising a little. A search
 * that works finds it, and one on these prices says nothing of any market.
 */
export function demoPrices({ days, seed }: DemoOptions): PriceHistory {
  const tokens = TOKENS.filter(({ mint }) => mint !== USDC_MINT).slice(0, MOST_TOKENS)
  const field = keyedField('demo', seed)
  return {
    recordedFrom: FROM,
    stepMs: STEP_MS,
    series: tokens.map(({ mint }, row) => ({ mint, closes: closesOf(days * STEPS_A_DAY, (column) => field.normal(row, column)) })),
  }
}

function closesOf(steps: number, normal: (place: number) => number): Price[] {
  const kept = 0.5 ** (1 / HALF_LIFE)
  let [log, drift] = [normal(0), DRIFT * normal(1)]
  return Array.from({ length: steps }, (_, step) => {
    const place = 2 + 2 * step
    drift = kept * drift + DRIFT * Math.sqrt(1 - kept ** 2) * normal(place)
    log += drift + VOLATILITY * normal(place + 1)
    return String(Number(Math.exp(log).toPrecision(DIGITS)))
  })
}
