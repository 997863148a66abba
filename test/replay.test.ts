import { concatMap, EMPTY, from, map, mergeMap, NEVER, type Observable, of, startWith, take } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Mode, TRADING_MODES } from '../src/contract/enums.ts'
import { VirtualClock } from '../src/core/clock.ts'
import { keyedUuid } from '../src/core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { usdc } from '../src/core/usdc.ts'
import { checkLog, LogWriter, readLog } from '../src/recording/index.ts'
import { type Action, enqueue, type SwapIntent } from '../src/strategy/action.ts'
import type { BotConfig } from '../src/strategy/config.ts'
import {
  defineQueuePolicy,
  defineStrategy,
  defineTrader,
  type QueueContext,
  type Strategy,
  type TradeContext,
} from '../src/strategy/define.ts'
import { MemoryJournal } from '../src/testing/memoryJournal.ts'
import {
  alwaysSays,
  ENDS_MS,
  openPrediction,
  predictionSettled,
  revealsOf,
  servePrediction,
  shelvePrediction,
} from './support/predictionContest.ts'
import { rawEvent, START_MS } from './support/rawEvents.ts'
import { emptyFolder, expectIdentical, replayed, replayedInHaste } from './support/replaying.ts'
import { rejected, unknown } from './support/scriptedService.ts'
import { ScriptedSwapper } from './support/scriptedSwapper.ts'
import { openTestBot, type TestBot } from './support/testBot.ts'
import { policy } from './support/testStrategies.ts'
import { buy, openTradingBot, sell } from './support/tradingBot.ts'

// Bots on a virtual clock are recorded, and their recordings run again: every decision has to come out as it was.

const entry = (mode: Mode) => enqueue({ mode, stake: usdc('1'), durationSec: 15 })
/** The bot's config with strategies that have no past. */
const anew = ({ config }: TestBot, ...strategies: readonly Strategy[]): BotConfig => ({ ...config, strategies: [...strategies] })
const ticketExpired = (n: number) => rawEvent('ticket.expired', { ticketId: keyedUuid('ticket', n) })

/** A promise that the test keeps when it likes. */
const gate = () => Promise.withResolvers<void>()

describe('strategies that answer late', () => {
  test('an answer is placed where it came, whatever came before it', async () => {
    const strategies = (slow: Promise<void>, fast: Promise<void>) => [
      policy(
        async ({ clock, random }) => {
          const modes: readonly Mode[] = clock.now() === START_MS ? ['up_down', 'draft_basket'] : ['price_prediction']
          const drawn = 1 + random.integer(0, 3)
          await slow
          return modes.map((mode) => enqueue({ mode, stake: usdc(String(drawn)), durationSec: 15 }))
        },
        { name: 'slow', everySec: 1 },
      ),
      policy(
        async () => {
          await fast
          return [entry('price_prediction')]
        },
        { name: 'fast', everySec: 1 },
      ),
    ]
    const [slow, fast] = [gate(), gate()]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies(slow.promise, fast.promise) })
    await bot.tell(ticketExpired(1))
    fast.resolve()
    await bot.run(500)
    bot.price({ [SOL_MINT]: '200' })
    slow.resolve()
    await bot.run(3000)
    const lates = bot.steps.flatMap(({ input }) => (input.type === 'late' ? input.callId.split(':')[1] : []))
    expect(lates.indexOf('slow')).toBeGreaterThan(lates.indexOf('fast'))
    expect(bot.service.sent('agent.queue.enqueue').length).toBeGreaterThan(2)
    await expectIdentical(recording, anew(bot, ...strategies(Promise.resolve(), Promise.resolve())))
  })

  test('an answer that never came, and one that was a fault, are what they were', async () => {
    const strategies = () => [
      policy(() => new Promise<never>(() => {}), { name: 'silent', everySec: 1 }),
      policy(() => Promise.reject(new Error('no luck')), { name: 'unlucky', everySec: 1 }),
      policy(() => [entry('up_down')], { name: 'plain', everySec: 3 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies() })
    await bot.run(25_000)
    expect(bot.notes('error').join()).toMatch(/no luck/)
    expect(bot.notes('error').join()).toMatch(/did not answer within/)
    await expectIdentical(recording, anew(bot, ...strategies()))
  })

  test('what a custom strategy emits between inputs is placed where it came', async () => {
    const strategies = (opened: Promise<void>) => [
      defineStrategy({
        name: 'dreamer',
        params: z.object({}),
        run: ({ random }) =>
          from(['up_down', 'draft_basket', 'price_prediction'] as const).pipe(
            mergeMap(async (mode) => {
              await opened
              return enqueue({ mode, stake: usdc(String(random.integer(1, 4))), durationSec: 15 })
            }),
          ),
      })(),
    ]
    const opened = gate()
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies(opened.promise) })
    bot.price({ [SOL_MINT]: '150' })
    await bot.tell(ticketExpired(1))
    await bot.run(1000)
    expect(bot.service.acts).toEqual([])
    opened.resolve()
    await bot.run(1000)
    expect(bot.service.acts).toHaveLength(3)
    await expectIdentical(recording, anew(bot, ...strategies(Promise.resolve())))
  })

  test('a strategy that answers otherwise than it did is found out, with the input and both decisions', async () => {
    const strategies = (stake: string) => [
      policy(async () => [enqueue({ mode: 'up_down', stake: usdc(stake), durationSec: 15 })], { everySec: 60 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies('1') })
    await bot.run(1000)
    const { decisions, matched, diverged } = await replayed(recording, anew(bot, ...strategies('2')))
    expect(matched).toBeLessThan(decisions)
    expect(diverged[0]).toMatchObject({
      input: { type: 'late' },
      recorded: expect.arrayContaining([expect.objectContaining({ type: 'approved', stake: '1000000' })]),
      replayed: expect.arrayContaining([expect.objectContaining({ type: 'approved', stake: '2000000' })]),
    })
  })
})

