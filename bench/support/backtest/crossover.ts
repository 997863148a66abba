import type { BenchCandle } from './candles.ts'

// What every contender plays: long while the fast average of the opens is above the slow one, flat while it is below.
// An order of one candle is filled at the open of the next, and on that one nothing is ordered.

export const FAST = 20
export const SLOW = 50

/** What was filled, and at the open of which candle. */
export interface BenchTrade {
  readonly bar: number
  readonly side: 'buy' | 'sell'
}

/** Who plays the crossover. */
export interface Contender {
  /** Plays it, as fast as it can. */
  play(): unknown
  /** Plays it, and says what it traded, oldest first. */
  trades(): Promise<readonly BenchTrade[]>
}

export const contender = <T>(play: () => T | Promise<T>, tradesOf: (played: T) => readonly BenchTrade[]): Contender => ({
  play,
  trades: async () => tradesOf(await play()),
})

/** The mean of the last values, at a constant cost for each. */
export class RollingMean {
  readonly #last: Float64Array
  #sum = 0
  #place = 0
  #isFull = false

  constructor(length: number) {
    this.#last = new Float64Array(length)
  }

  /** @returns NaN until there are as many values as it is the mean of */
  add(value: number): number {
    const last = this.#last
    this.#sum += value - (last[this.#place] ?? 0)
    last[this.#place] = value
    this.#place += 1
    if (this.#place === last.length) {
      this.#place = 0
      this.#isFull = true
    }
    return this.#isFull ? this.#sum / last.length : Number.NaN
  }
}

/** The reference: the same rules as one loop over a column. */
export function bareLoop(opens: Float64Array): BenchTrade[] {
  const trades: BenchTrade[] = []
  let [fastSum, slowSum] = [0, 0]
  let isLong = false
  let isOrdered = false
  for (let bar = 0; bar < opens.length; bar++) {
    const open = opens[bar] ?? 0
    fastSum += open - (bar < FAST ? 0 : (opens[bar - FAST] ?? 0))
    slowSum += open - (bar < SLOW ? 0 : (opens[bar - SLOW] ?? 0))
    if (isOrdered) {
      isOrdered = false
      isLong = !isLong
      trades.push({ bar, side: isLong ? 'buy' : 'sell' })
      continue
    }
    if (bar < SLOW - 1) continue
    const [fast, slow] = [fastSum / FAST, slowSum / SLOW]
    isOrdered = isLong ? fast < slow : fast > slow
  }
  return trades
}

export const opensOf = (candles: readonly BenchCandle[]): Float64Array => Float64Array.from(candles, ({ open }) => open)
