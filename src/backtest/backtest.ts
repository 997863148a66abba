import { hash } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { countUpTo } from '../core/countUpTo.ts'
import { CornermanError } from '../core/error.ts'
import { learnTokens } from '../core/learnTokens.ts'
import { countable, type TokenFacts } from '../core/tokenFacts.ts'
import { type OnProgress, SYNTHETIC } from '../recording/index.ts'
import type { BotConfig } from '../strategy/config.ts'
import type { Decided } from './chronicle/chronicle.ts'
import { fitWorld, type World, worldOf } from './fit/assumptions.ts'
import { type LogData, readLogs } from './log/readLogs.ts'
import type { BacktestRun } from './result.ts'
import { expectMints } from './run/expectMints.ts'
import { type BotBacktest, runBot } from './run/runBot.ts'

export interface BacktestOptions {
  /** Recordings; or what `readLogs` has read of them, which any number of runs can share. */
  readonly logs: readonly string[] | LogData
  readonly bots: readonly BotConfig[]
  /** Keys the reference opponents, and what else is drawn. */
  readonly seed: number
  /** Unix milliseconds. Default: the whole log. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /**
   * Unix milliseconds: nothing is entered from then on, and what was entered before is played to its end, up to `to`. Without it the end of a
   * range cuts contests off, which then count nowhere.
   */
  readonly entriesUntil?: number | undefined
  /** Tokens of the config; of one that the log has, what the log says counts. */
  readonly tokens?: readonly TokenFacts[]
  /** Taken as given, whatever the log says of it. */
  readonly world?: Partial<World>
  /** Whether a report will draw the contests. */
  readonly withPrices: boolean
  /** Real time: how long it took, and how long strategies that answer late may take. */
  readonly clock: Clock
  /** Told of every input of every bot that led to something, a bot after the other. */
  readonly onDecision?: (decided: Decided) => void
  /** Told now and then how far the logs are read: bytes of all of them together. */
  readonly onReading?: OnProgress
  /** Told now and then how far it has come: ticks of all bots together. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Plays the bots of a config on recorded logs, each alone.
 *
 * @throws LogError at the first thing that is wrong with a log
 * @throws CornermanError `LOG_WITHOUT_PRICES` where there is no price to play on, `LOG_RANGE_EMPTY` where there is none between
 *   `from` and `to`, `LOG_LACKS_MINT` where a strategy names a
 *   token without one
 */
export async function backtest(options: BacktestOptions): Promise<BacktestRun> {
  const {
    logs,
    bots,
    seed,
    entriesUntil,
    world: stated = {},
    withPrices,
    clock,
    onDecision,
    onReading,
    onProgress,
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
  } = options
  const startedAt = clock.now()
  const data = withTokens('prices' in logs ? logs : readLogs(logs, onReading), options.tokens ?? [])
  learnTokens(data.tokens.flatMap(countable))
  const { paths } = data
  const { tickCount, at } = data.prices
  if (tickCount === 0) throw new CornermanError('LOG_WITHOUT_PRICES', `${paths.join(', ')}: there is no price in it to play on`)
  expectRange(at, from, to)
  for (const bot of bots) expectMints(bot, data.prices.mints, paths)
  const { world, figures } = fitWorld(data, stated)
  const played: BotBacktest[] = []
  for (const [index, bot] of bots.entries()) {
    const report = (ticks: number) => onProgress?.(index * tickCount + ticks, bots.length * tickCount)
    const own = worldOf(bot.name, { world, samples: data.samples, stated })
    played.push(await runBot({ bot, data, world: own, seed, from, to, entriesUntil, withPrices, clock, onProgress: report, onDecision }))
  }
  const sum = (of: 'priceUpdates' | 'events' | 'decisions') => played.reduce((total, each) => total + each[of], 0)
  return {
    logs: paths,
    synthetic: data.spans.some(({ realm }) => realm === SYNTHETIC),
    bots: played.map(({ run }) => run),
    priceUpdates: sum('priceUpdates'),
    events: sum('events'),
    decisions: sum('decisions'),
    elapsedMs: clock.now() - startedAt,
    fingerprint: fingerprintOfAll(played),
    assumptions: { figures },
  }
}

/** A recording knows what was so when it was made. */
function withTokens(data: LogData, tokens: readonly TokenFacts[]): LogData {
  const added = tokens.filter(({ mint }) => data.tokens.every((token) => token.mint !== mint))
  return added.length === 0 ? data : { ...data, tokens: [...data.tokens, ...added] }
}

function expectRange(at: Float64Array, from: number, to: number): void {
  if (countUpTo(at, from - 1) < countUpTo(at, to)) return
  const iso = (time: number | undefined) => new Date(time ?? 0).toISOString()
  const asked = [Number.isFinite(from) ? `from ${iso(from)} on` : '', Number.isFinite(to) ? `up to ${iso(to)}` : ''].filter(Boolean)
  throw new CornermanError(
    'LOG_RANGE_EMPTY',
    `there is no price ${asked.join(' and ')}: the log has prices from ${iso(at[0])} to ${iso(at.at(-1))}; change --from or --to`,
  )
}

/** Whatever the order of the bots. */
function fingerprintOfAll(played: readonly BotBacktest[]): string {
  const lines = played.map(({ run: { name }, fingerprint }) => `${name} ${fingerprint}`).sort()
  return hash('sha256', lines.join('\n'))
}
