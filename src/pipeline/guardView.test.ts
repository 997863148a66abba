import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { openContest } from '../../test/support/scriptedService.ts'
import { sealWith } from '../../test/support/sealWith.ts'
import { seatsOf } from '../../test/support/seatsOf.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../test/support/testBot.ts'
import { policy } from '../../test/support/testStrategies.ts'
import { buy, openTradingBot } from '../../test/support/tradingBot.ts'
import type { EventType } from '../contract/events.ts'
import { readEvent } from '../contract/events.ts'
import { VirtualClock } from '../core/clock.ts'
import { DAY_MS, dayStart } from '../core/day.ts'
import { keyedUuid } from '../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { GuardLedger, type GuardView, Reservations } from '../guard/index.ts'
import { type Action, type ActionOf, enqueue, joinContest } from '../strategy/action.ts'
import { defineStrategy } from '../strategy/define.ts'
import { guardConfig } from '../strategy/guardConfig.ts'
import type { Fill } from '../strategy/view.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'
import { Attribution } from './books/attribution.ts'
import { guardViewOf } from './guardView.ts'
import { Results } from './money/results.ts'
import { UNPLAYED_LIMITS } from './playable/modeRecord.ts'
import { Modes } from './playable/modes.ts'
import { NewestPrices } from './prices/newestPrices.ts'
import { PriceBook } from './prices/priceBook.ts'
import { inPlace } from './protocol/ports.ts'
import { Present } from './state/present.ts'
import { StepDraft } from './stepDraft.ts'
import { Portfolios } from './swaps/portfolios.ts'
import { ToldTokens } from './toldTokens.ts'

const [contestId, otherId] = [keyedUuid('contest'), keyedUuid('other')]
const NOW_MS = START_MS + 60_000
const MIDNIGHT_MS = dayStart(NOW_MS) + DAY_MS

/** A bot at noon whose books the test writes. */
function openBooks() {
  const book = new PriceBook()
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') })
  const config = { name: 'alice', strategies: [], guard, sweep: true, seed: 0 }
  const seal = sealWith(() => 'salt-of-the-test-0001')
  const present = new Present({ config, paths: {}, timeoutMs: 5000, figuresHoldMs: 60_000, book, seal, isolation: inPlace })
  const [portfolios, prices] = [new Portfolios(), new NewestPrices()]
  const results = new Results(present.owned, portfolios)
  const ledger = new GuardLedger()
  const sources = {
    ledger,
    ...{ present, portfolios, prices, results, reservations: new Reservations(), attribution: new Attribution(), tokens: new ToldTokens() },
    modes: new Modes(UNPLAYED_LIMITS),
  }
  const view = (atMs = NOW_MS): GuardView => {
    present.step = new StepDraft({ type: 'timer', n: 1, at: atMs })
    ledger.move(atMs)
    return guardViewOf(sources, 'own')
  }
  const seats = seatsOf(present)
  let settled = 0
  return {
    view,
    tell(type: EventType, data: Readonly<Record<string, unknown>>, atMs = START_MS) {
      const read = readEvent(rawEvent(type, data, atMs))
      if (!read.ok) throw new Error(read.message)
      results.count(read.event)
      ledger.move(atMs)
      ledger.onEvent(read.event)
      seats.onEvent(read.event)
      if (read.event.type === 'contest.settled') portfolios.close(read.event.data.contestId, read.event.createdAt)
      results.notePeak()
    },
    /** A settlement as a bot takes it, that may be told again. */
    end(type: EventType, data: Readonly<Record<string, unknown>>) {
      const read = readEvent(rawEvent(type, data, START_MS))
      if (!read.ok) throw new Error(read.message)
      if (!results.end(read.event).isRepeated) results.count(read.event)
      results.notePeak()
    },
    /** One contest after another, of these results. */
    settle(...results: readonly (readonly [result: string, profit: string])[]) {
      for (const [index, [result, profit]] of results.entries()) {
        const data = { contestId: keyedUuid('settled', settled++), mode: 'up_down', result, profit: usdc(profit).toString() }
        this.tell('contest.settled', data, START_MS + index)
      }
    },
    fill(fields: Partial<Fill>) {
      const done = { key: 'k', contestId, signature: undefined, at: START_MS, feeLamports: 5000n, source: 'chain' } as const
      const bought = { from: USDC_MINT, to: SOL_MINT, given: usdc('10'), received: 50_000_000n }
      portfolios.fold({ ...done, ...bought, ...fields })
    },
    price(told: Readonly<Record<string, string>>, atMs = NOW_MS) {
      prices.take(book.append({ at: atMs, prices: new Map(Object.entries(told)) }), atMs)
    },
  }
}

