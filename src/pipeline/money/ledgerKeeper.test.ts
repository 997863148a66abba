import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, type ScriptedService, unknown, unreadable } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { policy } from '../../../test/support/testStrategies.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STAKE = usdc('1')
const MODE = 'up_down'

const queued = (ticketId: string) => ({ ticketId, status: 'queued', mode: MODE, stake: '1000000', durationSec: 30 })

/** The service's side of the money. Survives restarts of the bot. */
class Bank {
  available = usdc('1000')
  readonly tickets: string[] = []

  serve(service: ScriptedService): void {
    service.bankroll = { ...service.bankroll, available: String(this.available) }
    service.onAct('agent.queue.enqueue', () => {
      this.available -= STAKE
      service.bankroll = { ...service.bankroll, available: String(this.available) }
      const ticketId = keyedUuid('bank ticket', this.tickets.length)
      this.tickets.push(ticketId)
      service.tickets = [...service.tickets, queued(ticketId)]
      return accepted({ ticketId })
    })
  }

  pay(service: ScriptedService, amount: Usdc): void {
    this.available += amount
    service.bankroll = { ...service.bankroll, available: String(this.available) }
  }
}

/** Stakes of the last 24 hours that no bankroll shows as returned. */
const stakedNet = (bot: TestBot): Usdc => {
  const hours = bot.journal.load().ledger?.staked.hours ?? []
  return hours.reduce((sum, { sent, shown }) => sum + sent - shown, 0n)
}

/** A bot that enters whenever the guard lets it. */
async function play(bank: Bank, options: TestBotOptions = {}): Promise<TestBot> {
  const strategies = [policy(() => [enqueue({ mode: MODE, stake: STAKE, durationSec: 30 })])]
  return openTestBot({ strategies, prepare: (service) => bank.serve(service), ...options })
}

const found = (n: number, at: number, contestId = keyedUuid('contest', n)) =>
  rawEvent('match.found', { ticketId: keyedUuid('bank ticket', n), contestId, mode: MODE, stake: '1000000' }, at)
const settled = (n: number, at: number, data: object) =>
  rawEvent('contest.settled', { contestId: keyedUuid('contest', n), mode: MODE, stake: '1000000', ...data }, at)
const LOSS = { result: 'LOSS', payout: '0', profit: '-1000000' }
const WIN = { result: 'WIN', payout: '1900000', profit: '900000' }

/** Plays an entry from its match to its end. */
async function lose(bot: TestBot, n: number): Promise<void> {
  await bot.tell(found(n, bot.clock.now()))
  await bot.tell(settled(n, bot.clock.now(), LOSS))
  await bot.run(MINUTE_MS)
}

describe('money that is missing', () => {
  test('is an alarm with its causes, stops entries, and is over once it is acknowledged', async () => {
    const bank = new Bank()
    const bot = await play(bank, { guard: { maxOpenContests: 500, dailyLoss: usdc('500'), entriesPerMinute: 5 } })
    await bot.run(MINUTE_MS)
    const before = bank.tickets.length
    expect(before).toBeGreaterThan(3)
    bank.pay(bot.service, -usdc('3'))
    await bot.run(2 * MINUTE_MS)
    const sent = bank.tickets.length
    const [alarm, ...others] = bot.notes('error')
    expect(others).toEqual([])
    expect(alarm).toBe(
      'The bankroll lacks 3.00 USDC that no stake, swap or payout of this bot explains. New entries have stopped. ' +
        'Check for a withdrawal, a second machine with this key, a late payout, or a service that takes money. ' +
        'Once you know the cause: cornerman order acknowledge 3.00 --bot alice',
    )
    expect(bot.status().missingMoney).toMatchObject([{ where: 'bankroll', amount: usdc('3'), message: alarm }])
    await bot.run(HOUR_MS)
    expect(bank.tickets.length).toBe(sent)
    expect(bot.refusals()).toContain('UNEXPLAINED_FALL')
    bot.operator$.next({ type: 'acknowledge', amount: usdc('3') })
    await bot.run(2 * MINUTE_MS)
    expect(bot.status().missingMoney).toEqual([])
    expect(bot.notes('info')).toContain('no USDC is missing from the bankroll any more')
    expect(bank.tickets.length).toBeGreaterThan(sent)
  })

  test('names the contest whose payout was announced and never came', async () => {
    const bank = new Bank()
    const bot = await play(bank, { guard: { maxOpenContests: 1, dailyLoss: usdc('50') } })
    await bot.run(1000)
    await bot.tell(found(0, bot.clock.now()))
    await bot.tell(settled(0, bot.clock.now(), WIN))
    await bot.run(29 * MINUTE_MS)
    expect(bot.notes('error')).toEqual([])
    await bot.run(5 * MINUTE_MS)
    const [alarm] = bot.notes('error')
    expect(alarm).toContain(`Announced and not paid: 1.90 USDC of ${keyedUuid('contest', 0)}.`)
    bank.pay(bot.service, usdc('1.9'))
    await bot.run(2 * MINUTE_MS)
    expect(bot.status().missingMoney).toEqual([])
  })

  test('on the chain is an alarm of its own', async () => {
    const bot = await openTestBot({ prepare: (service) => new Bank().serve(service) })
    const balances = [...Array<Usdc>(10).fill(usdc('1000')), usdc('996'), usdc('996'), usdc('996')]
    for (const balance of balances) {
      bot.chainUsdc$.next(balance)
      await bot.run(1000)
    }
    expect(bot.notes('error')).toEqual([
      'The wallet has 4.00 USDC less on the chain than the service says. New entries have stopped. ' +
        'Check for a withdrawal, a move to the vault, or a service that takes money. ' +
        'Once you know the cause: cornerman order acknowledge 4.00 --bot alice',
    ])
    bot.operator$.next({ type: 'acknowledge', amount: usdc('4') })
    await bot.run(1000)
    expect(bot.status().missingMoney.map(({ where }) => where)).toEqual([])
  })
})

