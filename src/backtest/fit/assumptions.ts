import { median } from 'simple-statistics'
import { SANDBOX_VENUE, type Venue } from '../../contests/index.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import type { LogData } from '../log/readLogs.ts'
import type { Samples } from '../log/samples.ts'
import { swapCosts } from '../log/swapCosts.ts'
import type { Assumption } from '../result.ts'
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

/** Fewer observations than this say nothing. */
const LEAST_SAMPLES = 5

export interface Fitted {
  readonly world: World
  /** The same for a reader, each with what it rests on. */
  readonly figures: readonly Assumption[]
}

/** @param stated taken as given, whatever the log says of it */
export function fitWorld({ samples, prices }: Pick<LogData, 'samples' | 'prices'>, stated: Partial<World> = {}): Fitted {
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
    { name: 'rake', value: world.rakeBps, unit: 'bps', ...observed('rakeBps', rakes.length) },
    { name: 'swaps that fail', value: world.swapFailures, unit: 'share', ...observed('swapFailures', swaps) },
    // A venue that is stated is a table of its own: there is no one figure of it.
    ...(stated.venue === undefined ? costs : []),
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
