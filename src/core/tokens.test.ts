import { expect, test } from 'vitest'
import { unitValue } from '../contests/money/usdValue.ts'
import { learnTokens } from './learnTokens.ts'
import { formatAmount, listedToken, SOL_MINT, symbolOf, TOKENS, tokenOf, tokenOfMint } from './tokens.ts'

/** No other test learns of it: what is learnt stays. */
const LEARNT_MINT = 'LearntToken11111111111111111111111111111111'
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

test('a token that is learnt is counted and shown, is in no table, and has one number of decimals for ever', () => {
  const moon = { symbol: 'MOON', name: 'MOON', mint: LEARNT_MINT, decimals: 6, tokenProgram: 'spl-token' } as const
  expect(() => unitValue(LEARNT_MINT, () => '2')).toThrow(/is not in the token table/)
  learnTokens([moon])
  learnTokens([moon])
  expect(tokenOfMint(LEARNT_MINT)).toEqual(moon)
  expect([listedToken(LEARNT_MINT), tokenOf('MOON')]).toEqual([undefined, undefined])
  expect(formatAmount(1_500_000n, LEARNT_MINT)).toBe('1.5 MOON')
  // Three decimals less than SOL: a base unit is worth a thousand times as much at the same price.
  expect(unitValue(LEARNT_MINT, () => '2')).toBe(1000n * unitValue(SOL_MINT, () => '2'))
  expect(() => learnTokens([{ ...moon, decimals: 9 }])).toThrow(/9 decimals of spl-token, and is known with 6 decimals of spl-token/)
  expect(() => learnTokens([{ ...moon, mint: SOL_MINT, decimals: 6 }])).toThrow(/is known with 9 decimals/)
  expect(tokenOfMint(LEARNT_MINT)?.decimals).toBe(6)
})
