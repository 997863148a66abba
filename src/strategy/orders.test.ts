import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { buy, heldOf, sellAll } from './orders.ts'

const having = (available: bigint | undefined) => ({ available: () => available })

describe('buy', () => {
  test('is a swap of USDC for the token', () => {
    expect(buy(having(usdc('50')), SOL_MINT, usdc('10'))).toEqual({ type: 'swap', from: USDC_MINT, to: SOL_MINT, amount: usdc('10') })
  })

  test.each<readonly [available: string | undefined, bought: string | undefined]>([
    ['10', '10'],
    ['9.999999', '9.999999'],
    ['0.1', '0.1'],
    ['0.099999', undefined],
    ['0', undefined],
    [undefined, undefined],
  ])('with %s USDC to spend is for %s, of 10 asked for', (available, bought) => {
    const amount = buy(having(available === undefined ? undefined : usdc(available)), SOL_MINT, usdc('10'))?.amount
    expect(amount).toBe(bought === undefined ? undefined : usdc(bought))
  })

  test('of an amount too small is none, however much there is', () => {
    expect(buy(having(usdc('50')), SOL_MINT, usdc('0.1') - 1n)).toBeUndefined()
    expect(buy(having(usdc('50')), SOL_MINT, -usdc('10'))).toBeUndefined()
  })
})

describe('sellAll', () => {
  const holdings = [
    { mint: 'another', amount: 5n },
    { mint: SOL_MINT, amount: 123_456_789n },
  ]

  test('sells what is held of the token, to the base unit, and nothing else', () => {
    expect(sellAll({ holdings }, SOL_MINT)).toEqual({ type: 'swap', from: SOL_MINT, to: USDC_MINT, amount: 123_456_789n })
    expect([heldOf({ holdings }, SOL_MINT), heldOf({ holdings }, 'another'), heldOf({ holdings }, 'none')]).toEqual([123_456_789n, 5n, 0n])
  })

  test('is none where nothing is held', () => {
    expect(sellAll({ holdings }, 'none')).toBeUndefined()
    expect(sellAll({ holdings: [{ mint: SOL_MINT, amount: 0n }] }, SOL_MINT)).toBeUndefined()
  })
})
