import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstHostOf } from './fleetChores.ts'

const hostArbitrary = fc.record({
  ...{ run: fc.uuid(), host: fc.constantFrom('h1', 'h2', 'h3', 'h4'), version: fc.constantFrom('a', 'b') },
  ...{ isAlive: fc.boolean(), draining: fc.boolean() },
})
const hostsArbitrary = fc
  .uniqueArray(hostArbitrary, { selector: ({ run }) => run })
  .map((hosts) => hosts.map((one) => ({ ...one, beat: 1, agents: [], obeys: 0, unheard: null, page: null })))

describe('firstHostOf', () => {
  test('is one that could do it, in whatever order they are seen; none where none could', () => {
    fc.assert(
      fc.property(
        hostsArbitrary.chain((hosts) =>
          fc.tuple(fc.constant(hosts), fc.shuffledSubarray(hosts, { minLength: hosts.length, maxLength: hosts.length })),
        ),
        fc.constantFrom('a', 'b', undefined),
        ([hosts, shuffled], wanted) => {
          const first = firstHostOf({ hosts, wanted })
          expect(firstHostOf({ hosts: shuffled, wanted })).toBe(first)
          const able = hosts.filter(
            ({ isAlive, draining, version }) => isAlive && !draining && (wanted === undefined || version === wanted),
          )
          expect(able.some(({ run }) => run === first)).toBe(able.length > 0)
        },
      ),
    )
  })

  test('does not change while others come and go behind it', () => {
    const host = (run: string, name: string) => ({
      ...{ run, host: name, version: 'a', isAlive: true, draining: false, beat: 1, agents: [], obeys: 0, unheard: null, page: null },
    })
    expect(firstHostOf({ hosts: [host('2', 'h2'), host('1', 'h1')], wanted: 'a' })).toBe('1')
    expect(firstHostOf({ hosts: [host('1', 'h1'), host('3', 'h3')], wanted: 'a' })).toBe('1')
    expect(firstHostOf({ hosts: [host('3', 'h3')], wanted: 'a' })).toBe('3')
  })
})
