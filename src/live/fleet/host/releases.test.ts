import { describe, expect, test } from 'vitest'
import { seenBot as bot, seenHost as host } from '../../../../test/support/fleet/sights.ts'
import { releasesOf } from './releases.ts'

const holder = (heirs: readonly string[]) => ({ run: 'run-1', host: 'h1', version: 'v1', heirsOf: () => heirs })
const hosts = [host('h1'), host('h2'), host('h3')]

describe('releasesOf', () => {
  test('nothing, where nobody wishes anything', () => {
    expect(releasesOf({ bots: [bot('alice')], hosts, wanted: 'v1' }, holder(['h2', 'h3']))).toEqual([])
  })

  test('a bot that is wished at another host goes there, once that could take it', () => {
    const bots = [bot('alice', { wish: 'h3' }), bot('bob', { wish: 'h1' }), bot('carol', { run: 'run-2', wish: 'h3' })]
    expect(releasesOf({ bots, hosts, wanted: 'v1' }, holder(['h2', 'h3']))).toEqual([{ bot: 'alice', to: 'h3', why: 'wished' }])
    expect(releasesOf({ bots, hosts, wanted: 'v1' }, holder(['h2']))).toEqual([])
  })

  test('a host that is to be empty gives all away, and so does one of another version; where nobody could take them they stay', () => {
    const bots = [bot('alice'), bot('bob')]
    const draining = [host('h1', { draining: true }), host('h2')]
    expect(releasesOf({ bots, hosts: draining, wanted: 'v1' }, holder(['h2']))).toEqual([
      { bot: 'alice', to: 'h2', why: 'draining' },
      { bot: 'bob', to: 'h2', why: 'draining' },
    ])
    expect(releasesOf({ bots, hosts, wanted: 'v2' }, holder(['h3', 'h2'])).map(({ to, why }) => `${to} ${why}`)).toEqual([
      'h3 version',
      'h3 version',
    ])
    expect(releasesOf({ bots, hosts: draining, wanted: 'v2' }, holder([]))).toEqual([])
  })

  test('a host that the service does not answer gives all to one that it answers, and to no other', () => {
    const bots = [bot('alice'), bot('bob', { run: 'run-2' })]
    const releases = (own: number, others: Parameters<typeof host>[1][], heirs = ['h2', 'h3']) => {
      const all = [host('h1', { unheard: own }), ...others.map((fields, n) => host(`h${n + 2}`, fields))]
      return releasesOf({ bots, hosts: all, wanted: 'v1' }, holder(heirs)).map(({ bot: name, to, why }) => `${name} ${to} ${why}`)
    }
    expect(releases(30_000, [{ unheard: null }, { unheard: 0 }])).toEqual(['alice h3 unheard'])
    expect(releases(29_999, [{ unheard: 0 }, { unheard: 0 }])).toEqual([])
    expect(releases(90_000, [{ unheard: 90_000 }, { unheard: null }])).toEqual([])
    expect(releases(90_000, [{ unheard: 0, isAlive: false }, {}])).toEqual([])
    // One that could not play the bot may hear what it likes.
    expect(releases(90_000, [{ unheard: 0 }, { unheard: null }], ['h3'])).toEqual([])
  })
})