describe('strategies that say less than they did, or more', () => {
  type Trade = (context: TradeContext<unknown>) => Observable<SwapIntent>
  const never = () => new Promise<never>(() => {})
  const buysAt =
    (most: number): Trade =>
    ({ prices }) =>
      prices.price$(SOL_MINT).pipe(
        take(most),
        concatMap(async () => {
          await null
          return buy()
        }),
      )
  const enters = () => policy(async () => [entry('up_down')], { everySec: 3 })
  const trader = (trade: Trade, fields = {}) =>
    defineTrader({ name: 'trader', modes: TRADING_MODES, params: z.object({}), trade, ...fields })()

  /** A bot that trades and enters, both late, for ten seconds with a price each. */
  async function recorded({ most = 1, beside = enters() } = {}) {
    const recording = emptyFolder()
    const bot = await openTradingBot({ recording, trade: buysAt(most), strategies: [beside] })
    for (let second = 0; second < 10; second++) {
      bot.refresh()
      await bot.run(1000)
    }
    return { recording, bot }
  }

  test('the same come out as they were', async () => {
    const { recording, bot } = await recorded()
    const { silent } = await expectIdentical(recording, anew(bot, trader(buysAt(1)), enters()))
    expect(silent).toEqual([])
  })

  test('a trader that emits nothing any more', async () => {
    const { recording, bot } = await recorded({ most: 3 })
    const { decisions, matched, diverged, divergences, silent } = await replayedInHaste(
      recording,
      anew(
        bot,
        trader(() => NEVER),
        enters(),
      ),
    )
    expect(matched).toBeLessThan(decisions)
    // One for each emission, and none for what follows: the recording speaks for the trader.
    expect(divergences).toBe(3)
    expect(silent).toEqual(['trader'])
    expect(diverged[0]).toMatchObject({
      input: { type: 'late', body: { callId: expect.stringMatching(/^trader:/) } },
      recorded: { strategy: 'trader', said: { type: 'swap' } },
      replayed: expect.stringMatching(/^nothing: .* within 10 s/),
    })
    expect(diverged[1]?.replayed).toMatch(/not waited for any more/)
  })

  test('a trader that emits more', async () => {
    const { recording, bot } = await recorded()
    const { decisions, matched, diverged, divergences } = await replayed(recording, anew(bot, trader(buysAt(6)), enters()))
    // What was recorded is all there; the rest came after the prices that are no longer ignored.
    expect(matched).toBe(decisions)
    expect(divergences).toBe(5)
    expect(diverged.map(({ input }) => input)).toEqual(Array(5).fill(expect.objectContaining({ kind: 'prices' })))
    expect(diverged[0]).toMatchObject({
      recorded: expect.stringMatching(/^nothing/),
      replayed: { strategy: 'trader', said: { type: 'swap' } },
    })
  })

  test('a policy that does not keep its promises any more is waited for once', async () => {
    const { recording, bot } = await recorded()
    const answers = bot.steps.filter(({ input }) => input.type === 'late' && input.callId.includes(':policy:')).length
    expect(answers).toBeGreaterThan(2)
    const { decisions, matched, divergences, silent, waited } = await replayedInHaste(
      recording,
      anew(bot, trader(buysAt(1)), policy(never, { everySec: 3 })),
    )
    expect(waited).toHaveLength(1)
    expect(matched).toBeLessThan(decisions)
    expect(divergences).toBe(answers)
    expect(silent).toEqual(['policy'])
  })

  test('a policy that answers where it never did', async () => {
    const strategies = (decide: () => Promise<Action[]>) => [
      policy(decide, { name: 'mute', everySec: 60 }),
      policy(() => [entry('up_down')], { name: 'plain', everySec: 3 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies(never) })
    await bot.run(15_000)
    // The last time it was asked it still had time when the recording ended: that is not held against it.
    const { diverged, divergences } = await replayed(recording, anew(bot, ...strategies(async () => [entry('draft_basket')])))
    expect(divergences).toBe(1)
    expect(diverged[0]).toMatchObject({
      recorded: expect.stringMatching(/^nothing/),
      replayed: { strategy: 'mute', said: [{ type: 'enqueue' }] },
    })
  })

  test('beside a trader that calls out and trades elsewhere', async () => {
    const other = trader(() => NEVER, { name: 'other', external: true })
    const { recording, bot } = await recorded({ beside: other })
    await expectIdentical(recording, anew(bot, trader(buysAt(1)), other))
    const { silent } = await replayedInHaste(
      recording,
      anew(
        bot,
        trader(() => NEVER),
        other,
      ),
    )
    expect(silent).toEqual(['trader'])
  })

  test('an answer that came after its time was up came to nothing, and nobody waits for it', async () => {
    const { promise, resolve } = gate()
    const strategies = (answer: () => Promise<Action[]>) => [
      policy(({ clock }) => (clock.now() === START_MS ? answer() : []), { name: 'tooLate', everySec: 60 }),
      policy(() => [entry('up_down')], { name: 'plain', everySec: 3 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies(() => promise.then(() => [entry('draft_basket')])) })
    await bot.run(12_000)
    resolve()
    await bot.run(5000)
    expect(bot.notes('warn').join()).toMatch(/answered after its time was up/)
    await expectIdentical(recording, anew(bot, ...strategies(never)))
  })

  test('what a bot was about to say when it was killed is not missed', async () => {
    const recording = emptyFolder()
    const strategies = () => [
      defineStrategy({
        name: 'dreamer',
        params: z.object({}),
        run: ({ prices }) => prices.price$(SOL_MINT).pipe(concatMap(async () => entry('up_down'))),
      })(),
    ]
    const bot = await openTestBot({ recording, strategies: strategies() })
    await bot.run(3000)
    bot.price({ [SOL_MINT]: '200' })
    await bot.run(3000)
    // Two prices in one go, and the end before any promise is kept.
    bot.price({ [SOL_MINT]: '201' })
    bot.price({ [SOL_MINT]: '202' })
    bot.kill()
    expect(bot.steps.filter(({ input }) => input.type === 'late')).toHaveLength(1)
    await expectIdentical(recording, anew(bot, ...strategies()))
  })
})

describe('strategies that call out', () => {
  /** A model that nobody can ask a second time. */
  function oracle() {
    const world = { asked: 0, isClosed: false }
    const ask = <T>(answer: T): T => {
      world.asked += 1
      if (world.isClosed) throw new Error('the model was asked again')
      return answer
    }
    const external = { params: z.object({}), external: true }
    const decide = ({ tickets }: QueueContext<unknown>): Action[] =>
      tickets.some(({ mode }) => mode === 'up_down') ? [] : [entry('up_down')]
    const strategies = [
      defineQueuePolicy({ ...external, name: 'late', everySec: 1, decide: async (context) => ask(decide(context)) })(),
      // Sometimes it has the answer at hand.
      defineQueuePolicy({ ...external, name: 'atOnce', everySec: 2, decide: () => ask([entry('draft_basket')]) })(),
      defineQueuePolicy({
        ...external,
        name: 'broken',
        everySec: 60,
        decide: (): Action[] => {
          ask('')
          throw new Error('no answer')
        },
      })(),
      defineStrategy({
        ...external,
        name: 'stream',
        run: ({ events$, every }) =>
          ask(
            from([of(0), every(2), events$.pipe(mergeMap(() => EMPTY))]).pipe(
              mergeMap((each$) => each$),
              map(() => ask(entry('price_prediction'))),
            ),
          ),
      })(),
    ]
    return { world, strategies }
  }

  test('their answers are played back, and they are not asked again', async () => {
    const { world, strategies } = oracle()
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies, caughtUp: false })
    bot.price({ [SOL_MINT]: '150' })
    bot.events.catchUp()
    await bot.tell(ticketExpired(1))
    await bot.run(5000)
    const asked = world.asked
    expect(asked).toBeGreaterThan(6)
    const modes = new Set(bot.service.sent('agent.queue.enqueue').map(({ mode }) => mode))
    expect(modes).toEqual(new Set(['up_down', 'draft_basket', 'price_prediction']))
    expect(bot.notes('error').join()).toMatch(/no answer/)
    world.isClosed = true
    await expectIdentical(recording, bot.config)
    expect(world.asked).toBe(asked)
  })

  test('so are the swaps of a trader', async () => {
    const world = { asked: 0 }
    const trade = ({ outcomes$ }: TradeContext<unknown>) => {
      world.asked += 1
      return outcomes$.pipe(
        mergeMap((outcome) => (outcome.status === 'filled' && outcome.fill.to === SOL_MINT ? of(sell(outcome.fill.received)) : EMPTY)),
        startWith(buy()),
      )
    }
    const recording = emptyFolder()
    const bot = await openTradingBot({ recording, external: true, trade })
    await bot.run(60_000)
    expect(bot.journal.fills.map(({ to }) => to)).toEqual([SOL_MINT, USDC_MINT])
    await expectIdentical(recording, bot.config)
    expect(world.asked).toBe(1)
  })
})

