import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { keyedUuid } from '../src/core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { type IsolatedBot, type IsolatedBotOptions, openIsolatedBot } from './support/isolatedBot.ts'
import { faultsOf, oracle, policy, queued } from './support/isolatedStrategies.ts'
import { predictionEvents, servePrediction } from './support/predictionContest.ts'
import { emptyFolder, expectIdentical } from './support/replaying.ts'
import { accepted, type ScriptedService } from './support/scriptedService.ts'
import { ScriptedSwapper } from './support/scriptedSwapper.ts'
import type { TestBot } from './support/testBot.ts'
import { TestConfigs } from './support/testConfigs.ts'
import { CONTEST, contestOf, openTradingBot } from './support/tradingBot.ts'

// Strategies in processes of their own, from a config file of their own, beside a bot on a virtual clock. Each process takes its real time.

const configs = new TestConfigs()
const opened: IsolatedBot[] = []
afterEach(async () => {
  for (const bot of opened.splice(0)) await bot.close()
})
afterAll(() => configs.remove())

async function open(options: Omit<IsolatedBotOptions, 'configs'>): Promise<IsolatedBot> {
  const isolated = await openIsolatedBot({ configs, ...options })
  opened.push(isolated)
  return isolated
}

describe('a fault in its process is contained', () => {
  test.each([
    ['throws', `() => { throw new Error('boom') }`, 'boom'],
    ['rejects', `() => Promise.reject(new Error('boom'))`, 'boom'],
    ['returns nonsense', `() => 'nonsense' as never`, "it should return a list of actions, and returned 'nonsense'"],
    ['returns a function', `() => [() => 1] as never`, 'is not plain data'],
    ['returns a symbol', `() => Symbol('odd') as never`, 'is not plain data'],
    ['returns far too much', `() => 'x'.repeat(10_000_000) as never`, 'bytes, and 262144 is the most'],
    ['ends its process', `() => process.exit(7)`, 'with exit code 7'],
    [
      'takes all memory',
      `() => { const all: object[] = []; for (;;) all.push(new Array(100_000).fill(all.length)) }`,
      'that a process may have',
    ],
    [
      'takes all memory beside the heap',
      `() => { const all: Buffer[] = []; for (;;) all.push(Buffer.alloc(1_000_000, 1)) }`,
      'that a process may have',
    ],
    ['prints for ever', `() => { for (;;) console.log('x'.repeat(1000)) }`, 'strategy policy failed: it '],
    ['writes to the log for ever', `({ log }) => { for (;;) log.info('x'.repeat(1000)) }`, 'did not come to an end within'],
    ['loops for ever', 'loop', 'did not come to an end within'],
    ['loops for ever, later', `async () => { await null; return loop() }`, 'did not come to an end within'],
    [
      'throws outside of its calls',
      `() => { setTimeout(() => { throw new Error('astray') }, 1); return new Promise<never>(() => {}) }`,
      'astray',
    ],
  ])('a policy that %s: reported, asked again in a new process, and replayed; the others go on', async (_what, decide, message) => {
    const recording = emptyFolder()
    const isolated = await open({
      recording,
      // Memory is taken slowly on a busy machine: it must not count as stuck first.
      ...(message.endsWith('may have') ? { stuckAfterMs: 20_000 } : {}),
      strategies: [policy(decide), policy(`() => [entry('up_down')]`, 'plain'), oracle(`() => ({ price: '1' })`)].join(),
    })
    const { bot } = isolated
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    // The bot's time stands still meanwhile: a machine that is busy does not make an answer late.
    const othersAnswered = () => queued(bot).length > 0 && bot.service.sent('agent.modes.commitPrediction').length > 0
    await isolated.until(() => faultsOf(bot, 'policy').length > 0 && othersAnswered(), 'it has failed, and the others have answered')
    expect(faultsOf(bot, 'policy')[0]).toContain(message)
    await isolated.seconds(1)
    await isolated.until(() => faultsOf(bot, 'policy').length > 1, 'it has failed again')
    await isolated.seconds(20)
    expect(bot.service.acts.map(({ procedure }) => procedure)).toEqual(
      expect.arrayContaining(['agent.modes.commitPrediction', 'agent.modes.revealPrediction']),
    )
    expect(queued(bot).length).toBeGreaterThan(1)
    expect(faultsOf(bot, 'plain')).toEqual([])
    expect(faultsOf(bot, 'oracle')).toEqual([])
    expect(bot.end).toBeUndefined()
    // What it floods is bounded: at most so many lines of each of its lives.
    expect(isolated.lines.length).toBeLessThan(1500)
    await isolated.close()
    await expectIdentical(recording, bot.config)
  })
})

