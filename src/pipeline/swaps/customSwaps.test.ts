import { ignoreElements, merge, Subject, tap } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { ScriptedSwapper } from '../../../test/support/scriptedSwapper.ts'
import { buy, CONTEST, openTradingBot, type TradingBotOptions } from '../../../test/support/tradingBot.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { type Action, swap } from '../../strategy/action.ts'
import { type CustomStrategy, defineStrategy } from '../../strategy/define.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

describe('a strategy of one’s own', () => {
  const open = async (options: TradingBotOptions = {}) => {
    const act$ = new Subject<Action>()
    const own = defineStrategy({ name: 'own', params: z.object({}), run: () => act$ })()
    const bot = await openTradingBot({ ...options, strategies: [own], trade: () => new Subject() })
    return { bot, act$ }
  }
  const sold = { from: SOL_MINT, to: USDC_MINT, amount: 20_000_000n }

  test('swaps in a contest that it names, and the swap is tagged with it', async () => {
    const { bot, act$ } = await open()
    act$.next(swap({ ...buy(), contestId: CONTEST }))
    await bot.run(0)
    expect(bot.service.sent('agent.trade.signAndSend')).toEqual([{ transaction: expect.any(String), contestId: CONTEST }])
    expect(bot.status().portfolios.get(CONTEST)).toMatchObject({ cash: usdc('-10'), fills: 1 })
    expect(bot.journal.intents.map(({ key }) => key.split(':')[1])).toEqual(['own'])
  })

  test('sweeps a contest that is over, and that counts for no contest', async () => {
    const { bot, act$ } = await open({ sweep: false })
    act$.next(swap({ ...buy(), contestId: CONTEST }))
    await bot.run(0)
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    act$.next({ type: 'sweep', contestId: CONTEST, ...sold })
    await bot.run(0)
    expect(bot.service.sent('agent.trade.signAndSend').slice(1)).toEqual([{ transaction: expect.any(String) }])
    expect(bot.status().portfolios.get(CONTEST)).toMatchObject({ cash: usdc('-6'), fills: 2 })
  })

  test('sweeps nothing that the framework sells already', async () => {
    const { bot, act$ } = await open()
    act$.next(swap({ ...buy(), contestId: CONTEST }))
    await bot.run(0)
    bot.swapper.onQuote = (good) => bot.service.after(1000, good)
    await bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))
    act$.next({ type: 'sweep', contestId: CONTEST, ...sold })
    await bot.run(5000)
    expect(bot.refusals()).toEqual(['SWAP_OVER_BALANCE'])
    expect(bot.status().portfolios.size).toBe(0)
  })

  test('knows in which contests it has swapped, in an earlier run too and while nobody can say what became of it', async () => {
    const journal = new MemoryJournal()
    const watched = async (answers: (swapper: ScriptedSwapper) => TradingBotOptions['prepare']) => {
      const seen: (readonly string[])[] = []
      const act$ = new Subject<Action>()
      const run: CustomStrategy['run'] = ({ every, state }) =>
        merge(
          act$,
          every(1).pipe(
            tap(() => seen.push(state().swappedIn)),
            ignoreElements(),
          ),
        )
      const own = defineStrategy({ name: 'own', params: z.object({}), run })()
      const swapper = new ScriptedSwapper()
      const prepare = answers(swapper)
      const bot = await openTradingBot({
        ...{ journal, swapper, strategies: [own], trade: () => new Subject() },
        ...(prepare === undefined ? {} : { prepare }),
      })
      return { bot, act$, seen }
    }
    const first = await watched(() => (service) => service.onAct('agent.trade.signAndSend', () => new Promise(() => {})))
    await first.bot.run(1000)
    first.act$.next(swap({ ...buy(), contestId: CONTEST }))
    await first.bot.run(1000)
    expect(first.seen).toEqual([[], [CONTEST]])
    first.bot.kill()
    const second = await watched(() => undefined)
    await second.bot.run(1000)
    expect(second.seen).toEqual([[CONTEST]])
    expect(second.bot.status().actions.unknown).toBe(1)
  })

  test('without a contest named, a swap is a fault of its own', async () => {
    const { bot, act$ } = await open()
    act$.next(buy() as Action)
    await bot.run(0)
    expect(bot.notes('error')[0]).toContain('strategy own failed: a strategy returned something that is not an action: contestId')
    expect(bot.swapper.quotes).toEqual([])
  })
})
