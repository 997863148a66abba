import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { chainSchema, formatSchema, laneSchema, MODES, modeSchema, opponentsSchema, resultSchema } from './enums.ts'
import { amountSchema, idSchema, instantSchema, signedAmountSchema } from './scalars.ts'

describe('amounts', () => {
  test('go over the wire and back', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n - 1n), (amount) => {
        expect(amountSchema.parse(z.encode(amountSchema, amount))).toBe(amount)
        expect(signedAmountSchema.parse(z.encode(signedAmountSchema, -amount))).toBe(-amount)
      }),
    )
    expect(amountSchema.parse('1000000')).toBe(1_000_000n)
    expect(z.encode(amountSchema, 2n ** 70n)).toBe('1180591620717411303424')
  })

  test.each([
    '',
    '-1',
    '+1',
    '1.0',
    '1e6',
    '0x1',
    ' 1',
    '1\n',
    '1_000',
    '١',
    'NaN',
    '1'.repeat(25),
    5,
    5n,
    null,
    undefined,
  ])('%s is none', (wire) => {
    expect(amountSchema.safeParse(wire).success).toBe(false)
  })

  test('only a signed one can be negative, and neither is sent otherwise', () => {
    expect(signedAmountSchema.parse('-25')).toBe(-25n)
    expect(z.safeEncode(amountSchema, -1n).success).toBe(false)
    for (const wire of ['--1', '-', '+1', '1.5', 5]) expect(signedAmountSchema.safeParse(wire).success).toBe(false)
  })
})

describe('instants', () => {
  test('are ISO timestamps there and Unix milliseconds here', () => {
    expect(instantSchema.parse('2025-07-21T12:00:00.123Z')).toBe(Date.UTC(2025, 6, 21, 12, 0, 0, 123))
    expect(instantSchema.parse('2025-07-21T14:00:00+02:00')).toBe(Date.UTC(2025, 6, 21, 12))
    expect(z.encode(instantSchema, Date.UTC(2025, 6, 21, 12))).toBe('2025-07-21T12:00:00.000Z')
  })

  test.each(['', 'today', '2025-07-21', '2025-13-01T00:00:00Z', '2025-07-21T12:00:00', 1753099200000, null])('%s is none', (wire) => {
    expect(instantSchema.safeParse(wire).success).toBe(false)
  })
})

test('ids are UUIDs', () => {
  expect(idSchema.safeParse('0198b5a0-7c1e-7a2b-8c3d-4e5f60718293').success).toBe(true)
  for (const wire of ['', 'x', '0198b5a07c1e7a2b8c3d4e5f60718293', 5, null]) expect(idSchema.safeParse(wire).success).toBe(false)
})

test('enumerated values are those of part 2', () => {
  expect(MODES).toEqual([
    'pnl_race_pct',
    'pnl_usd',
    'best_trade',
    'draft_basket',
    'price_prediction',
    'up_down',
    'target_race',
    'last_bag_standing',
    'same_token',
  ])
  expect(modeSchema.options).toEqual(MODES)
  expect(chainSchema.options).toEqual(['solana', 'robinhood'])
  expect(opponentsSchema.options).toEqual(['HUMAN', 'AGENT', 'ANY'])
  expect(laneSchema.options).toEqual(['HUMAN', 'AGENT', 'MIXED'])
  expect(formatSchema.options).toEqual(['duel', 'lobby'])
  expect(resultSchema.options).toEqual(['WIN', 'LOSS', 'DRAW', 'REFUND'])
})
