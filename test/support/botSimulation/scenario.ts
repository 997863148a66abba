import { MODES } from '../../../src/contract/modes.ts'
import type { Reading } from '../../../src/contract/shapes/reading.ts'
import { draw, keyedRandom, type Random } from '../../../src/core/random.ts'
import { usdc } from '../../../src/core/usdc.ts'
import type { OperatorCommand } from '../../../src/pipeline/index.ts'
import type { BotConfig } from '../../../src/strategy/config.ts'
import { guardConfig } from '../../../src/strategy/guardConfig.ts'
import { strategiesOf } from './strategies.ts'

/** A stretch of the run, in milliseconds since its start. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Shares of the calls that go wrong in each way; what is left arrives and is answered. */
export interface NetworkFaults {
  /** Milliseconds there, and back: a plain call takes a few of these, a slow one seconds. */
  readonly latencyMs: readonly [number, number]
  readonly slow: number
  /** It never arrives, and nothing is heard of it until the time is up. */
  readonly lost: number
  /** It arrives once its sender has given up, before twice the time-out is over. */
  readonly late: number
  /** It is done, and the answer is lost: the connection breaks, or the time is up. */
  readonly answerLost: number
  /** HTTP 500 before it is done, and after. */
  readonly failed: number
  readonly failedAfter: number
  /** A page of something on the way, which never let it pass. */
  readonly gateway: number
  /** A read shows what it showed before, up to `STALE_MS` ago. */
  readonly stale: number
  /** An event stands in a page twice. */
  readonly repeated: number
}

/** The oldest that a read may be. */
export const STALE_MS = 2000

/** When the process of the bots dies: at a time, or in the middle of a step. */
export interface Death {
  readonly afterMs: number
  /** What one of them has just done then: the next time it does so after `afterMs`. `at once`: whatever they are doing. */
  readonly at: 'at once' | 'recorded' | 'committed' | 'sent'
  /** How long it stays dead. */
  readonly downMs: number
}

/** What a bot is started with. */
export interface Setup {
  readonly config: BotConfig
  /** Whether it has an RPC. */
  readonly hasChain: boolean
}

export interface BotScenario {
  readonly name: string
  /** By its starts: an owner may play something else when it comes back. The last one stays. */
  readonly setups: readonly [Setup, ...Setup[]]
  /** What the mapping of the service reads; undefined: nothing is unknown. */
  readonly reading: Reading | undefined
  readonly commands: readonly { readonly afterMs: number; readonly command: Exclude<OperatorCommand, 'drain'> }[]
}

/** What becomes of the machine of the bots. */
export interface MachineTrouble {
  readonly sleeps: readonly Span[]
  /** Whether the clock that nobody sets stands still meanwhile. */
  readonly standsStill: boolean
  /** When its clock is set, and how far. */
  readonly sets: readonly { readonly afterMs: number; readonly byMs: number }[]
}

/** All that is drawn for one run, by its seed alone. */
export interface Scenario {
  readonly seed: number
  /** Unix milliseconds. */
  readonly startsAt: number
  /** How long new contests are entered; then every bot drains, on a network without faults. */
  readonly playMs: number
  readonly bots: readonly BotScenario[]
  readonly deaths: readonly Death[]
  /** How far the clock of their machine is ahead of the service's. */
  readonly skewMs: number
  readonly machine: MachineTrouble
  readonly faults: NetworkFaults
  /** The service cannot be reached. */
  readonly outages: readonly Span[]
  /** The price feed says nothing. */
  readonly priceOutages: readonly Span[]
  /** Shares of the swaps that fail on the chain, and that never get there. */
  readonly reverted: number
  readonly neverLanded: number
  /** Share of the questions to the DEX and the RPC that neither answers. */
  readonly unanswered: number
  /** The longest a ticket waits for an opponent of the house. */
  readonly matchDelayMs: number
}

const MINUTE_MS = 60_000
const NOON = Date.parse('2025-03-01T12:00:00Z')
const MIDNIGHT = Date.parse('2025-03-02T00:00:00Z')

/** An answer that takes longer is lost. */
export const TIMEOUT_MS = 5000

export const MAX_STAKE = usdc('5')
export const DAILY_LOSS = usdc('40')

/** What a bot was started with that has recorded into this folder: its name, and the number of the setup. */
export function setupOf(seed: number, recording: string): Setup | undefined {
  const [, name, place] = /^(.+)-(\d+)$/.exec(recording) ?? []
  return scenarioOf(seed).bots.find((bot) => bot.name === name)?.setups[Number(place)]
}

