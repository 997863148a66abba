import { median } from 'simple-statistics'
import { SANDBOX_VENUE, type Venue } from '../../contests/index.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { LogData } from '../log/readLogs.ts'
import type { Samples } from '../log/samples.ts'
import { swapCosts } from '../log/swapCosts.ts'
import { type Assumption, RAKE } from '../result.ts'
import { COARSE_MS } from '../world/worldPrices.ts'
import { fitVenue } from './fitVenue.ts'

/** How the simulated service, DEX and network behave: fitted to the log where it has enough to fit to. */
export interface World {
  /** Milliseconds from an action's being sent to its taking effect and its answer. */
  readonly actionMs: number
  /** Likewise of a question to the DEX. */
  readonly quoteMs: number
  /** From an event to the bot's hearing of it. */
  readonly eventMs: number
  /** The most a ticket waits for a reference opponent; half of it on average. */
  readonly waitMs: number
  /** Of the pot. */
  readonly rakeBps: number
  readonly feeLamports: bigint
  /** What swaps cost. */
  readonly venue: Venue
  /** Share of swaps that fail on the chain. */
  readonly swapFailures: number
  readonly maxStake: Usdc
  readonly dailyLossCap: Usdc
  /** What the bot begins with. */
  readonly bankroll: Usdc
  readonly gasLamports: bigint
}

/** Where a log says nothing: what the sandbox does by default, and delays of a service one continent away. */
const DEFAULTS: World = {
  actionMs: 150,
  quoteMs: 250,
  eventMs: 1000,
  waitMs: 3000,
  rakeBps: 500,
  feeLamports: 10_000n,
  venue: SANDBOX_VENUE,
  swapFailures: 0,
  maxStake: usdc('50'),
  dailyLossCap: usdc('200'),
  bankroll: usdc('1000'),
  gasLamports: 1_000_000_000n,
}

/** `guard.maxPriceAgeMs` by default: less is allowed anyway. */
const USUAL_AGE_MS = 15_000
/** Fewer observations than this say nothing. */
const LEAST_SAMPLES = 5

/** Of the time between two prices of an imported log: how old a price may be that a bot acts on. Half a period more than it ever is. */
const PERIODS_OLD = 1.5

/**
 * The bot as it is played on an imported log: with a feed as slow as the log's, its guard would keep it from acting between two prices,
 * where live it would have a fresh one. Only a price that is missing from the log is too old.
 */
export function byPeriod(bot: BotConfig, data: Pick<LogData, 'isImported' | 'stepMs'>): BotConfig {
  const { guard } = bot
  const maxPriceAgeMs = Math.max(guard.maxPriceAgeMs, ageOf(data))
  const maxFeedGapBps = Math.max(guard.maxFeedGapBps, gapOf(data))
  const isSame = maxPriceAgeMs === guard.maxPriceAgeMs && maxFeedGapBps === guard.maxFeedGapBps
  return isSame ? bot : { ...bot, guard: { ...guard, maxPriceAgeMs, maxFeedGapBps } }
}

/**
 * How far a quote may lie under the log's newest price: that price may be a period old, and the DEX of a backtest deceives nobody. With the
 * 1.5 % that are usual, swaps were refused in one of sixty contests on one-minute prices, always where prices had moved.
 */
const GAP_BPS = 1000
const gapOf = ({ isImported, stepMs }: Pick<LogData, 'isImported' | 'stepMs'>): number => (isImported && stepMs > COARSE_MS ? GAP_BPS : 0)

const ageOf = ({ isImported, stepMs }: Pick<LogData, 'isImported' | 'stepMs'>): number => (isImported ? Math.ceil(PERIODS_OLD * stepMs) : 0)

/** What follows from the time between two prices, for a reader. */
function periodFigures(data: Pick<LogData, 'isImported' | 'stepMs'>): Assumption[] {
  const { stepMs } = data
  const coarse: Assumption[] =
    stepMs > COARSE_MS ? [{ name: 'prices that opponents see: one every', value: stepMs, unit: 'ms', samples: 0, basis: 'period' }] : []
  const age: Assumption = { name: 'guard.maxPriceAgeMs, at least', value: ageOf(data), unit: 'ms', samples: 0, basis: 'period' }
  const gap: Assumption = { name: 'guard.maxFeedGapBps, at least', value: gapOf(data), unit: 'bps', samples: 0, basis: 'period' }
  return [...coarse, ...(age.value > USUAL_AGE_MS ? [age] : []), ...(gap.value > 0 ? [gap] : [])]
}