describe('the drawdown', () => {
  test('is what the profit has fallen from its peak, of the whole life of the journal', () => {
    const books = openBooks()
    books.settle(['WIN', '3'], ['LOSS', '-1'], ['WIN', '0.5'], ['LOSS', '-1'])
    expect(books.view().drawdown).toBe(usdc('1.5'))
    books.settle(['WIN', '3'])
    expect(books.view().drawdown).toBe(0n)
  })

  test('counts what swaps have lost, whatever day it was', () => {
    const books = openBooks()
    books.settle(['WIN', '3'])
    books.fill({})
    books.price({ [SOL_MINT]: '160' })
    expect(books.view().drawdown, 'marked').toBe(usdc('2'))
    books.fill({ from: SOL_MINT, to: USDC_MINT, given: 50_000_000n, received: usdc('8') })
    books.tell('contest.settled', { contestId, mode: 'pnl_usd', profit: '0' })
    expect(books.view().drawdown, 'realised').toBe(usdc('2'))
    expect(books.view(NOW_MS + 3 * DAY_MS).drawdown, 'days later').toBe(usdc('2'))
  })

  test('of a bot that has only lost is all of it', () => {
    const books = openBooks()
    books.settle(['LOSS', '-1'], ['LOSS', '-2'])
    expect(books.view().drawdown).toBe(usdc('3'))
  })

  test('counts what swaps have lost', () => {
    const books = openBooks()
    books.settle(['LOSS', '-1'])
    books.fill({})
    books.price({ [SOL_MINT]: '150' })
    expect(books.view().drawdown).toBe(usdc('3.5'))
  })
})

describe('the drawdown of a bot that has lost', () => {
  test('is no smaller for what a token has gained and was not sold for', () => {
    const books = openBooks()
    books.settle(['LOSS', '-1'])
    books.fill({})
    books.price({ [SOL_MINT]: '400' })
    expect(books.view().drawdown).toBe(usdc('1'))
  })

  test('counts a settlement that is told again, and worse', () => {
    const books = openBooks()
    const data = { contestId: keyedUuid('told twice'), mode: 'up_down', result: 'LOSS' }
    books.end('contest.settled', { ...data, profit: '-1000000' })
    books.end('contest.settled', { ...data, profit: '-3000000' })
    expect(books.view().drawdown).toBe(usdc('3'))
  })
})

describe('a losing streak', () => {
  test.each([
    ['is of losses in a row', ['LOSS', 'LOSS'], 2],
    ['is ended by a win', ['LOSS', 'LOSS', 'WIN'], 0],
    ['is ended by a draw', ['LOSS', 'DRAW'], 0],
    ['is neither ended nor made longer by a refund', ['LOSS', 'REFUND', 'LOSS', 'REFUND'], 2],
    ['begins anew', ['LOSS', 'WIN', 'LOSS'], 1],
  ])('%s', (_, results, losses) => {
    const books = openBooks()
    books.settle(...results.map((result) => [result, result === 'LOSS' ? '-1' : '0'] as const))
    expect(books.view().streak.losses).toBe(losses)
    if (losses > 0) expect(books.view().streak.lastAt).toBe(START_MS + results.lastIndexOf('LOSS'))
  })
})

describe('what a day has lost', () => {
  test('is of the contests settled on it, however often it is asked for, and of none the day after', () => {
    const books = openBooks()
    books.settle(['LOSS', '-1'])
    expect([books.view().lostToday, books.view().lostToday]).toEqual([usdc('1'), usdc('1')])
    books.settle(['WIN', '0'], ['LOSS', '-2'])
    expect(books.view().lostToday).toBe(usdc('3'))
    expect(books.view(NOW_MS + DAY_MS).lostToday, 'the day after').toBe(0n)
  })

  test('counts for some seconds more: by the service’s clock its day may not be over yet', () => {
    const books = openBooks()
    books.settle(['LOSS', '-1'])
    const lostAt = (at: number) => [books.view(at).lostToday, books.view(at).spentByMode('up_down')]
    for (const at of [MIDNIGHT_MS - 1, MIDNIGHT_MS, MIDNIGHT_MS + 4999]) expect(lostAt(at)).toEqual([usdc('1'), usdc('1')])
    expect(lostAt(MIDNIGHT_MS + 5000)).toEqual([0n, 0n])
  })

  test('is what the new one has lost, where that is more, though the day before had won', () => {
    const books = openBooks()
    books.settle(['WIN', '3'])
    books.tell('contest.settled', { contestId, mode: 'up_down', result: 'LOSS', profit: '-2000000' }, MIDNIGHT_MS + 1)
    expect(books.view(MIDNIGHT_MS + 2).lostToday).toBe(usdc('2'))
  })
})

