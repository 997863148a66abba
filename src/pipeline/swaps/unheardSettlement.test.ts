import { expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, unknown } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { buy, openTradingBot, sell } from '../../../test/support/tradingBot.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// The bankroll shows a settlement from the moment it is made; the stream tells of it up to five seconds later.

test.each([
  ['as much as the swap', '990000000', '980000000', '-10000000'],
  ['another amount', '998000000', '988000000', '-2000000'],
])('without an RPC a swap that landed is booked although a contest was lost before it that was told of after it: %s', async (_, settled, after, profit) => {
  const bot = await openTradingBot({ swapper: Object.assign(new ScriptedSwapper(), { hasChain: false }) })
  const balances = (available: string, gasLamports: string) => ({ available, inPlay: '1000000', gasLamports, walletAddress: WALLET })
  bot.service.bankroll = balances(settled, '1000000000')
  await bot.run(12_000)
  const settledAt = bot.clock.now() - 10_000
  bot.refresh()
  bot.service.onAct('agent.trade.signAndSend', () => unknown)
  await bot.ask(buy())
  await bot.run(100)

  expect(bot.status().actions.unknown).toBe(1)
  bot.service.bankroll = balances(after, '999990000')
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other'), result: 'LOSS', profit }, settledAt))
  await bot.run(600_000)
  expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
})

test.each([
  ['heard of by the next run', 2000, true],
  ['heard of by the next run, of a service whose clock is a little ahead', -1500, true],
  ['heard of later, of a service whose clock is a little ahead', -1500, false],
])('the same with a contest that was %s', async (_, agoMs, dies) => {
  const swapper = Object.assign(new ScriptedSwapper(), { hasChain: false })
  const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
  const balances = (available: string, gasLamports: string) => ({ available, inPlay: '1000000', gasLamports, walletAddress: WALLET })
  const first = await openTradingBot({ swapper, journal, clock })
  // It is lost by now: the figures have it, and the stream does not say so yet.
  first.service.bankroll = balances('998000000', '1000000000')
  await first.run(12_000)
  const readAt = first.status().books.bankroll?.begunAt ?? 0
  first.refresh()
  first.service.onAct('agent.trade.signAndSend', () => unknown)
  await first.ask(buy())
  await first.run(100)
  expect(journal.swaps).toMatchObject([{ before: { total: 999_000_000n, profit: 0n, readAt } }])
  if (dies) first.kill()
  const restart = () =>
    openTradingBot({
      ...{ swapper, journal, clock },
      prepare: (service) => {
        service.bankroll = balances('988000000', '999990000')
      },
    })
  const bot = dies ? await restart() : first
  bot.service.bankroll = balances('988000000', '999990000')
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other'), result: 'LOSS', profit: '-2000000' }, readAt - agoMs))
  await bot.run(600_000)
  expect(journal.outcomes.filter(({ type }) => type === 'swap').at(-1)).toEqual({ type: 'swap', status: 'filled' })
})

test('the same with a contest that was lost while the figures were read, which took long', async () => {
  const bot = await openTradingBot({ swapper: Object.assign(new ScriptedSwapper(), { hasChain: false }) })
  const { service } = bot
  const balances = (available: string, gasLamports: string) => ({ available, inPlay: '1000000', gasLamports, walletAddress: WALLET })
  await bot.run(1000)
  service.bankroll = balances('990000000', '1000000000')
  service.onRead('agent.bankroll', () => service.after(8000, decoded('agent.bankroll', service.bankroll)))
  await bot.run(18_500)
  const readAt = bot.status().books.bankroll?.begunAt ?? 0
  expect(bot.clock.now() - readAt).toBeGreaterThan(8000)
  service.onRead('agent.bankroll', undefined)
  bot.refresh()
  service.onAct('agent.trade.signAndSend', () => unknown)
  await bot.ask(buy())
  expect(bot.service.sent('agent.trade.signAndSend'), 'these figures say nothing').toHaveLength(0)
  await bot.run(1000)

  expect(bot.status().actions.unknown).toBe(1)
  service.bankroll = balances('980000000', '999990000')
  const lost = { contestId: keyedUuid('other'), result: 'LOSS', profit: '-10000000' }
  await bot.tell(rawEvent('contest.settled', lost, readAt + 7000))
  await bot.run(600_000)
  expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
})

