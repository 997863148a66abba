import { defer, type Observable, of } from 'rxjs'
import { expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { decoded } from '../../../test/support/scriptedService.ts'
import { ScriptedSwapper } from '../../../test/support/scriptedSwapper.ts'
import { buy, openTradingBot } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { PaperSwap } from '../../guard/index.ts'
import type { PaperFill } from '../protocol/ports.ts'

const SIGNATURE = 'paper'
const SOLD = 66_666_667n

const landed = {
  status: 'landed',
  signature: SIGNATURE,
  changes: [
    { mint: USDC_MINT, delta: -usdc('10') },
    { mint: SOL_MINT, delta: SOLD },
  ],
  feeLamports: 5000n,
} as const

/** A world without a chain: quotes have nothing to build from, and are carried out at once. */
class StatingSwapper extends ScriptedSwapper {
  readonly executed: PaperSwap[] = []
  answer: PaperFill = landed
  override onQuote: ScriptedSwapper['onQuote'] = (good) => ({ ...good, raw: undefined })

  executePaper(swap: PaperSwap): Observable<PaperFill> {
    this.executed.push(swap)
    return defer(() => of(this.answer))
  }
}

async function asked(change: (swapper: StatingSwapper) => void = () => {}, bankroll = '1000000000') {
  const swapper = new StatingSwapper()
  change(swapper)
  const bot = await openTradingBot({
    swapper,
    prepare: (service) => {
      service.bankroll = { ...service.bankroll, available: bankroll }
    },
  })
  const before = bot.steps.length
  await bot.ask(buy())
  const inputs = bot.steps.slice(before).map(({ input }) => (input.type === 'answer' ? input.request.procedure : input.type))
  return { bot, swapper, inputs }
}

test('a paper swap is judged with its quote and has landed with its answer; then the bankroll alone is read', async () => {
  const { bot, swapper, inputs } = await asked()
  expect(inputs).toEqual(['late', 'quoted', 'landing', 'agent.bankroll'])
  expect(swapper.executed).toMatchObject([{ type: 'paperSwap', from: USDC_MINT, to: SOL_MINT, given: usdc('10') }])
  expect(bot.outcomes).toMatchObject([{ status: 'filled', fill: { given: usdc('10'), received: SOLD, signature: SIGNATURE } }])
  expect(swapper.looks).toEqual([])
})

test('needs no figures of the wallet from before, and no RPC: what became of it comes with its answer', async () => {
  const swapper = new StatingSwapper()
  swapper.hasChain = false
  const bot = await openTradingBot({ swapper })
  bot.service.onRead('agent.bankroll', () => bot.service.after(3000, decoded('agent.bankroll', bot.service.bankroll)))
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other') }))
  bot.refresh()
  await bot.ask(buy())
  expect(bot.outcomes).toMatchObject([{ status: 'filled' }])
})

test('brings the bankroll that it leaves along: nothing is read, nothing is held for it, and no more is spent than is left', async () => {
  const left = { available: usdc('4'), inPlay: 0n, gasLamports: 7_000_000n }
  const { bot, swapper, inputs } = await asked((world) => {
    world.answer = { ...landed, bankroll: left }
  }, '14000000')
  expect(inputs).toEqual(['late', 'quoted', 'landing'])
  const { books } = bot.status()
  expect(books.bankroll).toMatchObject({ value: { available: usdc('4'), inPlay: 0n }, begunAt: bot.clock.now() })
  expect(books.gasLamports?.value).toBe(7_000_000n)
  expect(bot.status().reserved).toMatchObject({ actions: 0, stake: 0n })
  await bot.ask(buy())
  expect(bot.refusals()).toEqual(['SWAP_OVER_BALANCE'])
  await bot.ask(buy({ amount: usdc('4') }))
  expect(swapper.executed).toHaveLength(2)
})

test('and no older answer takes the place of that bankroll', async () => {
  const swapper = new StatingSwapper()
  swapper.answer = { ...landed, bankroll: { available: usdc('4'), inPlay: 0n, gasLamports: 7_000_000n } }
  const bot = await openTradingBot({ swapper })
  const { service } = bot
  service.onRead('agent.bankroll', () => service.after(3000, decoded('agent.bankroll', { ...service.bankroll, available: '14000000' })))
  await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('other') }))
  bot.refresh()
  await bot.ask(buy())
  expect(bot.outcomes).toMatchObject([{ status: 'filled' }])
  await bot.run(3100)
  expect(bot.status().books.bankroll?.value.available).toBe(usdc('4'))
})

test('is not carried out where the guard refuses its quote', async () => {
  const { bot, swapper } = await asked((world) => {
    world.onQuote = (good) => ({ ...good, quote: { ...good.quote, impactBps: 9999 }, raw: undefined })
  })
  expect(bot.refusals()).toEqual(['QUOTE_IMPACT'])
  expect(swapper.executed).toEqual([])
})

test('comes to nothing where it failed, or was not taken', async () => {
  const reverted = { status: 'reverted', signature: SIGNATURE, reason: 'the price moved', feeLamports: 5000n } as const
  const refusal = { code: 'INSUFFICIENT_BALANCE', message: 'there is less', status: 400 }
  for (const answer of [reverted, { status: 'rejected', refusal } as const]) {
    const { bot, swapper } = await asked((world) => {
      world.answer = answer
    })
    await bot.run(100)
    expect(swapper.executed).toHaveLength(1)
    expect(bot.outcomes).toMatchObject([{ status: 'failed' }])
    expect(bot.status().actions).toMatchObject({ swapsFilled: 0, swapsFailed: 1, unknown: 0 })
    expect(bot.status().reserved.actions).toBe(0)
  }
})

test('that failed brings the bankroll along too: its fee is gone', async () => {
  const { bot, inputs } = await asked((world) => {
    const bankroll = { available: usdc('9'), inPlay: 0n, gasLamports: 7_000_000n }
    world.answer = { status: 'reverted', signature: SIGNATURE, reason: 'the price moved', feeLamports: 5000n, bankroll }
  })
  expect(inputs).toEqual(['late', 'quoted', 'landing'])
  const { books } = bot.status()
  expect([books.bankroll?.value.available, books.gasLamports?.value]).toEqual([usdc('9'), 7_000_000n])
})
