import { type Usdc, usdc } from '../core/usdc.ts'
import type { Samples } from './log/samples.ts'
import type { Assumption } from './result.ts'

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

export function fitWorld(samples: Samples): Fitted {
  const figures: Assumption[] = []
  const medianOr = (name: string, unit: Assumption['unit'], values: readonly number[], byDefault: number): number => {
    const isKnown = values.length >= LEAST_SAMPLES
    const value = isKnown ? medianOf(values) : byDefault
    figures.push({ name, value, unit, samples: isKnown ? values.length : 0 })
    return value
  }
  const { limits, bankroll, swapsFilled, swapsFailed } = samples
  const swaps = swapsFilled + swapsFailed
  const swapFailures = swaps < LEAST_SAMPLES ? DEFAULTS.swapFailures : swapsFailed / swaps
  const world: World = {
    actionMs: medianOr('latency of an action', 'ms', samples.actionMs, DEFAULTS.actionMs),
    quoteMs: medianOr('latency of a quote', 'ms', samples.quoteMs, DEFAULTS.quoteMs),
    eventMs: medianOr('lag of the event stream', 'ms', samples.eventMs, DEFAULTS.eventMs),
    waitMs: 2 * medianOr('wait in the match queue', 'ms', samples.waitMs, DEFAULTS.waitMs / 2),
    rakeBps: Math.round(
      medianOr(
        'rake',
        'bps',
        samples.paidShares.map((share) => 10_000 * (1 - share)),
        DEFAULTS.rakeBps,
      ),
    ),
    feeLamports:
      samples.fees.length === 0
        ? DEFAULTS.feeLamports
        : (samples.fees.toSorted((a, b) => (a < b ? -1 : 1))[samples.fees.length >> 1] ?? 0n),
    swapFailures,
    maxStake: limits?.maxStake ?? DEFAULTS.maxStake,
    dailyLossCap: limits?.dailyLossCap ?? DEFAULTS.dailyLossCap,
    bankroll: bankroll?.total ?? DEFAULTS.bankroll,
    gasLamports: bankroll?.gasLamports ?? DEFAULTS.gasLamports,
  }
  figures.push({ name: 'swaps that fail', value: swapFailures, unit: 'share', samples: swaps < LEAST_SAMPLES ? 0 : swaps })
  return { world, figures }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
