import { describe, expect, test } from 'vitest'
import { creating, mintOf, SOL, TestWorld } from '../../../test/support/contests/testWorld.ts'
import { usdc } from '../../core/usdc.ts'
import { auditContests } from '../audit/audit.ts'
import type { CreateContestCommand } from '../types.ts'

const LOBBY = { format: 'lobby', capacity: 4 } as const
const PREDICTION = { mode: 'price_prediction', params: { token: SOL }, side: null } as const
const TEAMS = { ...PREDICTION, ...LOBBY, teamSize: 2 } as const

describe('createContest, refused', () => {
  test.each<[string, Partial<CreateContestCommand>]>([
    ['a token that is not traded', { mode: 'same_token', params: { token: SOL.replace('2', '3') }, side: null }],
    ['a target of nothing', { mode: 'target_race', params: { targetPct: 0 }, side: null }],
    ['a duration under 15 s', { durationSec: 14 }],
    ['no stake', { stake: 0n }],
    ['no join window', { joinWindowSec: 0 }],
    ['a join window over a year', { joinWindowSec: 31_536_001 }],
    ['a duel of three', { capacity: 3 }],
    ['a lobby of one', { format: 'lobby', capacity: 1 }],
    ['a lobby of 101', { format: 'lobby', capacity: 101 }],
    ['teams in a duel', { ...PREDICTION, teamSize: 1 }],
    ['teams in a mode with sides', { ...LOBBY, teamSize: 2 }],
    ['teams that do not divide the capacity', { ...TEAMS, teamSize: 3 }],
    ['one team', { ...TEAMS, teamSize: 4 }],
    ['a parameter that is not known', { params: { colour: 'red' } }],
    ['a token that is no address', { params: { token: 'SOL' } }],
    ['payouts in a duel', { params: { payouts: [1] } }],
    ['more payouts than seats', { ...LOBBY, params: { payouts: [5, 4, 3, 2, 1] } }],
    ['a payout of nothing', { ...LOBBY, params: { payouts: [1, 0] } }],
    ['a side that is not one', { side: 'LEFT' }],
    ['a side that is no text', { side: null, params: { side: 1 } }],
    ['a side where there are none', { ...PREDICTION, side: 'UP' }],
    ['a team that is not one', { ...TEAMS, side: 'T3' }],
    ['a pool with a token twice', { mode: 'draft_basket', params: { pool: [SOL, SOL] }, side: null }],
    ['a pool too small', { mode: 'draft_basket', params: { pool: [SOL, mintOf('JUP'), mintOf('WIF')] }, side: null }],
    ['no picks', { mode: 'draft_basket', params: { picks: 0 }, side: null }],
    ['a commit time of nothing', { ...PREDICTION, params: { commitSec: 0 } }],
  ])('%s', (_name, options) => {
    const world = new TestWorld()
    expect(world.refusalOf(creating(world.agent('alice'), options))).toBe('INVALID_INPUT')
    expect(world.state.contests.size).toBe(0)
    expect(world.state.counters.contest).toBe(0)
  })

  test('a parameter is named with what is allowed', () => {
    const world = new TestWorld()
    const applied = world.run(creating(world.agent('alice'), { ...PREDICTION, params: { commitSec: 601 } }))
    expect(applied).toMatchObject({ refusal: { message: 'params.commitSec: Too big: expected number to be <=600' } })
  })
})

