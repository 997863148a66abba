import { concat, EMPTY, map, type Observable, of, withLatestFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SOL_MINT, tokenOf, USDC_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { type SwapIntent, swap } from '../strategy/action.ts'
import { defineTrader, type TradeContext } from '../strategy/define.ts'
import { oneAtATime } from '../strategy/oneAtATime.ts'
import { buy, sellAll } from '../strategy/orders.ts'
import { traderMarbles } from './traderMarbles.ts'

const trader = (trade: (context: TradeContext<unknown>) => Observable<SwapIntent>) =>
  defineTrader({ name: 'drawn', params: z.object({}), modes: ['pnl_usd'], trade })()

/** Buys under 100, sells above. */
const threshold = trader((context) =>
  context.prices.price$(SOL_MINT).pipe(
    withLatestFrom(context.positions$),
    map(([{ price }, positions]) => {
      if (price < 100 && positions.holdings.length === 0) return buy(context, SOL_MINT, usdc('10'))
      return price > 100 ? sellAll(positions, SOL_MINT) : undefined
    }),
    oneAtATime(context),
  ),
)
const values = { a: 100, d: 98, u: 103 }

describe('traderMarbles', () => {
  test('draws purchases and sales beneath the prices', () => {
    const { swaps, asked, held } = traderMarbles(threshold, {
      prices: 'a-d--a-u-a|',
      values,
    })
    expect(swaps).toBe('--b----s--|')
    expect(asked).toEqual([
      swap({ from: USDC_MINT, to: SOL_MINT, amount: usdc('10') }),
      swap({ from: SOL_MINT, to: USDC_MINT, amount: 102_040_816n }),
    ])
    expect(held).toBe(0n)
  })

  test('a stream that has no end has none in the drawing', () => {
    expect(traderMarbles(threshold, { prices: 'a-d', values }).swaps).toBe('--b')
    expect(
      traderMarbles(
        trader(() => EMPTY),
        { prices: 'a-d', values },
      ).swaps,
    ).toBe('|')
  })

  test('what becomes of the swaps is as it is said, and after that they are filled', () => {
    expect(traderMarbles(threshold, { prices: 'd-d-d-u|', values, outcomes: 'xf' }).swaps).toBe('b-b---s|')
    // One that is refused rests for five seconds.
    expect(traderMarbles(threshold, { prices: 'dddddddd', values, outcomes: 'r' }).swaps).toBe('b----b--')
    expect(traderMarbles(threshold, { prices: 'dddddddd', values, outcomes: '.' }).swaps).toBe('b-------')
  })

  test('spaces are for the eye, and what came before is history', () => {
    const remembers = trader(({ prices }) =>
      prices.price$(SOL_MINT).pipe(map(() => swap({ from: SOL_MINT, to: USDC_MINT, amount: BigInt(prices.history(SOL_MINT, 60).length) }))),
    )
    const { swaps, asked } = traderMarbles(remembers, { history: [1, 2, 3], prices: ' a  - a ', values, outcomes: '..' })
    expect(swaps).toBe('s-s')
    // The price of the start takes the place of the last of the history, which is of the same moment.
    expect(asked.map(({ amount }) => amount)).toEqual([4n, 5n])
  })

  test('several of one moment are a group; a swap of two other tokens is a t', () => {
    const JUP = tokenOf('JUP')?.mint ?? ''
    const two = trader(() =>
      concat(of(swap({ from: USDC_MINT, to: SOL_MINT, amount: 1n })), of(swap({ from: SOL_MINT, to: JUP, amount: 1n }))),
    )
    expect(traderMarbles(two, { prices: 'a-----', values, outcomes: '..' }).swaps).toBe('(bt|)')
  })

  test.each([
    [{ prices: 'a-q', values }, /values has no q/],
    [{ prices: '(ad)', values }, /one price/],
    [{ prices: 'a', values, outcomes: 'fz' }, /z is none of f, r, x and \./],
  ])('%j is refused', (options, message) => {
    expect(() => traderMarbles(threshold, options)).toThrow(message)
  })
})
