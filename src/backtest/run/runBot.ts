import { NEVER, Observable, type Subscriber } from 'rxjs'
import { type Clock, VirtualClock } from '../../core/clock.ts'
import { countUpTo } from '../../core/countUpTo.ts'
import { inTime } from '../../core/inTime.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { inPlace, type Journal, type PendingCall, pipeline, type Siblings } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { fingerprintOf } from '../../strategy/fingerprint.ts'
import { modeWarnings } from '../../strategy/modeWarnings.ts'
import { Chronicle, type Decided } from '../chronicle/chronicle.ts'
import { playedContests } from '../chronicle/playedContests.ts'
import { warningsOf } from '../chronicle/warnings.ts'
import type { World } from '../fit/assumptions.ts'
import type { LogData } from '../log/readLogs.ts'
import type { BotRun } from '../result.ts'
import { PollTimes } from '../world/pollTimes.ts'
import { seededSeal } from '../world/seededSeal.ts'
import { SimulatedService } from '../world/simulatedService.ts'
import { SimulatedSwapper } from '../world/simulatedSwapper.ts'
import { WorldPrices } from '../world/worldPrices.ts'
import { ColumnBook } from './columnBook.ts'
import { PATIENCE_MS } from './patience.ts'
import { Turns } from './turns.ts'

/** Ticks between reports of progress. */
const REPORT_EVERY = 256

/** Of a strategy that has not answered many times, in real time. */
const LEAST_PATIENCE_MS = 10