export interface Fitted {
  readonly world: World
  /** The same for a reader, each with what it rests on. */
  readonly figures: readonly Assumption[]
}

type Fit = Pick<LogData, 'samples' | 'prices' | 'isImported' | 'stepMs'>

/** @param stated taken as given, whatever the log says of it */
export function fitWorld(data: Fit, stated: Partial<World> = {}): Fitted {
  const { samples, prices } = data
  const { fees, swapsFilled, swapsFailed } = samples
  const rakes = samples.paidShares.map((share) => 10_000 * (1 - share))
  const swaps = swapsFilled + swapsFailed
  const { venue, figures: costs } = fitVenue(swapCosts(samples.filled, prices), prices.mints)
  const world: World = {
    actionMs: fitted(samples.actionMs, DEFAULTS.actionMs),
    quoteMs: fitted(samples.quoteMs, DEFAULTS.quoteMs),
    eventMs: fitted(samples.eventMs, DEFAULTS.eventMs),
    waitMs: 2 * fitted(samples.waitMs, DEFAULTS.waitMs / 2),
    rakeBps: fitted(rakes, DEFAULTS.rakeBps),
    feeLamports: fees.toSorted((a, b) => (a < b ? -1 : 1))[fees.length >> 1] ?? DEFAULTS.feeLamports,
    venue,
    swapFailures: swaps < LEAST_SAMPLES ? DEFAULTS.swapFailures : swapsFailed / swaps,
    ...meansOf(samples),
    ...stated,
  }
  const observed = (key: keyof World, count: number) => ({ samples: stated[key] !== undefined || count < LEAST_SAMPLES ? 0 : count })
  const figures: Assumption[] = [
    { name: 'latency of an action', value: world.actionMs, unit: 'ms', ...observed('actionMs', samples.actionMs.length) },
    { name: 'latency of a quote', value: world.quoteMs, unit: 'ms', ...observed('quoteMs', samples.quoteMs.length) },
    { name: 'lag of the event stream', value: world.eventMs, unit: 'ms', ...observed('eventMs', samples.eventMs.length) },
    { name: 'wait in the match queue', value: world.waitMs / 2, unit: 'ms', ...observed('waitMs', samples.waitMs.length) },
    { name: RAKE, value: world.rakeBps, unit: 'bps', ...observed('rakeBps', rakes.length) },
    { name: 'swaps that fail', value: world.swapFailures, unit: 'share', ...observed('swapFailures', swaps) },
    // A venue that is stated is a table of its own: there is no one figure of it.
    ...(stated.venue === undefined ? costs : []),
    ...periodFigures(data),
  ]
  return { world, figures }
}

/**
 * What a bot has and may, where a log of its own says so; else as the first of the logs has it.
 *
 * @param stated taken as given, whatever the log says of it
 */
export function worldOf(bot: string, { world, samples, stated }: { world: World; samples: Samples; stated: Partial<World> }): World {
  return { ...world, ...meansOf(samples, bot), ...stated }
}

function meansOf({ limits, bankroll }: Samples, bot = ''): Pick<World, 'maxStake' | 'dailyLossCap' | 'bankroll' | 'gasLamports'> {
  const limit = limits.get(bot) ?? [...limits.values()][0]
  const wallet = bankroll.get(bot) ?? [...bankroll.values()][0]
  return {
    maxStake: limit?.maxStake ?? DEFAULTS.maxStake,
    dailyLossCap: limit?.dailyLossCap ?? DEFAULTS.dailyLossCap,
    bankroll: wallet?.total ?? DEFAULTS.bankroll,
    gasLamports: wallet?.gasLamports ?? DEFAULTS.gasLamports,
  }
}

/** Whole numbers, since times are whole milliseconds everywhere: half of one would be lost wherever a time is written down. */
const fitted = (values: readonly number[], byDefault: number): number =>
  Math.round(values.length < LEAST_SAMPLES ? byDefault : median(values))
