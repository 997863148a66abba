import { expect, test } from 'vitest'
import { CornermanError, invariant } from '../../core/error.ts'
import { Coordinator } from './coordinator.ts'
import { type Part, part } from './part.ts'
import type { World } from './world.ts'

const bare = { does: '', reads: [], writes: [], after: [] } as const
const world = { present: {} } as unknown as World
const started = { type: 'timer', n: 1, at: 0 } as const
const made = (...parts: Part[]) => new Coordinator(parts, world)

test('a part hears its own kinds alone, and is tended where one of its sources was called', () => {
  const log: string[] = []
  const noted = (name: string, hears: boolean): Part =>
    part({
      ...bare,
      name,
      make: () => ({
        stores: {},
        ...(hears ? { on: { timer: () => log.push(`${name} hears`) } } : {}),
        tend: () => log.push(`${name} tends`),
      }),
    })
  const coordinator = made(noted('a', true), noted('b', false))
  coordinator.begin(started)
  coordinator.take(started)
  coordinator.tend(false)
  expect(log.splice(0)).toEqual(['a hears', 'a tends'])
  coordinator.tend(true)
  expect(log).toEqual(['a tends', 'b tends'])
})

test.each<[string, Part[], string]>([
  [
    'an input that does not exist',
    [part({ ...bare, name: 'a', make: () => ({ stores: {}, on: { nothing: () => {} } as never }) })],
    'the part a hears an input that does not exist: nothing',
  ],
  [
    'a store that it does not declare',
    [part({ ...bare, name: 'a', make: () => ({ stores: { tokens: {} } as never }) })],
    'the part a writes the store tokens and does not declare it',
  ],
  [
    'a store that another one writes',
    ['a', 'b'].map((name) => part({ ...bare, name, writes: ['tokens'], make: () => ({ stores: { tokens: {} as never } }) })),
    'the parts a and b both write the store tokens',
  ],
  [
    'a store that nobody writes',
    [part({ ...bare, name: 'a', reads: ['tokens'], make: () => ({ stores: {} }) })],
    'the part a reads the store tokens, which no part writes',
  ],
])('%s ends the start with the part’s name', (_what, parts, message) => {
  expect(() => made(...parts)).toThrow(message)
})

test('an invariant that breaks is named with its part', () => {
  const coordinator = made(
    part({ ...bare, name: 'a', make: () => ({ stores: {}, on: { timer: () => {} } }) }),
    part({ ...bare, name: 'b', make: () => ({ stores: {}, on: { timer: () => invariant(false, 'it cannot be') } }) }),
  )
  const thrown = (() => {
    try {
      return coordinator.named(() => coordinator.take(started))
    } catch (error) {
      return error
    }
  })()
  expect(thrown).toBeInstanceOf(CornermanError)
  expect(thrown).toMatchObject({ message: 'it cannot be (in the part b)', details: { part: 'b' } })
})
