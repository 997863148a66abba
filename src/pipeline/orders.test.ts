import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../test/support/rawEvents.ts'
import { emptyFolder, expectIdentical } from '../../test/support/replaying.ts'
import { accepted, type ScriptedService } from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../test/support/testBot.ts'
import { buy, CONTEST, openTradingBot } from '../../test/support/tradingBot.ts'
import { keyedUuid } from '../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../core/tokens.ts'
import type { OperatorOrder } from './protocol/input.ts'
import { strategyOfKey } from './protocol/intentKey.ts'

const [ticketId, contestId] = [keyedUuid('open ticket'), keyedUuid('open seat')]
const leave: OperatorOrder = { type: 'leaveContest', contestId }
const cancel: OperatorOrder = { type: 'cancelTicket', ticketId }
const BOUGHT = 50_000_000n
const sell: OperatorOrder = { type: 'sell', contestId: CONTEST, mint: SOL_MINT, amount: BOUGHT }

const withOpenThings = (service: ScriptedService) => {
  service.tickets = [{ ticketId, status: 'queued', mode: 'draft_basket', stake: '1000000', durationSec: 20 }]
  service.contests = [{ contestId, mode: 'best_trade', status: 'open', stake: '1000000', you: { entryId: keyedUuid('e'), ready: true } }]
}

async function order(bot: TestBot, ...orders: readonly OperatorOrder[]): Promise<void> {
  for (const each of orders) bot.operator$.next(each)
  await bot.run(0)
}

const ordered = (bot: TestBot) =>
  bot.steps
    .flatMap(({ record }) => record?.intents ?? [])
    .flatMap(({ key, action }) => (strategyOfKey(key) === 'operator' ? action.type : []))

describe('leaving and cancelling', () => {
  test('are actions of the operator, and pressed twice are sent once', async () => {
    const bot = await openTestBot({ prepare: withOpenThings })
    for (const procedure of ['agent.contests.leave', 'agent.queue.cancel'] as const)
      bot.service.onAct(procedure, () => bot.service.after(1000, accepted({})))
    await order(bot, leave, leave, cancel, cancel)
    expect(bot.service.sent('agent.contests.leave')).toEqual([{ contestId }])
    expect(bot.service.sent('agent.queue.cancel')).toEqual([{ ticketId }])
    expect(bot.refusals()).toEqual(['DUPLICATE_ACTION', 'DUPLICATE_ACTION'])
    expect(ordered(bot)).toEqual(['leaveContest', 'cancelTicket'])
    await bot.run(2000)
    await order(bot, leave, cancel)
    expect(bot.refusals().slice(2)).toEqual(['NOT_IN_CONTEST', 'NOT_IN_CONTEST'])
    expect(bot.service.acts).toHaveLength(2)
    expect(bot.notes('info')).toContain(`the operator orders: leave contest ${contestId}`)
  })

  test('go on while entries are stopped', async () => {
    const bot = await openTestBot({ prepare: withOpenThings, command: 'stopEntries' })
    await order(bot, leave, cancel)
    expect([bot.refusals(), bot.status().books.seats.size, bot.status().books.tickets.size]).toEqual([[], 0, 0])
  })

  test('of what is not there are refused', async () => {
    const bot = await openTestBot()
    await order(bot, leave, cancel)
    expect(bot.refusals()).toEqual(['NOT_IN_CONTEST', 'NOT_IN_CONTEST'])
    expect(bot.service.acts).toEqual([])
  })
})

describe('selling', () => {
  test('in a live contest is a swap of it, of which its trader hears nothing, and pressed twice is sold once', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy({ amount: 20_000_000n }))
    expect(bot.status().portfolios.get(CONTEST)?.holdings.get(SOL_MINT)).toBe(2n * BOUGHT)
    bot.swapper.onQuote = (good) => bot.service.after(500, good)
    await order(bot, sell, sell)
    expect(bot.refusals()).toEqual(['DUPLICATE_ACTION'])
    await bot.run(2000)
    expect(bot.swapper.quotes.slice(1)).toMatchObject([{ from: SOL_MINT, to: USDC_MINT, amount: BOUGHT }])
    expect(bot.status().portfolios.get(CONTEST)?.holdings.get(SOL_MINT)).toBe(BOUGHT)
    expect(bot.outcomes).toHaveLength(1)
    expect(ordered(bot)).toEqual(['swap'])
    expect(bot.notes('info').filter((note) => note.startsWith('swapped'))).toEqual([
      `swapped 20.00 USDC for 0.1 SOL (trader, pnl_usd contest ${CONTEST})`,
      `swapped 0.05 SOL for 10.00 USDC (operator, pnl_usd contest ${CONTEST})`,
    ])
  })

  test('pressed twice while a trader swaps is sold once', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy({ amount: 20_000_000n }))
    bot.swapper.onQuote = (good) => bot.service.after(500, good)
    await bot.ask(buy())
    await order(bot, sell, sell)
    await bot.run(3000)
    expect(bot.refusals()).toEqual(['DUPLICATE_ACTION'])
    expect(bot.swapper.quotes.filter(({ from }) => from === SOL_MINT)).toHaveLength(1)
  })

  test('what a contest has left is a sweep, where the bot does not sell it itself', async () => {
    const bot = await openTradingBot({ sweep: false })
    await bot.ask(buy())
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    await order(bot, sell)
    await bot.run(1000)
    expect(ordered(bot)).toEqual(['sweep'])
    expect(bot.status().portfolios.size).toBe(0)
  })

  test.each([
    ['more than is held', 'SWAP_OVER_BALANCE', { ...sell, amount: BOUGHT + 1n }],
    ['of no contest of the bot', 'NOT_IN_CONTEST', { ...sell, contestId: keyedUuid('elsewhere') }],
    ['USDC for USDC', 'SWAP_SAME_TOKEN', { ...sell, mint: USDC_MINT }],
  ] as const)('%s is refused', async (_what, code, bad) => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    await order(bot, bad)
    expect(bot.refusals()).toEqual([code])
  })

  test('is stopped by the kill switch', async () => {
    const bot = await openTradingBot()
    await bot.ask(buy())
    bot.operator$.next('stopAll')
    await order(bot, sell)
    expect(bot.refusals()).toEqual(['KILL_SWITCH'])
  })
})

test('orders are recorded, and replay to the same decisions', async () => {
  const recording = emptyFolder()
  const bot = await openTestBot({ recording, prepare: withOpenThings })
  await order(bot, leave, leave, cancel)
  await bot.run(1000)
  bot.kill()
  expect(ordered(bot)).toEqual(['leaveContest', 'cancelTicket'])
  await expectIdentical(recording, bot.config)
})
