import { expectConformance, line, strategyContext } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import momentum from './momentum.ts'

const contest = {
  contestId: 'c',
  mode: 'draft_basket',
  phase: 'live',
  stake: 1n,
  side: undefined,
  token: undefined,
  startsAt: undefined,
  endsAt: undefined,
} as const
const pick = (available: readonly string[], prices: Readonly<Record<string, readonly string[]>>, lookbackSec = 10) =>
  momentum({ lookbackSec }).pick({
    ...strategyContext({ prices }),
    contest,
    draft: { available, mine: [], theirs: [], round: 1, pickBy: undefined },
  })

const up = line(100, 110, 10)
const upMore = line(2, 2.5, 10)
const down = line(100, 90, 10)

describe('momentum', () => {
  test('keeps the contract of a strategy', () => expectConformance(momentum()))

  test('drafts what rose most, by share and not by dollars', () => {
    expect(pick(['a', 'b', 'c'], { a: up, b: upMore, c: down })).toBe('b')
  })

  test('other prices, another pick', () => {
    expect(pick(['a', 'b', 'c'], { a: upMore, b: down, c: up })).toBe('a')
    expect(pick(['a', 'b', 'c'], { a: down, b: up, c: upMore })).toBe('c')
  })

  test('picks of what is left alone', () => {
    expect(pick(['c', 'a'], { a: up, b: upMore, c: down })).toBe('a')
  })

  test('looks back as far as it is told', () => {
    // a: up 50 % in the first twenty seconds, down since; b: a little up in the last five.
    const prices = { a: [...line(100, 150, 20), ...line(149, 145, 4)], b: [...line(100, 100, 20), ...line(100, 101, 4)] }
    expect(pick(['a', 'b'], prices, 20)).toBe('a')
    expect(pick(['a', 'b'], prices, 5)).toBe('b')
  })

  test('a token whose past is not known has not moved: it stands above one that fell, below one that rose', () => {
    const short = ['5', '9']
    expect(pick(['a', 'b', 'c'], { a: down, b: short })).toBe('b')
    expect(pick(['a', 'b', 'c'], { a: up, b: short })).toBe('a')
  })

  test('without any price it takes the first, and of nothing it takes nothing', () => {
    expect(pick(['b', 'a'], {})).toBe('b')
    expect(pick([], { a: up })).toBeUndefined()
  })
})