describe('what swaps have lost', () => {
  test('is marked at the feed', () => {
    const books = openBooks()
    books.fill({})
    books.price({ [SOL_MINT]: '160' })
    expect(books.view().swapLoss).toBe(usdc('2'))
  })

  test('is not known without a price, or with one that is too old', () => {
    const books = openBooks()
    books.fill({})
    expect([books.view().swapLoss, books.view().unpriced]).toEqual([undefined, SOL_MINT])
    books.price({ [SOL_MINT]: '160' }, NOW_MS - 15_000)
    expect([books.view().swapLoss, books.view().unpriced]).toEqual([usdc('2'), undefined])
    expect([books.view(NOW_MS + 1).swapLoss, books.view(NOW_MS + 1).unpriced]).toEqual([undefined, SOL_MINT])
    expect(books.view(NOW_MS + 1).price(SOL_MINT)).toEqual({ price: '160', ageMs: 15_001 })
  })

  test('is of the UTC day', () => {
    const books = openBooks()
    books.fill({})
    books.fill({ from: SOL_MINT, to: USDC_MINT, given: 50_000_000n, received: usdc('8') })
    expect(books.view().swapLoss).toBe(usdc('2'))
    expect(books.view(NOW_MS + DAY_MS).swapLoss, 'of a contest that is not over').toBe(usdc('2'))
    books.tell('contest.settled', { contestId, mode: 'pnl_usd' })
    for (const at of [NOW_MS, MIDNIGHT_MS + 4999]) expect(books.view(at).swapLoss).toBe(usdc('2'))
    for (const at of [MIDNIGHT_MS + 5000, NOW_MS + DAY_MS]) expect(books.view(at).swapLoss).toBe(0n)
  })
})

describe('a contest that is traded in', () => {
  const iso = (ms: number) => new Date(ms).toISOString()
  const window = { contestId, mode: 'pnl_usd', startsAt: iso(NOW_MS), endsAt: iso(NOW_MS + 1000) }

  test('is live in its window alone', () => {
    const books = openBooks()
    books.tell('contest.joined', { contestId })
    expect(books.view().traded(contestId)?.phase).toBe('open')
    books.tell('contest.live', window)
    const phaseAt = (ms: number) => books.view(NOW_MS + ms).traded(contestId)?.phase
    expect([-1, 0, 999, 1000].map(phaseAt)).toEqual(['open', 'live', 'live', 'settled'])
  })

  test('is over once it is settled, and known as long as its swaps are', () => {
    const books = openBooks()
    books.tell('contest.live', window)
    books.tell('contest.live', { ...window, contestId: otherId })
    books.fill({})
    for (const id of [contestId, otherId]) books.tell('contest.settled', { contestId: id, mode: 'pnl_usd' })
    expect(books.view().traded(contestId)).toMatchObject({ mode: 'pnl_usd', phase: 'settled', swaps: 1 })
    expect(books.view().traded(contestId)?.held(SOL_MINT)).toBe(50_000_000n)
    expect(books.view().traded(otherId)).toMatchObject({ mode: 'pnl_usd', phase: 'settled', swaps: 0 })
    expect(books.view().traded(keyedUuid('never'))).toBeUndefined()
  })
})

/** A strategy of this name that the test drives, in a bot that its options say. */
async function openDriven(options: TestBotOptions & { readonly names?: readonly string[] }): Promise<TestBot & { ask: Ask }> {
  const act$ = new Map((options.names ?? ['own']).map((name) => [name, new Subject<Action>()]))
  const strategies = [...act$].map(([name, mine$]) => defineStrategy({ name, params: z.object({}), run: () => mine$ })())
  const bot = await openTestBot({ ...options, strategies: [...strategies, policy(() => [], { browse: {} })] })
  return Object.assign(Object.create(bot) as TestBot, {
    /** The code it is refused with; undefined where it passes. */
    async ask(action: Action, name = 'own') {
      const before = bot.refusals().length
      act$.get(name)?.next(action)
      await bot.run(0)
      return bot.refusals()[before]
    },
  })
}
type Ask = (action: Action, name?: string) => Promise<string | undefined>

const entry = (fields: Partial<ActionOf<'enqueue'>> = {}) => enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15, ...fields })
const draft = entry({ mode: 'draft_basket' })

