import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, decoded, unknown } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { buy, openTradingBot, type TradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, TOKENS, USDC_MINT } from '../../core/tokens.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// What the service shows of the wallet, late: it must not be taken for what was there before the next swap.

const SIGN_AND_SEND = 'agent.trade.signAndSend'
const without = () => Object.assign(new ScriptedSwapper(), { hasChain: false })
/** Figures after so many buys of 10 USDC, each with its fee, and what contests came to, in micro-USDC. */
const shownAfter = (buys: number, fees = buys, profit = 0) => ({
  available: String(1_000_000_000 - buys * 10_000_000 + profit),
  inPlay: '1000000',
  gasLamports: String(1_000_000_000 - fees * 10_000),
  walletAddress: WALLET,
})
const statuses = (bot: TradingBot) => bot.outcomes.map(({ status }) => status)
/** A bot without an RPC that has bought once, so many milliseconds ago; the service does not show it yet. */
async function afterOne(ms = 100): Promise<TradingBot> {
  const bot = await openTradingBot({ swapper: without() })
  await bot.ask(buy())
  await bot.run(ms)
  expect(statuses(bot)).toEqual(['filled'])
  return bot
}
const failed = accepted({ signature: 's'.repeat(64), status: 'failed' })

describe.each([
  ['never happened', 0, 'failed'],
  ['landed', 1, 'filled'],
])('a swap whose answer was lost and that %s', (_, lands, status) => {
  test('after one that failed on the chain and one that was executed', async () => {
    const bot = await openTradingBot({ swapper: without() })
    const shown = [{ at: 0, figures: shownAfter(0) }]
    bot.service.onRead('agent.bankroll', () => {
      const late = shown.findLast(({ at }) => at <= bot.clock.now() - 1500)
      return decoded('agent.bankroll', late?.figures)
    })
    let sent = 0
    bot.service.onAct(SIGN_AND_SEND, () => {
      sent += 1
      const buys = [0, 1, 1 + lands][sent - 1] ?? 0
      if (sent < 3 || lands > 0) shown.push({ at: bot.clock.now(), figures: shownAfter(buys, sent) })
      if (sent === 1) return failed
      return sent === 3 ? unknown : accepted({ signature: 's'.repeat(64), status: 'confirmed' })
    })
    for (const count of [1, 2, 3]) {
      await bot.ask(buy())
      for (let turn = 0; turn < 100 && bot.outcomes.length < count && count < 3; turn++) await bot.run(50)
      await bot.run(800)
    }
    await bot.run(600_000)
    expect(statuses(bot)).toEqual(['failed', 'filled', status])
  })

  test('after one that a service shows 13 seconds late, with the block that is final by then', async () => {
    const bot = await afterOne(10_500)
    bot.refresh()
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.run(2500)
    expect(bot.service.sent(SIGN_AND_SEND)).toHaveLength(1)
    bot.service.bankroll = shownAfter(1)
    await bot.run(1000)
    expect(bot.service.sent(SIGN_AND_SEND)).toHaveLength(2)
    bot.service.bankroll = shownAfter(1 + lands)
    await bot.run(600_000)
    expect(statuses(bot)).toEqual(['filled', status])
  })

  test.each([
    ['nothing', 0],
    ['a contest that the stream has not told of', -2_000_000],
  ])('after one of which the fee was shown before the USDC, and beside it %s', async (_what, profit) => {
    const bot = await afterOne()
    const settledAt = bot.clock.now()
    bot.service.bankroll = shownAfter(0, 1, profit)
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.run(2000)
    expect(bot.service.sent(SIGN_AND_SEND)).toHaveLength(1)
    bot.service.bankroll = shownAfter(1, 1, profit)
    if (profit !== 0) await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other'), profit: `${profit}` }, settledAt))
    await bot.run(1000)
    expect(bot.service.sent(SIGN_AND_SEND)).toHaveLength(2)
    bot.service.bankroll = shownAfter(1 + lands, 1 + lands, profit)
    await bot.run(600_000)
    expect(statuses(bot)).toEqual(['filled', status])
  })

  test('sent soon after a restart', async () => {
    const [journal, clock, swapper] = [new MemoryJournal(), new VirtualClock(START_MS), without()]
    const first = await openTradingBot({ swapper, journal, clock })
    await first.ask(buy())
    await first.run(200)
    expect(statuses(first)).toEqual(['filled'])
    first.kill()
    const bot = await openTradingBot({ swapper, journal, clock })
    bot.service.onAct(SIGN_AND_SEND, () => unknown)
    await bot.ask(buy())
    await bot.run(4000)
    expect(bot.service.sent(SIGN_AND_SEND)).toEqual([])
    bot.service.bankroll = shownAfter(1)
    bot.refresh()
    await bot.run(18_000)
    bot.refresh()
    await bot.ask(buy())
    await bot.run(1000)
    expect(bot.service.sent(SIGN_AND_SEND)).toHaveLength(1)
    bot.service.bankroll = shownAfter(1 + lands)
    await bot.run(600_000)
    expect(statuses(bot)).toEqual(['failed', status])
  })
})