describe('what a bot does of its own accord', () => {
  test('swaps: filled, without a quote, refused by the service, reverted, and never landed', async () => {
    // One after the other, whatever became of the one before.
    const trade = ({ outcomes$ }: TradeContext<unknown>) =>
      outcomes$.pipe(
        take(4),
        map((_outcome, index) => buy({ amount: usdc(String(index + 2)) })),
        startWith(buy({ amount: usdc('1') })),
      )
    const recording = emptyFolder()
    const swapper = new ScriptedSwapper()
    let sent = 0
    const sign = ({ transaction }: { readonly transaction: string }) => {
      sent += 1
      if (sent === 1) return rejected('TX_PROGRAM_NOT_ALLOWED')
      if (sent === 2) swapper.landed.set(transaction, { status: 'reverted', signature: 'gone', reason: 'slippage', feeLamports: 5000n })
      else if (sent === 3) swapper.landed.set(transaction, { status: 'expired' })
      else swapper.execute(transaction)
      return unknown
    }
    swapper.onQuote = (good) =>
      good.quote.inAmount === usdc('2') ? { ok: false, reason: 'HTTP 400', retryable: false, retryAt: undefined } : good
    const bot = await openTradingBot({ recording, trade, swapper, prepare: (service) => service.onAct('agent.trade.signAndSend', sign) })
    for (let second = 0; second < 60; second++) {
      bot.refresh()
      await bot.run(1000)
    }
    const ends = bot.journal.outcomes.map(({ status }) => status).filter((status) => status !== 'unknown')
    expect(ends.toSorted()).toEqual(['expired', 'filled', 'rejected', 'reverted', 'unfilled'])
    await expectIdentical(recording, bot.config)
  })

  test('a prediction, killed before it is revealed, and its reveal by the next run', async () => {
    const recording = emptyFolder()
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const first = await openPrediction({ recording, journal, clock })
    await first.run(1000)
    first.kill()
    await clock.advanceBy(9000)
    const second = await openTestBot({
      ...{ recording, journal, clock, strategies: [alwaysSays('999')] },
      prepare: (service) => {
        servePrediction(service, () => clock.now())
        shelvePrediction(service, { phase: 'running', committed: true })
      },
    })
    await second.run(ENDS_MS - clock.now() + 1000)
    await second.tell(predictionSettled())
    expect(revealsOf(second)).toHaveLength(1)
    const { runs } = await expectIdentical(recording, anew(first, alwaysSays('187.25')))
    expect(runs).toBe(2)
  })

  test('it obeys the operator: no new entries, the kill switch, and on again', async () => {
    const strategies = () => [
      policy(({ tickets }) => (tickets.length > 2 ? [] : [entry('up_down'), entry('draft_basket')]), { everySec: 1 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies(), command: 'stopEntries' })
    await bot.run(2000)
    expect(bot.service.acts).toEqual([])
    bot.operator$.next('resume')
    await bot.run(2000)
    bot.operator$.next('stopAll')
    await bot.run(4000)
    expect(bot.service.sent('agent.queue.cancel').length).toBeGreaterThan(0)
    bot.operator$.next('resume')
    await bot.run(2000)
    bot.operator$.next('drain')
    await bot.run(2000)
    await expectIdentical(recording, anew(bot, ...strategies()))
  })

  test('a strategy that fails, and one that talks nonsense, are left alone as they were', async () => {
    const strategies = () => [
      policy(
        () => {
          throw new Error('no luck')
        },
        { name: 'unlucky', everySec: 1 },
      ),
      policy(() => ['nonsense' as never], { name: 'silly', everySec: 1 }),
      policy(() => [entry('up_down')], { name: 'plain', everySec: 2 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies(), guard: { maxOpenContests: 1 } })
    await bot.run(30_000)
    expect(bot.notes('error').length).toBeGreaterThan(2)
    expect(bot.refusals().length).toBeGreaterThan(0)
    await expectIdentical(recording, anew(bot, ...strategies()))
  })

  test('an answer of the price feed without any price is an input like others', async () => {
    const strategies = () => [
      policy(({ prices }) => [enqueue({ mode: 'up_down', stake: usdc(prices.text(SOL_MINT) ?? '1'), durationSec: 15 })], { everySec: 1 }),
    ]
    const recording = emptyFolder()
    const bot = await openTestBot({ recording, strategies: strategies() })
    for (const prices of [{}, { [SOL_MINT]: '2' }, {}, {}, { [SOL_MINT]: '3' }]) {
      bot.price(prices)
      await bot.run(1000)
    }
    const asked = bot.steps.flatMap(({ record, refused }) => [...(record?.intents ?? []), ...refused].map(({ action }) => action))
    expect(new Set(asked.map((action) => 'stake' in action && action.stake)).size).toBe(3)
    expect(checkLog(recording)).toEqual([])
    await expectIdentical(recording, anew(bot, ...strategies()))
  })
})

test('of a run that the log has no beginning of nothing is replayed, and that is said', async () => {
  const strategies = () => [policy(() => [entry('up_down')], { everySec: 1 })]
  const [first, second, both] = [emptyFolder(), emptyFolder(), emptyFolder()]
  for (const recording of [first, second]) {
    const bot = await openTestBot({ recording, strategies: strategies() })
    await bot.run(5000)
    bot.kill()
  }
  const bot = await openTestBot({ strategies: strategies() })
  let place = 0
  for (const [recording, from] of [
    [first, 3],
    [second, 0],
  ] as const) {
    const lines = [...readLog(recording)].map(({ line }) => line)
    const [head] = lines
    if (head?.kind !== 'header') throw new Error('a log begins with a header')
    const writer = new LogWriter({ folder: both, header: { ...head, run: `run-${place++}` } })
    for (const line of lines.slice(1 + from)) if (line.kind !== 'header') writer.write(line)
    writer.close()
  }
  const whole = await replayed(second, anew(bot, ...strategies()))
  const { partial, runs, decisions, matched, divergences } = await replayed(both, anew(bot, ...strategies()))
  expect({ runs, divergences, decisions, matched }).toEqual({
    runs: 2,
    divergences: 0,
    decisions: whole.decisions,
    matched: whole.decisions,
  })
  expect(partial.runs).toBe(1)
  expect(partial.decisions).toBeGreaterThan(0)
  expect(whole.partial).toEqual({ runs: 0, decisions: 0 })
})

describe('what a strategy reads of a contest', () => {
  test('its standings come out again, and with them what was decided by them', async () => {
    const entries = (own: string) => [
      { entryId: keyedUuid('theirs'), userId: 'somebody', kind: 'HUMAN', score: '0.6' },
      { entryId: keyedUuid('entry'), userId: 'me', kind: 'AGENT', score: own },
    ]
    const follows = () =>
      policy(
        ({ contests, tickets }) => {
          const { standings = [], capacity } = contests[0] ?? {}
          const scoreOf = (own: boolean) => Number(standings.find(({ isOwn }) => isOwn === own)?.score)
          return tickets.length === 0 && capacity === 2 && scoreOf(true) > scoreOf(false) ? [entry('up_down')] : []
        },
        { everySec: 1 },
      )
    const recording = emptyFolder()
    const contest = { capacity: 2, filled: 2, entries: entries('0.5') }
    const bot = await openTradingBot({ recording, isWithoutTrader: true, strategies: [follows()], contest })
    await bot.run(15_000)
    expect(bot.service.sent('agent.queue.enqueue')).toEqual([])
    bot.service.contests = [{ ...bot.service.contests[0], entries: entries('0.75') }]
    await bot.run(15_000)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    bot.kill()
    await expectIdentical(recording, anew(bot, follows()))
  })
})
