import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { usdc } from '../../core/usdc.ts'
import { defineDraftPicker, defineQueuePolicy } from '../../strategy/define.ts'
import { readParameter } from '../../strategy/parameterText.ts'
import { spaceOf } from './spaceOf.ts'
import { assignmentsOf } from './strategyValues.ts'
import { parseVary } from './vary.ts'

const picker = <P extends z.ZodObject>(params: P) => defineDraftPicker({ name: 'every', params, pick: () => undefined })
const every = picker(
  z.object({
    lookbackSec: z.int().min(5).max(600).default(30),
    share: z.number().min(0).max(1).default(0.5),
    near: z.number().gt(0).lt(1).multipleOf(0.25).default(0.5),
    bold: z.boolean().default(false),
    kind: z.enum(['fast', 'slow']).default('slow'),
    speed: z
      .int()
      .min(1)
      .max(9)
      .default(2)
      .meta({ when: { kind: 'fast' } }),
    least: z.bigint().positive().max(usdc('2')).default(usdc('1')).describe('USDC that it takes'),
    count: z.int().default(3),
    only: z.int().min(4).max(4).default(4),
    note: z.string().default(''),
  }),
)
const policy = defineQueuePolicy({
  name: 'enters',
  params: z.object({
    stake: z.bigint().min(usdc('1')).max(usdc('5')).default(usdc('1')).describe('USDC of one entry'),
    durationSec: z.int().min(15).max(600).default(20),
    atOnce: z.int().min(1).max(20).default(2),
  }),
  decide: () => [],
})

const strategies = [policy(), every({ lookbackSec: 60 })]
const spaceWith = (searched: readonly string[], vary: readonly string[] = [], set: readonly string[] = []) =>
  spaceOf({ strategies, searched, vary: vary.map(parseVary), set })