test.each([
  ['without an RPC', false, 4500],
  ['with one that cannot be asked', true, 4500],
  ['where the poll that tells of it hangs', false, 14_900],
])('a contest that the figures afterwards have is not taken for the swap before the stream tells of it: %s', async (_, hasChain, lateMs) => {
  const swapper = Object.assign(new ScriptedSwapper(), { hasChain })
  swapper.onLanding = () => ({ status: 'unavailable', reason: 'HTTP 503' })
  const bot = await openTradingBot({ swapper })
  const balances = (available: string) => ({ available, inPlay: '1000000', gasLamports: '999990000', walletAddress: WALLET })
  bot.service.onAct('agent.trade.signAndSend', () => unknown)
  await bot.ask(buy())
  // It failed on the chain, and has paid its fee.
  bot.service.bankroll = balances('1000000000')
  await bot.run(119_000)
  const settledAt = bot.clock.now()
  bot.service.bankroll = balances('990000000')
  await bot.run(lateMs)
  expect(bot.outcomes).toEqual([])
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other'), result: 'LOSS', profit: '-10000000' }, settledAt))
  await bot.run(100_000)
  expect(bot.outcomes).toEqual([{ status: 'failed', reason: 'the balances do not show it' }])
})

test.each([
  ['three seconds after they were read', 3000],
  ['a second after by a service whose clock is a second ahead, and heard of before', 0],
])('a contest that was won %s does not hold a sale that failed', async (_, afterMs) => {
  const bot = await openTradingBot({ swapper: Object.assign(new ScriptedSwapper(), { hasChain: false }) })
  const balances = (available: string, gasLamports: string) => ({ available, inPlay: '1000000', gasLamports, walletAddress: WALLET })
  const won = (at: number) => rawEvent('contest.settled', { contestId: keyedUuid('other'), result: 'WIN', profit: '10000000' }, at)
  bot.service.bankroll = balances('990000000', '999990000')
  await bot.ask(buy())
  await bot.run(20_000)
  const known = bot.status().books.bankroll?.begunAt
  if (afterMs === 0) {
    bot.service.bankroll = balances('1000000000', '999990000')
    await bot.tell(won(bot.clock.now() + 1000))
  } else while (bot.status().books.bankroll?.begunAt === known) await bot.run(100)
  await bot.run(4000)
  const readAt = bot.status().books.bankroll?.begunAt ?? 0
  bot.service.onAct('agent.trade.signAndSend', () => unknown)
  bot.refresh()
  await bot.ask(sell(49_750_000n))
  await bot.run(100)
  bot.service.bankroll = balances('1000000000', '999985000')
  if (afterMs > 0) await bot.tell(won(readAt + afterMs))
  await bot.run(200_000)
  expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled', 'failed'])
})

test('many small contests that were lost about then do not hold it', async () => {
  const bot = await openTradingBot({ swapper: Object.assign(new ScriptedSwapper(), { hasChain: false }) })
  await bot.run(9000)
  const readAt = bot.status().books.bankroll?.begunAt ?? 0
  bot.service.onAct('agent.trade.signAndSend', () => unknown)
  bot.refresh()
  await bot.ask(buy())
  await bot.run(100)
  bot.service.bankroll = { available: '989300000', inPlay: '1000000', gasLamports: '999990000', walletAddress: WALLET }
  for (let n = 0; n < 7; n++) {
    const lost = { contestId: keyedUuid('other', n), result: 'LOSS', profit: '-100000' }
    await bot.tell(rawEvent('contest.settled', lost, readAt + 3000))
  }
  await bot.run(200_000)
  expect(bot.outcomes.map(({ status }) => status)).toEqual(['filled'])
})
