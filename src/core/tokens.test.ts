import { expect, test } from 'vitest'
import { formatAmount, symbolOf, TOKENS, tokenOf } from './tokens.ts'

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

test('every token has its own symbol and mint, an address in base58', () => {
  expect(TOKENS.length).toBeGreaterThan(20)
  expect(new Set(TOKENS.map(({ symbol }) => symbol)).size).toBe(TOKENS.length)
  expect(new Set(TOKENS.map(({ mint }) => mint)).size).toBe(TOKENS.length)
  for (const { mint, decimals } of TOKENS) {
    expect(mint).toMatch(BASE58)
    expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 9, `${mint} has ${decimals} decimals`).toBe(true)
  }
})

test('a token is found by its symbol, a symbol by its mint', () => {
  const usdc = tokenOf('USDC')
  expect(usdc).toMatchObject({ mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 })
  expect(symbolOf('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe('USDC')
})

test('what is not in the table is undefined, or the beginning of its mint', () => {
  expect(tokenOf('NOPE')).toBeUndefined()
  expect(tokenOf('usdc')).toBeUndefined()
  expect(symbolOf('Abcdefgh')).toBe('Abcd…')
})

test.each([
  [1_000_000n, 'USDC', '1.00 USDC'],
  [5_207_827n, 'SOL', '0.005207827 SOL'],
  [31_454_695n, 'USDC', '31.454695 USDC'],
  [0n, 'SOL', '0 SOL'],
  [12_000_000_000n, 'SOL', '12 SOL'],
])('%d base units of %s are %s', (units, symbol, text) => {
  expect(formatAmount(units, tokenOf(symbol)?.mint ?? '')).toBe(text)
})

test('an amount of a token that is not in the table is in base units, and says so', () => {
  expect(formatAmount(17n, 'unknownMint')).toBe('17 base units of unkn…')
})
