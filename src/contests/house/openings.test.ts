import { expect, test } from 'vitest'
import { TestWorld } from '../../../test/support/contests/testWorld.ts'
import { invariant } from '../../core/error.ts'
import { SANDBOX_VENUE } from '../index.ts'
import { OPENINGS, planOpening } from './openings.ts'

test('a contest is named after its opening, whatever was opened before; the name is used once', () => {
  const [opening] = OPENINGS
  invariant(opening !== undefined, 'the house opens nothing')
  const prices = { at: () => '100', volatilityPerSecond: () => 0 }
  const openIn = (world: TestWorld, house: string) => {
    const members = new Map([[house, { handle: 'house', kind: 'AGENT', skill: 'random' } as const]])
    const body = planOpening({ seed: 7, matchDelayMs: 0, prices, venue: SANDBOX_VENUE, members }, world.state, {
      opening,
      joinable: [],
    }).decide()
    invariant(body?.type === 'createContest', 'the house needs no deposit')
    return world.run(body)
  }
  const [quiet, busy] = [new TestWorld(), new TestWorld()]
  const [house, same] = [quiet, busy].map((world) => world.agent('house', { house: true, caps: null }))
  const alice = busy.agent('alice')
  busy.create(alice)
  busy.create(alice)
  const first = openIn(quiet, house ?? '')
  expect(first).toMatchObject({ ok: true, contestId: expect.any(String) })
  expect(openIn(busy, same ?? '')).toMatchObject({ contestId: first.ok ? first.contestId : '' })
  const again = openIn(quiet, house ?? '')
  expect(again).toMatchObject({ ok: true })
  expect(again).not.toMatchObject({ contestId: first.ok ? first.contestId : '' })
})
