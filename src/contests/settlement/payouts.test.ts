import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rational } from '../rational.ts'
import { type Decision, payoutsOf, type Standing } from './payouts.ts'

const one = (seat: number, score: bigint | null): Standing => ({ seats: [seat], score: score === null ? null : rational(score, 1n) })
const decide = (standings: readonly Standing[], options: Partial<Decision> = {}) =>
  payoutsOf({ standings, winner: 'highest', stake: 1_000_000n, rakeBps: 500, shares: [1], ...options })

describe('payoutsOf', () => {
  test('the winner of a duel takes the pot less 5 %: 2.00 - 0.10 = 1.90', () => {
    expect(decide([one(0, 3n), one(1, 7n)])).toEqual({
      outcomes: [
        { result: 'LOSS', payout: 0n },
        { result: 'WIN', payout: 1_900_000n },
      ],
      rake: 100_000n,
    })
  })

  test('the lowest score wins where the mode says so', () => {
    expect(decide([one(0, 3n), one(1, 7n)], { winner: 'lowest' }).outcomes.map(({ result }) => result)).toEqual(['WIN', 'LOSS'])
  })

  test('a tie for the win is a DRAW, shared: 1.90 / 2', () => {
    expect(decide([one(0, 5n), one(1, 5n)])).toEqual({
      outcomes: [
        { result: 'DRAW', payout: 950_000n },
        { result: 'DRAW', payout: 950_000n },
      ],
      rake: 100_000n,
    })
  })

  test('no score loses, even against the worst score', () => {
    expect(decide([one(0, null), one(1, -9n)]).outcomes).toEqual([
      { result: 'LOSS', payout: 0n },
      { result: 'WIN', payout: 1_900_000n },
    ])
  })

  test('nobody with a score: whole stakes back, no rake', () => {
    const { outcomes, rake } = decide([one(0, null), one(1, null)])
    expect(outcomes).toEqual([
      { result: 'REFUND', payout: 1_000_000n },
      { result: 'REFUND', payout: 1_000_000n },
    ])
    expect(rake).toBe(0n)
  })

  test('shares by place, rounded down, the remainder to the rake', () => {
    // Pot 3,000,003; rake 150,000 (5 %, rounded down); prize 2,850,003 in sixths: 1,425,001.5, 950,001, 475,000.5.
    const { outcomes, rake } = decide([one(0, 1n), one(1, 3n), one(2, 2n)], { stake: 1_000_001n, shares: [3, 2, 1] })
    expect(outcomes).toEqual([
      { result: 'LOSS', payout: 475_000n },
      { result: 'WIN', payout: 1_425_001n },
      { result: 'LOSS', payout: 950_001n },
    ])
    expect(rake).toBe(150_001n)
  })

  test('tied places share what the places they fill are worth', () => {
    // Prize 3,800,000 in tenths: the first two places are worth 8 of 10, 1,520,000 each; the third 2 of 10.
    const { outcomes } = decide([one(0, 5n), one(1, 5n), one(2, 4n), one(3, 1n)], { shares: [5, 3, 2] })
    expect(outcomes.map(({ payout }) => payout)).toEqual([1_520_000n, 1_520_000n, 760_000n, 0n])
    expect(outcomes.map(({ result }) => result)).toEqual(['DRAW', 'DRAW', 'LOSS', 'LOSS'])
  })

  test('shares for places nobody fills go to those that are filled', () => {
    // Prize 1,900,000 in fifths, not tenths.
    expect(decide([one(0, 2n), one(1, 1n)], { shares: [3, 2, 5] }).outcomes.map(({ payout }) => payout)).toEqual([1_140_000n, 760_000n])
  })

  test('a winning side divides its share among its seats', () => {
    const sides: Standing[] = [
      { seats: [0, 2, 3], score: rational(1n, 1n) },
      { seats: [1], score: rational(0n, 1n) },
    ]
    // Prize 3,800,000 by three: 1,266,666, and 2 left over.
    expect(decide(sides)).toEqual({
      outcomes: [
        { result: 'WIN', payout: 1_266_666n },
        { result: 'LOSS', payout: 0n },
        { result: 'WIN', payout: 1_266_666n },
        { result: 'WIN', payout: 1_266_666n },
      ],
      rake: 200_002n,
    })
  })

  test('sides of different size that tie share by the seat', () => {
    const sides: Standing[] = [
      { seats: [0, 1, 2], score: rational(0n, 1n) },
      { seats: [3], score: rational(0n, 1n) },
    ]
    expect(decide(sides).outcomes.map(({ payout }) => payout)).toEqual([950_000n, 950_000n, 950_000n, 950_000n])
  })

  test('a side with nobody to beat draws', () => {
    expect(decide([{ seats: [0, 1], score: rational(1n, 1n) }]).outcomes.map(({ result }) => result)).toEqual(['DRAW', 'DRAW'])
  })

  test('the pot is always divided whole', () => {
    const standing = fc.option(fc.bigInt(-3n, 3n), { freq: 5 })
    fc.assert(
      fc.property(
        fc.array(standing, { minLength: 2, maxLength: 12 }),
        fc.bigInt(1n, 10n ** 9n),
        fc.integer({ min: 0, max: 10_000 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
        (scores, stake, rakeBps, shares) => {
          const { outcomes, rake } = decide(
            scores.map((score, seat) => one(seat, score)),
            { stake, rakeBps, shares },
          )
          const paid = outcomes.reduce((total, { payout }) => total + payout, 0n)
          const pot = stake * BigInt(scores.length)
          expect(paid + rake).toBe(pot)
          expect(rake >= (scores.every((score) => score === null) ? 0n : (pot * BigInt(rakeBps)) / 10_000n)).toBe(true)
          expect(outcomes.every(({ payout }) => payout >= 0n)).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})
