import { NEVER, type Observable, Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, openContest, rejected, unknown } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { picker, policy } from '../../../test/support/testStrategies.ts'
import { TRADING_MODES } from '../../contract/modes.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue, joinContest, type SwapIntent } from '../../strategy/action.ts'
import { defineTrader } from '../../strategy/define.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import type { QuoteResult } from '../protocol/swapper.ts'

// No stake without a way to move: what is entered, what is not, and when it is again.

type Mode = Parameters<typeof enqueue>[0]['mode']
const MINUTE_MS = 60_000
const HALF_AN_HOUR_MS = 30 * MINUTE_MS
const DEAD: QuoteResult = { ok: false, reason: 'Jupiter cannot be reached (ECONNREFUSED)', retryable: true }
const trader = (trade: () => Observable<SwapIntent> = () => NEVER) =>
  defineTrader({ name: 'trader', modes: TRADING_MODES, params: z.object({}), trade })()
const entering = (...modes: Mode[]) =>
  policy(({ tickets, contests }) => {
    const busy = new Set([...tickets, ...contests].map(({ mode }) => mode))
    return modes.filter((mode) => !busy.has(mode)).map((mode) => enqueue({ mode, stake: usdc('1'), durationSec: 60 }))
  })

interface World extends TestBot {
  readonly swapper: ScriptedSwapper
  /** The modes it entered, and who asked for it. */
  entered(): { mode: string; at: number }[]
  /** A ticket of the mode is matched, played and settled; the bot is told of it. */
  play(mode: Mode, state?: Readonly<Record<string, unknown>>): Promise<void>
}

async function open(options: TestBotOptions & { readonly swapper?: ScriptedSwapper }): Promise<World> {
  const { clock = new VirtualClock(START_MS), journal = new MemoryJournal() } = options
  journal.keepsModes = true
  const swapper = (options.swapper ?? new ScriptedSwapper()).triedWith(clock)
  swapper.prices.set(SOL_MINT, 200)
  swapper.now = () => clock.now()
  const prepare = (service: TestBot['service']) => {
    service.bankroll = { ...service.bankroll, walletAddress: WALLET, gasLamports: '100000000' }
    let made = 0
    service.onAct('agent.queue.enqueue', () => accepted({ ticketId: keyedUuid(`ticket ${clock.now()} ${made++}`) }))
    options.prepare?.(service)
  }
  const bot = await openTestBot({ ...options, clock, journal, swapper, prepare, caughtUp: false })
  const tick = () => bot.price({ [SOL_MINT]: '200' })
  tick()
  bot.events.catchUp()
  await bot.run(0)
  let contests = 0
  return Object.assign(Object.create(bot) as TestBot, {
    swapper,
    run: async (durationMs: number) => {
      for (let left = durationMs; left > 0; left -= 5000) {
        await bot.run(Math.min(left, 5000))
        tick()
      }
    },
    entered: () =>
      bot.service.acts.flatMap(({ procedure, input, at }) =>
        procedure === 'agent.queue.enqueue' ? [{ mode: (input as { mode: string }).mode, at: at - START_MS }] : [],
      ),
    play: async (mode: Mode, state?: Readonly<Record<string, unknown>>) => {
      const contestId = keyedUuid(`contest ${clock.now()} ${contests++}`)
      const now = clock.now()
      const iso = (ms: number) => new Date(ms).toISOString()
      const [ticket] = [...bot.status().books.tickets.values()].filter((waiting) => waiting.mode === mode)
      if (state !== undefined) bot.service.states.set(contestId, { contestId, mode, ...state })
      bot.service.contests = [{ contestId, mode, status: 'live', stake: '1000000', startsAt: iso(now), endsAt: iso(now + 20_000) }]
      await bot.tell(
        rawEvent('match.found', { ticketId: ticket?.ticketId ?? keyedUuid('none'), contestId, mode }, now),
        rawEvent('contest.live', { contestId, mode, startsAt: iso(now), endsAt: iso(now + 20_000) }, now),
      )
      await bot.run(20_000)
      tick()
      bot.service.contests = []
      await bot.tell(rawEvent('contest.settled', { contestId, mode, result: 'LOSS', payout: '0', profit: '-1000000' }, clock.now()))
      await bot.run(0)
    },
  })
}

const codesOf = (bot: TestBot, ...codes: string[]) =>
  bot.steps.flatMap(({ notes }) => notes.flatMap(({ fields }) => (codes.includes(String(fields.code)) ? [String(fields.code)] : [])))
