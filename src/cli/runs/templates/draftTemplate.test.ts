import { type DraftWorld, draftContext, expectConformance, line } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import draftTemplate from './draftTemplate.ts'

const pick = (world: DraftWorld, maxRise = 0.05) => draftTemplate({ maxRise }).pick(draftContext(world))
const up = line(100, 102, 30)
const upMore = line(100, 104, 30)
const spent = line(100, 150, 30)
const down = line(100, 97, 30)

describe('draftTemplate', () => {
  test('keeps the contract of a strategy', () => expectConformance(draftTemplate()))

  test('drafts what rose most', () => {
    expect(pick({ prices: { a: up, b: upMore, c: down } })).toBe('b')
  })

  test('leaves alone what has risen too far', () => {
    expect(pick({ prices: { a: up, b: spent, c: down } })).toBe('a')
    expect(pick({ prices: { a: up, b: spent, c: down } }, 1)).toBe('b')
  })

  test('picks of what is left alone, and of nothing nothing', () => {
    expect(pick({ prices: { a: up, b: upMore }, available: ['a'] })).toBe('a')
    expect(pick({})).toBeUndefined()
  })

  test('takes what it knows before what it does not', () => {
    expect(pick({ prices: { a: [1], b: down } })).toBe('b')
    expect(pick({ available: ['b', 'a'] })).toBe('b')
  })
})
