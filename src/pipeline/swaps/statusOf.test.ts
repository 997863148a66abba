import { describe, expect, test } from 'vitest'
import { statusOf } from './statusOf.ts'

describe('the status of a transaction', () => {
  test.each([
    ['confirmed', ['confirmed', 'finalized', 'success', 'succeeded', 'CONFIRMED', 'Finalized']],
    ['failed', ['failed', 'error', 'reverted', 'dropped', 'expired', 'FAILED']],
    ['pending', ['submitted', 'pending', 'processing', 'processed', 'sent', 'Submitted']],
    ['unclear', ['', 'landed?', 'constructor', '__proto__', 'toString']],
  ])('is %s by its word', (status, words) => {
    for (const word of words) expect(statusOf({ status: word }), word).toBe(status)
  })

  test('is failed with an error beside it, whatever the word', () => {
    for (const error of ['custom program error 0x1771', { InstructionError: [2, { Custom: 6001 }] }, true, 6001]) {
      expect(statusOf({ status: 'confirmed', error })).toBe('failed')
      expect(statusOf({ status: 'submitted', err: error })).toBe('failed')
      expect(statusOf({ err: error })).toBe('failed')
    }
    expect(statusOf({ status: 'confirmed', error: null, err: undefined })).toBe('confirmed')
    expect(statusOf({ status: 'confirmed', error: null, err: 'reverted' })).toBe('failed')
    for (const none of ['', false, 0]) expect(statusOf({ status: 'confirmed', error: none, err: none })).toBe('confirmed')
  })

  test("is read in Solana's own shape, too", () => {
    expect(statusOf({ slot: 7, confirmations: null, err: null, status: { Ok: null }, confirmationStatus: 'finalized' })).toBe('confirmed')
    expect(statusOf({ slot: 7, confirmations: 0, err: null, confirmationStatus: 'processed' })).toBe('pending')
    expect(statusOf({ slot: 7, err: { InstructionError: [2, 'x'] }, confirmationStatus: 'confirmed' })).toBe('failed')
    expect(statusOf({ status: 'submitted', confirmationStatus: 'confirmed' })).toBe('pending')
  })

  test('is unclear where it has no shape that is known', () => {
    for (const answer of [undefined, null, 'confirmed', 7, [], {}, { status: 7 }, { status: null }, { state: 'confirmed' }]) {
      expect(statusOf(answer)).toBe('unclear')
    }
  })
})
