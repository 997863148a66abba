import { describe, expect, test } from 'vitest'
import { enqueueing, mintOf, START_MS, TestWorld } from '../../../test/support/contests/testWorld.ts'
import { usdc } from '../../core/usdc.ts'
import { auditContests } from '../audit/audit.ts'
import { createContests } from '../state/state.ts'
import type { EnqueueCommand } from '../types.ts'

const statusOf = (world: TestWorld, ticketId: string) => world.state.tickets.get(ticketId)?.status

describe('enqueue, refused', () => {
  test.each<[string, Partial<EnqueueCommand>]>([
    ['no stake', { stake: 0n }],
    ['a negative stake', { stake: -1n }],
    ['a duration under 15 s', { durationSec: 14 }],
    ['a broken duration', { durationSec: 15.5 }],
    ['a duration over a year', { durationSec: 31_536_001 }],
    ['no wait', { waitSec: 0 }],
    ['a wait over a year', { waitSec: 31_536_001 }],
  ])('%s', (_name, options) => {
    const world = new TestWorld()
    expect(world.refusalOf(enqueueing(world.agent('alice'), options))).toBe('INVALID_INPUT')
    expect(world.state.tickets.size).toBe(0)
  })

  test('a house agent that answers nobody', () => {
    const world = new TestWorld()
    expect(world.refusalOf(enqueueing(world.agent('house', { house: true, caps: null })))).toBe('INVALID_INPUT')
  })

  test('an answer to a ticket that is unknown, matched, on other terms, not accepting, or its own', () => {
    const world = new TestWorld()
    const [alice, bob, carol] = [world.agent('alice'), world.agent('bob'), world.agent('carol')]
    const { ticketId } = world.enqueue(alice, { opponents: 'HUMAN' })
    expect(world.refusalOf(enqueueing(bob, { answering: alice }))).toBe('NOT_FOUND')
    expect(world.refusalOf(enqueueing(bob, { answering: ticketId }))).toBe('INVALID_INPUT')
    const human = world.agent('human', { kind: 'HUMAN' })
    expect(world.refusalOf(enqueueing(human, { answering: ticketId, opponents: 'HUMAN' }))).toBe('INVALID_INPUT')
    expect(world.refusalOf(enqueueing(human, { answering: ticketId, stake: usdc('2') }))).toBe('INVALID_INPUT')
    const own = world.enqueue(alice, { stake: usdc('3') })
    expect(world.refusalOf(enqueueing(alice, { answering: own.ticketId, stake: usdc('3') }))).toBe('INVALID_INPUT')
    expect(world.refusalOf(enqueueing(human, { answering: ticketId }))).toBe('accepted')
    expect(world.refusalOf(enqueueing(carol, { answering: ticketId }))).toBe('TICKET_NOT_OPEN')
  })

  test('too few tokens in the world for the mode: nobody waits for a duel that cannot be made', () => {
    const of = (...symbols: string[]) =>
      new TestWorld(createContests({ seed: 7, rakeBps: 500, startMs: START_MS, mints: symbols.map(mintOf) }))
    const world = of('SOL', 'JUP')
    const alice = world.agent('alice')
    for (let times = 0; times < 2; times++) expect(world.refusalOf(enqueueing(alice, { mode: 'draft_basket' }))).toBe('INVALID_INPUT')
    expect(world.refusalOf(enqueueing(alice))).toBe('accepted')
    expect(auditContests(world.state)).toEqual([])
    const larger = of('SOL', 'JUP', 'WIF', 'JTO')
    expect(larger.refusalOf(enqueueing(larger.agent('alice'), { mode: 'draft_basket' }))).toBe('accepted')
  })
})