export interface BotRunOptions {
  readonly bot: BotConfig
  readonly data: LogData
  readonly world: World
  readonly seed: number
  /** Unix milliseconds: only prices from the one on, and up to the other, are played. */
  readonly from: number
  readonly to: number
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

/** Nothing is kept: a backtest begins with nothing and leaves nothing. */
const noJournal: Journal = {
  load: () => ({
    ...{
      cursor: undefined,
      events: [],
      pending: [],
      custody: [],
      claimed: [],
      tickets: [],
      left: [],
      ownReadies: [],
      revealed: [],
      madeAt: undefined,
      sent: [],
    },
    ...{ swaps: [], fills: [], lastInput: 0 },
    counts: { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 },
  }),
  commit: () => {},
}
/** Each bot is tested alone. */
const noSiblings: Siblings = { heard$: NEVER, entered: () => {}, left: () => {} }

/** Plays one bot on a log: the pipeline of a live bot, with a simulated service, DEX and clock in its ports. */
export async function runBot(options: BotRunOptions): Promise<BotBacktest> {
  const { bot, data, world, seed, from, to, withPrices, clock: realClock, onDecision, onProgress } = options
  const { prices, opportunities } = data
  const { at } = prices
  const [first, last] = [countUpTo(at, from - 1), countUpTo(at, to)]
  const clock = new VirtualClock(Math.max(from, Math.min(data.firstAt, at[first] ?? 0)))
  const book = new ColumnBook(prices)
  const facts = opportunities.flatMap((opportunity) => opportunity.facts)
  const worldPrices = new WorldPrices(prices, { facts, pauses: data.pauses, seed })
  // By tick: one look-up less at every price.
  const pauses = data.pauses.values()
  let pause = pauses.next().value
  while (pause !== undefined && pause.tick <= first) pause = pauses.next().value
  const polls = new PollTimes(data.samples.heardAt, world.eventMs)
  const service = new SimulatedService({
    ...{ bot: bot.name, clock, seed, world, polls },
    ...{ prices: worldPrices, ahead: worldPrices.near, mints: drawable(prices.mints), opportunities },
  })
  const swapper = new SimulatedSwapper({ clock, seed, world, prices: worldPrices, service })
  const chronicle = new Chronicle(bot.name, onDecision)
  // Of one listener: a Subject would look for others at every price.
  let listener: Subscriber<number> | undefined
  const tick$ = new Observable<number>((subscriber) => {
    listener = subscriber
  })
  const play = pipeline(
    {
      clock,
      service,
      events: service,
      market: { book, tick$ },
      swapper,
      journal: noJournal,
      recorder: { record: () => {}, price: () => {} },
      isolation: inPlace,
      siblings: noSiblings,
      operator$: NEVER,
      seal: seededSeal(seed),
    },
    { config: bot, paths: {} },
  )
  let promised: PendingCall['answer'][] = []
  let failure: { readonly thrown: unknown } | undefined
  // Whoever awaits this backtest does so by now: what is promised from here on is the strategies' own.
  await undefined
  const turns = new Turns()
  const subscription = play.step$.subscribe({
    next: (step) => {
      try {
        chronicle.onStep(step)
      } catch (thrown) {
        // Whoever is told of the decisions could not take one: a file that cannot be written, perhaps.
        failure ??= { thrown }
      }
      for (const { answer } of step.calls) promised.push(answer)
    },
    error: (thrown: unknown) => {
      failure = { thrown }
    },
  })
  // Who let the whole time go by once is not waited for as long again: a strategy that never answers must not hold up a backtest for hours.
  let patienceMs = PATIENCE_MS
  const settle = async () => {
    while (promised.length > 0) {
      const answers = promised
      promised = []
      const settled = await inTime(Promise.allSettled(answers), realClock, patienceMs)
      if (settled === undefined) patienceMs = Math.max(LEAST_PATIENCE_MS, patienceMs / 4)
    }
  }
  /**
   * Runs the timers due before a time, or by then, one after the other.
   *
   * @returns whether one of them has left an answer to wait for: then others may be left, too
   */
  const playTimers = (end: number, isIncluded: boolean) => {
    for (let next = clock.nextAt(); (next < end || (isIncluded && next === end)) && failure === undefined; next = clock.nextAt()) {
      clock.advanceTo(next)
      if (promised.length > 0) return true
    }
    return false
  }
  try {
    for (let tick = first + 1; tick <= last && failure === undefined; tick++) {
      const tickAt = at[tick - 1] ?? 0
      // In a pause of the log the bot sleeps as the recorded one did: what fell due meanwhile is done when it wakes.
      if (pause?.tick === tick) {
        while (playTimers(pause.from, true)) await settle()
        if (turns.areOwed) await undefined
        clock.skipTo(tickAt)
        pause = pauses.next().value
      }
      if (clock.nextAt() < tickAt) while (playTimers(tickAt, false)) await settle()
      // A turn for promises between any two prices, timers or none: what a strategy awaits comes in its time.
      if (turns.areOwed) await undefined
      clock.skipTo(tickAt)
      listener?.next(tick)
      if (promised.length > 0) await settle()
      if ((tick - first) % REPORT_EVERY === 0) onProgress(tick - first)
    }
    // Between two prices time can still be played; after the last line nothing is known.
    const lastPriceAt = at[last - 1] ?? 0
    // Cut short by `to`, what lies before the next price is played as far as it is where nothing is cut.
    const endsAt = (pause?.tick === last + 1 ? pause.from : at[last]) ?? data.lastAt
    const end = Math.min(to, Math.max(lastPriceAt, endsAt))
    while (playTimers(end, true)) await settle()
    if (turns.areOwed) await undefined
  } finally {
    turns.stop()
    subscription.unsubscribe()
  }
  if (failure !== undefined) throw failure.thrown
  const { swapProfit, actions, books } = play.status()
  const contests = playedContests({ chronicle, service, prices, withPrices })
  const run: BotRun = {
    name: bot.name,
    ...fingerprintOf(bot),
    bankroll: world.bankroll,
    contests,
    expired: chronicle.expired,
    refused: chronicle.refused,
    swaps: { filled: actions.swapsFilled, failed: actions.swapsFailed },
    swapProfit,
    warnings: warningsOf({
      ...{ modes: modeWarnings(bot), contests, onOldPrices: chronicle.onOldPrices, faults: chronicle.faults, rejected: chronicle.rejected },
      ...{ maxPriceAgeMs: bot.guard.maxPriceAgeMs, stepMs: data.stepMs, open: books.tickets.size + books.seats.size },
      ...{ waitsMs: service.waitsMs, usualWaitMs: world.waitMs / 2 },
    }),
  }
  const { events, decisions } = chronicle
  return { run, events, decisions, priceUpdates: updatesBetween(data, first, last), fingerprint: chronicle.fingerprint() }
}

/** What a contest can be about: a recording may have a price of the dollar itself. */
const drawable = (mints: readonly Mint[]): Mint[] => mints.filter((mint) => mint !== USDC_MINT)

/** Single prices of single tokens in a range of ticks. */
function updatesBetween({ prices }: LogData, first: number, last: number): number {
  let updates = 0
  for (const mint of prices.mints) {
    const { ticks } = prices.of(mint) ?? {}
    if (ticks !== undefined) updates += countUpTo(ticks, last) - countUpTo(ticks, first)
  }
  return updates
}