export function scenarioOf(seed: number): Scenario {
  const random = keyedRandom('scenario', seed)
  const playMs = random.integer(4, 12) * MINUTE_MS
  // Some runs meet no fault at all, and some are worse than any network one would play on.
  const rough = random.pick([0, 0.01, 0.03, 0.06, 0.1]) ?? 0
  const share = () => rough * random.next()
  const spans = (most: number, longestMs: number): Span[] =>
    Array.from({ length: random.integer(0, most) }, () => {
      const from = random.integer(0, playMs)
      return { from, to: from + random.integer(1000, longestMs) }
    })
  const deaths = Array.from({ length: random.pick([0, 0, 1, 2, 4]) ?? 0 }, () => ({
    afterMs: random.integer(0, playMs),
    at: random.pick(['at once', 'recorded', 'committed', 'sent'] as const) ?? 'at once',
    downMs: random.pick([500, 5000, 30_000]) ?? 500,
  }))
  const bots = Array.from({ length: random.integer(1, 2) }, (_, index) => botOf(seed, { index, playMs, deaths: deaths.length }))
  return {
    seed,
    startsAt: startOf(keyedRandom('start', seed), playMs),
    playMs,
    bots,
    deaths: deaths.toSorted((a, b) => a.afterMs - b.afterMs),
    skewMs: random.pick([0, 0, 0, 1500, -1500, 90_000, -3_600_000]) ?? 0,
    machine: machineOf(keyedRandom('machine', seed), playMs),
    faults: {
      latencyMs: [5, random.pick([20, 100, 400]) ?? 20],
      slow: share(),
      lost: share(),
      late: share(),
      answerLost: share(),
      failed: share(),
      failedAfter: share(),
      gateway: share(),
      stale: random.next() < 0.3 ? 5 * share() : 0,
      repeated: share(),
    },
    outages: rough === 0 ? [] : spans(2, 90_000),
    priceOutages: spans(1, 60_000),
    reverted: 0.3 * random.next() ** 2,
    neverLanded: 0.2 * random.next() ** 2,
    unanswered: 3 * rough * keyedRandom('unanswered', seed).next(),
    matchDelayMs: random.pick([500, 3000, 15_000]) ?? 3000,
  }
}

/** Some runs go on from one UTC day to the next. */
const startOf = (random: Random, playMs: number): number => (random.next() < 0.7 ? NOON : MIDNIGHT - random.integer(0, playMs))

function machineOf(random: Random, playMs: number): MachineTrouble {
  const isTroubled = random.next() < 0.3
  let from = 0
  const sleeps = Array.from({ length: isTroubled ? random.integer(0, 2) : 0 }, () => {
    const sleep = { from: from + random.integer(0, playMs / 2), to: 0 }
    from = sleep.from + random.integer(1000, random.pick([10_000, 60_000, 300_000]) ?? 0)
    return { ...sleep, to: from }
  })
  const sets = Array.from({ length: isTroubled ? random.integer(0, 2) : 0 }, () => ({
    afterMs: random.integer(0, playMs),
    byMs: random.pick([-3_600_000, -5000, 900, 5000, 3_600_000]) ?? 0,
  }))
  return { sleeps, standsStill: random.next() < 0.7, sets }
}

/** Some bots play a service that is known in part: a few modes cannot be read, and a few begin on trial. */
function readingOf(random: Random): Reading | undefined {
  if (random.next() < 0.6) return undefined
  const drawn = draw(random, MODES, random.integer(0, 5))
  const unreadable = drawn.slice(0, random.integer(0, 2))
  return {
    hash: 'of this service',
    unreadable: Object.fromEntries(unreadable.map((mode) => [mode, ['entryId']])),
    onTrial: drawn.slice(unreadable.length),
  }
}

function botOf(seed: number, { index, playMs, deaths }: { index: number; playMs: number; deaths: number }): BotScenario {
  const random = keyedRandom('bot', seed, index)
  const commands = Array.from({ length: random.pick([0, 0, 0, 1, 3]) ?? 0 }, () => ({
    afterMs: random.integer(0, playMs),
    command: random.pick(['stopEntries', 'stopAll', 'resume'] as const) ?? 'resume',
  }))
  const name = `bot-${index}`
  const guard = guardConfig({
    maxStake: MAX_STAKE,
    dailyLoss: DAILY_LOSS,
    maxOpenContests: random.integer(1, 6),
    maxSwap: usdc('20'),
  })
  const setupOf = (own: Random, before?: Setup): Setup => {
    const strategies = strategiesOf(own)
    // A swap that went out with an RPC cannot be looked up for sure without one: it is not taken away.
    return { config: { name, strategies, guard, sweep: true, seed: index }, hasChain: own.next() < 0.7 || before?.hasChain === true }
  }
  const setups: [Setup, ...Setup[]] = [setupOf(random)]
  const changes = keyedRandom('changes', seed, index)
  for (let count = changes.next() < 0.5 ? deaths : 0; count > 0; count--) setups.push(setupOf(changes, setups.at(-1)))
  return {
    name,
    setups,
    reading: readingOf(keyedRandom('reading', seed, index)),
    commands: commands.toSorted((a, b) => a.afterMs - b.afterMs),
  }
}
