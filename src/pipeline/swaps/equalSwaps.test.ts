import { describe, expect, test } from 'vitest'
import { buy, openTradingBot, sell, type TradingBot } from '../../../test/support/tradingBot.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import type { BuildResult, BuiltSwap } from '../protocol/swapper.ts'

const sent = (bot: TradingBot) => bot.service.sent('agent.trade.signAndSend').map(({ transaction }) => transaction)

/** Of one blockhash for so many builds, equal swaps are one transaction. */
function underOneBlockhash({ swapper }: TradingBot, builds: number): void {
  const first = new Map<bigint, BuiltSwap>()
  let count = 0
  swapper.onBuild = (built) => {
    const given = built.simulated?.changes[0]?.delta ?? 0n
    const known = first.get(given)
    first.set(given, known ?? built)
    count += 1
    return { ok: true, built: known !== undefined && count <= builds ? known : built }
  }
}

/** The blockhash that a transaction was built on is another one when it is built again. */
const executedBefore: BuildResult = {
  ok: false,
  reason: 'the RPC has executed the same transaction before',
  retryable: true,
  isSpent: true,
}

describe('an equal swap', () => {
  test('under the blockhash of one that was sent is built again, and both are executed', async () => {
    const bot = await openTradingBot()
    underOneBlockhash(bot, 3)
    await bot.ask(buy())
    await bot.ask(buy())
    expect(sent(bot)).toHaveLength(1)
    await bot.run(2000)
    expect(new Set(sent(bot)).size).toBe(2)
    expect(bot.outcomes).toMatchObject([{ status: 'filled' }, { status: 'filled' }])
    expect(bot.status().actions).toMatchObject({ swapsFilled: 2, swapsFailed: 0 })
  })

  test('is known for one where another was sent in between', async () => {
    const bot = await openTradingBot()
    underOneBlockhash(bot, 3)
    await bot.ask(buy())
    await bot.ask(sell(25_000_000n))
    await bot.ask(buy())
    expect(sent(bot)).toHaveLength(2)
    await bot.run(2000)
    expect(new Set(sent(bot)).size).toBe(3)
  })

  test('that the chain says it has executed is built again', async () => {
    const bot = await openTradingBot()
    let builds = 0
    bot.swapper.onBuild = (built) => (++builds < 3 ? executedBefore : { ok: true, built })
    await bot.ask(buy())
    expect(sent(bot)).toEqual([])
    await bot.run(2000)
    expect(bot.outcomes).toMatchObject([{ status: 'filled' }])
  })

  test('comes to nothing where no newer blockhash comes while its quote holds', async () => {
    const bot = await openTradingBot()
    bot.swapper.onBuild = () => executedBefore
    await bot.ask(buy())
    await bot.run(4000)
    expect(bot.outcomes).toEqual([])
    await bot.run(1500)
    expect(bot.outcomes).toMatchObject([{ status: 'failed', reason: expect.stringMatching(/^an equal swap /) }])
    expect(sent(bot)).toEqual([])
    expect(bot.status().actions.swapsFailed).toBe(1)
  })

  test('is not sent once the operator has stopped all', async () => {
    const bot = await openTradingBot()
    underOneBlockhash(bot, 3)
    await bot.ask(buy())
    await bot.ask(buy())
    bot.operator$.next('stopAll')
    await bot.run(2000)
    expect(sent(bot)).toHaveLength(1)
    expect(bot.status().actions).toMatchObject({ swapsFilled: 1, refused: 1 })
  })

  test('is known for one that a run before has sent', async () => {
    const journal = new MemoryJournal()
    const first = await openTradingBot({ journal })
    const transactions: BuiltSwap[] = []
    first.swapper.onBuild = (built) => {
      transactions.push(built)
      return { ok: true, built }
    }
    await first.ask(buy())
    expect(sent(first)).toHaveLength(1)
    first.kill()
    const second = await openTradingBot({ journal, clock: first.clock })
    let builds = 0
    second.swapper.onBuild = (built) => ({ ok: true, built: ++builds === 1 ? (transactions[0] ?? built) : built })
    await second.ask(buy())
    expect(sent(second)).toEqual([])
    await second.run(1000)
    expect(sent(second)).toHaveLength(1)
    expect(sent(second)).not.toEqual(sent(first))
  })
})

describe('a build whose turn did not come while the quote held', () => {
  const heldBack: BuildResult = { ok: false, reason: 'no request was free', retryable: true, isHeldBack: true }

  test('goes back to its quote, and the swap is executed', async () => {
    const bot = await openTradingBot()
    let builds = 0
    bot.swapper.onBuild = (built) => (++builds === 1 ? heldBack : { ok: true, built })
    await bot.ask(buy())
    await bot.run(2000)
    expect([builds, bot.swapper.quotes.length]).toEqual([2, 2])
    expect(bot.outcomes).toMatchObject([{ status: 'filled' }])
  })

  test('is given up in the end', async () => {
    const bot = await openTradingBot({ guard: { maxPriceAgeMs: 600_000 } })
    bot.swapper.onBuild = () => heldBack
    await bot.ask(buy())
    await bot.run(60_000)
    // After 1, 2, 4, 8 and 8 seconds.
    expect(bot.swapper.quotes.length).toBe(6)
    expect(bot.outcomes).toMatchObject([{ status: 'failed' }])
  })
})