const modeOf = (bot: TestBot, mode: string) => bot.status().modes?.find((status) => status.mode === mode)

describe('the way of a swap', () => {
  const strategies = () => [entering('pnl_usd', 'up_down'), trader()]

  test('is tried before the first entry, and every minute', async () => {
    const bot = await open({ strategies: strategies() })
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['pnl_usd', 'up_down'])
    expect(bot.refusals()).toEqual([])
    expect(bot.swapper.quotes).toHaveLength(1)
    expect(bot.swapper.quotes[0]).toMatchObject({ amount: usdc('1'), to: SOL_MINT })
    await bot.run(10 * MINUTE_MS)
    expect(bot.swapper.quotes.length).toBe(11)
    expect(bot.service.sent('agent.trade.signAndSend')).toEqual([])
  })

  test('that is dead from the start keeps every stake out of modes of swaps, and lets the others in', async () => {
    const swapper = new ScriptedSwapper()
    swapper.onQuote = () => DEAD
    const bot = await open({ strategies: strategies(), swapper })
    await bot.run(5000)
    expect(codesOf(bot, 'SWAP_PATH_LOST')).toEqual(['SWAP_PATH_LOST'])
    expect(bot.status().path).toMatchObject({ isDown: true, part: 'dex' })
    expect(bot.notes('error')).toContainEqual(expect.stringContaining('no contest of swaps is entered until they do: Jupiter cannot be'))
    await bot.run(MINUTE_MS - 5000)
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down'])
    expect(bot.swapper.quotes.length).toBeLessThanOrEqual(4)
    expect(new Set(bot.refusals())).toEqual(new Set(['SWAP_PATH_DOWN']))
    expect(modeOf(bot, 'pnl_usd')).toMatchObject({ code: 'SWAP_PATH_DOWN' })
    bot.swapper.onQuote = (good) => good
    await bot.run(MINUTE_MS)
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down', 'pnl_usd'])
    expect(codesOf(bot, 'SWAP_PATH_BACK')).toEqual(['SWAP_PATH_BACK'])
  })

  test('that answers nothing is down in time, and open once it answers', async () => {
    const swapper = new ScriptedSwapper()
    const answers: (() => void)[] = []
    swapper.onQuote = (good) => new Promise((resolve) => answers.push(() => resolve(good)))
    const bot = await open({ strategies: strategies(), swapper })
    await bot.run(7000)
    expect(bot.status().path).toMatchObject({ isDown: true, part: 'dex', reason: 'there was no answer within 3500 ms' })
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down'])
    await bot.run(MINUTE_MS)
    expect(bot.swapper.quotes).toHaveLength(1)
    swapper.onQuote = (good) => good
    for (const answer of answers) answer()
    await bot.run(6000)
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down', 'pnl_usd'])
  })

  test('is looked at twice a minute while it is down', async () => {
    const swapper = new ScriptedSwapper()
    swapper.onQuote = () => DEAD
    const bot = await open({ strategies: strategies(), swapper })
    await bot.run(20 * MINUTE_MS)
    expect(bot.swapper.quotes.length).toBeGreaterThanOrEqual(40)
    expect(bot.swapper.quotes.length).toBeLessThanOrEqual(43)
  })

  test('is not down while a look finds no free request, until that lasts', async () => {
    const bot = await open({ strategies: strategies() })
    bot.swapper.onQuote = () => ({ ...DEAD, isHeldBack: true, hadNoTurn: true })
    await bot.run(MINUTE_MS + 50_000)
    expect(bot.status().path).toMatchObject({ isDown: false })
    await bot.run(MINUTE_MS)
    expect(bot.status().path).toMatchObject({ isDown: true })
  })

  /** A bot that is in a contest of swaps, waits for another, and wants ever more. */
  async function atPlay(options: Partial<Parameters<typeof open>[0]> = {}) {
    const ask$ = new Subject<SwapIntent>()
    const greedy = policy(() => [enqueue({ mode: 'pnl_usd', stake: usdc('1'), durationSec: 60 })], { everySec: 1 })
    const bot = await open({ strategies: [greedy, trader(() => ask$)], guard: { maxOpenContests: 50, entriesPerMinute: 1000 }, ...options })
    const contestId = keyedUuid('live contest')
    const [startsAt, endsAt] = [START_MS, START_MS + HALF_AN_HOUR_MS].map((at) => new Date(at).toISOString())
    bot.service.contests = [{ contestId, mode: 'pnl_usd', status: 'live', stake: '1000000', startsAt, endsAt }]
    const [ticket] = bot.status().books.tickets.keys()
    await bot.tell(
      rawEvent('match.found', { ticketId: ticket ?? '', contestId, mode: 'pnl_usd' }, START_MS),
      rawEvent('contest.live', { contestId, mode: 'pnl_usd', startsAt, endsAt }, START_MS),
    )
    await bot.run(5000)
    const swapNow = () => ask$.next({ type: 'swap', from: USDC_MINT, to: SOL_MINT, amount: usdc('2') })
    return { bot, swapNow }
  }

  test.each<[string, number, (world: Awaited<ReturnType<typeof atPlay>>) => void, (world: Awaited<ReturnType<typeof atPlay>>) => void]>([
    [
      'a DEX that gives no quote',
      0,
      ({ bot, swapNow }) => {
        bot.swapper.onQuote = () => DEAD
        swapNow()
      },
      ({ bot }) => {
        bot.swapper.onQuote = (good) => good
      },
    ],
    [
      'a DEX that does not answer',
      3000,
      ({ bot, swapNow }) => {
        bot.swapper.onQuote = () => bot.service.after(5000, DEAD)
        swapNow()
      },
      ({ bot }) => {
        bot.swapper.onQuote = (good) => good
      },
    ],
    [
      'an RPC that takes no more requests',
      0,
      ({ bot, swapNow }) => {
        bot.swapper.onBuild = () => ({ ok: false, reason: 'the RPC answered HTTP 429', retryable: true, part: 'rpc', isHeldBack: true })
        swapNow()
      },
      ({ bot }) => {
        bot.swapper.onBuild = (built) => ({ ok: true, built })
      },
    ],
    [
      'a swap without an outcome',
      4000,
      ({ bot, swapNow }) => {
        bot.service.onAct('agent.trade.signAndSend', () => unknown)
        swapNow()
      },
      ({ bot }) => {
        bot.swapper.onLanding = () => ({ status: 'expired' })
      },
    ],
    [
      'a feed that stands still',
      0,
      ({ bot }) => bot.feedTrouble$.next('the price feed has given the same answer for 16 s'),
      ({ bot }) => bot.feedTrouble$.next(undefined),
    ],
  ])('takes no stake from the first failure on, and cancels what waits once it lasts: %s', async (_what, foundMs, breaks, mends) => {
    const world = await atPlay()
    const { bot } = world
    expect(bot.entered().length).toBeGreaterThan(3)
    breaks(world)
    const since = bot.clock.now() - START_MS
    await bot.run(10_000)
    const late = bot.entered().filter(({ at }) => at > since + foundMs)
    expect(late).toEqual([])
    expect(bot.status().path).toMatchObject({ isDown: true })
    expect(bot.status().books.tickets.size).toBe(0)
    await bot.run(50_000)
    mends(world)
    const before = bot.entered().length
    await bot.run(MINUTE_MS)
    expect(bot.entered().length).toBeGreaterThan(before)
    expect(codesOf(bot, 'SWAP_PATH_LOST', 'SWAP_PATH_BACK')).toEqual(['SWAP_PATH_LOST', 'SWAP_PATH_BACK'])
  })

  test('asks an RPC that answers 429 for ever no more often than its pauses allow, whatever a trader wants', async () => {
    const { bot, swapNow } = await atPlay()
    bot.swapper.onBuild = () => ({ ok: false, reason: 'the RPC answered HTTP 429', retryable: true, part: 'rpc', isHeldBack: true })
    const before = bot.swapper.quotes.length
    for (let second = 0; second < 180; second++) {
      for (let n = 0; n < 5; n++) swapNow()
      await bot.run(1000)
    }
    expect(bot.swapper.quotes.length - before).toBeLessThan(60)
  })

  test('asks a DEX that fails no more often than its pauses allow, whatever a trader wants', async () => {
    const { bot, swapNow } = await atPlay()
    bot.swapper.onQuote = () => DEAD
    const before = bot.swapper.quotes.length
    for (let second = 0; second < 180; second++) {
      for (let n = 0; n < 5; n++) swapNow()
      await bot.run(1000)
    }
    expect(bot.swapper.quotes.length - before).toBeLessThan(60)
  })

  test.each([
    ['an inspection that has not all it needs', { code: 'TX_TABLE_UNRESOLVED' }, 'inspection'],
    ['an RPC that does not answer', { part: 'rpc' as const }, 'rpc'],
  ])('is down with %s', async (_what, what, part) => {
    const swapper = new ScriptedSwapper()
    swapper.onBuild = (built) =>
      'part' in what
        ? { ok: false, reason: 'the RPC cannot be reached', retryable: true, ...what }
        : { ok: true, built: { ...built, transaction: Buffer.from('none').toString('base64') } }
    const bot = await open({ strategies: strategies(), swapper })
    await bot.run(5000)
    expect(bot.status().path).toMatchObject({ isDown: true, part })
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down'])
  })

  test.each([
    ['too little money in the wallet', { simulated: { error: 'insufficient funds' } }],
    ['a market that moves', { isOfMarket: true }],
  ])('is open with %s', async (_what, what) => {
    const swapper = new ScriptedSwapper()
    swapper.onBuild = (built) => {
      if ('isOfMarket' in what) return { ok: false, reason: 'it would fail', retryable: true, isOfMarket: true }
      return { ok: true, built: { ...built, simulated: built.simulated && { ...built.simulated, error: 'insufficient funds' } } }
    }
    const bot = await open({ strategies: strategies(), swapper })
    await bot.run(5000)
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['pnl_usd', 'up_down'])
  })

  test('is not looked at where nobody trades', async () => {
    const bot = await open({ strategies: [entering('up_down')] })
    await bot.run(5 * MINUTE_MS)
    expect(bot.swapper.quotes).toEqual([])
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down'])
  })
})

