import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { once } from '../../../test/support/testStrategies.ts'
import { resultSchema } from '../../contract/enums.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import { countedProfit } from './books.ts'
import { statsOf } from './views.ts'

const contestId = keyedUuid('contest')

interface Told {
  readonly result: string
  readonly profit: string
  readonly stake?: string
}
const settled = ({ stake = '1000000', ...told }: Told, id = contestId) =>
  rawEvent('contest.settled', { contestId: id, stake, payout: '0', ...told })
const cancelled = () => rawEvent('contest.cancelled', { contestId })

const LOSS: Told = { result: 'LOSS', profit: '-1000000' }
const WIN: Told = { result: 'WIN', profit: '50000000' }

const lost = (bot: TestBot) => bot.status().today()?.lost
const figures = (bot: TestBot) => {
  const { settled: count, profit } = statsOf(bot.status().books)
  return { count, profit, lost: lost(bot) }
}
const alarms = (bot: TestBot) => bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'SETTLEMENT_CONTRADICTED'))

describe('a settlement that contradicts', () => {
  test.each([
    ['a first one that lost', LOSS, WIN, { count: 1, profit: usdc('-1'), lost: usdc('1') }],
    ['a first one that won', WIN, LOSS, { count: 1, profit: usdc('50'), lost: usdc('1') }],
    ['one of a refund', { result: 'REFUND', profit: '0' }, LOSS, { count: 1, profit: 0n, lost: usdc('1') }],
  ])('%s counts for nothing but the caps, and is an alarm', async (_what, first, second, expected) => {
    const bot = await openTestBot()
    await bot.tell(settled(first), settled(second))
    expect(figures(bot)).toEqual(expected)
    expect(alarms(bot)).toHaveLength(1)
    expect(alarms(bot)[0]?.level).toBe('error')
  })

  test.each([
    ['a loss that cost nothing', { result: 'LOSS', profit: '0' }, usdc('1')],
    ['a loss that won', { result: 'LOSS', profit: '5000000' }, usdc('1')],
    ['a refund that won', { result: 'REFUND', profit: '5000000' }, 0n],
  ])('itself, %s, counts as the stake says, and is an alarm', async (_what, told, expected) => {
    const bot = await openTestBot()
    await bot.tell(settled(told))
    expect(lost(bot)).toBe(expected)
    expect(alarms(bot)).toHaveLength(1)
  })

  test.each([
    LOSS,
    { result: 'WIN', profit: '900000' },
    { result: 'DRAW', profit: '-50000' },
    { result: 'REFUND', profit: '0' },
  ])('nothing, %j, is as it is told, once or again, and no alarm', async (told) => {
    const bot = await openTestBot()
    await bot.tell(settled(told), settled(told))
    const profit = BigInt(told.profit)
    expect(figures(bot)).toEqual({ count: 1, profit, lost: profit < 0n ? -profit : 0n })
    expect(alarms(bot)).toEqual([])
  })

  test('the stake that was known counts by what was known', async () => {
    const bot = await openTestBot()
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), contestId, stake: '5000000' }))
    await bot.tell(settled({ result: 'LOSS', profit: '0', stake: '0' }))
    expect(lost(bot)).toBe(usdc('5'))
  })

  test('a cancellation, or is one of what was settled, is an alarm; what was settled stands', async () => {
    const first = await openTestBot()
    await first.tell(cancelled(), settled(LOSS))
    expect(figures(first)).toEqual({ count: 1, profit: usdc('-1'), lost: usdc('1') })
    expect(alarms(first)).toHaveLength(1)
    const second = await openTestBot()
    await second.tell(settled(LOSS), cancelled())
    expect(figures(second)).toEqual({ count: 1, profit: usdc('-1'), lost: usdc('1') })
    expect(second.status().books.cancelled).toBe(0)
    expect(alarms(second)).toHaveLength(1)
  })

  test('stops entries at the cap of the day and of the drawdown, and does so after a restart, without another alarm', async () => {
    const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
    for (const [guard, code] of [
      [{ dailyLoss: usdc('1.5') }, 'DAILY_LOSS_OWN'],
      [{ maxDrawdown: usdc('0.5') }, 'DRAWDOWN_STOP'],
    ] as const) {
      const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
      const bot = await openTestBot({ journal, clock, guard })
      await bot.tell(settled({ result: 'LOSS', profit: '0' }))
      expect(alarms(bot)).toHaveLength(1)
      bot.kill()
      const next = await openTestBot({ journal, clock, guard, strategies: [once(entry)] })
      await next.run(2000)
      expect(next.refusals()).toEqual([code])
      expect(alarms(next)).toEqual([])
    }
  })

  test('is never a way to more than was told first, nor to a smaller loss than any of them tells', async () => {
    const told = fc.record({
      result: fc.constantFrom(...resultSchema.options),
      profit: fc.integer({ min: -3, max: 3 }).map((n) => String(n * 1_000_000)),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 5 }), async (all) => {
        const bot = await openTestBot()
        await bot.tell(...all.map((each) => settled(each)))
        const worst = all
          .map(({ result, profit }) => countedProfit({ result, profit: BigInt(profit), stake: usdc('1') }, undefined))
          .reduce((least, each) => (each < least ? each : least))
        expect(figures(bot)).toEqual({ count: 1, profit: BigInt(all[0]?.profit ?? ''), lost: worst < 0n ? -worst : 0n })
      }),
      { numRuns: runsOf(200) },
    )
  })
})