describe('matching', () => {
  test('two tickets on the same terms are seated at once, in a rated duel that is live', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const first = world.enqueue(alice)
    const second = world.enqueue(bob, { opponents: 'AGENT' })
    const contestId = second.contestId ?? ''
    expect([statusOf(world, first.ticketId), statusOf(world, second.ticketId)]).toEqual(['matched', 'matched'])
    expect(world.contest(contestId)).toMatchObject({ status: 'live', format: 'duel', rated: true, opponents: 'AGENT', lane: 'AGENT' })
    expect(world.contest(contestId).entries.map(({ agentId, ready }) => [agentId, ready])).toEqual([
      [alice, true],
      [bob, true],
    ])
    expect(new Set(world.contest(contestId).entries.map(({ side }) => side))).toEqual(new Set(['UP', 'DOWN']))
  })

  test('each is told of the match, of both seats and of the window, in that order', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const { ticketId } = world.enqueue(alice)
    const contestId = world.enqueue(bob).contestId ?? ''
    const sides = world.contest(contestId).entries.map(({ side }) => side)
    expect(world.events.filter(({ agentId }) => agentId === alice).map(({ type, data }) => [type, data])).toEqual([
      ['match.found', { ticketId, contestId, opponents: 'ANY', mode: 'up_down', stake: '1000000', error: null }],
      ['contest.joined', { contestId, userId: alice, side: sides[0], filled: 1, capacity: 2 }],
      ['contest.joined', { contestId, userId: bob, side: sides[1], filled: 2, capacity: 2 }],
      [
        'contest.live',
        {
          contestId,
          mode: 'up_down',
          chain: 'solana',
          status: 'live',
          startsAt: '2025-07-21T12:00:03.000Z',
          endsAt: '2025-07-21T12:00:18.000Z',
        },
      ],
    ])
    expect(world.events.filter(({ agentId }) => agentId === bob).map(({ type }) => type)).toEqual([
      'match.found',
      'contest.joined',
      'contest.joined',
      'contest.live',
    ])
  })

  test.each<[string, Partial<EnqueueCommand>]>([
    ['mode', { mode: 'price_prediction' }],
    ['stake', { stake: usdc('1.000001') }],
    ['duration', { durationSec: 16 }],
    ['chain', { chain: 'robinhood' }],
    ['kind of opponent', { opponents: 'HUMAN' }],
  ])('another %s is not matched', (_name, options) => {
    const world = new TestWorld()
    world.enqueue(world.agent('alice'))
    expect(world.enqueue(world.agent('bob'), options).contestId).toBeUndefined()
  })

  test('both must accept the kind of the other', () => {
    const world = new TestWorld()
    const human = world.agent('human', { kind: 'HUMAN' })
    world.enqueue(world.agent('alice'), { opponents: 'AGENT' })
    expect(world.enqueue(human).contestId).toBeUndefined()
    const contestId = world.enqueue(world.agent('bob'), { opponents: 'HUMAN' }).contestId ?? ''
    expect(world.contest(contestId).entries[0]?.agentId).toBe(human)
  })

  test('the oldest that fits, whatever it accepts; never an own ticket', () => {
    const world = new TestWorld()
    const [alice, bob, carol] = [world.agent('alice'), world.agent('bob'), world.agent('carol')]
    world.enqueue(alice)
    expect(world.enqueue(alice).contestId).toBeUndefined()
    world.pass(1)
    const { ticketId } = world.enqueue(bob, { opponents: 'HUMAN' })
    world.accept({ type: 'cancelTicket', agentId: bob, ticketId })
    const contestId = world.enqueue(carol, { opponents: 'AGENT' }).contestId ?? ''
    expect(world.contest(contestId).entries.map(({ agentId }) => agentId)).toEqual([alice, carol])
    const again = world.enqueue(bob, { opponents: 'AGENT' }).contestId ?? ''
    expect(world.contest(again).entries.map(({ agentId }) => agentId)).toEqual([alice, bob])
  })

  test.each([
    ['AGENT', 'HUMAN'],
    ['HUMAN', 'AGENT'],
  ] as const)('of an %s and a %s that cannot meet each other, the one that waits longer', (first, second) => {
    const world = new TestWorld()
    const [older, newer] = [world.agent('older', { kind: first }), world.agent('newer', { kind: second })]
    for (const agent of [older, newer]) world.enqueue(agent, { opponents: 'AGENT' })
    const contestId = world.enqueue(world.agent('carol')).contestId ?? ''
    expect(world.contest(contestId).entries[0]?.agentId).toBe(older)
  })

  test('an answer meets the ticket it names, not the oldest', () => {
    const world = new TestWorld()
    const house = world.agent('house', { house: true, caps: null })
    world.enqueue(world.agent('alice'))
    const { ticketId } = world.enqueue(world.agent('bob'), { opponents: 'AGENT', waitSec: 40, stake: usdc('2') })
    const dave = world.agent('dave')
    const third = world.enqueue(dave, { stake: usdc('2'), opponents: 'HUMAN' })
    expect(third.contestId).toBeUndefined()
    world.enqueue(house, { answering: ticketId, stake: usdc('2') })
    expect(statusOf(world, ticketId)).toBe('matched')
    expect(statusOf(world, third.ticketId)).toBe('queued')
  })

  test('queued tickets get seeded parameters', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    world.enqueue(alice, { mode: 'draft_basket' })
    const contestId = world.enqueue(bob, { mode: 'draft_basket' }).contestId ?? ''
    const { params } = world.contest(contestId)
    expect(params).toMatchObject({ picks: 2, pickSec: 3 })
    expect(new Set('pool' in params && Array.isArray(params.pool) ? params.pool : []).size).toBe(8)
  })
})

