import { describe, expect, test } from 'vitest'
import { creating, mintOf, START_MS, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { auditContests } from '../audit/audit.ts'
import type { CreateContestCommand, RefusalCode } from '../types.ts'
import { type ModeStateRecord, modeStateView } from '../views/contests.ts'

const POOL = ['SOL', 'JUP', 'WIF', 'JTO', 'PYTH', 'W'].map(mintOf)
const [SOL = '', JUP = '', WIF = '', JTO = '', PYTH = '', W = ''] = POOL
/** Lock, plus two picks each of two players at three seconds. */
const STARTS_AT = START_MS + 12_000
const ENDS_AT = STARTS_AT + 15_000

interface State extends ModeStateRecord {
  readonly turn: { readonly userId: string; readonly round: number; readonly pickBy: string } | null
  readonly available: readonly Mint[]
}

/** A draft from the pool above, live. Seats are in the order of the draft, which is seeded. */
class Draft {
  readonly world = new TestWorld()
  readonly contestId: string
  /** In the order of the first round. */
  readonly agents: string[]
  prices: Record<Mint, readonly [Price | null, Price | null]> = {}

  constructor(names: readonly string[], options: Partial<CreateContestCommand> = {}) {
    this.world.priceAt = (mint, at) => {
      const [start = '100', end = '100'] = this.prices[mint] ?? []
      return at === STARTS_AT ? start : at === ENDS_AT ? end : '77'
    }
    const agents = names.map((name) => this.world.agent(name))
    const lobby = { format: 'lobby', capacity: names.length } as const
    const terms = { mode: 'draft_basket', params: { pool: POOL }, side: null, ...(names.length > 2 ? lobby : {}) } as const
    this.contestId = this.world.create(agents[0] ?? '', { ...terms, ...options })
    for (const agent of agents.slice(1)) this.world.join(agent, this.contestId)
    this.world.ready(this.contestId, ...agents)
    const first = this.state().turn?.userId ?? ''
    this.agents = agents.length === 2 ? [first, ...agents.filter((agent) => agent !== first)] : agents
  }

  state(agentId = ''): State {
    return valueIn(modeStateView(this.world.state, this.contestId, agentId)) as State
  }

  pick(player: number, token: Mint): RefusalCode | 'accepted' {
    return this.world.refusalOf({
      type: 'move',
      agentId: this.agents[player] ?? '',
      contestId: this.contestId,
      move: { type: 'draftPick', token },
    })
  }

  /** By player: result, payout, score. */
  results() {
    expect(auditContests(this.world.state)).toEqual([])
    const { entries } = this.world.contest(this.contestId)
    return this.agents.map((agent) => {
      const entry = entries.find(({ agentId }) => agentId === agent)
      return [entry?.result, entry?.payout, entry?.score]
    })
  }
}

describe('draft_basket, worked examples', () => {
  test('+10 % and -5 % is 2.5 %, +4 % and +0.5 % is 2.25 %: the first takes 1.90', () => {
    const draft = new Draft(['alice', 'bob'])
    draft.prices = { [SOL]: ['100', '110'], [W]: ['100', '95'], [JUP]: ['50', '52'], [WIF]: ['200', '201'] }
    expect([draft.pick(0, SOL), draft.pick(1, JUP), draft.pick(1, WIF), draft.pick(0, W)]).toEqual(Array(4).fill('accepted'))
    draft.world.pass(27)
    expect(draft.world.contest(draft.contestId)).toMatchObject({ startsAt: STARTS_AT, endsAt: ENDS_AT, endedAt: ENDS_AT })
    expect(draft.results()).toEqual([
      ['WIN', 1_900_000n, '0.025'],
      ['LOSS', 0n, '0.0225'],
    ])
  })

  test('returns are compared exactly: thirds add up', () => {
    const draft = new Draft(['alice', 'bob'])
    // 1/3 + 2/3 of a percent against 1/2 + 1/2 of a percent: both 0.5 % on average.
    draft.prices = { [SOL]: ['300', '301'], [W]: ['300', '302'], [JUP]: ['200', '201'], [WIF]: ['400', '402'] }
    for (const [player, token] of [
      [0, SOL],
      [1, JUP],
      [1, WIF],
      [0, W],
    ] as const)
      draft.pick(player, token)
    draft.world.pass(27)
    expect(draft.results()).toEqual([
      ['DRAW', 950_000n, '0.005'],
      ['DRAW', 950_000n, '0.005'],
    ])
  })

  test('a turn not taken in three seconds gets the first token available, and the next turn starts then', () => {
    const draft = new Draft(['alice', 'bob'])
    draft.world.pass(2.999)
    expect(draft.state().available).toEqual(POOL)
    draft.world.pass(0.001)
    expect(draft.state()).toMatchObject({ available: POOL.slice(1), turn: { userId: draft.agents[1], pickBy: '2025-07-21T12:00:06.000Z' } })
    expect(draft.pick(0, JUP)).toBe('NOT_YOUR_TURN')
    draft.world.pass(1)
    expect(draft.pick(1, JUP)).toBe('accepted')
    expect(draft.state().turn).toMatchObject({ userId: draft.agents[1], round: 2, pickBy: '2025-07-21T12:00:07.000Z' })
  })

  test('automatic picks alone on every side: refunded', () => {
    const draft = new Draft(['alice', 'bob'])
    draft.prices = { [SOL]: ['1', '2'] }
    draft.world.pass(27)
    expect(draft.results()).toEqual([
      ['REFUND', 1_000_000n, null],
      ['REFUND', 1_000_000n, null],
    ])
  })

  test('automatic picks can win against a pick that was made', () => {
    const draft = new Draft(['alice', 'bob'])
    draft.prices = { [JUP]: ['1', '2'] }
    draft.pick(0, SOL)
    draft.world.pass(27)
    // The second player was given JUP and WIF: +100 % and 0.
    expect(draft.results()).toEqual([
      ['LOSS', 0n, '0'],
      ['WIN', 1_900_000n, '0.5'],
    ])
  })

  test('the last turn running out at startsAt is filled first, and its token needs a price then', () => {
    const draft = new Draft(['alice', 'bob'])
    draft.world.pass(12)
    expect(draft.state()).toMatchObject({
      phase: 'running',
      turn: null,
      startPrices: { [SOL]: '100', [JUP]: '100', [WIF]: '100', [JTO]: '100' },
    })
  })

  test.each([
    [[null, '1'], STARTS_AT],
    [['1', null], ENDS_AT],
  ] as const)('a picked token with prices %o: cancelled and refunded', (prices, endedAt) => {
    const draft = new Draft(['alice', 'bob'])
    draft.prices = { [WIF]: prices }
    draft.world.pass(27)
    expect(draft.world.contest(draft.contestId)).toMatchObject({ status: 'cancelled', cancelReason: 'no_price', endedAt })
    expect(draft.results().map(([, payout]) => payout)).toEqual([1_000_000n, 1_000_000n])
  })

  test('a token nobody picked needs no price', () => {
    const draft = new Draft(['alice', 'bob'])
    draft.prices = { [PYTH]: [null, null] }
    draft.pick(0, SOL)
    draft.world.pass(27)
    expect(draft.world.contest(draft.contestId).status).toBe('settled')
  })

  test('the order turns round after every round, the third as the first; the view counts the automatic picks', () => {
    const draft = new Draft(['alice', 'bob'], { params: { pool: POOL, picks: 3 } })
    const [first = '', second = ''] = draft.agents
    const turns: string[] = []
    for (let turn = 0; turn < 6; turn++) {
      const state = draft.state()
      turns.push(`${state.turn?.round} ${state.turn?.userId === first ? 'first' : 'second'}`)
      // The last one is not taken.
      if (turn < 5) draft.pick(state.turn?.userId === first ? 0 : 1, state.available[0] ?? '')
    }
    expect(turns).toEqual(['1 first', '1 second', '2 second', '2 first', '3 first', '3 second'])
    draft.world.pass(3)
    expect(draft.state(first)).toMatchObject({ round: 3, turn: null })
    const picks = draft.state(first).picks as readonly { userId: string; automatic: number; tokens: readonly Mint[] }[]
    expect(picks.map(({ userId, automatic, tokens }) => [userId, automatic, tokens.length]).toSorted()).toEqual(
      [
        [first, 0, 3],
        [second, 1, 3],
      ].toSorted(),
    )
  })

  test('a token can stand in a pool once', () => {
    const world = new TestWorld()
    const terms = { mode: 'draft_basket', side: null, params: { pool: [...POOL.slice(1), JUP] } } as const
    expect(world.refusalOf(creating(world.agent('alice'), terms))).toBe('INVALID_INPUT')
  })

  test('who begins is drawn by contest', () => {
    const world = new TestWorld()
    const [alice, bob] = [world.agent('alice'), world.agent('bob')]
    const begins = Array.from({ length: 10 }, () => {
      const { turn } = valueIn(modeStateView(world.state, world.duel(alice, bob, { mode: 'draft_basket' }), alice)) as State
      return turn?.userId
    })
    expect(new Set(begins)).toEqual(new Set([alice, bob]))
  })

  test('the order turns round after each round', () => {
    const draft = new Draft(['alice', 'bob', 'carol'], { params: { pool: POOL, pickSec: 2 } })
    const turns: string[] = []
    for (let turn = 0; turn < 6; turn++) {
      turns.push(draft.state().turn?.userId ?? '')
      draft.world.pass(2)
    }
    expect(new Set(turns.slice(0, 3))).toEqual(new Set(draft.agents))
    expect(turns.slice(3)).toEqual(turns.slice(0, 3).toReversed())
    expect(draft.state().turn).toBeNull()
  })
})

describe('refusals', () => {
  test('out of turn, out of the pool, taken, after the draft, before the lock', () => {
    const draft = new Draft(['alice', 'bob'])
    expect(draft.pick(1, SOL)).toBe('NOT_YOUR_TURN')
    expect(draft.pick(0, mintOf('BONK'))).toBe('TOKEN_NOT_ALLOWED')
    expect(draft.pick(0, SOL)).toBe('accepted')
    expect(draft.pick(0, JUP)).toBe('NOT_YOUR_TURN')
    expect(draft.pick(1, SOL)).toBe('TOKEN_TAKEN')
    expect([draft.pick(1, JUP), draft.pick(1, WIF), draft.pick(0, JTO)]).toEqual(Array(3).fill('accepted'))
    expect(draft.pick(0, PYTH)).toBe('NOT_YOUR_TURN')
    const open = draft.world.create(draft.agents[0] ?? '', { mode: 'draft_basket' })
    const move = { type: 'draftPick', token: SOL } as const
    expect(draft.world.refusalOf({ type: 'move', agentId: draft.agents[0] ?? '', contestId: open, move })).toBe('NOT_YOUR_TURN')
  })
})

describe('its state', () => {
  test('says whose turn it is, until when, and what is whose', () => {
    const draft = new Draft(['alice', 'bob'])
    const [first = '', second = ''] = draft.agents
    expect(draft.state(first)).toMatchObject({
      phase: 'draft',
      yourTurn: true,
      round: 1,
      pickBy: '2025-07-21T12:00:03.000Z',
      mine: [],
      theirs: [],
    })
    expect(draft.state(second)).toMatchObject({ yourTurn: false, turn: { userId: first } })
    draft.pick(0, WIF)
    expect(draft.state(first)).toMatchObject({
      yourTurn: false,
      mine: [WIF],
      theirs: [],
      entryId: draft.world.entryId(draft.contestId, first),
    })
    expect(draft.state(second)).toMatchObject({ yourTurn: true, mine: [], theirs: [WIF], available: [SOL, JUP, JTO, PYTH, W] })
    draft.pick(1, SOL)
    draft.pick(1, JUP)
    draft.pick(0, JTO)
    expect(draft.state(first)).toMatchObject({
      phase: 'waiting',
      turn: null,
      yourTurn: false,
      pickBy: null,
      mine: [WIF, JTO],
      theirs: [SOL, JUP],
    })
    expect(draft.state('a stranger')).toMatchObject({ entryId: null, yourTurn: false, mine: [] })
  })

  test('the announced start stands though the draft was over sooner', () => {
    const draft = new Draft(['alice', 'bob'])
    for (const [player, token] of [
      [0, SOL],
      [1, JUP],
      [1, WIF],
      [0, W],
    ] as const)
      draft.pick(player, token)
    draft.world.pass(11.999)
    expect(draft.state().phase).toBe('waiting')
    draft.world.pass(0.001)
    expect(draft.state().phase).toBe('running')
  })
})
