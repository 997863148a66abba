import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, decoded } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { buy, CONTEST, contestOf, openTradingBot, type TradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { VirtualClock } from '../../core/clock.ts'
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

test('what is left is sold before trades that wait, and in turns with them: none of these is lost or made twice', async () => {
  const bot = await laden()
  // Both traders ask alike.
  await bot.ask(buy(), buy({ to: BONK_MINT }))
  await bot.run(100)
  const quoted = bot.swapper.quotes.length
  bot.swapper.onBuild = (built) => bot.service.after(500, { ok: true, built })
  const amounts = ['1', '2', '3'].map((amount) => usdc(amount))
  await bot.ask(...amounts.map((amount) => buy({ amount })))
  await bot.tell(over())
  await bot.run(8000)
  expect(bot.swapper.quotes.slice(quoted).map(({ from, amount }) => (from === USDC_MINT ? amount : from))).toEqual([
    // The one of the contest that was under way, and then those of the other.
    usdc('1'),
    SOL_MINT,
    usdc('1'),
    BONK_MINT,
    usdc('2'),
    usdc('3'),
  ])
  expect([heldIn(bot, CONTEST), bot.status().portfolios.get(OTHER)?.fills]).toEqual([[], 5])
})

test('a sale that waits until the service shows the one before is no try: a bot that drains sells all there is', async () => {
  const swapper = Object.assign(new ScriptedSwapper(), { hasChain: false })
  const bot = await laden({ swapper, prepare: () => {} })
  const shown = [{ at: 0, usdc: 1_000_000_000, gas: 1_000_000_000 }]
  bot.service.onRead('agent.bankroll', () => {
    const late = shown.findLast(({ at }) => at <= bot.clock.now() - lagMs)
    const figures = { inPlay: '1000000', gasLamports: String(late?.gas), walletAddress: WALLET }
    return decoded('agent.bankroll', { available: String(late?.usdc), ...figures })
  })
  bot.service.onAct('agent.trade.signAndSend', ({ transaction }) => {
    const [{ usdc: before, gas } = { usdc: 0, gas: 0 }] = shown.slice(-1)
    const change = swapper.quotes.at(-1)?.from === USDC_MINT ? -10_000_000 : 10_000_000
    shown.push({ at: bot.clock.now(), usdc: before + change, gas: gas - 10_000 })
    return accepted({ signature: swapper.execute(transaction), status: 'confirmed' })
  })
  let lagMs = 0
  const mints = [SOL_MINT, ...['BONK', 'JUP', 'WIF', 'PYTH'].map((symbol) => tokenOf(symbol)?.mint ?? '')]
  for (const mint of mints.slice(1)) swapper.prices.set(mint, 0.5)
  const fresh = () => bot.price({ [USDC_MINT]: '1', ...Object.fromEntries(mints.map((mint) => [mint, mint === SOL_MINT ? '200' : '0.5'])) })
  for (const to of mints) {
    fresh()
    await bot.ask(buy({ to }))
    await bot.run(3000)
  }
  expect(heldIn(bot, CONTEST)).toEqual(mints)
  lagMs = 18_000
  bot.operator$.next('drain')
  await bot.tell(over())
  for (let turn = 0; turn < 100; turn++) {
    fresh()
    await bot.run(1000)
  }
  expect(heldIn(bot, CONTEST)).toEqual([])
  expect(bot.end).toEqual({ how: 'completed' })
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

describe('a token that nobody takes', () => {
  const MINUTE_MS = 60_000

  /** A bot whose contest is over, and whose SOL cannot be sold. */
  async function stuck() {
    const clock = new VirtualClock(START_MS)
    const swapper = new ScriptedSwapper().triedWith(clock)
    const journal = new MemoryJournal()
    journal.keepsModes = true
    const bot = await laden({ journal, clock, swapper, prepare: () => {} })
    await bot.ask(buy())
    await bot.run(1000)
    swapper.onQuote = (good) => (good.quote.from === SOL_MINT ? { ok: false, reason: 'no route', retryable: false } : good)
    await bot.tell(over())
    return bot
  }
  const pass = async (bot: TradingBot, ms: number) => {
    for (let left = ms; left > 0; left -= 5000) {
      refresh(bot)
      await bot.run(Math.min(left, 5000))
    }
  }

  test('is tried ever more seldom, at the soonest after a minute and at the latest after half an hour', async () => {
    const bot = await stuck()
    await pass(bot, 2 * MINUTE_MS)
    const [first] = bot.status().unsold
    expect(first).toMatchObject({ contestId: CONTEST, mint: SOL_MINT, amount: 50_000_000n })
    const tries = sold(bot).length
    await pass(bot, 3 * 60 * MINUTE_MS)
    // After 2, 4, 8, 16, and then 30 minutes.
    expect(sold(bot).length - tries).toBeGreaterThanOrEqual(8)
    expect(sold(bot).length - tries).toBeLessThanOrEqual(11)
  })

  test('counts at its newest price, and no more once it is sold', async () => {
    const bot = await stuck()
    await pass(bot, MINUTE_MS)
    expect([bot.status().swapProfit, bot.status().unsoldProfit]).toEqual([0n, 0n])
    bot.price({ [SOL_MINT]: '100' })
    await bot.run(10)
    expect(bot.status().unsoldProfit).toBe(usdc('-5'))
    refresh(bot)
    bot.swapper.onQuote = (good) => good
    await pass(bot, 60 * MINUTE_MS)
    expect([bot.status().unsold, bot.status().unsoldProfit, bot.status().swapProfit]).toEqual([[], 0n, 0n])
  })

  test('is not tried while swaps do not come through, and at once when they do', async () => {
    const bot = await stuck()
    await pass(bot, 70 * MINUTE_MS)
    const { onQuote } = bot.swapper
    bot.swapper.onQuote = () => ({ ok: false, reason: 'nobody answers', retryable: true })
    await pass(bot, 40 * MINUTE_MS)
    expect(bot.status().path?.isDown).toBe(true)
    const tries = sold(bot).length
    bot.swapper.onQuote = onQuote
    await pass(bot, 2 * MINUTE_MS)
    expect(sold(bot).length).toBe(tries + 1)
    bot.swapper.onQuote = () => ({ ok: false, reason: 'nobody answers', retryable: true })
    // The first of these finds out that swaps do not come through.
    await pass(bot, 60 * MINUTE_MS)
    expect(sold(bot).length).toBeLessThanOrEqual(tries + 2)
    bot.swapper.onQuote = (good) => good
    await pass(bot, 2 * MINUTE_MS)
    expect(bot.status().unsold).toEqual([])
  })
})