describe('while a strategy loops for ever', () => {
  test('the bot has its thread for itself, and the other strategies answer', async () => {
    let turns = 0
    const isolated = await open({
      stuckAfterMs: 6000,
      strategies: [policy('loop'), policy(`() => [entry('up_down')]`, 'plain'), oracle(`() => ({ price: '1' })`)].join(),
    })
    const { bot } = isolated
    servePrediction(bot.service, () => bot.clock.now())
    const turning = setInterval(() => {
      turns += 1
    }, 1)
    await bot.tell(...predictionEvents())
    await isolated.until(
      () => queued(bot).length > 0 && bot.service.sent('agent.modes.commitPrediction').length > 0,
      'the others have answered',
    )
    expect(faultsOf(bot, 'policy')).toEqual([])
    await isolated.until(() => faultsOf(bot, 'policy').length > 0, 'it has been ended')
    clearInterval(turning)
    // A thread that is held up would not have turned once.
    expect(turns).toBeGreaterThan(100)
  })

  test('and is the predictor, the policy goes on', async () => {
    const recording = emptyFolder()
    const isolated = await open({ recording, strategies: [oracle('loop'), policy(`() => [entry('up_down')]`)].join() })
    const { bot } = isolated
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    await isolated.until(() => faultsOf(bot, 'oracle').length > 0 && queued(bot).length > 0, 'it has been ended')
    expect(faultsOf(bot, 'oracle')[0]).toContain('did not come to an end within')
    expect(faultsOf(bot, 'policy')).toEqual([])
    await isolated.seconds(2)
    await isolated.close()
    await expectIdentical(recording, bot.config)
  })
})

const trader = (trade: string, name = 'trader') => `defineTrader({ name: '${name}', modes: ['pnl_usd'], params, trade: ${trade} })()`
const BUY = "swap({ from: USDC_MINT, to: SOL_MINT, amount: usdc('10') })"
const fillsOf = ({ journal }: TestBot) =>
  journal.fills.map(({ from, to }) => (from === SOL_MINT ? 'sold' : to === SOL_MINT ? 'bought' : 'other'))

