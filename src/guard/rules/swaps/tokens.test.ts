import { describe, expect, test } from 'vitest'
import { buy, codeOf, guardView, letOut, quoted, sell } from '../../../../test/support/guard/guardView.ts'
import { feeMoon, HOOK, MOON_MINT, moon } from '../../../../test/support/tokens/facts.ts'
import { afterTransferFee, type TokenFacts } from '../../../core/tokenFacts.ts'
import { usdc } from '../../../core/usdc.ts'
import { checkQuote } from '../../guard.ts'
import { checkSimulation } from '../../inspection/index.ts'

const PRICES = { [MOON_MINT]: { price: '0.5', ageMs: 1000 } }
const seen = (facts: TokenFacts) => ({ tokens: [facts], prices: PRICES })
const buyMoon = buy({ to: MOON_MINT })

describe('a token of the config', () => {
  test('is swapped, and counted by its own decimals', () => {
    expect(codeOf(buyMoon, { prices: PRICES })).toBe('TOKEN_UNKNOWN')
    expect(codeOf(buyMoon, seen(moon()))).toBe('approved')
    // 10 USDC are 20 MOON: 20,000,000 base units of six decimals, and a thousandth of the value with nine.
    const quote = quoted({ to: MOON_MINT, outAmount: 20_000_000n, minOut: 19_900_000n })
    const verdict = (facts: TokenFacts) => checkQuote(letOut(buyMoon, guardView(seen(facts))), quote, guardView(seen(facts)))
    expect(verdict(moon()).ok).toBe(true)
    expect(verdict(moon({ decimals: 9 }))).toMatchObject({ ok: false, refusal: { code: 'QUOTE_BELOW_FEED' } })
  })

  test('with a fee, or a hook, is bought where the config lets that in, and sold always', () => {
    const held = { traded: { c: { held: { [MOON_MINT]: 10n ** 9n } } } }
    const hooked = (allowTransferHook: boolean) => moon({ tokenProgram: 'token-2022', transferHook: HOOK, allowTransferHook })
    expect(codeOf(buyMoon, seen(feeMoon({ maxTransferFeeBps: 99 })))).toBe('TOKEN_TRANSFER_FEE')
    expect(codeOf(buyMoon, seen(feeMoon({ maxTransferFeeBps: 100 })))).toBe('approved')
    expect(codeOf(buyMoon, seen(hooked(false)))).toBe('TOKEN_TRANSFER_HOOK')
    expect(codeOf(buyMoon, seen(hooked(true)))).toBe('approved')
    for (const facts of [feeMoon(), hooked(false)])
      expect(codeOf(sell({ from: MOON_MINT, amount: 1_000_000n }), { ...seen(facts), ...held })).toBe('approved')
  })

  test('with a fee brings less than is sent: the simulation is held to that, to the base unit', () => {
    const terms = { wallet: 'w', from: 'f', to: MOON_MINT, amount: 10n, quotedOut: 1000n, minOut: 995n, slippageBps: 50 }
    const transferFee = { feeBps: 100, maximum: 10n ** 18n }
    const brings = (delta: bigint) =>
      checkSimulation(
        { error: undefined, changes: [{ mint: MOON_MINT, delta }], lamports: 0n, rentLamports: 0n, feeLamports: 0n },
        { ...terms, transferFee },
      )?.code
    expect(brings(985n)).toBeUndefined()
    expect(brings(984n)).toBe('SIMULATION_MISMATCH')
  })
})

test('a fee is rounded up, and bounded by its maximum', () => {
  expect(afterTransferFee(1n, { feeBps: 1, maximum: 10n })).toBe(0n)
  expect(afterTransferFee(10_001n, { feeBps: 100, maximum: 1000n })).toBe(9_900n)
  expect(afterTransferFee(1_000n, { feeBps: 100, maximum: 5n })).toBe(995n)
  expect(afterTransferFee(usdc('1'), undefined)).toBe(usdc('1'))
})
