import { expect, test } from 'vitest'
import type { Place } from '../stream/shown.ts'
import { hashOf, placeOf, streamOf } from './route.ts'

const places: readonly [hash: string, place: Place, stream: string][] = [
  ['#/', { kind: 'fleet' }, '/stream?view=fleet'],
  ['#/bots/alice', { kind: 'bot', bot: 'alice' }, '/stream?view=bot&bot=alice'],
  ['#/bots/a%2Fb', { kind: 'bot', bot: 'a/b' }, '/stream?view=bot&bot=a%2Fb'],
  ['#/bots/alice/contests/1', { kind: 'contest', bot: 'alice', contestId: '1' }, '/stream?view=contest&bot=alice&id=1'],
]

test.each(places)('%s names its place, and the place its address and its stream', (hash, place, stream) => {
  expect(placeOf(hash)).toEqual(place)
  expect(hashOf(place)).toBe(hash)
  expect(streamOf(place)).toBe(stream)
})

test.each(['', '#', '#/bots', '#/bots/', '#/other/alice', '#token=abc'])('%j is the fleet', (hash) => {
  expect(placeOf(hash)).toEqual({ kind: 'fleet' })
})

test('what cannot be decoded is taken as it stands, and an address that ends early is the bot’s', () => {
  expect(placeOf('#/bots/%')).toEqual({ kind: 'bot', bot: '%' })
  expect(placeOf('#/bots/alice/contests/')).toEqual({ kind: 'bot', bot: 'alice' })
})