test('a contest that the stream tells of after a swap, and its figures had before it, makes nobody wait', async () => {
  const prepare: TradingBotOptions['prepare'] = (service) => {
    service.bankroll = shownAfter(0, 0, -2_000_000)
  }
  const bot = await openTradingBot({ swapper: without(), prepare })
  const settledAt = bot.clock.now() - 1000
  await bot.ask(buy())
  expect(statuses(bot)).toEqual(['filled'])
  bot.service.bankroll = shownAfter(1, 1, -2_000_000)
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other'), profit: '-2000000' }, settledAt))
  await bot.ask(buy())
  await bot.run(1000)
  expect(statuses(bot)).toEqual(['filled', 'filled'])
})

test('while a swap waits for what the service shows late it is not built again and again', async () => {
  const bot = await afterOne()
  let builds = 0
  bot.swapper.onBuild = (built) => {
    builds += 1
    return { ok: true, built }
  }
  await bot.ask(buy())
  await bot.run(4000)
  expect([builds, bot.service.sent(SIGN_AND_SEND).length]).toEqual([1, 1])
  bot.service.bankroll = shownAfter(1)
  await bot.run(1000)
  expect([builds, statuses(bot)]).toEqual([2, ['filled', 'filled']])
})

test('the third of a burst has no figures from before where the second had none', async () => {
  const bot = await openTradingBot()
  let sent = 0
  bot.service.onAct(SIGN_AND_SEND, ({ transaction }) => {
    sent += 1
    // The service shows the first once the second is sent, and the second not yet.
    if (sent === 2) bot.service.bankroll = shownAfter(1)
    return accepted({ signature: bot.swapper.execute(transaction), status: 'confirmed' })
  })
  await bot.ask(buy(), buy())
  await bot.run(500)
  expect(statuses(bot)).toEqual(['filled', 'filled'])
  bot.swapper.onLanding = () => ({ status: 'unavailable', reason: 'HTTP 503' })
  bot.service.onAct(SIGN_AND_SEND, () => unknown)
  await bot.ask(buy())
  bot.service.bankroll = shownAfter(2)
  await bot.run(600_000)
  expect(statuses(bot)).toEqual(['filled', 'filled'])
})

test('figures from before the swap before the one that failed on the chain are not those from before the next one', async () => {
  const bot = await afterOne()
  bot.service.bankroll = shownAfter(1)
  await bot.run(1500)
  bot.service.onAct(SIGN_AND_SEND, () => failed)
  bot.refresh()
  await bot.ask(buy())
  await bot.run(1500)
  expect(statuses(bot)).toEqual(['filled', 'failed'])
  // A replica that is further behind.
  bot.service.bankroll = shownAfter(0)
  bot.service.onAct(SIGN_AND_SEND, () => unknown)
  bot.refresh()
  await bot.ask(buy())
  await bot.run(1500)
  bot.service.bankroll = shownAfter(1, 2)
  await bot.run(600_000)
  expect(statuses(bot)).toEqual(['filled', 'failed', 'failed'])
})

test('the fee of one that failed on the chain is not that of the next one', async () => {
  const swapper = without()
  const other = TOKENS.find(({ symbol }) => symbol === 'BONK')?.mint ?? ''
  swapper.prices.set(other, 0.5)
  const bot = await openTradingBot({ swapper })
  const fresh = () => bot.price({ [SOL_MINT]: '200', [other]: '0.5', [USDC_MINT]: '1' })
  fresh()
  bot.service.onAct(SIGN_AND_SEND, ({ transaction }) => {
    bot.service.bankroll = shownAfter(1)
    return accepted({ signature: swapper.execute(transaction), status: 'confirmed' })
  })
  await bot.ask(buy())
  await bot.run(2000)
  const swap = { type: 'swap', from: SOL_MINT, to: other, amount: 10_000_000n } as const
  bot.service.onAct(SIGN_AND_SEND, () => {
    bot.service.bankroll = shownAfter(1, 2)
    return failed
  })
  fresh()
  await bot.ask(swap)
  await bot.run(1000)
  expect(statuses(bot)).toEqual(['filled', 'failed'])
  bot.service.onAct(SIGN_AND_SEND, () => unknown)
  await bot.ask(swap)
  await bot.run(600_000)
  expect(statuses(bot)).toEqual(['filled', 'failed', 'failed'])
})