describe('observables in a process of their own', () => {
  test('a trader is fed prices, positions, outcomes and periods, and what it asks for is carried out and replayed', async () => {
    const trade = `({ contest, prices, positions$, outcomes$, every, available, log, clock }) => {
        outcomes$.subscribe(({ status }) => log.info('outcome ' + status))
        positions$.subscribe(({ holdings, fills }) => log.info('positions ' + holdings.length + ' ' + fills))
        every(3).subscribe(() => log.info('period ' + clock.now()))
        prices.candles$(SOL_MINT, 2).subscribe(({ close }) => log.info('candle ' + close))
        log.info('in ' + contest.mode + ' with ' + available())
        return prices.price$(SOL_MINT).pipe(
          tap(({ price }) => log.info('price ' + price + ' of ' + prices.history(SOL_MINT, 60).length)),
          filter(({ price }) => price === 200.1 || price === 200.4),
          map(({ price }) => (price === 200.1 ? ${BUY} : swap({ from: SOL_MINT, to: USDC_MINT, amount: 50_000_000n }))),
        )
      }`
    const recording = emptyFolder()
    const isolated = await open({ recording, strategies: trader(trade), openBot: openTradingBot })
    const { bot } = isolated
    const said = () => isolated.lines.map(({ message }) => message)
    await isolated.until(() => said().includes('positions 0 0'), 'it has begun')
    for (let second = 1; second <= 8; second++) {
      const price = `200.${second}`
      bot.price({ [SOL_MINT]: price, [USDC_MINT]: '1' })
      await isolated.until(() => said().some((line) => line.startsWith(`price ${price} of `)), `it has seen ${price}`)
      await isolated.seconds(1)
    }
    await isolated.until(
      () => fillsOf(bot).length === 2 && said().filter((line) => line === 'outcome filled').length === 2,
      'both are filled',
    )
    expect(fillsOf(bot)).toEqual(['bought', 'sold'])
    await isolated.until(() => said().filter((line) => line.startsWith('period')).length >= 2, 'two periods have passed')
    for (const line of ['in pnl_usd with 1000000000', 'positions 1 1', 'candle 200.2', 'price 200.8 of 9']) expect(said()).toContain(line)
    await isolated.close()
    await expectIdentical(recording, bot.config)
  })

  test.each([
    ['a price', 'prices.price$(SOL_MINT).pipe(map(() => loop()))'],
    ['a timer of its own', 'interval(50).pipe(map(() => loop()))'],
  ])('a trader that loops for ever at %s is begun anew, and left alone in the contest after three times; the others go on', async (_what, endless) => {
    const recording = emptyFolder()
    const strategies = [
      trader(`({ prices, every }) => ${endless}`),
      policy(`() => [entry('up_down')]`),
      `defineStrategy({ name: 'own', params, run: ({ prices }) => prices.price$(SOL_MINT).pipe(map(() => entry('draft_basket'))) })()`,
    ].join()
    // The bot's time is quicker than a process can be begun: who shares one with a loop would be late by it.
    const isolate = `[{ name: 'trader', own: true }, 'policy', 'own']`
    const isolated = await open({ recording, strategies, isolate, openBot: openTradingBot })
    const { bot } = isolated
    let price = 200
    // The bot's time goes on beside the loop, and so does whatever else it has: no sooner than a busy machine lets the others answer.
    const pass = async () => {
      const answered = lateOf(bot, 'policy')
      bot.price({ [SOL_MINT]: String(++price), [USDC_MINT]: '1' })
      await isolated.seconds(1)
      await isolated.until(() => lateOf(bot, 'policy') > answered, 'the policy has answered')
    }
    for (let turns = 0; faultsOf(bot, 'trader').length < 3; turns++) {
      expect(turns).toBeLessThan(2000)
      await pass()
    }
    const [asked, emitted] = [lateOf(bot, 'policy'), lateOf(bot, 'custom:own')]
    expect(Math.min(asked, emitted)).toBeGreaterThan(3)
    expect(faultsOf(bot, 'trader')[0]).toContain('did not come to an end within')
    expect(faultsOf(bot, 'trader')[2]).toContain('left alone in this contest')
    for (let turn = 0; turn < 5; turn++) await pass()
    await isolated.until(() => lateOf(bot, 'policy') > asked && lateOf(bot, 'custom:own') > emitted, 'the others go on')
    expect(faultsOf(bot, 'trader')).toHaveLength(3)
    expect([...faultsOf(bot, 'policy'), ...faultsOf(bot, 'own')]).toEqual([])
    await isolated.close()
    await expectIdentical(recording, bot.config)
  })
})