describe('a budget of a strategy', () => {
  const guard = { strategyBudgets: { own: usdc('1') }, maxOpenContests: 9 }

  /** The ticket that its last entry has made. */
  const ticketOf = (bot: TestBot) => [...bot.status().books.tickets.keys()].at(-1)
  const matched = (bot: TestBot) => rawEvent('match.found', { ticketId: ticketOf(bot), contestId, mode: 'up_down' }, bot.clock.now())
  const settled = (bot: TestBot, result: string, profit: string) =>
    rawEvent('contest.settled', { contestId, mode: 'up_down', result, profit }, bot.clock.now())

  test('counts its tickets, its seats and what it has lost today, and no other’s', async () => {
    const clock = new VirtualClock(Date.parse('2025-03-01T23:59:50Z'))
    const bot = await openDriven({ guard, clock, names: ['own', 'other'] })
    expect(await bot.ask(draft, 'other')).toBeUndefined()
    expect(await bot.ask(entry())).toBeUndefined()
    expect(await bot.ask(draft)).toBe('STRATEGY_BUDGET')
    expect(await bot.ask(entry({ durationSec: 20 }), 'other')).toBeUndefined()
    // The ticket of the last entry is the other's: the one before it is its own.
    const [, own] = bot.status().books.tickets.keys()
    await bot.tell(rawEvent('match.found', { ticketId: own, contestId, mode: 'up_down' }))
    expect(await bot.ask(draft)).toBe('STRATEGY_BUDGET')
    await bot.tell(settled(bot, 'LOSS', '-1000000'))
    expect(await bot.ask(draft)).toBe('STRATEGY_BUDGET')
    // The day ends.
    await bot.run(16_000)
    expect(await bot.ask(draft)).toBeUndefined()
  })

  test('is free again after a win, an expired ticket and a contest that was cancelled', async () => {
    const bot = await openDriven({ guard })
    await bot.ask(entry())
    bot.service.bankroll = { available: '1000900000', inPlay: '0' }
    await bot.tell(matched(bot), settled(bot, 'WIN', '900000'))
    expect(await bot.ask(entry())).toBeUndefined()
    await bot.tell(rawEvent('ticket.expired', { ticketId: ticketOf(bot) }))
    expect(await bot.ask(entry())).toBeUndefined()
    await bot.tell(rawEvent('match.found', { ticketId: ticketOf(bot), contestId: otherId, mode: 'up_down' }))
    expect(await bot.ask(draft)).toBe('STRATEGY_BUDGET')
    await bot.tell(rawEvent('contest.cancelled', { contestId: otherId }))
    expect(await bot.ask(draft)).toBeUndefined()
  })

  test.each([
    ['a ticket', async () => {}],
    ['a seat', (bot: TestBot) => bot.tell(matched(bot))],
    ['a loss', (bot: TestBot) => bot.tell(matched(bot), settled(bot, 'LOSS', '-1000000'))],
  ])('counts %s that it had before a restart', async (_, happen) => {
    const journal = new MemoryJournal()
    const bot = await openDriven({ guard, journal })
    await bot.ask(entry())
    const ticketId = ticketOf(bot)
    await happen(bot)
    bot.kill()
    // Whatever the service shows of the ticket itself: who entered it, it does not know.
    const tickets = bot.status().books.tickets.size > 0 ? [{ ticketId, status: 'queued', mode: 'up_down', stake: '1000000' }] : []
    const prepare: TestBotOptions['prepare'] = (service) => {
      service.tickets = tickets
    }
    const next = await openDriven({ guard, journal, clock: bot.clock, prepare, names: ['own', 'other'] })
    expect(await next.ask(draft)).toBe('STRATEGY_BUDGET')
    expect(await next.ask(draft, 'other')).toBeUndefined()
  })

  test('counts a contest that it joined', async () => {
    const prepare: TestBotOptions['prepare'] = ({ open }) => void open.push(openContest(contestId))
    const bot = await openDriven({ guard, prepare, names: ['own', 'other'] })
    expect(await bot.ask(joinContest({ contestId, side: 'DOWN' }))).toBeUndefined()
    expect(await bot.ask(draft)).toBe('STRATEGY_BUDGET')
    expect(await bot.ask(draft, 'other')).toBeUndefined()
  })
})

