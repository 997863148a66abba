import { expect, test } from 'vitest'
import { testPrices } from '../../../test/support/backtest/testPrices.ts'
import { VirtualClock } from '../../core/clock.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import type { PaperSwap } from '../../guard/index.ts'
import type { QuoteResult } from '../../pipeline/index.ts'
import { fitWorld } from '../fit/assumptions.ts'
import { Samples } from '../log/samples.ts'
import { SimulatedSwapper, type SimulatedSwapperOptions } from './simulatedSwapper.ts'

test("quotes what the world's venue takes", () => {
  const { world } = fitWorld({ samples: new Samples(), prices: testPrices({}), isImported: false, stepMs: 0 })
  const outAt = (venue: typeof world.venue) => {
    const clock = new VirtualClock(0)
    const options = { clock, seed: 1, world: { ...world, venue }, prices: { at: () => '200' }, service: undefined }
    const swapper = new SimulatedSwapper(options as unknown as SimulatedSwapperOptions)
    const heard: QuoteResult[] = []
    swapper.quote({ from: SOL_MINT, to: USDC_MINT, amount: 1_000_000_000n, slippageBps: 50 }).subscribe((result) => heard.push(result))
    clock.advanceTo(world.quoteMs)
    return heard.map((result) => (result.ok ? result.quote.outAmount : undefined))
  }
  expect(outAt(world.venue)).toEqual([199_879_011n])
  expect(outAt({ feeBps: 100, marketOf: () => ({ spreadBps: 0, depthUsd: 10n ** 12n }) })).toEqual([197_999_999n])
})

test('what a mint keeps back of a transfer does not arrive', () => {
  const { world } = fitWorld({ samples: new Samples(), prices: testPrices({}), stepMs: 1000, isImported: false })
  const receivedBy = (tokens: SimulatedSwapperOptions['tokens']) => {
    const clock = new VirtualClock(0)
    const booked: unknown[] = []
    const service = {
      agentId: 'a',
      bankroll: () => undefined,
      run: (command: { readonly changes: readonly { readonly delta: bigint }[] }) => {
        booked.push(...command.changes.map(({ delta }) => delta))
        return { ok: true }
      },
    }
    const options = { clock, seed: 1, world: { ...world, swapFailures: 0 }, prices: { at: () => '200' }, service, tokens }
    const swapper = new SimulatedSwapper(options as unknown as SimulatedSwapperOptions)
    swapper
      .executePaper({
        type: 'paperSwap',
        contestId: undefined,
        from: USDC_MINT,
        to: SOL_MINT,
        given: 200_000_000n,
        minOut: 1n,
      } as PaperSwap)
      .subscribe()
    clock.advanceTo(world.actionMs)
    return booked
  }
  const [given, whole] = receivedBy([]) as bigint[]
  const fee = { feeBps: 100, maximum: 10n ** 18n }
  const token = {
    mint: SOL_MINT,
    symbol: 'SOL',
    decimals: 9,
    tokenProgram: 'token-2022',
    maxTransferFeeBps: 100,
    allowTransferHook: false,
  } as const
  expect(receivedBy([{ ...token, transferFee: fee }])).toEqual([given, (whole ?? 0n) - ((whole ?? 0n) * 100n + 9_999n) / 10_000n])
  expect(whole).toBeGreaterThan(990_000_000n)
})
