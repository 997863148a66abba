import { expect, test } from 'vitest'
import type { Mint } from '../../core/tokens.ts'
import { tokenOf, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { bestTrip, bookTrade, emptyLotBook, type LotBook } from './lots.ts'

const mint = (symbol: string): Mint => tokenOf(symbol)?.mint ?? ''
const [SOL, JUP] = [mint('SOL'), mint('JUP')]
const UNITS: Readonly<Record<Mint, bigint>> = { [SOL]: 10n ** 9n, [JUP]: 10n ** 6n }

/** Swaps at given prices: `usd` of USDC into so many tokens, or back. */
function trade(book: LotBook, token: Mint, tokens: number, usd: string): void {
  const units = (UNITS[token] ?? 1n) * BigInt(tokens)
  const changes = [
    { mint: token, delta: units },
    { mint: USDC_MINT, delta: tokens > 0 ? -usdc(usd) : usdc(usd) },
  ]
  bookTrade(book, { changes, priceOf: () => '1' })
}
const lots = (book: LotBook) => book.lots.map(({ mint: of, units }) => [of, Number(units / (UNITS[of] ?? 1n))])

test('what is sold comes out of the lots of its own token, the oldest first', () => {
  const book = emptyLotBook()
  trade(book, JUP, 5, '5')
  trade(book, SOL, 2, '200')
  trade(book, SOL, 3, '330')
  trade(book, SOL, -4, '480')
  // 2 SOL bought for 200 were sold for 240; the lot of JUP is older, and is not touched.
  expect(lots(book)).toEqual([
    [JUP, 5],
    [SOL, 1],
  ])
  expect(book.best?.mint).toBe(SOL)
  expect([book.best?.cost, book.best?.proceeds].map((value) => Number((value ?? 0n) / 10n ** 27n))).toEqual([200, 240])
})

test('what was never bought begins no round trip, and ends none of another token', () => {
  const book = emptyLotBook()
  trade(book, JUP, 5, '5')
  trade(book, SOL, -1, '500')
  expect(lots(book)).toEqual([[JUP, 5]])
  expect(book.best).toBeNull()
  expect(bestTrip(book, () => '1')).toMatchObject({ mint: JUP })
})
