import { expect, test } from 'vitest'
import { BONK_MINT, guardView } from '../../test/support/guard/guardView.ts'
import { SOL_MINT, USDC_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { feedValue, swapRisk, toMicro } from './feedValue.ts'

const at = (price: string, mint = SOL_MINT) => guardView({ prices: { [mint]: { price, ageMs: 0 } } })
const SOL = 1_000_000_000n

test('the same amount of the same token is worth what it is worth now, each time it is asked for', () => {
  const values = ['150', '75', '150', '0.5'].map((price) => feedValue(SOL, SOL_MINT, at(price)))
  expect(values.map((value) => toMicro(value ?? 0n))).toEqual([usdc('150'), usdc('75'), usdc('150'), usdc('0.5')])
})

test('another amount, and another token, are worth something else at the same price', () => {
  const [sol, bonk] = [at('3'), at('3', BONK_MINT)]
  expect(toMicro(feedValue(SOL, SOL_MINT, sol) ?? 0n)).toBe(usdc('3'))
  expect(toMicro(feedValue(2n * SOL, SOL_MINT, sol) ?? 0n)).toBe(usdc('6'))
  // BONK has five decimals.
  expect(toMicro(feedValue(SOL, BONK_MINT, bonk) ?? 0n)).toBe(usdc('30000'))
  expect(toMicro(feedValue(usdc('7'), USDC_MINT, sol) ?? 0n)).toBe(usdc('7'))
})

test('the risk of a swap follows the price, and the gap that its guard allows', () => {
  const sale = { type: 'swap', contestId: 'c', from: SOL_MINT, to: USDC_MINT, amount: SOL } as const
  const risk = (price: string, maxFeedGapBps: number) =>
    swapRisk(sale, guardView({ prices: { [SOL_MINT]: { price, ageMs: 0 } }, config: { maxFeedGapBps } }))
  expect([risk('100', 100), risk('50', 100), risk('50', 200), risk('100', 200)]).toEqual([usdc('1'), usdc('0.5'), usdc('1'), usdc('2')])
})