describe('joinContest, refused', () => {
  test('every reason', () => {
    const world = new TestWorld()
    const [alice, bob, carol] = [world.agent('alice'), world.agent('bob'), world.agent('carol', { balance: 1n })]
    const contestId = world.create(alice)
    const join = (agentId: string, side: string | null = null, id = contestId) =>
      world.refusalOf({ type: 'joinContest', agentId, contestId: id, side })
    expect(join(bob, null, 'none')).toBe('NOT_FOUND')
    expect(join(alice)).toBe('ALREADY_JOINED')
    expect(join(bob, 'UP')).toBe('SIDE_TAKEN')
    expect(join(bob, 'LEFT')).toBe('INVALID_INPUT')
    expect(join(carol)).toBe('INSUFFICIENT_BANKROLL')
    expect(join(bob, 'DOWN')).toBe('accepted')
    expect(join(carol)).toBe('CONTEST_FULL')
    world.ready(contestId, alice, bob)
    expect(join(carol)).toBe('CONTEST_NOT_OPEN')
    expect(join(alice)).toBe('ALREADY_JOINED')
  })

  test('the wrong kind of opponent', () => {
    const world = new TestWorld()
    const contestId = world.create(world.agent('alice'), { opponents: 'HUMAN' })
    expect(world.contest(contestId).lane).toBe('HUMAN')
    expect(world.refusalOf({ type: 'joinContest', agentId: world.agent('bob'), contestId, side: null })).toBe('CONTEST_NOT_OPEN')
    world.join(world.agent('human', { kind: 'HUMAN' }), contestId)
  })

  test('an up_down lobby wants a side to be named', () => {
    const world = new TestWorld()
    const contestId = world.create(world.agent('alice'), LOBBY)
    expect(world.refusalOf({ type: 'joinContest', agentId: world.agent('bob'), contestId, side: null })).toBe('INVALID_INPUT')
    world.join(world.agent('carol'), contestId, 'UP')
  })

  test('a full team', () => {
    const world = new TestWorld()
    const contestId = world.create(world.agent('alice'), TEAMS)
    world.join(world.agent('bob'), contestId, 'T1')
    expect(world.refusalOf({ type: 'joinContest', agentId: world.agent('carol'), contestId, side: 'T1' })).toBe('SIDE_TAKEN')
  })
})

describe('sides', () => {
  test('the creator of an up_down contest takes the side it asks for, in params too, else a seeded one', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const sideOf = (options: Partial<CreateContestCommand>) => world.contest(world.create(alice, options)).entries[0]?.side
    for (const side of ['UP', 'DOWN']) {
      expect(sideOf({ side })).toBe(side)
      expect(sideOf({ side: null, params: { token: SOL, side } })).toBe(side)
    }
    const drawn = Array.from({ length: 10 }, () => sideOf({ side: null }))
    expect(new Set(drawn)).toEqual(new Set(['UP', 'DOWN']))
    expect([...world.state.contests.values()].map(({ params }) => params)).toEqual(Array(14).fill({ token: SOL }))
  })

  test('without a wish the free side, or the team with most room', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const duel = world.create(alice, { side: 'DOWN' })
    world.join(bob, duel)
    expect(world.contest(duel).entries[1]?.side).toBe('UP')
    const lobby = world.create(alice, { ...TEAMS, side: 'T2' })
    world.join(bob, lobby)
    world.join(world.agent('carol'), lobby)
    expect(world.contest(lobby).entries.map(({ side }) => side)).toEqual(['T2', 'T1', 'T1'])
  })
})

describe('ready and leave', () => {
  test('refusals', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.create(alice)
    const ready = (agentId: string, id = contestId) => world.refusalOf({ type: 'readyContest', agentId, contestId: id, ready: true })
    const leave = (agentId: string, id = contestId) => world.refusalOf({ type: 'leaveContest', agentId, contestId: id })
    expect([ready(alice, 'none'), leave(alice, 'none')]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect([ready(bob), leave(bob)]).toEqual(['NOT_IN_CONTEST', 'NOT_IN_CONTEST'])
    world.join(bob, contestId)
    world.ready(contestId, alice, bob)
    expect([ready(alice), leave(alice)]).toEqual(['CONTEST_NOT_OPEN', 'CONTEST_NOT_OPEN'])
  })

  test('leaving frees the seat and gives the stake back', () => {
    const world = new TestWorld()
    const [alice, bob, carol] = [world.agent('alice'), world.agent('bob'), world.agent('carol')]
    const contestId = world.create(alice)
    world.join(bob, contestId)
    world.accept({ type: 'leaveContest', agentId: alice, contestId })
    expect(world.wallet(alice)).toBe(usdc('1000'))
    world.join(carol, contestId, 'UP')
    expect(world.contest(contestId).entries.map(({ agentId }) => agentId)).toEqual([bob, carol])
    expect(auditContests(world.state)).toEqual([])
  })

  test('the last to leave cancels the contest', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const contestId = world.create(alice)
    world.accept({ type: 'leaveContest', agentId: alice, contestId })
    expect(world.dataOf(alice, 'contest.cancelled')).toEqual([{ contestId, status: 'cancelled', reason: 'left', refunded: '1000000' }])
    expect(world.wallet(alice)).toBe(usdc('1000'))
    world.pass(100)
    expect(world.dataOf(alice, 'contest.cancelled')).toHaveLength(1)
  })

  test('a seat can be un-readied while the contest is open', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.create(alice)
    world.join(bob, contestId)
    world.ready(contestId, alice)
    world.accept({ type: 'readyContest', agentId: alice, contestId, ready: false })
    world.ready(contestId, bob)
    expect(world.contest(contestId).status).toBe('open')
    world.ready(contestId, alice)
    expect(world.contest(contestId).status).toBe('live')
  })
})