describe('what is not to blame for the end of a process', () => {
  test('is begun anew without a fault, once no swap of its contest is under way', async () => {
    const other = keyedUuid('another contest')
    const trade = `(context) => {
        const { contest, prices, positions$, log } = context
        const loops = contest.contestId === '${CONTEST}'
        log.info(loops ? 'begun to loop' : 'begun to buy')
        const price$ = prices.price$(SOL_MINT)
        if (loops) return price$.pipe(filter(({ price }) => price === 200.5), map(() => loop()))
        return price$.pipe(withLatestFrom(positions$), filter(([, { fills }]) => fills === 0), map(() => ${BUY}), oneAtATime(context))
      }`
    const landing = Promise.withResolvers<void>()
    const recording = emptyFolder()
    const isolated = await open({
      recording,
      declares: "import { oneAtATime } from 'cornerman'\nimport { withLatestFrom } from 'rxjs'",
      strategies: trader(trade),
      openBot: async (options) => {
        const swapper = new ScriptedSwapper()
        const prepare = (service: ScriptedService) => {
          service.contests = [contestOf({ mode: 'pnl_usd' }), contestOf({ mode: 'pnl_usd', contestId: other })]
          service.onAct('agent.trade.signAndSend', async ({ transaction }) => {
            await landing.promise
            return accepted({ signature: swapper.execute(transaction), status: 'confirmed' })
          })
        }
        return await openTradingBot({ ...options, swapper, prepare })
      },
    })
    const { bot } = isolated
    const begun = (what: string) => isolated.lines.filter(({ message }) => message === `begun to ${what}`).length
    const price = (text: string) => bot.price({ [SOL_MINT]: text, [USDC_MINT]: '1' })
    await isolated.until(() => begun('buy') === 1 && begun('loop') === 1, 'both have begun')
    price('200.1')
    await isolated.until(() => lateOf(bot, `trader:${other}`) === 1, 'it has asked for its purchase')
    await bot.run(10)
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
    price('200.5')
    await isolated.until(() => begun('loop') === 2, 'the culprit has begun anew, in the next process')
    price('200.6')
    await isolated.seconds(1)
    expect(begun('buy')).toBe(1)
    landing.resolve()
    await isolated.seconds(1)
    await isolated.until(() => begun('buy') === 2, 'the other has begun anew')
    price('200.7')
    await isolated.seconds(2)
    expect(fillsOf(bot)).toEqual(['bought'])
    expect(faultsOf(bot, 'trader')).toHaveLength(1)
    await isolated.close()
    await expectIdentical(recording, bot.config)
  })
})

const lateOf = (bot: TestBot, name: string) => bot.steps.filter(({ input }) => input.type === 'late' && input.callId.includes(name)).length

describe('a custom strategy in a process of its own', () => {
  test('hears events and contests, and sees the state of the bot', async () => {
    const run = `({ events$, contests$, state, log }) => {
      events$.subscribe((event) => log.info(event.type + ' with ' + state().contests.length))
      contests$.subscribe((contests) => log.info('contests ' + contests.length))
      log.info('begun')
      return NEVER
    }`
    const isolated = await open({ strategies: `defineStrategy({ name: 'own', params, run: ${run} })()` })
    const { bot } = isolated
    const said = () => isolated.lines.map(({ message }) => message)
    await isolated.until(() => said().includes('begun'), 'it has begun')
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    await isolated.until(() => said().includes('contest.live with 1') && said().includes('contests 1'), 'it has heard of the contest')
    expect(faultsOf(bot, 'own')).toEqual([])
  })

  test('hears of turns to enter, and of a prediction that is due, which it commits to', async () => {
    const run = `({ policyTurn$, predictionDue$, log }) => {
      policyTurn$.subscribe(({ bankroll }) => log.info('may enter with ' + typeof bankroll?.available))
      return predictionDue$.pipe(map(({ contestId }) => commitPrediction({ contestId, price: '187.25' })))
    }`
    const isolated = await open({ strategies: `defineStrategy({ name: 'own', params, run: ${run} })()` })
    const { bot } = isolated
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    for (let turns = 0; bot.service.sent('agent.modes.commitPrediction').length === 0; turns++) {
      expect(turns).toBeLessThan(4)
      await isolated.until(() => lateOf(bot, 'custom:own') > 0, 'it has answered')
      await bot.run(100)
    }
    expect(isolated.lines.map(({ message }) => message)).toContain('may enter with bigint')
    expect(bot.refusals()).toEqual([])
    expect(faultsOf(bot, 'own')).toEqual([])
  })

  test('hears of no period while the bot is behind the stream, as in the thread of the bot', async () => {
    const run = `({ every }) => every(1).pipe(map(() => entry('draft_basket')))`
    const isolated = await open({ strategies: `defineStrategy({ name: 'own', params, run: ${run} })()` })
    const { bot } = isolated
    for (let turns = 0; queued(bot).length === 0; turns++) {
      expect(turns).toBeLessThan(500)
      await isolated.seconds(1)
    }
    // What it was told before may still be on its way.
    await isolated.seconds(5)
    bot.events.fallBehind()
    await isolated.seconds(10)
    expect(bot.refusals()).not.toContain('CATCHING_UP')
    const before = lateOf(bot, 'own')
    bot.events.catchUp()
    for (let turns = 0; lateOf(bot, 'own') === before; turns++) {
      expect(turns, 'its periods go on').toBeLessThan(500)
      await isolated.seconds(1)
    }
  })

  test('that emits without end is a fault, and begun anew until it is left alone', async () => {
    const recording = emptyFolder()
    const run = `() => range(0, 1_000_000).pipe(map(() => entry('up_down')))`
    const isolated = await open({ recording, strategies: `defineStrategy({ name: 'own', params, run: ${run} })()` })
    const { bot } = isolated
    for (let turns = 0; faultsOf(bot, 'own').length < 3; turns++) {
      expect(turns).toBeLessThan(500)
      await isolated.seconds(1)
    }
    expect(faultsOf(bot, 'own')[0]).toContain('it emitted more than 1000 values at once')
    expect(faultsOf(bot, 'own')[2]).toContain('left alone for a minute')
    await isolated.close()
    await expectIdentical(recording, bot.config)
  })
})