describe('the space', () => {
  test('is what the schema bounds, each on its scale and step', () => {
    const { dimensions, fixed, incumbent } = spaceWith(['every'])
    expect(dimensions).toEqual([
      { kind: 'range', name: 'every.lookbackSec', low: 5, high: 600, step: 1, scale: 'log' },
      { kind: 'range', name: 'every.share', low: 0, high: 1, step: 0.001, scale: 'linear' },
      { kind: 'range', name: 'every.near', low: 0.25, high: 0.75, step: 0.25, scale: 'linear' },
      { kind: 'choice', name: 'every.bold', values: [false, true] },
      { kind: 'choice', name: 'every.kind', values: ['fast', 'slow'] },
      { kind: 'range', name: 'every.speed', low: 1, high: 9, step: 1, scale: 'linear' },
      { kind: 'range', name: 'every.least', low: 0.01, high: 2, step: 0.01, scale: 'log' },
    ])
    expect(fixed).toEqual([
      { name: 'every.count', because: 'no bounds' },
      { name: 'every.only', because: 'one value' },
      { name: 'every.note', because: 'no bounds' },
    ])
    // Its speed does not count: it is slow.
    expect(incumbent).toEqual({
      'every.lookbackSec': 60,
      'every.share': 0.5,
      'every.near': 0.5,
      'every.bold': false,
      'every.kind': 'slow',
      'every.least': 1,
    })
  })

  test('of a policy has what it enters only where it is named', () => {
    const { dimensions, fixed } = spaceWith(['enters'])
    expect(dimensions.map(({ name }) => name)).toEqual(['enters.atOnce'])
    expect(fixed).toEqual([
      { name: 'enters.stake', because: 'varied only if named' },
      { name: 'enters.durationSec', because: 'varied only if named' },
    ])
    expect(spaceWith([], ['enters.stake=1..4', 'enters.durationSec=20,60']).dimensions).toEqual([
      { kind: 'range', name: 'enters.stake', low: 1, high: 4, step: 0.01, scale: 'linear' },
      { kind: 'choice', name: 'enters.durationSec', values: [20, 60] },
    ])
  })

  test('takes what is named before what the schema says, and leaves what is set', () => {
    const { dimensions, fixed } = spaceWith(
      ['every'],
      ['every.lookbackSec=10..40', 'every.count=1..3', 'every.kind=fast,slow'],
      ['every.share'],
    )
    expect(dimensions[0]).toEqual({ kind: 'range', name: 'every.lookbackSec', low: 10, high: 40, step: 1, scale: 'linear' })
    expect(dimensions.find(({ name }) => name === 'every.count')).toMatchObject({ low: 1, high: 3, step: 1 })
    expect(dimensions.map(({ name }) => name)).not.toContain('every.share')
    expect(fixed).toContainEqual({ name: 'every.share', because: 'set' })
  })

  test('a parameter whose condition fails is left out, and its coordinate ignored', () => {
    const space = spaceWith([], ['every.kind=fast,slow', 'every.speed=1..9'])
    expect(space.valuesAt([0.1, 0.6])).toEqual({ 'every.kind': 'fast', 'every.speed': 6 })
    for (const speed of [0, 0.6, 0.99]) expect(space.valuesAt([0.9, speed])).toEqual({ 'every.kind': 'slow' })
    // Where the condition does not vary, what the bot has decides.
    expect(spaceWith([], ['every.speed=1..9', 'every.bold=true,false']).valuesAt([0, 0.5])).toEqual({ 'every.bold': true })
    const fast = spaceOf({ strategies: [every({ kind: 'fast' })], searched: [], vary: [parseVary('every.speed=1..9')], set: [] })
    expect(fast.valuesAt([0])).toEqual({ 'every.speed': 1 })
    expect(fast.incumbent).toEqual({ 'every.speed': 2 })
  })

  test('a schema’s word for the scale counts', () => {
    const strategy = picker(
      z.object({
        a: z.int().min(1).max(1000).meta({ scale: 'linear' }).default(5),
        b: z.int().min(10).max(20).default(15).meta({ scale: 'log' }),
      }),
    )
    const { dimensions } = spaceOf({ strategies: [strategy()], searched: ['every'], vary: [], set: [] })
    expect(dimensions).toMatchObject([{ scale: 'linear' }, { scale: 'log' }])
  })

  test('its values are taken by the schemas as --set takes them', () => {
    const space = spaceWith(['every', 'enters'])
    for (const coordinate of [0, 0.3, 0.77, 1]) {
      const values = space.valuesAt(space.dimensions.map(() => coordinate))
      expect(space.isAllowed(values)).toBe(true)
      for (const { strategy, parameter, text } of assignmentsOf(values)) {
        const own = strategies.find(({ name }) => name === strategy)
        const field = own?.paramsSchema.shape[parameter] as z.ZodType
        expect(field.safeParse(readParameter(field, text)).success).toBe(true)
      }
    }
  })

  test('what fields refuse together is not allowed', () => {
    const strategy = picker(
      z.object({ fast: z.int().min(1).max(9).default(2), slow: z.int().min(1).max(9).default(5) }).refine(({ fast, slow }) => fast < slow),
    )
    const space = spaceOf({ strategies: [strategy()], searched: ['every'], vary: [], set: [] })
    expect(space.isAllowed({ 'every.fast': 3, 'every.slow': 4 })).toBe(true)
    expect(space.isAllowed({ 'every.fast': 4, 'every.slow': 4 })).toBe(false)
  })

  test.each([
    ['nobody.a=1..2', 'the bot has no strategy nobody; there is enters, every'],
    ['every.a=1..2', 'every has no such parameter; there is lookbackSec'],
    ['every.share=0..3', '3: '],
    ['every.kind=fast,quick', 'quick: '],
    ['every.bold=0..1', 'it is no number'],
    ['every.count=1.1..1.9', '1.1: '],
  ])('%s is refused', (vary, says) => {
    expect(() => spaceWith([], [vary])).toThrow(says)
    expect(() => spaceWith([], [vary])).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  test('what is set and varied is refused, and so are no parameter and nine', () => {
    expect(() => spaceWith([], ['every.share=0..1'], ['every.share'])).toThrow('it is fixed by --set')
    expect(() => spaceWith(['enters'], [], ['enters.atOnce'])).toThrow(expect.objectContaining({ code: 'NOTHING_VARIES' }))
    expect(() => spaceWith(['enters'], [], ['enters.atOnce'])).toThrow('enters.atOnce (set)')
    expect(() => spaceWith(['every', 'enters'], ['every.count=1..9'])).toThrow(expect.objectContaining({ code: 'SPACE_TOO_LARGE' }))
  })
})
