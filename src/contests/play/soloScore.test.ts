import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { type SoloSeat, soloScore } from './soloScore.ts'

const START = 1_000_000
const END = START + 100_000
/** A tenth of a SOL. */
const UNITS = 100_000_000n

const bought = (at: number) => ({
  at,
  changes: [
    { mint: USDC_MINT, delta: -usdc('20') },
    { mint: SOL_MINT, delta: UNITS },
  ],
})
const sold = (at: number, brought: string) => ({
  at,
  changes: [
    { mint: SOL_MINT, delta: -UNITS },
    { mint: USDC_MINT, delta: usdc(brought) },
  ],
})

const seat = (fields: Partial<SoloSeat>): SoloSeat => ({
  ...{ mode: 'pnl_usd', token: undefined, side: undefined, startsAt: START, endsAt: END, fills: [], picks: [] },
  priceAtStart: () => '200',
  price: () => '210',
  ...fields,
})
const at = (fields: Partial<SoloSeat>, now = START + 50_000) => soloScore(seat(fields), now)

describe('how a seat stands by its own prices', () => {
  test.each([
    ['pnl_usd', '1'],
    ['pnl_race_pct', '0.05'],
    ['same_token', '0.05'],
    ['target_race', '0.05'],
    ['best_trade', '0.05'],
  ])('in %s, with a token that has risen from 200 to 210: %s', (mode, score) => {
    expect(at({ mode, token: SOL_MINT, fills: [bought(START + 1000)] })).toBe(score)
  })

  test('what is sold stands at what it brought', () => {
    expect(at({ fills: [bought(START + 1000), sold(START + 2000, '19.5')] })).toBe('-0.5')
  })

  test('in last_bag_standing, seconds stood and the bag; out once the first quarter ends without one', () => {
    const bag = { mode: 'last_bag_standing', token: SOL_MINT }
    expect(at({ ...bag, fills: [bought(START + 1000)] })).toBe('71')
    expect(at({ ...bag, fills: [bought(START + 1000), sold(START + 2000, '20')] })).toBe('25')
  })

  test('in a draft the mean of its picks, in up_down whether it is right', () => {
    const prices = { price: (mint: string) => (mint === SOL_MINT ? '210' : '190') }
    expect(at({ ...prices, mode: 'draft_basket', picks: [SOL_MINT] })).toBe('0.05')
    expect(at({ ...prices, mode: 'draft_basket', picks: [SOL_MINT, USDC_MINT] })).toBe('0')
    const upDown = { mode: 'up_down', token: SOL_MINT }
    expect([at({ ...upDown, side: 'UP' }), at({ ...upDown, side: 'DOWN' }), at({ ...upDown, side: 'long' })]).toEqual(['1', '0', undefined])
  })

  test('is not known without a move, without a price, before the start, of a sealed price, and of a mode nobody knows', () => {
    const fills = [bought(START + 1000)]
    expect(at({})).toBeUndefined()
    expect(at({ fills, price: () => undefined })).toBeUndefined()
    expect(at({ fills }, START)).toBeUndefined()
    expect(at({ mode: 'price_prediction', token: SOL_MINT })).toBeUndefined()
    expect(at({ mode: 'poker', fills })).toBeUndefined()
  })
})
