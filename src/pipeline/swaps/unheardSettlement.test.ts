import { expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { unknown } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper, WALLET } from '../../../test/support/scriptedSwapper.ts'
import { buy, openTradingBot } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'

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
