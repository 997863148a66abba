import { expect, test } from 'vitest'
import { testPrices } from '../../../test/support/backtest/testPrices.ts'
import { VirtualClock } from '../../core/clock.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import type { QuoteResult } from '../../pipeline/index.ts'
import { fitWorld } from '../fit/assumptions.ts'
import { Samples } from '../log/samples.ts'
import { SimulatedSwapper, type SimulatedSwapperOptions } from './simulatedSwapper.ts'

test("quotes what the world's venue takes", () => {
  const { world } = fitWorld({ samples: new Samples(), prices: testPrices({}) })
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