describe('the join window', () => {
  const open = (world: TestWorld, names: readonly string[], options: Partial<CreateContestCommand>) => {
    const [first = '', ...others] = names.map((name) => world.agent(name))
    const contestId = world.create(first, options)
    for (const other of others) world.join(other, contestId)
    return { contestId, agents: [first, ...others] }
  }

  test('a duel nobody joined is cancelled and refunded when it closes', () => {
    const world = new TestWorld()
    const { contestId, agents } = open(world, ['alice'], {})
    world.pass(59.999)
    expect(world.contest(contestId).status).toBe('open')
    world.pass(0.001)
    expect(world.contest(contestId)).toMatchObject({ status: 'cancelled', cancelReason: 'not_filled' })
    expect(world.wallet(agents[0] ?? '')).toBe(usdc('1000'))
  })

  test('a duel not readied is cancelled, for both', () => {
    const world = new TestWorld()
    const { contestId, agents } = open(world, ['alice', 'bob'], {})
    world.ready(contestId, agents[0] ?? '')
    world.pass(60)
    for (const agent of agents) {
      expect(world.dataOf(agent, 'contest.cancelled')).toEqual([
        { contestId, status: 'cancelled', reason: 'not_ready', refunded: '1000000' },
      ])
    }
    expect(auditContests(world.state)).toEqual([])
  })

  test('a lobby with two ready seats locks when it closes', () => {
    const world = new TestWorld()
    const { contestId, agents } = open(world, ['alice', 'bob'], { ...PREDICTION, ...LOBBY })
    world.ready(contestId, ...agents)
    expect(world.contest(contestId).status).toBe('open')
    world.pass(60)
    expect(world.contest(contestId)).toMatchObject({ status: 'live', startsAt: world.now + 5000, endsAt: world.now + 20_000 })
  })

  test('a lobby locks at once when all its seats are ready', () => {
    const world = new TestWorld()
    const { contestId, agents } = open(world, ['alice', 'bob', 'carol', 'dave'], { ...PREDICTION, ...LOBBY })
    world.ready(contestId, ...agents)
    expect(world.contest(contestId).status).toBe('live')
  })

  test('a lobby of one, and one with a seat not ready, are cancelled', () => {
    const world = new TestWorld()
    const lonely = open(world, ['alice'], { ...PREDICTION, ...LOBBY })
    const unready = open(world, ['bob', 'carol', 'dave'], { ...PREDICTION, ...LOBBY })
    world.ready(unready.contestId, ...unready.agents.slice(1))
    world.pass(60)
    expect(world.contest(lonely.contestId).cancelReason).toBe('not_filled')
    expect(world.contest(unready.contestId).cancelReason).toBe('not_ready')
  })

  test('one team alone has nobody to beat', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.create(alice, TEAMS)
    world.join(bob, contestId, 'T1')
    world.ready(contestId, alice, bob)
    world.pass(60)
    expect(world.contest(contestId).cancelReason).toBe('not_filled')
  })
})

describe('contest.joined', () => {
  test('goes to everyone in the contest, the joiner included', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.create(alice)
    world.join(bob, contestId)
    const first = { contestId, userId: alice, side: 'UP', filled: 1, capacity: 2 }
    const second = { contestId, userId: bob, side: 'DOWN', filled: 2, capacity: 2 }
    expect(world.dataOf(alice, 'contest.joined')).toEqual([first, second])
    expect(world.dataOf(bob, 'contest.joined')).toEqual([second])
  })

  test('names nobody in a hidden contest', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const contestId = world.create(alice, { params: { token: SOL, hidden: true } })
    world.join(bob, contestId)
    expect(world.events.map(({ data }) => data.userId)).toEqual([null, null, null])
  })
})
