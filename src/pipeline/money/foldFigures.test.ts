import { describe, expect, test } from 'vitest'
import { START_MS } from '../../../test/support/rawEvents.ts'
import { decoded } from '../../../test/support/scriptedService.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { usdc } from '../../core/usdc.ts'
import { type Books, emptyBooks } from '../books/books.ts'
import { foldFigures } from './foldFigures.ts'

function answered(
  books: Books,
  procedure: ReadName,
  wire: unknown,
  { begunAt = START_MS, askedIn }: { begunAt?: number; askedIn?: number } = {},
) {
  const result = decoded(procedure, wire)
  if (!result.ok) throw new Error(result.reason)
  return { books: { ...books, ...foldFigures(books, { procedure, output: result.output, askedIn, begunAt, now: START_MS }) } }
}

describe('reads of money', () => {
  test('are dated by when they were asked, and say when they came', () => {
    const { books } = answered(emptyBooks, 'agent.bankroll', { available: '7000000', inPlay: '1000000' }, { begunAt: 123, askedIn: 4 })
    const value = { available: usdc('7'), inPlay: usdc('1') }
    expect(books.bankroll).toEqual({ value, begunAt: 123, answeredAt: START_MS, askedIn: 4 })
  })

  test('of the bankroll are left out where one that was asked for later has been answered', () => {
    const availableAfter = (...asked: readonly (number | undefined)[]) =>
      asked.reduce((books: Books, askedIn, index) => {
        const wire = { available: String(index), inPlay: '0', gasLamports: String(index) }
        return answered(books, 'agent.bankroll', wire, askedIn === undefined ? {} : { askedIn }).books
      }, emptyBooks)
    expect(availableAfter(4, 3)).toMatchObject({ bankroll: { value: { available: 0n }, askedIn: 4 }, gasLamports: { value: 0n } })
    expect(availableAfter(4, 4).bankroll?.value.available).toBe(1n)
    expect(availableAfter(3, 4).bankroll?.value.available).toBe(1n)
    expect(availableAfter(4, undefined, 3).bankroll?.value.available, 'what nobody has asked for is taken as it comes').toBe(2n)
  })
})
