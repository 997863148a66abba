import type { Clock } from '../../core/clock.ts'
import { countUpTo } from '../../core/countUpTo.ts'
import { pipeline, type Step } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { fingerprintOf } from '../../strategy/fingerprint.ts'
import { modeWarnings } from '../../strategy/modeWarnings.ts'
import { Chronicle, type Decided } from '../chronicle/chronicle.ts'
import { playedContests } from '../chronicle/playedContests.ts'
import { warningsOf } from '../chronicle/warnings.ts'
import { byPeriod, type World } from '../fit/assumptions.ts'
import type { LogData } from '../log/readLogs.ts'
import { entersAsRecorded } from '../log/recordedEntries.ts'
import type { BotRun, Ruin } from '../result.ts'
import { againstLive } from '../statistics/againstLive.ts'
import { coarseModesOf } from '../statistics/ground.ts'
import type { SimulatedService } from '../world/simulatedService.ts'
import { LogPlayer, type TickRange } from './logPlayer.ts'
import { simulatedPorts } from './simulatedPorts.ts'

export interface BotRunOptions {
  readonly bot: BotConfig
  readonly data: LogData
  readonly world: World
  readonly seed: number
  /** Unix milliseconds: only prices from the one on, and up to the other, are played. */
  readonly from: number
  readonly to: number
  /** Unix milliseconds: what was entered before is played to its end, and nothing is entered from then on. */
  readonly entriesUntil?: number | undefined
  /** Whether a report will draw the contests. */
  readonly withPrices: boolean
  /** Real time, for strategies that answer late. */
  readonly clock: Clock
  /** Told of every input that led to something. */
  readonly onDecision: ((decided: Decided) => void) | undefined
  /** Told now and then how many ticks are done. */
  readonly onProgress: (ticks: number) => void
}

export interface BotBacktest {
  readonly run: BotRun
  readonly priceUpdates: number
  readonly events: number
  readonly decisions: number
  readonly fingerprint: string
}

/** Plays one bot on a log: the pipeline of a live bot, with a simulated service, DEX and clock in its ports. */
export async function runBot(options: BotRunOptions): Promise<BotBacktest> {
  const { bot, data, world, seed, from, to, entriesUntil, withPrices, clock: realClock, onDecision, onProgress } = options
  const { prices } = data
  const range: TickRange = { first: countUpTo(prices.at, from - 1), last: countUpTo(prices.at, to) }
  const beginsAt = Math.max(from, Math.min(data.firstAt, prices.at[range.first] ?? 0))
  const { ports, clock, service, ticks } = simulatedPorts({ name: bot.name, data, world, seed, beginsAt, entriesUntil })
  const asPlayed = entersAsRecorded(bot, data.entered.get(bot.name)) ?? byPeriod(bot, data)
  const chronicle = new Chronicle(bot.name, onDecision)
  const { step$, status } = pipeline(ports, { config: asPlayed, paths: {} })
  let isDrained = false
  const onStep = (step: Step) => {
    isDrained = step.drained
    chronicle.onStep(step)
  }
  const isOver = () => isDrained || ruinOf(chronicle, service) !== null
  await new LogPlayer({ data, range, to, clock, ticks, step$, onStep, isOver, realClock, onProgress }).play()
  const { swapProfit, actions, books } = status()
  const contests = playedContests({ chronicle, service, prices, withPrices })
  const warnings = warningsOf({
    ...{ modes: modeWarnings(bot), contests, onOldPrices: chronicle.onOldPrices, faults: chronicle.faults, rejected: chronicle.rejected },
    ...{ maxPriceAgeMs: asPlayed.guard.maxPriceAgeMs, stepMs: data.stepMs, open: books.tickets.size + books.seats.size },
    ...{ waitsMs: service.waitsMs, usualWaitMs: world.waitMs / 2 },
  })
  const fingerprint = chronicle.fingerprint()
  const run: BotRun = {
    name: bot.name,
    ...fingerprintOf(bot),
    fingerprint,
    bankroll: world.bankroll,
    contests,
    expired: chronicle.expired,
    refused: chronicle.refused,
    swaps: { filled: actions.swapsFilled, failed: actions.swapsFailed },
    swapProfit,
    warnings,
    againstLive: againstLive(contests, data.live.get(bot.name)),
    coarseModes: coarseModesOf(contests, data.stepMs),
    ruined: ruinOf(chronicle, service),
  }
  const { events, decisions } = chronicle
  return { run, events, decisions, priceUpdates: updatesBetween(data, range), fingerprint }
}

/** So many entries in a row that it cannot pay are no accident of a moment. */
const UNPAID = 20

/** That a bot can pay for nothing any more: nothing it asks for, with nothing at stake or held that could bring money back. */
function ruinOf({ unpaid }: Chronicle, service: SimulatedService): Ruin | null {
  if (unpaid === undefined || unpaid.times < UNPAID || service.hasMore()) return null
  const { at, stake, available } = unpaid
  return { at, stake, available }
}

/** Single prices of single tokens in a range of ticks. */
function updatesBetween({ prices }: LogData, { first, last }: TickRange): number {
  let updates = 0
  for (const mint of prices.mints) {
    const { ticks } = prices.of(mint) ?? {}
    if (ticks !== undefined) updates += countUpTo(ticks, last) - countUpTo(ticks, first)
  }
  return updates
}