describe('a mode that nobody plays', () => {
  test('is not entered', async () => {
    const bot = await open({ strategies: [entering('draft_basket', 'up_down')] })
    await bot.run(6000)
    expect(bot.entered().map(({ mode }) => mode)).toEqual(['up_down'])
    expect(modeOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_NOT_PLAYED', why: 'no strategy plays it' })
  })
})

describe('a mode whose contests end unplayed', () => {
  const strategies = () => [entering('draft_basket'), picker(() => null)]
  const closes = async (journal = new MemoryJournal()) => {
    const bot = await open({ strategies: strategies(), journal })
    await bot.play('draft_basket')
    return bot
  }

  test('is closed by the first that could not be read, and told', async () => {
    const bot = await closes()
    expect(codesOf(bot, 'UNPLAYED', 'MODE_CLOSING')).toEqual(['UNPLAYED', 'MODE_CLOSING'])
    await bot.run(10 * MINUTE_MS)
    expect(bot.entered()).toHaveLength(1)
    expect(new Set(bot.refusals())).toEqual(new Set(['MODE_CLOSED']))
    expect(modeOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', unplayed: { count: 1, staked: usdc('1') }, trials: 0 })
  })

  test('is closed by the third in which its strategy wanted nothing', async () => {
    const bot = await open({ strategies: strategies() })
    const turn = { phase: 'draft', yourTurn: true, entryId: keyedUuid('mine'), available: [SOL_MINT], mine: [], theirs: [] }
    for (const count of [1, 2, 3]) {
      expect(bot.entered()).toHaveLength(count)
      await bot.play('draft_basket', turn)
      await bot.run(6000)
    }
    expect(bot.entered()).toHaveLength(3)
    expect(modeOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', unplayed: { count: 3 } })
  })

  test('is tried by one entry after half an hour, with what was taken before, and later each time', async () => {
    const bot = await closes()
    const closedAt = bot.clock.now() - START_MS
    await bot.run(HALF_AN_HOUR_MS + 1000)
    expect(bot.entered()).toHaveLength(2)
    expect(bot.entered()[1]?.at).toBeCloseTo(closedAt + HALF_AN_HOUR_MS, -4)
    expect(bot.service.sent('agent.queue.enqueue')[1]).toEqual(bot.service.sent('agent.queue.enqueue')[0])
    await bot.play('draft_basket')
    await bot.run(HALF_AN_HOUR_MS + MINUTE_MS)
    expect(bot.entered()).toHaveLength(2)
    await bot.run(HALF_AN_HOUR_MS)
    expect(bot.entered()).toHaveLength(3)
    expect(modeOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', trials: 2, unplayed: { count: 2 } })
  })

  test('is opened by a valid move in the trial', async () => {
    let isEager = false
    const bot = await open({ strategies: [entering('draft_basket'), picker(({ draft }) => (isEager ? draft.available[0] : null))] })
    await bot.play('draft_basket')
    await bot.run(HALF_AN_HOUR_MS + 1000)
    isEager = true
    await bot.play('draft_basket', {
      ...{ phase: 'draft', yourTurn: true, entryId: keyedUuid('mine'), available: [SOL_MINT], mine: [], theirs: [] },
    })
    expect(codesOf(bot, 'MODE_OPENING')).toEqual(['MODE_OPENING'])
    await bot.run(6000)
    expect(bot.entered()).toHaveLength(3)
  })

  test('stays closed over a restart, and a trial that was begun is not begun again', async () => {
    const journal = new MemoryJournal()
    const first = await closes(journal)
    first.kill()
    const second = await open({ strategies: strategies(), journal, clock: first.clock })
    await second.run(10 * MINUTE_MS)
    expect(second.entered()).toEqual([])
    await second.run(20 * MINUTE_MS)
    expect(second.entered()).toHaveLength(1)
    second.kill()
    const third = await open({ strategies: strategies(), journal, clock: first.clock })
    await third.run(20 * MINUTE_MS)
    expect(third.entered()).toEqual([])
    expect(modeOf(third, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', trials: 1 })
  })

  test('is tried by one bot of a process at a time', async () => {
    const bot = await closes()
    await bot.run(29 * MINUTE_MS)
    const entry = { bot: 'bob', key: 'seat:x', contestId: keyedUuid('of bob'), trial: 'draft_basket' }
    bot.siblings.entered(entry)
    await bot.run(10 * MINUTE_MS)
    expect(bot.entered()).toHaveLength(1)
    bot.siblings.left('bob', entry.key)
    await bot.run(2 * MINUTE_MS)
    expect(bot.entered()).toHaveLength(2)
  })

  test('is not tried while entries are stopped', async () => {
    const bot = await closes()
    bot.operator$.next('stopEntries')
    await bot.run(40 * MINUTE_MS)
    expect(bot.entered()).toHaveLength(1)
    bot.operator$.next('resume')
    await bot.run(2 * MINUTE_MS)
    expect(bot.entered()).toHaveLength(2)
  })

  test('is opened and closed by the operator, once for each word', async () => {
    const bot = await closes()
    bot.operator$.next({ mode: 'draft_basket', command: 'open', saidAt: 1 })
    await bot.run(6000)
    expect(bot.entered()).toHaveLength(2)
    await bot.play('draft_basket')
    bot.operator$.next({ mode: 'draft_basket', command: 'open', saidAt: 1 })
    await bot.run(6000)
    expect(bot.entered()).toHaveLength(2)
    bot.operator$.next({ mode: 'draft_basket', command: 'close', saidAt: 2 })
    await bot.run(10 * HALF_AN_HOUR_MS)
    expect(bot.entered()).toHaveLength(2)
    expect(modeOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', why: 'the operator has said so', trialAt: undefined })
  })

  test('that takes no entry five times in a row is closed', async () => {
    const bot = await open({
      strategies: strategies(),
      prepare: (service) => service.onAct('agent.queue.enqueue', () => rejected('WRONG_WORD', 400)),
    })
    await bot.run(2 * MINUTE_MS)
    expect(bot.entered()).toHaveLength(5)
    expect(modeOf(bot, 'draft_basket')).toMatchObject({ code: 'MODE_CLOSED', why: expect.stringContaining('WRONG_WORD') })
  })

  test('is tried by joining the smallest that is open where nothing was ever taken', async () => {
    const bot = await open({
      strategies: strategies(),
      prepare: (service) => service.onAct('agent.queue.enqueue', () => rejected('WRONG_WORD', 400)),
    })
    const listed = (name: string, stake: string) => openContest(keyedUuid(name), { mode: 'draft_basket', stake, entries: [{}] })
    bot.service.open.push(listed('large', '3000000'), listed('small', '2000000'))
    await bot.run(33 * MINUTE_MS)
    expect(bot.service.sent('agent.contests.join')).toMatchObject([{ contestId: keyedUuid('small') }])
  })
})

test('a contest about a token without a fresh price is not joined', async () => {
  const contestId = keyedUuid('about nothing')
  const token = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
  const join = policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, side: 'DOWN' })]), {
    browse: {},
  })
  const bot = await open({
    strategies: [join],
    prepare: (service) => service.open.push(openContest(contestId, { params: { token } })),
  })
  await bot.run(6000)
  expect(bot.service.sent('agent.contests.join')).toEqual([])
  expect(new Set(bot.refusals())).toEqual(new Set(['PRICE_UNKNOWN']))
  bot.price({ [token]: '0.00002' })
  await bot.run(6000)
  expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
})
