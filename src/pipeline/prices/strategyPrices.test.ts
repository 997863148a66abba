import { describe, expect, test } from 'vitest'
import type { Candle, PricePoint } from '../../strategy/view.ts'
import { PriceBook } from './priceBook.ts'
import { StrategyPrices } from './strategyPrices.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'

function open() {
  const book = new PriceBook()
  const prices = new StrategyPrices(book)
  const feed = (at: number, price: string, mint = SOL) => prices.emit(book.append({ at, prices: new Map([[mint, price]]) }))
  return { prices, feed }
}

describe('StrategyPrices', () => {
  test('a stream has every price of its mint from now on', () => {
    const { prices, feed } = open()
    const points: PricePoint[] = []
    feed(500, '99')
    prices
      .asOf(1, 500)
      .price$(SOL)
      .subscribe((point) => points.push(point))
    feed(1000, '100')
    feed(2000, '101')
    expect(points).toEqual([
      { at: 1000, price: 100 },
      { at: 2000, price: 101 },
    ])
  })

  test('a mint without a price says nothing', () => {
    const { prices, feed } = open()
    const points: PricePoint[] = []
    prices
      .asOf(0, 0)
      .price$(JUP)
      .subscribe((point) => points.push(point))
    feed(1000, '100', SOL)
    expect(points).toEqual([])
  })

  test('candles are whole periods since 1970 and come out when a later one begins', () => {
    const { prices, feed } = open()
    const candles: Candle[] = []
    prices
      .asOf(0, 0)
      .candles$(SOL, 10)
      .subscribe((candle) => candles.push(candle))
    for (const [at, price] of [
      [12_000, '5'],
      [13_000, '9'],
      [19_999, '2'],
      [20_000, '3'],
    ] as const)
      feed(at, price)
    expect(candles).toEqual([{ at: 10_000, open: 5, high: 9, low: 2, close: 2 }])
    // A period without a price has no candle: nothing is made up.
    feed(45_000, '4')
    expect(candles.slice(1)).toEqual([{ at: 20_000, open: 3, high: 3, low: 3, close: 3 }])
  })

  test('the streams end with the bot', () => {
    const { prices } = open()
    const ends: string[] = []
    prices
      .asOf(0, 0)
      .candles$(SOL, 10)
      .subscribe({ complete: () => ends.push('candles') })
    prices
      .asOf(0, 0)
      .price$(SOL)
      .subscribe({ complete: () => ends.push('price') })
    prices.close()
    expect(ends).toEqual(['candles', 'price'])
  })
})
