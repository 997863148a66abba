import { describe, expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { ScriptedSwapper } from '../../../test/support/scriptedSwapper.ts'
import { buy, CONTEST, contestOf, openTradingBot, type TradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, tokenOf, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

const BONK_MINT = tokenOf('BONK')?.mint ?? ''
const OTHER = keyedUuid('other contest')

const over = (contestId = CONTEST) => rawEvent('contest.settled', { contestId, mode: 'pnl_usd' })
const heldIn = (bot: TradingBot, contestId: string) => [...(bot.status().portfolios.get(contestId)?.holdings.keys() ?? [])]
const sold = (bot: TradingBot) => bot.swapper.quotes.flatMap(({ from, amount }) => (from === USDC_MINT ? [] : [{ from, amount }]))

const refresh = (bot: TradingBot) => bot.price({ [SOL_MINT]: '200', [BONK_MINT]: '0.5', [USDC_MINT]: '1' })

/** A bot with prices of two tokens, in two contests unless the test says otherwise. */
async function laden(options: TradingBotOptions = {}): Promise<TradingBot> {
  const swapper = options.swapper ?? new ScriptedSwapper()
  swapper.prices.set(BONK_MINT, 0.5)
  const bot = await openTradingBot({
    swapper,
    prepare: ({ contests }) => contests.push(contestOf({ contestId: OTHER, mode: 'pnl_usd' })),
    ...options,
  })
  refresh(bot)
  return bot
}

describe('a contest that is over', () => {
  test('has each of its tokens sold, one after the other', async () => {
    const bot = await laden({ prepare: () => {} })
    await bot.ask(buy(), buy({ to: BONK_MINT }))
    await bot.tell(over())
    await bot.run(1000)
    expect(sold(bot)).toEqual([
      { from: SOL_MINT, amount: 50_000_000n },
      { from: BONK_MINT, amount: 2_000_000n },
    ])
    expect([bot.status().portfolios.size, bot.status().swapProfit]).toEqual([0, 0n])
  })

  test('is sold of what it holds itself: what another contest holds stays', async () => {
    const bot = await laden()
    // Both traders ask alike.
    await bot.ask(buy())
    await bot.run(100)
    expect([heldIn(bot, CONTEST), heldIn(bot, OTHER)]).toEqual([[SOL_MINT], [SOL_MINT]])
    await bot.tell(over())
    await bot.run(1000)
    expect(sold(bot)).toEqual([{ from: SOL_MINT, amount: 50_000_000n }])
    expect([heldIn(bot, CONTEST), heldIn(bot, OTHER)]).toEqual([[], [SOL_MINT]])
  })

  test('takes turns with what another contest has waiting', async () => {
    const bot = await laden()
    await bot.ask(buy(), buy({ to: BONK_MINT }))
    await bot.run(1000)
    bot.swapper.onBuild = (built) => bot.service.after(1500, { ok: true, built })
    refresh(bot)
    const before = bot.swapper.quotes.length
    await bot.ask(buy({ amount: usdc('1') }), buy({ amount: usdc('2') }))
    await bot.tell(over())
    await bot.run(10_000)
    expect(bot.swapper.quotes.slice(before).map(({ from }) => (from === USDC_MINT ? 'bought' : 'sold'))).toEqual([
      'bought',
      'sold',
      'bought',
      'sold',
      'bought',
    ])
  })

  test('is sold next, however much another contest has waiting', async () => {
    const bot = await laden()
    await bot.ask(buy())
    await bot.run(1000)
    bot.swapper.onBuild = (built) => bot.service.after(1500, { ok: true, built })
    refresh(bot)
    await bot.ask(buy({ amount: usdc('1') }), buy({ amount: usdc('2') }), buy({ amount: usdc('3') }))
    await bot.tell(over())
    expect(sold(bot)).toEqual([])
    await bot.run(1600)
    expect(sold(bot)).toEqual([{ from: SOL_MINT, amount: 50_000_000n }])
    await bot.run(10_000)
    const bought = bot.swapper.quotes.filter(({ from }) => from === USDC_MINT).map(({ amount }) => amount)
    expect(bought).toEqual([usdc('10'), usdc('10'), usdc('1'), usdc('1'), usdc('2'), usdc('3')])
  })

  test('is left as it is where the config says so, and draining does not wait for it', async () => {
    const bot = await laden({ sweep: false, prepare: () => {} })
    await bot.ask(buy())
    bot.operator$.next('drain')
    await bot.tell(over())
    await bot.run(1000)
    expect(sold(bot)).toEqual([])
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('is sold after a restart, once the stream was read', async () => {
    const journal = new MemoryJournal()
    const bot = await laden({ journal, prepare: () => {} })
    await bot.ask(buy())
    bot.swapper.onQuote = () => ({ ok: false, reason: 'no route', retryable: false })
    await bot.tell(over())
    await bot.run(100)
    bot.kill()
    const options = { journal, clock: bot.clock, prepare: ({ contests }: { contests: unknown[] }) => void contests.splice(0) }
    const next = await laden({ ...options, caughtUp: false })
    await next.run(2000)
    expect(sold(next)).toEqual([])
    next.events.catchUp()
    await next.run(1000)
    expect(heldIn(next, CONTEST)).toEqual([])
    expect(next.status().swapProfit).toBe(0n)
  })

  test('is sold though the day’s loss is used up, and whatever the largest swap may be', async () => {
    const bot = await laden({ guard: { maxSwap: usdc('10'), dailyLoss: usdc('2') }, prepare: () => {} })
    await bot.ask(buy())
    bot.swapper.prices.set(SOL_MINT, 260)
    bot.price({ [SOL_MINT]: '260' })
    await bot.tell({ ...over(), data: { ...over().data, result: 'LOSS', profit: '-5000000' } })
    await bot.run(1000)
    expect(sold(bot)).toEqual([{ from: SOL_MINT, amount: 50_000_000n }])
    expect(bot.status().swapProfit).toBe(usdc('3'))
  })
})

test('a token that cannot be sold keeps no other from being sold', async () => {
  const bot = await laden({ prepare: () => {} })
  await bot.ask(buy(), buy({ to: BONK_MINT }))
  bot.swapper.onQuote = (good) => (good.quote.from === SOL_MINT ? { ok: false, reason: 'no route', retryable: false } : good)
  await bot.tell(over())
  await bot.run(3000)
  expect(heldIn(bot, CONTEST)).toEqual([SOL_MINT])
})

test('a price that is stale for a while is no try: what is left is sold once there is a fresh one', async () => {
  const bot = await laden({ prepare: () => {} })
  await bot.ask(buy())
  bot.clock.advanceTo(bot.clock.now() + 60_000)
  await bot.tell(over())
  await bot.run(120_000)
  expect(sold(bot)).toEqual([])
  expect(bot.notes('error')).toEqual([])
  refresh(bot)
  await bot.run(6000)
  expect(sold(bot)).toEqual([{ from: SOL_MINT, amount: 50_000_000n }])
})