describe('a ticket ends once', () => {
  test('expired after waitSec, to the millisecond, its stake back', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const { ticketId } = world.enqueue(alice)
    world.pass(29.999)
    expect(statusOf(world, ticketId)).toBe('queued')
    world.pass(5)
    expect(statusOf(world, ticketId)).toBe('expired')
    expect(world.dataOf(alice, 'ticket.expired')).toEqual([{ ticketId }])
    expect(world.events.at(-1)?.createdAt).toBe('2025-07-21T12:00:30.000Z')
    expect(world.wallet(alice)).toBe(usdc('1000'))
    expect(world.refusalOf({ type: 'cancelTicket', agentId: alice, ticketId })).toBe('TICKET_NOT_OPEN')
  })

  test('a ticket that falls due at the instant of another is gone first', () => {
    const world = new TestWorld()
    world.enqueue(world.agent('alice'))
    world.now += 30_000
    expect(world.enqueue(world.agent('bob')).contestId).toBeUndefined()
  })

  test('cancelled, its stake back; another agent cannot', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const { ticketId } = world.enqueue(alice)
    expect(world.refusalOf({ type: 'cancelTicket', agentId: bob, ticketId })).toBe('NOT_FOUND')
    expect(world.refusalOf({ type: 'cancelTicket', agentId: alice, ticketId: 'none' })).toBe('NOT_FOUND')
    world.accept({ type: 'cancelTicket', agentId: alice, ticketId })
    expect(world.wallet(alice)).toBe(usdc('1000'))
    expect(world.enqueue(bob).contestId).toBeUndefined()
    world.pass(60)
    expect(world.dataOf(alice, 'ticket.expired')).toEqual([])
  })
})

describe('seating fails where the caps were lowered since', () => {
  const lower = (world: TestWorld, agentId: string, maxStake: string, dailyLossCap: string) =>
    world.accept({ type: 'setCaps', agentId, caps: { maxStake: usdc(maxStake), dailyLossCap: usdc(dailyLossCap) } })

  test('that ticket fails and is refunded, the other stays queued', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const { ticketId } = world.enqueue(alice)
    lower(world, alice, '0.5', '200')
    const other = world.enqueue(bob)
    expect([statusOf(world, ticketId), statusOf(world, other.ticketId)]).toEqual(['failed', 'queued'])
    expect(world.dataOf(alice, 'ticket.failed')).toEqual([
      {
        ticketId,
        contestId: null,
        opponents: 'ANY',
        mode: 'up_down',
        stake: '1000000',
        error: { code: 'STAKE_OVER_CAP', message: expect.stringContaining('0.50') },
      },
    ])
    expect(world.wallet(alice)).toBe(usdc('1000'))
    expect(auditContests(world.state)).toEqual([])
  })

  test('the daily loss cap counts what is in play, this stake included', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const first = world.enqueue(alice)
    const second = world.enqueue(alice, { stake: usdc('2') })
    lower(world, alice, '50', '3')
    expect(world.enqueue(bob).contestId).toBeDefined()
    expect(statusOf(world, first.ticketId)).toBe('matched')
    lower(world, alice, '50', '2.999999')
    expect(world.enqueue(bob, { stake: usdc('2') }).contestId).toBeUndefined()
    expect(statusOf(world, second.ticketId)).toBe('failed')
    expect(world.dataOf(alice, 'ticket.failed')).toMatchObject([{ error: { code: 'DAILY_LOSS_CAP' } }])
  })

  test('the next oldest is tried', () => {
    const world = new TestWorld()
    const [alice, bob, human] = [world.agent('alice'), world.agent('bob'), world.agent('human', { kind: 'HUMAN' })]
    const first = world.enqueue(alice, { opponents: 'HUMAN' })
    const next = world.enqueue(bob, { opponents: 'HUMAN' })
    lower(world, alice, '0.5', '200')
    const contestId = world.enqueue(human).contestId ?? ''
    expect(statusOf(world, first.ticketId)).toBe('failed')
    // What is drawn for it is drawn from the ticket that it met.
    expect(contestId).toBe(world.state.index.ids.duel(next.ticketId))
    expect(world.contest(contestId).entries.map(({ agentId }) => agentId)).toEqual([bob, human])
  })

  test('an answer to it makes no ticket', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const house = world.agent('house', { house: true, caps: null })
    const { ticketId } = world.enqueue(alice)
    lower(world, alice, '0.5', '200')
    const applied = world.accept(enqueueing(house, { answering: ticketId }))
    expect(applied.ticketId).toBeUndefined()
    expect(applied.events.map(({ type }) => type)).toEqual(['ticket.failed'])
    expect(world.wallet(house)).toBe(usdc('1000'))
    expect(auditContests(world.state)).toEqual([])
  })
})

describe('what is drawn for a duel', () => {
  test('is a matter of the ticket that waited, whatever other agents do', () => {
    const drawnFor = (rivals: number) => {
      const world = new TestWorld()
      const alice = world.agent('alice')
      for (let pair = 0; pair < rivals; pair++) {
        world.enqueue(world.agent(`first ${pair}`), { stake: usdc('2') })
        world.enqueue(world.agent(`second ${pair}`), { stake: usdc('2') })
      }
      return [1, 2].map((round) => {
        const ticket = world.enqueue(alice, { mode: 'same_token' })
        const { contestId = '' } = world.enqueue(world.agent(`bob ${round}`), { mode: 'same_token' })
        return [ticket.ticketId, contestId, world.state.contests.get(contestId)?.params]
      })
    }
    const [first, second] = drawnFor(0)
    expect(drawnFor(3)).toEqual([first, second])
    expect(second).not.toEqual(first)
  })
})