test('a budget of a mode counts whoever entered, in that mode alone', async () => {
  const guard = { modeBudgets: { up_down: usdc('2') }, maxOpenContests: 9 }
  const bot = await openDriven({ guard, names: ['own', 'other'] })
  expect(await bot.ask(draft)).toBeUndefined()
  expect(await bot.ask(entry())).toBeUndefined()
  expect(await bot.ask(entry(), 'other')).toBeUndefined()
  expect(await bot.ask(entry(), 'other')).toBe('MODE_BUDGET')
  await bot.tell(rawEvent('contest.settled', { contestId, mode: 'draft_basket', result: 'LOSS', profit: '-1000000' }))
  expect(await bot.ask(entry({ mode: 'draft_basket', durationSec: 20 }))).toBeUndefined()
})

test('a budget of a mode counts an entry whose mode is not known after a restart', async () => {
  const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
  const guard = { modeBudgets: { up_down: usdc('1.5') }, maxOpenContests: 9 }
  const prepare: TestBotOptions['prepare'] = (service) => {
    service.open.push(openContest(contestId))
    service.onAct('agent.contests.join', () => new Promise(() => {}))
  }
  const first = await openDriven({ journal, clock, guard, prepare })
  expect(await first.ask(joinContest({ contestId, side: 'DOWN' }))).toBeUndefined()
  expect(await first.ask(entry())).toBe('MODE_BUDGET')
  first.kill()
  const second = await openDriven({ journal, clock, guard })
  expect(await second.ask(entry())).toBe('MODE_BUDGET')
})

test('the day does not begin anew with every end of it that the service announces', async () => {
  const clock = new VirtualClock(START_MS)
  const rolling = { maxStake: usdc('50'), dailyLossCap: usdc('200'), lostToday: 0n, inPlay: 0n, remaining: usdc('200') }
  const bot = await openDriven({
    clock,
    guard: { dailyLoss: usdc('5') },
    prepare: (service) =>
      service.onRead('agent.limits', () => ({ ok: true, output: { ...rolling, resetsAt: clock.now() + DAY_MS } }) as never),
  })
  await bot.tell(rawEvent('contest.settled', { contestId, mode: 'up_down', result: 'LOSS', stake: '5000000', profit: '-5000000' }))
  await bot.run(35_000)
  expect(bot.status().today()?.lost).toBe(usdc('5'))
  expect(await bot.ask(entry())).toBe('DAILY_LOSS_OWN')
})

describe('whom a contest of others would be against', () => {
  const seats = (...kinds: readonly (string | undefined)[]) => kinds.map((kind) => ({ side: 'UP', kind }))
  const CASES = [
    ['a person who lets bots in', { lane: 'AGENT', entries: seats('HUMAN') }, 'HUMAN'],
    ['a bot that lets anybody in', { lane: 'MIXED', entries: seats('AGENT') }, 'AGENT'],
    ['a person, and a seat for a bot', { lane: 'AGENT', entries: seats('HUMAN'), capacity: 3 }, 'ANY'],
    ['bots, and a seat for a bot', { lane: 'AGENT', entries: seats('AGENT'), capacity: 3 }, 'AGENT'],
    ['somebody in a lane', { lane: 'AGENT', entries: seats(undefined) }, 'AGENT'],
    ['anybody', { lane: 'MIXED', entries: [], filled: 0 }, 'ANY'],
    ['somebody', { entries: seats(undefined) }, undefined],
  ] as const
  test.each(CASES)('%s', async (_, fields, opponents) => {
    const bot = await openDriven({
      guard: { opponents: ['AGENT'] },
      prepare: (service) => service.open.push(openContest(contestId, fields)),
    })
    const refused = opponents === 'AGENT' ? undefined : 'OPPONENTS_NOT_ALLOWED'
    expect(await bot.ask(joinContest({ contestId, side: 'DOWN' }))).toBe(refused)
    expect(bot.status().books.openContests?.value[0]?.opponents).toBe(opponents)
  })
})

test('swaps are counted over the last minute, sent ones alone', async () => {
  const bot = await openTradingBot({ guard: { maxSwapsPerMinute: 2 } })
  const asked = async () => {
    bot.refresh()
    await bot.ask(buy({ amount: usdc('1') }))
    return bot.outcomes.at(-1)?.status
  }
  bot.swapper.onQuote = () => ({ ok: false, reason: 'no route', retryable: false })
  for (let n = 0; n < 3; n++) await asked()
  bot.swapper.onQuote = (good) => good
  await bot.run(100)
  expect(await asked()).toBe('filled')
  await bot.run(30_000)
  expect([await asked(), await asked()]).toEqual(['filled', 'refused'])
  await bot.run(30_000)
  expect([await asked(), await asked()]).toEqual(['filled', 'refused'])
})
