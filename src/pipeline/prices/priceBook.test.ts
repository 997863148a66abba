import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PriceBook } from './priceBook.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'

function bookOf(...updates: readonly (readonly [at: number, prices: Readonly<Record<string, string>>])[]): PriceBook {
  const book = new PriceBook()
  for (const [at, prices] of updates) book.append({ at, prices: new Map(Object.entries(prices)) })
  return book
}

describe('PriceBook', () => {
  test('a snapshot is as of its tick: later prices are not in it', () => {
    const book = bookOf([1000, { [SOL]: '100' }], [2000, { [SOL]: '110', [JUP]: '1' }])
    const before = book.asOf(1, 2000)
    book.append({ at: 3000, prices: new Map([[SOL, '120']]) })
    expect(before.now(SOL)).toBe(100)
    expect(before.now(JUP)).toBeUndefined()
    expect(before.history(SOL, 60)).toEqual([{ at: 1000, price: 100 }])
    expect(book.asOf(2, 3000).change(SOL, 1.5)).toBeCloseTo(0.1, 12)
    expect(book.asOf(3, 3000).now(SOL)).toBe(120)
    expect(book.asOf(3, 3000).now(JUP)).toBe(1)
  })

  test('what is not known is undefined, never 0', () => {
    const snapshot = bookOf([1000, { [SOL]: '100' }]).asOf(1, 1000)
    expect(snapshot.now(JUP)).toBeUndefined()
    expect(snapshot.text(JUP)).toBeUndefined()
    expect(snapshot.change(JUP, 10)).toBeUndefined()
    expect(snapshot.history(JUP, 10)).toEqual([])
    expect(bookOf().asOf(0, 0).now(SOL)).toBeUndefined()
  })

  test('a change needs a price as old as it asks for', () => {
    const book = bookOf([1000, { [SOL]: '100' }], [5000, { [SOL]: '150' }], [11_000, { [SOL]: '120' }])
    const { change } = book.asOf(3, 11_000)
    expect(change(SOL, 10)).toBeCloseTo(0.2, 12)
    expect(change(SOL, 10.001)).toBeUndefined()
    expect(change(SOL, 6)).toBeCloseTo(-0.2, 12)
    // Between two prices the older one stood.
    expect(change(SOL, 8)).toBeCloseTo(0.2, 12)
  })

  test('history has both ends of its window', () => {
    const book = bookOf([1000, { [SOL]: '1' }], [2000, { [SOL]: '2' }], [3000, { [SOL]: '3' }])
    expect(book.asOf(3, 3000).history(SOL, 1)).toEqual([
      { at: 2000, price: 2 },
      { at: 3000, price: 3 },
    ])
  })

  test('keeps the text of a price as it was fed, in canonical form', () => {
    expect(
      bookOf([0, { [SOL]: '0187.123456789012345600' }])
        .asOf(1, 0)
        .text(SOL),
    ).toBe('187.1234567890123456')
  })

  test('forgets the oldest, keeps at least 4,096, and counts right while it does', () => {
    const book = new PriceBook()
    const total = 20_000
    for (let second = 1; second <= total; second++) book.append({ at: second * 1000, prices: new Map([[SOL, String(second)]]) })
    const snapshot = book.asOf(total, total * 1000)
    const history = snapshot.history(SOL, total)
    expect(history.length).toBeGreaterThanOrEqual(4096)
    expect(history.length).toBeLessThanOrEqual(8192)
    expect(history.at(-1)).toEqual({ at: total * 1000, price: total })
    expect(snapshot.change(SOL, 1000)).toBeCloseTo(total / (total - 1000) - 1, 12)
    expect(snapshot.change(SOL, 15_000)).toBeUndefined()
  })

  test('of any history, `change` is the plain definition', () => {
    const steps = fc.array(fc.record({ gapMs: fc.integer({ min: 0, max: 5000 }), price: fc.integer({ min: 1, max: 1e6 }) }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(steps, fc.nat(10_000), fc.nat(3000), (prices, lookbackMs, lateMs) => {
        const book = new PriceBook()
        let at = 0
        const points = prices.map(({ gapMs, price }) => {
          at += gapMs
          book.append({ at, prices: new Map([[SOL, String(price)]]) })
          return { at, price }
        })
        const now = at + lateMs
        const before = points.findLast((point) => point.at <= now - lookbackMs)?.price
        const expected = before === undefined ? undefined : (points.at(-1)?.price ?? 0) / before - 1
        expect(book.asOf(points.length, now).change(SOL, lookbackMs / 1000)).toBe(expected)
      }),
    )
  })
})
