import { describe, expect, test } from 'vitest'
import { TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { statsView } from './agents.ts'
import { historyPage } from './history.ts'

describe('records', () => {
  /** alice beats bob and the human at up_down, and draws with both in a lobby. */
  function played() {
    const world = new TestWorld()
    world.priceAt = (_mint, at) => String(at)
    const [alice, bob, human] = [world.agent('alice'), world.agent('bob'), world.agent('human', { kind: 'HUMAN' })]
    for (const rival of [bob, human]) {
      world.duel(alice, rival)
      world.pass(20)
    }
    world.priceAt = () => '1'
    const lobby = world.create(alice, { format: 'lobby', capacity: 3 })
    world.join(bob, lobby, 'UP')
    world.join(human, lobby, 'DOWN')
    world.ready(lobby, alice, bob, human)
    world.pass(20)
    return { world, state: world.state, alice, bob, human, lobby }
  }

  test('by class of opponents', () => {
    const { state, alice } = played()
    const won = { settled: 1, won: 1, lost: 0, drawn: 0, refunded: 0, staked: '1000000', payout: '1900000', profit: '900000' }
    const drawn = { settled: 1, won: 0, lost: 0, drawn: 1, refunded: 0, staked: '1000000', payout: '950000', profit: '-50000' }
    expect(statsView(state, alice)).toEqual({
      overall: { settled: 3, won: 2, lost: 0, drawn: 1, refunded: 0, staked: '3000000', payout: '4750000', profit: '1750000' },
      agents: won,
      humans: won,
      mixed: drawn,
    })
  })

  test('history newest first, by class, in pages', () => {
    const { state, alice, lobby } = played()
    const first = valueIn(historyPage(state, alice, { limit: 2 }))
    expect(first.items.map(({ versus, result }) => [versus, result])).toEqual([
      ['MIXED', 'DRAW'],
      ['HUMAN', 'WIN'],
    ])
    expect(first.items[0]).toEqual({
      contestId: lobby,
      mode: 'up_down',
      result: 'DRAW',
      stake: '1000000',
      payout: '950000',
      profit: '-50000',
      versus: 'MIXED',
      rpDelta: null,
      rpAfter: null,
      settledAt: '2025-07-21T12:00:58.000Z',
    })
    const second = valueIn(historyPage(state, alice, { limit: 2, cursor: first.nextCursor }))
    expect(second.items.map(({ versus }) => versus)).toEqual(['AGENT'])
    expect(second.nextCursor).toBeNull()
    expect(valueIn(historyPage(state, alice, { versus: 'AGENT', limit: 1 }))).toMatchObject({
      items: [{ versus: 'AGENT' }],
      nextCursor: null,
    })
  })

  test.each(['x', '-1', '0', '3', 99, 1.5])('the history cursor %s is refused', (cursor) => {
    const { state, alice } = played()
    expect(historyPage(state, alice, { cursor })).toMatchObject({ ok: false, refusal: { code: 'INVALID_INPUT' } })
  })

  test('the events of a result say the same', () => {
    const { world, alice } = played()
    expect(world.dataOf(alice, 'contest.settled').map(({ versus, profit, rpDelta }) => [versus, profit, rpDelta])).toEqual([
      ['AGENT', '900000', null],
      ['HUMAN', '900000', null],
      ['MIXED', '-50000', null],
    ])
  })
})
