import { describe, expect, test } from 'vitest'
import { seenBot as bot, seenHost as host } from '../../../test/support/fleet/sights.ts'
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
})
