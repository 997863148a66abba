import { NEVER, Subject, type Subscription } from 'rxjs'
import type { World } from '../../backtest/fit/assumptions.ts'
import { PollTimes } from '../../backtest/world/pollTimes.ts'
import { seededSeal } from '../../backtest/world/seededSeal.ts'
import { SimulatedService } from '../../backtest/world/simulatedService.ts'
import { SimulatedSwapper } from '../../backtest/world/simulatedSwapper.ts'
import { SANDBOX_VENUE } from '../../contests/index.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedRandom } from '../../core/random.ts'
import { systemClock } from '../../core/systemClock.ts'
import { usdc } from '../../core/usdc.ts'
import { inPlace, PriceBook, pipeline, type Step } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { Strategy } from '../../strategy/define.ts'
import { guardConfig } from '../../strategy/guardConfig.ts'
import { MemoryJournal } from '../memoryJournal.ts'
import { NOW_MS } from '../priceWorld.ts'
import { companionsOf } from './companions.ts'
import { probed } from './probe.ts'
import type { Watch } from './watch.ts'
import { offersOf } from './world/offers.ts'
import type { Scenario } from './world/scenarios.ts'
import { SeededPrices, WORLD_MINTS } from './world/seededPrices.ts'
import { troubledPorts } from './world/troubledPorts.ts'

/** Of a run: two rounds of the longest contests. */
const SECONDS = 210
/** Real time that a promise is waited for; after the first that was not kept, and for what RxJS reports on the next turn. */
const PATIENCE_MS = 1000
const SHORT_MS = 5

const WORLD: World = {
  ...{ actionMs: 150, quoteMs: 250, eventMs: 500, waitMs: 3000, rakeBps: 500, feeLamports: 10_000n, venue: SANDBOX_VENUE },
  ...{ swapFailures: 0, maxStake: usdc('50'), dailyLossCap: usdc('1000'), bankroll: usdc('1000'), gasLamports: 1_000_000_000n },
}
/** Longer than the run: nobody answers. */
const NOBODY_MS = 2 * 3_600_000

/**
 * Plays one strategy through one scenario: the pipeline of a live bot, on the backtest's simulated service and DEX, in virtual
 * time. What it may not do is in the watch afterwards.
 *
 * @returns the contests it played to their end
 */
export async function play(strategy: Strategy, seed: number, scenario: Scenario, watch: Watch): Promise<number> {
  const clock = new VirtualClock(NOW_MS)
  watch.begin({ seed, scenario: scenario.name, random: keyedRandom(seed, 'watch', scenario.name), now: () => clock.now() })
  const secondOf = (atMs: number) => (atMs - NOW_MS) / 1000
  const prices = new SeededPrices(seed, NOW_MS, SECONDS, (atMs) => scenario.isWorldOut(secondOf(atMs)))
  const world: World = {
    ...WORLD,
    waitMs: scenario.hasOpponents ? WORLD.waitMs : NOBODY_MS,
    swapFailures: scenario.trouble,
  }
  const opportunities = scenario.hasOpponents ? offersOf(seed, NOW_MS, SECONDS) : []
  const polls = new PollTimes([], world.eventMs)
  const service = new SimulatedService({ bot: 'tested', clock, seed, world, prices, mints: WORLD_MINTS, opportunities, polls })
  const swapper = new SimulatedSwapper({ clock, seed, world, prices, service })
  const ports = troubledPorts({ clock, seed, startMs: NOW_MS, scenario, service, swapper })
  const config = configOf([probed(strategy, watch), ...companionsOf(strategy)], seed, scenario)
  const journal = new MemoryJournal()
  const market = { book: new PriceBook(), tick$: new Subject<number>() }
  let promised: Promise<unknown>[] = []
  let failure: { readonly thrown: unknown } | undefined
  const onStep = ({ input, calls }: Step) => {
    watch.input = input.n + 1
    for (const { answer } of calls) promised.push(answer)
    if (input.type !== 'event' || !input.read.ok) return
    const { type, data } = input.read.event
    if (type === 'contest.settled' || type === 'contest.cancelled') watch.ended.set(data.contestId, input.n)
  }
  const start = (): Subscription =>
    pipeline(
      {
        ...{ clock, market, journal, seal: seededSeal(seed), isolation: inPlace, operator$: NEVER, ...ports },
        ...{ recorder: { record: () => {}, price: () => {} }, siblings: { heard$: NEVER, entered: () => {}, left: () => {} } },
      },
      { config, paths: {} },
    ).step$.subscribe({
      next: onStep,
      error: (thrown: unknown) => {
        failure = { thrown }
      },
    })
  const settle = async () => {
    while (promised.length > 0) {
      const answers = promised
      promised = []
      if (await areSettled(answers, watch.isPatient ? PATIENCE_MS : SHORT_MS)) continue
      watch.note('slow', `a promise of it was not kept within ${PATIENCE_MS} ms`)
      watch.isPatient = false
    }
  }

  let run = start()
  for (let second = 1; second < SECONDS && failure === undefined; second++) {
    while (clock.nextAt() < NOW_MS + second * 1000) {
      clock.advanceTo(clock.nextAt())
      await settle()
    }
    clock.skipTo(NOW_MS + second * 1000)
    const known = WORLD_MINTS.filter((mint) => scenario.isFed(mint, second)).flatMap((mint) => {
      const price = prices.at(mint, clock.now())
      return price === null ? [] : [[mint, price] as const]
    })
    market.tick$.next(market.book.append({ at: clock.now(), prices: new Map(known) }))
    await settle()
    if (!scenario.restarts.includes(second)) continue
    run.unsubscribe()
    run = start()
  }
  run.unsubscribe()
  await areSettled([new Promise(() => {})], SHORT_MS)
  if (failure !== undefined) throw failure.thrown
  return watch.ended.size
}

function configOf(strategies: readonly Strategy[], seed: number, { maxSwap }: Scenario): BotConfig {
  const guard = guardConfig({
    ...{ maxStake: usdc('50'), dailyLoss: usdc('1000'), maxOpenContests: 20, maxSwap, maxSwapsPerContest: 10_000, maxSwapsPerMinute: 600 },
    ...{ maxSlippageBps: 500, maxPriceImpactBps: 1000, maxFeedGapBps: 1000 },
  })
  return { name: 'tested', strategies: [...strategies], guard, sweep: true, seed }
}

async function areSettled(answers: readonly Promise<unknown>[], patienceMs: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>()
  const cancel = systemClock.at(systemClock.now() + patienceMs, () => resolve(false))
  try {
    return await Promise.race([Promise.allSettled(answers).then(() => true), timeUp])
  } finally {
    cancel()
  }
}