describe('over a restart', () => {
  const guard = { dailyLoss: usdc('2') }

  test.for([0, 26, -26])('what the day has cost still counts, with a machine clock that is %i h ahead', async (aheadHours) => {
    const bank = new Bank()
    const journal = new MemoryJournal()
    const bot = await play(bank, { journal, guard: { ...guard, maxOpenContests: 1 } })
    await bot.run(1000)
    await lose(bot, 0)
    await lose(bot, 1)
    expect(bank.tickets).toHaveLength(2)
    bot.kill()
    const [clock, skewMs$] = [new VirtualClock(bot.clock.now()), of(-aheadHours * HOUR_MS)]
    const next = await play(bank, { journal, clock, skewMs$, guard: { ...guard, maxOpenContests: 1 } })
    await next.run(HOUR_MS)
    expect(bank.tickets).toHaveLength(2)
    expect(next.notes('error')).toEqual([])
  })

  test('an entry whose answer never came holds its stake until the operator closes it', async () => {
    const bank = new Bank()
    const journal = new MemoryJournal()
    const options = { journal, guard: { ...guard, maxOpenContests: 10 } }
    const lossy = (service: ScriptedService) => {
      bank.serve(service)
      service.onAct('agent.queue.enqueue', () => {
        bank.pay(service, -STAKE)
        bank.tickets.push('never told')
        // Nobody can say what becomes of it.
        service.onRead('agent.queue.list', () => unreadable())
        return unknown
      })
    }
    const bot = await play(bank, { ...options, prepare: lossy })
    await bot.run(MINUTE_MS)
    const sent = bank.tickets.length
    expect(sent).toBeGreaterThan(0)
    expect(BigInt(sent) * STAKE).toBeLessThanOrEqual(guard.dailyLoss)
    bot.kill()
    const next = await play(bank, { ...options, prepare: lossy, clock: new VirtualClock(bot.clock.now()) })
    await next.run(HOUR_MS)
    expect(BigInt(bank.tickets.length) * STAKE).toBeLessThanOrEqual(guard.dailyLoss)
    const [held] = next.journal.load().ledger?.entries ?? []
    expect(held).toMatchObject({ is: 'sent', stake: STAKE, mode: MODE, ids: [] })
    next.operator$.next({ type: 'closeEntry', key: held?.key ?? '' })
    await next.run(MINUTE_MS)
    expect(next.journal.load().ledger?.entries.map(({ key }) => key)).not.toContain(held?.key)
    expect(next.journal.load().pending.map(({ key }) => key)).not.toContain(held?.key)
    expect(next.status().actions.unknownKeys).not.toContain(held?.key)
    expect(BigInt(bank.tickets.length) * STAKE).toBeLessThanOrEqual(guard.dailyLoss)
  })
})

test('a journal that is older than what the bot did: its tickets are adopted with their stakes', async () => {
  const bank = new Bank()
  const guard = { dailyLoss: usdc('2'), maxOpenContests: 10 }
  const first = await play(bank, { guard })
  await first.run(MINUTE_MS)
  expect(bank.tickets).toHaveLength(2)
  first.kill()
  const tickets = bank.tickets.map(queued)
  const restored = await play(bank, {
    ...{ guard, journal: new MemoryJournal(), clock: new VirtualClock(START_MS + HOUR_MS) },
    prepare: (service) => {
      bank.serve(service)
      service.tickets = tickets
    },
  })
  await restored.run(HOUR_MS)
  expect(bank.tickets).toHaveLength(2)
  expect(stakedNet(restored)).toBe(usdc('2'))
  for (const { ticketId } of tickets) {
    restored.service.tickets = restored.service.tickets.filter((ticket) => ticket.ticketId !== ticketId)
    const contestId = keyedUuid('taken', bank.tickets.indexOf(ticketId))
    await restored.tell(rawEvent('match.found', { ticketId, contestId, mode: MODE, stake: '1000000' }, restored.clock.now()))
    await restored.tell(rawEvent('contest.settled', { contestId, mode: MODE, stake: '1000000', ...LOSS }, restored.clock.now()))
  }
  await restored.run(HOUR_MS)
  expect(bank.tickets).toHaveLength(2)
})
