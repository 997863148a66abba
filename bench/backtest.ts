// `npm exec -- node bench/backtest.ts [crossover | cold | long | month]`: backtests, whole pipeline, in prices a second, beside
// other frameworks on the same candles and the same trades, and beside what nothing can be faster than.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { backtest, type LogData, readLogs } from '../src/backtest/index.ts'
import { metricsOf } from '../src/backtest/metrics/index.ts'
import type { BacktestRun } from '../src/backtest/result.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { SOL_MINT, TOKENS } from '../src/core/tokens.ts'
import type { BotConfig } from '../src/strategy/config.ts'
import { type BenchCandle, MINUTE_MS, START_MS, seededCandles } from './support/backtest/candles.ts'
import { bareSubject, linesOf, parseAlone } from './support/backtest/ceilings.ts'
import { type BenchTrade, bareLoop, type Contender, contender, opensOf } from './support/backtest/crossover.ts'
import { contestsOf, crossoverBot, DAILY, once, type Pace, tradesOf } from './support/backtest/crossoverBot.ts'
import { inFreshProcess, median, warmSeconds } from './support/backtest/measure.ts'
import { CONTESTS, monthBot, monthLog } from './support/backtest/month.ts'
import { writeLog } from './support/backtest/writeLog.ts'

const CANDLES = 200_000
const LONG_TICKS = 1_000_000
const LONG_TOKENS = 10
const SEED = 1
const COLD_RUNS = 5
const LEAST_PER_SECOND = 1_500_000
const LEAST_COLD_PER_SECOND = 350_000
const MOST_BYTES = 700_000_000
const MOST_MONTH_SECONDS = 3

const script = fileURLToPath(import.meta.url)

/** A swap is quoted and carried out at the price after the one it was asked for at. */
const NEXT_OPEN = { quoteMs: MINUTE_MS }

/** A whole backtest, from the log, or from its prices in memory, to the metrics. */
async function play(log: string | LogData, bot: BotConfig): Promise<BacktestRun> {
  const logs = typeof log === 'string' ? [log] : log
  const run = await backtest({ logs, bots: [bot], seed: SEED, withPrices: false, clock: systemClock, world: NEXT_OPEN })
  for (const played of run.bots) metricsOf(played)
  return run
}

const timeOf = (tick: number): number => START_MS + tick * MINUTE_MS

const ONCE = once(CANDLES)

const crossoverLog = (candles: readonly BenchCandle[], pace: Pace): string =>
  writeLog({
    ...{ mints: [SOL_MINT], ticks: CANDLES, timeOf, contests: contestsOf(CANDLES, pace) },
    priceOf: (tick) => String(candles[tick]?.open),
  })

/** Ten tokens, each the same walk begun at another place. */
const longLog = (candles: readonly BenchCandle[]): string =>
  writeLog({
    ...{ mints: TOKENS.slice(0, LONG_TOKENS).map(({ mint }) => mint), ticks: LONG_TICKS, timeOf, contests: contestsOf(LONG_TICKS, DAILY) },
    priceOf: (tick, column) => String(candles[(tick + column * 1000) % CANDLES]?.open),
  })

const million = (perSecond: number): string => `${(perSecond / 1e6).toFixed(perSecond < 1e6 ? 3 : 2)} M/s`

