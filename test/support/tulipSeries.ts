import type { Candle } from '../../src/strategy/view.ts'

// The fifteen candles on which Tulip Indicators (https://tulipindicators.org) publishes the figures of each of its
// indicators, in tests/untest.txt of its repository. Figures of tests that name TA-Lib were computed by TA-Lib, in its
// WebAssembly build talib-web 0.1.3.

const HIGHS = [82.15, 81.89, 83.03, 83.3, 83.85, 83.9, 83.33, 84.3, 84.84, 85.0, 85.9, 86.58, 86.98, 88.0, 87.87]
const LOWS = [81.29, 80.64, 81.31, 82.65, 83.07, 83.11, 82.49, 82.3, 84.15, 84.11, 84.03, 85.39, 85.76, 87.17, 87.01]

export const CLOSES: readonly number[] = [
  81.59, 81.06, 82.87, 83.0, 83.61, 83.15, 82.84, 83.99, 84.55, 84.36, 85.53, 86.54, 86.89, 87.77, 87.29,
]

export const CANDLES: readonly Candle[] = CLOSES.map((close, index) => {
  const [high = close, low = close] = [HIGHS[index], LOWS[index]]
  return { at: index * 60_000, open: CLOSES[index - 1] ?? close, high, low, close }
})
