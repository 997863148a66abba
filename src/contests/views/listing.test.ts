import { describe, expect, test } from 'vitest'
import { busyWorld } from '../../../test/support/contests/busyWorld.ts'
import { TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { usdc } from '../../core/usdc.ts'
import { type ContestRecord, contestsOf, contestView } from './contests.ts'
import { countContests, listContests } from './listing.ts'
import type { Page } from './page.ts'

describe('the list of contests', () => {
  const list = (world: TestWorld, listing: Parameters<typeof listContests>[2]) =>
    valueIn(listContests(world.state, '', listing)).items.map(({ contestId }) => contestId)

  test('filters', () => {
    const { world, live, prediction, open } = busyWorld()
    expect(list(world, {})).toEqual([open, prediction, live])
    expect(list(world, { status: 'open' })).toEqual([open])
    expect(list(world, { status: 'live' })).toEqual([prediction, live])
    expect(list(world, { modes: ['draft_basket', 'up_down'] })).toEqual([open, live])
    expect(list(world, { modes: [] })).toEqual([open, prediction, live])
    expect(list(world, { minStake: usdc('3') })).toEqual([open, prediction])
    expect(list(world, { maxStake: usdc('3') })).toEqual([open, live])
    expect(list(world, { lane: 'AGENT' })).toEqual([])
    expect(list(world, { lane: 'MIXED', chain: 'solana', format: 'duel' })).toEqual([open, prediction, live])
    expect(list(world, { chain: 'robinhood' })).toEqual([])
    expect(list(world, { format: 'lobby' })).toEqual([])
  })

  test('counts, by the same filters', () => {
    const { state } = busyWorld()
    expect(countContests(state, {})).toEqual({ open: 1, live: 2, total: 3, byMode: { up_down: 1, draft_basket: 1, price_prediction: 1 } })
    expect(countContests(state, { maxStake: usdc('3') })).toEqual({ open: 1, live: 1, total: 2, byMode: { up_down: 1, draft_basket: 1 } })
  })

  test('a private one is not listed, and is read by its id', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const contestId = world.create(alice, { visibility: 'private' })
    expect(list(world, {})).toEqual([])
    expect(countContests(world.state, {}).total).toBe(0)
    expect(valueIn(contestView(world.state, contestId, world.agent('bob'))).visibility).toBe('private')
    expect(contestsOf(world.state, alice)).toHaveLength(1)
    world.join(world.agent('carol'), contestId)
  })

  test('sorted by stake, and by how full it is', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const lobby = { format: 'lobby', mode: 'price_prediction' } as const
    const four = world.create(alice, { ...lobby, capacity: 4, stake: usdc('1') })
    const three = world.create(alice, { ...lobby, capacity: 3, stake: usdc('5') })
    const five = world.create(alice, { ...lobby, capacity: 5, stake: usdc('5') })
    world.join(world.agent('bob'), five)
    expect(list(world, { sort: 'stake' })).toEqual([five, three, four])
    expect(list(world, { sort: 'filling' })).toEqual([five, three, four])
    expect(list(world, { sort: 'newest' })).toEqual([five, three, four])
    world.join(world.agent('carol'), four)
    expect(list(world, { sort: 'filling' })).toEqual([four, five, three])
  })

  test.each(['newest', 'stake', 'filling'] as const)('pages by %s hold each contest once, though others come and go', (sort) => {
    const world = new TestWorld()
    const agents = ['a', 'b', 'c'].map((name) => world.agent(name))
    const made = Array.from({ length: 7 }, (_, index) => world.create(agents[index % 3] ?? '', { stake: BigInt(1 + (index % 2)) }))
    const seen: string[] = []
    let cursor: string | number | null = null
    do {
      const page: Page<ContestRecord> = valueIn(listContests(world.state, '', { sort, cursor, limit: 3 }))
      seen.push(...page.items.map(({ contestId }) => contestId))
      if (cursor === null)
        world.accept({ type: 'leaveContest', agentId: world.contest(seen[0] ?? '').entries[0]?.agentId ?? '', contestId: seen[0] ?? '' })
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toHaveLength(7)
    expect(new Set(seen)).toEqual(new Set(made))
  })

  test('a cursor of a list sorted otherwise is refused: its place is none in this one', () => {
    const { state, alice } = busyWorld()
    const { nextCursor } = valueIn(listContests(state, alice, { limit: 1 }))
    expect(nextCursor).not.toBeNull()
    expect(listContests(state, alice, { cursor: nextCursor })).toMatchObject({ ok: true })
    expect(listContests(state, alice, { cursor: nextCursor, sort: 'newest' })).toMatchObject({ ok: true })
    expect(listContests(state, alice, { cursor: nextCursor, sort: 'stake' })).toMatchObject({
      ok: false,
      refusal: { code: 'INVALID_INPUT' },
    })
  })

  test.each([
    'x',
    '1',
    7,
    '1-',
    '-1-2',
    '1-2-3',
    'newest',
    'newest-1',
    'oldest-1-2',
    'newest--1-2',
  ])('the cursor %s is refused', (cursor) => {
    const { state, alice } = busyWorld()
    expect(listContests(state, alice, { cursor })).toMatchObject({ ok: false, refusal: { code: 'INVALID_INPUT' } })
  })
})
