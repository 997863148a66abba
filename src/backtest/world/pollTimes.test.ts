import { describe, expect, test } from 'vitest'
import { PollTimes } from './pollTimes.ts'

describe('PollTimes', () => {
  const polls = new PollTimes([10_000, 11_000, 15_100], 500)

  test.each([
    ['an instant at which the bot heard of something', 11_000, 11_000],
    ['one just before', 10_001, 11_000],
    ['a silence, in even steps of about a period', 11_001, 12_025],
    ['its last step, which ends when the bot heard again', 14_500, 15_100],
    ['the time before, counted back', 7500, 8000],
    ['the time after, counted on', 16_200, 17_100],
  ])('%s', (_name, at, expected) => {
    expect(polls.from(at)).toBe(expected)
  })

  test('without anything heard: the usual lag', () => {
    expect(new PollTimes([], 400).from(1000)).toBe(1400)
  })

  test('several bots that were recorded together are not one that looks more often', () => {
    const two = new PollTimes([10_000, 10_300, 11_000, 11_300], 500)
    expect(two.from(10_100)).toBe(11_000)
    const oneAfterTheOther = new PollTimes([10_300, 11_300, 10_000, 11_000], 500)
    expect(oneAfterTheOther.from(10_100)).toBe(11_000)
  })
})
