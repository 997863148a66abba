import { expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, unknown } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { buy, openTradingBot } from '../../../test/support/tradingBot.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

// The bankroll shows a settlement from the moment it is made; the stream tells of it up to five seconds later.

test.each([
  ['as much as the swap', '990000000', '980000000', '-10000000'],
  ['another amount', '998000000', '988000000', '-2000000'],
])(
  'without an RPC a swap that landed is booked although a contest was lost before it that was told of after it: %s',
  async (_, settled, after, profit) => {
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
  },
)

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

test('a contest that the figures afterwards have, and the stream does not tell of yet, is not taken for the swap', async () => {
  const bot = await openTradingBot({ swapper: Object.assign(new ScriptedSwapper(), { hasChain: false }) })
  const balances = (available: string) => ({ available, inPlay: '1000000', gasLamports: '999990000', walletAddress: WALLET })
  bot.service.onAct('agent.trade.signAndSend', () => unknown)
  await bot.ask(buy())
  // It failed on the chain, and has paid its fee.
  bot.service.bankroll = balances('1000000000')
  await bot.run(119_000)
  bot.service.bankroll = balances('990000000')
  await bot.run(4000)
  expect(bot.outcomes, 'once looked at').toEqual([])
  await bot.tell(
    rawEvent('contest.settled', { contestId: keyedUuid('other'), result: 'LOSS', profit: '-10000000' }, bot.clock.now() - 4500),
  )
  await bot.run(40_000)
  expect(bot.outcomes).toEqual([{ status: 'failed', reason: 'the balances do not show it' }])
})