describe('what a strategy had in mind', () => {
  test('goes with its process, and a replay knows that it has', async () => {
    const recording = emptyFolder()
    const declares = 'let asked = 0'
    const decide = `() => {
        asked += 1
        return asked === 3 ? loop() : [enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 + asked })]
      }`
    const isolated = await open({ recording, declares, strategies: policy(decide) })
    const { bot } = isolated
    const asked = () => bot.steps.reduce((sum, { calls }) => sum + calls.length, 0)
    while (faultsOf(bot, 'policy').length < 2) {
      await isolated.until(() => lateOf(bot, 'policy') === asked(), 'it has answered, or was ended')
      await isolated.seconds(1)
    }
    await isolated.close()
    expect(lateOf(bot, 'policy')).toBeGreaterThan(4)
    // Asked in the replay's own thread a third time, it would never come to an end.
    await expectIdentical(recording, bot.config)
  })
})

describe('a config that is another one in its own process', () => {
  test('because it reads the environment, is no config to start with', async () => {
    process.env.TEST_PERIOD_SEC = '7'
    const declares =
      'const everySec = Number(process.env.TEST_PERIOD_SEC ?? 3)\nconst wait = z.object({ sec: z.number().default(everySec) })'
    const strategies = "defineQueuePolicy({ name: 'policy', params: wait, decide: () => [] })()"
    await expect(open({ declares, strategies })).rejects.toMatchObject({
      code: 'STRATEGY_UNFIT',
      message: expect.stringContaining('gives another strategy in its own process'),
    })
    const demands = "if (process.env.TEST_PERIOD_SEC === undefined) throw new Error('no period')"
    await expect(open({ declares: demands, strategies: policy('() => []') })).rejects.toMatchObject({
      code: 'STRATEGY_UNFIT',
      message: expect.stringContaining('no period'),
    })
    delete process.env.TEST_PERIOD_SEC
  })
})

describe('only what is named is isolated', () => {
  test('and the other strategies answer at once, in the thread of the bot', async () => {
    const isolated = await open({
      isolate: "['apart']",
      strategies: [policy(`() => [entry('up_down')]`, 'apart'), policy(`() => [entry('draft_basket')]`, 'near')].join(),
    })
    const { bot } = isolated
    await isolated.until(() => lateOf(bot, 'apart') > 0, 'the other has answered')
    expect(queued(bot, 'draft_basket').length).toBeGreaterThan(0)
    expect(lateOf(bot, 'near')).toBe(0)
  })
})