function report(name: string, figure: string, bar: string, isMet: boolean): void {
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${name}: ${figure} (${bar})`)
  if (!isMet) process.exitCode = 1
}

function agrees(name: string, trades: readonly BenchTrade[], reference: readonly BenchTrade[]): void {
  const length = Math.max(trades.length, reference.length)
  let off = 0
  while (off < length && trades[off]?.bar === reference[off]?.bar && trades[off]?.side === reference[off]?.side) off++
  const figure = off === length ? `${trades.length} of ${reference.length}` : `number ${off + 1} is another one`
  report(`trades of ${name}`, figure, 'those of the bare loop', off === length)
}

/** Of the peers, which are installed in a folder of their own. */
type PeerOf = (candles: readonly BenchCandle[]) => Contender
interface Peers {
  readonly grademarkOf: PeerOf
  readonly rollingGrademarkOf: PeerOf
  readonly frameworkOf: PeerOf
}

/** Loaded by a name that the type checker does not follow: the project is checked where they are not installed. */
async function openPeers(): Promise<Peers> {
  const path: string = './peers/peers.ts'
  try {
    return (await import(path)) as Peers
  } catch (thrown) {
    throw new Error('the other frameworks are not installed: npm ci --prefix bench/peers', { cause: thrown })
  }
}

async function crossoverPart(): Promise<void> {
  const { grademarkOf, rollingGrademarkOf, frameworkOf } = await openPeers()
  const candles = seededCandles(CANDLES)
  const [log, dailyLog] = [crossoverLog(candles, ONCE), crossoverLog(candles, DAILY)]
  const lines = linesOf(log)
  const opens = opensOf(candles)
  const reference = bareLoop(opens)
  const CORNERMAN = 'Cornerman, whole pipeline'
  const data = readLogs([log])
  const ours = contender(() => play(data, crossoverBot(ONCE)), tradesOf)
  const peers: Record<string, Contender> = {
    'grademark, averages made beforehand': grademarkOf(candles),
    'grademark, averages of its lookback': rollingGrademarkOf(candles),
    '@backtest/framework': frameworkOf(candles),
  }
  const ceilings = {
    'bare loop': () => bareLoop(opens),
    'bare RxJS Subject': () => bareSubject(opens),
    'JSON.parse alone': () => parseAlone(lines),
  }
  for (const [name, run] of Object.entries({ [CORNERMAN]: ours, ...peers })) agrees(name, await run.trades(), reference)
  const rates = new Map<string, number>()
  for (const [name, { play: run }] of Object.entries({ [CORNERMAN]: ours, ...peers })) rates.set(name, CANDLES / (await warmSeconds(run)))
  for (const [name, run] of Object.entries(ceilings)) rates.set(name, CANDLES / (await warmSeconds(run)))
  rates.set('Cornerman, from the compiled log', CANDLES / (await warmSeconds(() => play(log, crossoverBot(ONCE)))))
  rates.set('Cornerman, a contest a day', CANDLES / (await warmSeconds(() => play(dailyLog, crossoverBot(DAILY)))))
  const own = rates.get(CORNERMAN) ?? 0
  for (const [name, rate] of rates)
    console.log(`        ${name.padEnd(38)} ${million(rate).padStart(12)}  ${(rate / own).toFixed(2).padStart(8)}`)
  report(CORNERMAN, million(own), `at least ${million(LEAST_PER_SECOND)}`, own >= LEAST_PER_SECOND)
  for (const name of Object.keys(peers)) {
    const ratio = own / (rates.get(name) ?? Number.NaN)
    report(`against ${name}`, `${ratio.toFixed(2)} times as fast`, 'faster', ratio > 1)
  }
  for (const folder of [log, dailyLog]) rmSync(folder, { recursive: true })
}

interface Once {
  readonly seconds: number
  readonly updates: number
  readonly peakBytes: number
}

/** In a process of its own: the one backtest it plays. */
async function playOnce(log: string, pace: Pace): Promise<Once> {
  const startedAt = performance.now()
  const { priceUpdates: updates } = await play(log, crossoverBot(pace))
  return { seconds: (performance.now() - startedAt) / 1000, updates, peakBytes: process.resourceUsage().maxRSS * 1024 }
}

async function coldPart(): Promise<void> {
  const log = crossoverLog(seededCandles(CANDLES), ONCE)
  const forget = () => rmSync(join(log, '.compiled'), { recursive: true, force: true })
  const rates: number[] = []
  for (let run = 0; run < COLD_RUNS; run++) {
    forget()
    const { seconds, updates } = await inFreshProcess<Once>(script, 'once', log, String(ONCE.everyMinutes))
    rates.push(updates / seconds)
  }
  const rate = median(rates)
  const spread = `${million(Math.min(...rates))} to ${million(Math.max(...rates))}`
  report(
    `cold from NDJSON, a process of its own, ${COLD_RUNS} of them (${spread})`,
    million(rate),
    `at least ${million(LEAST_COLD_PER_SECOND)}`,
    rate >= LEAST_COLD_PER_SECOND,
  )
  const seconds = await warmSeconds(async () => {
    forget()
    await play(log, crossoverBot(ONCE))
  })
  console.log(`        from NDJSON too, by a compiler that is warm: ${million(CANDLES / seconds)}`)
  rmSync(log, { recursive: true })
}

async function longPart(): Promise<void> {
  const log = longLog(seededCandles(CANDLES))
  for (const how of ['from NDJSON', 'compiled']) {
    const { seconds, updates, peakBytes } = await inFreshProcess<Once>(script, 'once', log, String(DAILY.everyMinutes))
    const figure = `${Math.round(peakBytes / 1e6)} MB, ${million(updates / seconds)}`
    report(`${updates} updates ${how}`, figure, `under ${MOST_BYTES / 1e6} MB`, peakBytes < MOST_BYTES)
  }
  rmSync(log, { recursive: true })
}

async function monthPart(): Promise<void> {
  const log = writeLog(monthLog())
  let played = 0
  const seconds = await warmSeconds(async () => {
    const { bots } = await play(log, monthBot())
    played = bots[0]?.contests.length ?? 0
  })
  report('contests played of the month', String(played), String(CONTESTS), played === CONTESTS)
  report('month of 30 tokens', `${seconds.toFixed(2)} s`, `under ${MOST_MONTH_SECONDS} s`, seconds < MOST_MONTH_SECONDS)
  rmSync(log, { recursive: true })
}

const PARTS = { crossover: crossoverPart, cold: coldPart, long: longPart, month: monthPart }
type Part = keyof typeof PARTS
const isPart = (name: string | undefined): name is Part => name !== undefined && Object.hasOwn(PARTS, name)

const [asked, log, pace] = process.argv.slice(2)
if (asked === 'once' && log !== undefined) process.send?.(await playOnce(log, { everyMinutes: Number(pace) }))
else for (const part of isPart(asked) ? [asked] : (Object.keys(PARTS) as Part[])) await PARTS[part]()
