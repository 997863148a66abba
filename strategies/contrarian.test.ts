import { type DraftWorld, draftContext, expectConformance, line } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import contrarian from './contrarian.ts'

const pick = (world: DraftWorld, params: Parameters<typeof contrarian>[0] = {}) =>
  contrarian({ lookbackSec: 20, ...params }).pick(draftContext(world))

const up = line(100, 103, 20)
const down = line(100, 99, 20)
const further = line(100, 96, 20)
const crash = line(100, 70, 20)

describe('contrarian', () => {
  test('keeps the contract of a strategy', () => expectConformance(contrarian()))

  test('drafts what fell most', () => {
    expect(pick({ prices: { up, down, further } })).toBe('further')
    expect(pick({ prices: { up, down, further }, available: ['up', 'down'] })).toBe('down')
  })

  test('leaves a crash alone, as deep as it is told, and takes it last', () => {
    expect(pick({ prices: { up, down, crash } })).toBe('down')
    expect(pick({ prices: { up, down, crash } }, { maxFall: 0.5 })).toBe('crash')
    expect(pick({ prices: { crash, short: [1] } })).toBe('short')
  })

  test('looks back as far as it is told', () => {
    const turned = [...line(100, 90, 15), ...line(91, 95, 5)]
    expect(pick({ prices: { turned, down } }, { maxFall: 0.2 })).toBe('turned')
    expect(pick({ prices: { turned, down } }, { maxFall: 0.2, lookbackSec: 5 })).toBe('down')
  })

  test('takes what rose before what it does not know, and of nothing nothing', () => {
    expect(pick({ prices: { short: [1], up } })).toBe('up')
    expect(pick({})).toBeUndefined()
  })
})
