// Other frameworks, which only this folder needs: they come with its own package.json (`npm ci --prefix bench/peers`).

import { createRequire, Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { DataFrame, type IDataFrame } from 'data-forge'
import 'data-forge-indicators'
import grademark, { type IBar, type IStrategy } from 'grademark'
import { type BenchCandle, MINUTE_MS, START_MS } from '../support/backtest/candles.ts'
import { type BenchTrade, type Contender, contender, FAST, SLOW } from '../support/backtest/crossover.ts'

const { backtest } = grademark

interface Bar extends IBar {
  readonly fast: number
  readonly slow: number
}

/** Grademark on averages made beforehand: they are columns of its bars. */
export function grademarkOf(candles: readonly BenchCandle[]): Contender {
  const bars = new DataFrame<number, BenchCandle>([...candles])
  const opens = bars.deflate(({ open }) => open)
  const inputs = bars
    .withSeries('fast', opens.sma(FAST))
    .withSeries('slow', opens.sma(SLOW))
    .skip(SLOW - 1)
  const known = inputs.bake() as unknown as IDataFrame<number, Bar>
  const strategy: IStrategy<Bar> = {
    entryRule: (enter, { bar: { fast, slow } }) => {
      if (fast > slow) enter()
    },
    exitRule: (exit, { bar: { fast, slow } }) => {
      if (fast < slow) exit()
    },
  }
  return contender(() => backtest(strategy, known), fillsOf)
}

/** Grademark with averages of the candles that it hands to its rules. */
export function rollingGrademarkOf(candles: readonly BenchCandle[]): Contender {
  const bars = new DataFrame<number, BenchCandle>([...candles]).bake()
  // The candles that it looks back on are in the order of its ring buffer, not in that of their times.
  const averages = (lookback: IDataFrame<number, BenchCandle>, { time }: BenchCandle) => {
    const since = time.getTime() - FAST * MINUTE_MS
    const late = lookback.where((candle) => candle.time.getTime() > since)
    return { fast: late.deflate(({ open }) => open).average(), slow: lookback.deflate(({ open }) => open).average() }
  }
  const strategy: IStrategy<BenchCandle> = {
    lookbackPeriod: SLOW,
    entryRule: (enter, { bar, lookback }) => {
      const { fast, slow } = averages(lookback, bar)
      if (fast > slow) enter()
    },
    exitRule: (exit, { bar, lookback }) => {
      const { fast, slow } = averages(lookback, bar)
      if (fast < slow) exit()
    },
  }
  return contender(() => backtest(strategy, bars), fillsOf)
}

const barAt = (time: Date): number => (time.getTime() - START_MS) / MINUTE_MS

/** A position still open at the end is closed there by grademark: that is no trade of the strategy. */
const fillsOf = (trades: ReturnType<typeof backtest>): BenchTrade[] =>
  trades.flatMap(({ entryTime, exitTime, exitReason }) => [
    { bar: barAt(entryTime), side: 'buy' } as const,
    ...(exitReason === 'finalize' ? [] : [{ bar: barAt(exitTime), side: 'sell' } as const]),
  ])

interface Order {
  readonly type: 'buy' | 'sell'
  /** Unix milliseconds at which its candle closes. */
  readonly time: number
}
type Run = (options: Readonly<Record<string, unknown>>) => Promise<{ readonly allOrders: readonly Order[] }>

const NAME = 'crossover'
const FRAMEWORK = '@backtest/framework/dist/src/helpers'

/** `@backtest/framework` with its runner as it is; the candles come from memory in place of its database. */
export function frameworkOf(candles: readonly BenchCandle[]): Contender {
  const require = createRequire(import.meta.url)
  const rows = candles.map(({ time, open, high, low, close, volume }) => {
    const openTime = time.getTime()
    return { symbol: NAME, interval: '1m', openTime, open, high, low, close, volume, closeTime: openTime + MINUTE_MS - 1 }
  })
  const stored = { candles: rows, metaCandles: [{ name: NAME, symbol: NAME, interval: '1m' }] }
  const database = require.resolve(`${FRAMEWORK}/prisma-historical-data.js`)
  const exports = { getCandles: async () => stored }
  require.cache[database] = Object.assign(new Module(database), { filename: database, loaded: true, exports })
  const { run } = require(`${FRAMEWORK}/run-strategy.js`) as { readonly run: Run }
  const options = {
    ...{ strategyName: NAME, rootPath: fileURLToPath(new URL('frameworkStrategies', import.meta.url)), params: {} },
    ...{ historicalData: [NAME], supportHistoricalData: [], startingAmount: 1000, percentFee: 0, percentSlippage: 0 },
    ...{ startTime: START_MS, endTime: START_MS + candles.length * MINUTE_MS },
  }
  return contender(run.bind(undefined, options), ({ allOrders }) => {
    const fills = allOrders.map(({ type, time }) => ({ bar: Math.floor((time - START_MS) / MINUTE_MS), side: type }))
    // What is open at the end it sells on the last candle: that is no trade of the strategy.
    return fills.at(-1)?.bar === candles.length - 1 && fills.at(-1)?.side === 'sell' ? fills.slice(0, -1) : fills
  })
}
