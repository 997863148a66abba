import { describe, expect, test } from 'vitest'
import { SOL, START_MS, TestWorld, valueIn } from '../../../test/support/contests/testWorld.ts'
import { commitmentOf } from '../../contract/commitment.ts'
import { auditContests } from '../audit/audit.ts'
import type { CreateContestCommand, RefusalCode } from '../types.ts'
import { modeStateView } from '../views/contests.ts'

const SALT = 'a-salt_of_16-and'
const ENDS_AT = START_MS + 20_000

/** A contest of these agents, live: commits until 5 s, ends at 20 s, reveals until 40 s after the lock. */
class Prediction {
  readonly world = new TestWorld()
  readonly contestId: string
  readonly agents: readonly string[]

  constructor(names: readonly string[], options: Partial<CreateContestCommand> = {}) {
    this.world.priceAt = (_mint, at) => (at === ENDS_AT ? '187.25' : '100')
    const agents = names.map((name) => this.world.agent(name))
    const lobby = { format: 'lobby', capacity: names.length } as const
    const terms = { mode: 'price_prediction', params: { token: SOL }, side: null, ...(names.length > 2 ? lobby : {}) } as const
    this.contestId = this.world.create(agents[0] ?? '', { ...terms, ...options })
    for (const agent of agents.slice(1)) this.world.join(agent, this.contestId)
    this.world.ready(this.contestId, ...agents)
    this.agents = agents
  }

  commit(seat: number, value: string, salt = SALT): RefusalCode | 'accepted' {
    const agentId = this.agents[seat] ?? ''
    return this.commitRaw(seat, commitmentOf(value, salt, this.world.entryId(this.contestId, agentId)))
  }

  commitRaw(seat: number, commitment: string): RefusalCode | 'accepted' {
    const move = { type: 'commitPrediction', commitment } as const
    return this.world.refusalOf({ type: 'move', agentId: this.agents[seat] ?? '', contestId: this.contestId, move })
  }

  reveal(seat: number, value: string, salt = SALT): RefusalCode | 'accepted' {
    const move = { type: 'revealPrediction', value, salt } as const
    return this.world.refusalOf({ type: 'move', agentId: this.agents[seat] ?? '', contestId: this.contestId, move })
  }

  state(seat: number): Readonly<Record<string, unknown>> {
    return valueIn(modeStateView(this.world.state, this.contestId, this.agents[seat] ?? ''))
  }

  seats() {
    expect(auditContests(this.world.state)).toEqual([])
    return this.world.contest(this.contestId).entries.map(({ result, payout, score }) => [result, payout, score])
  }
}

describe('price_prediction, worked examples at an end price of 187.25', () => {
  test('187.20 is 0.05 off, 187.31 is 0.06 off: the first takes 1.90', () => {
    const play = new Prediction(['alice', 'bob'])
    expect([play.commit(0, '187.2'), play.commit(1, '187.31')]).toEqual(['accepted', 'accepted'])
    play.world.pass(20)
    expect([play.reveal(1, '187.31'), play.reveal(0, '187.2')]).toEqual(['accepted', 'accepted'])
    expect(play.seats()).toEqual([
      ['WIN', 1_900_000n, '0.05'],
      ['LOSS', 0n, '0.06'],
    ])
  })

  test('distances are exact: 10⁻¹⁸ decides', () => {
    const play = new Prediction(['alice', 'bob'])
    play.commit(0, '187.249999999999999999')
    play.commit(1, '187.250000000000000002')
    play.world.pass(20)
    play.reveal(0, '187.249999999999999999')
    play.reveal(1, '187.250000000000000002')
    expect(play.seats()[0]).toEqual(['WIN', 1_900_000n, '0.000000000000000001'])
  })

  test('the same distance on both sides is a draw', () => {
    const play = new Prediction(['alice', 'bob'])
    play.commit(0, '187')
    play.commit(1, '187.5')
    play.world.pass(20)
    play.reveal(0, '187')
    play.reveal(1, '187.5')
    expect(play.seats()).toEqual([
      ['DRAW', 950_000n, '0.25'],
      ['DRAW', 950_000n, '0.25'],
    ])
  })

  test('who did not reveal loses, however bad the other was', () => {
    const play = new Prediction(['alice', 'bob'])
    play.commit(0, '187.25')
    play.commit(1, '1')
    play.world.pass(20)
    play.reveal(1, '1')
    play.world.pass(19.999)
    expect(play.world.contest(play.contestId).status).toBe('live')
    play.world.pass(0.001)
    expect(play.seats()).toEqual([
      ['LOSS', 0n, null],
      ['WIN', 1_900_000n, '186.25'],
    ])
  })

  test('nobody revealed: refunded whole, no rake, and not rated', () => {
    const play = new Prediction(['alice', 'bob'])
    play.commit(0, '187')
    play.commit(1, '188')
    play.world.pass(40)
    expect(play.seats()).toEqual([
      ['REFUND', 1_000_000n, null],
      ['REFUND', 1_000_000n, null],
    ])
    expect(play.world.state.rake).toBe(0n)
    expect(play.world.dataOf(play.agents[0] ?? '', 'contest.settled')).toEqual([
      {
        contestId: play.contestId,
        mode: 'price_prediction',
        result: 'REFUND',
        stake: '1000000',
        payout: '1000000',
        profit: '0',
        versus: 'AGENT',
        rpDelta: null,
        rpAfter: null,
      },
    ])
  })

  test('nobody committed: decided at endsAt, refunded', () => {
    const play = new Prediction(['alice', 'bob'])
    play.world.pass(20)
    expect(play.world.contest(play.contestId)).toMatchObject({ status: 'settled', endedAt: ENDS_AT })
    expect(play.seats().map(([result]) => result)).toEqual(['REFUND', 'REFUND'])
  })

  test('decided as soon as everyone who committed has revealed', () => {
    const play = new Prediction(['alice', 'bob', 'carol'])
    play.commit(0, '187')
    play.commit(2, '188')
    play.world.pass(21)
    play.reveal(0, '187')
    expect(play.world.contest(play.contestId).status).toBe('live')
    play.reveal(2, '188')
    expect(play.world.contest(play.contestId)).toMatchObject({ status: 'settled', endedAt: START_MS + 21_000 })
    expect(play.seats().map(([result]) => result)).toEqual(['WIN', 'LOSS', 'LOSS'])
  })

  test('payouts of a lobby: of 2.85, two thirds and one third', () => {
    const play = new Prediction(['alice', 'bob', 'carol'], { params: { token: SOL, payouts: [2, 1] } })
    for (const [seat, value] of ['187.3', '187.25', '1'].entries()) play.commit(seat, value)
    play.world.pass(20)
    for (const [seat, value] of ['187.3', '187.25', '1'].entries()) play.reveal(seat, value)
    expect(play.seats().map(([result, payout]) => [result, payout])).toEqual([
      ['LOSS', 950_000n],
      ['WIN', 1_900_000n],
      ['LOSS', 0n],
    ])
  })

  test('no price at endsAt: cancelled and refunded, whoever committed', () => {
    const play = new Prediction(['alice', 'bob'])
    play.world.priceAt = () => null
    play.commit(0, '187')
    play.world.pass(20)
    expect(play.world.contest(play.contestId)).toMatchObject({ status: 'cancelled', cancelReason: 'no_price', endedAt: ENDS_AT })
    expect(play.seats().map(([, payout]) => payout)).toEqual([1_000_000n, 1_000_000n])
  })
})

describe('teams', () => {
  const teams = (values: readonly (string | null)[]) => {
    const play = new Prediction(['a', 'b', 'c', 'd'], { format: 'lobby', capacity: 4, teamSize: 2 })
    for (const [seat, value] of values.entries()) if (value !== null) play.commit(seat, value)
    play.world.pass(20)
    for (const [seat, value] of values.entries()) if (value !== null) play.reveal(seat, value)
    play.world.pass(20)
    return play
  }

  test('a team scores the mean of its members: 0.30 beats 0.35, though the best guess was in the other', () => {
    // Seats fill T1, T2, T1, T2: T1 is off 0.25 and 0.35, T2 is off 0 and 0.70.
    const play = teams(['187', '187.25', '187.6', '187.95'])
    expect(play.seats()).toEqual([
      ['WIN', 1_900_000n, '0.25'],
      ['LOSS', 0n, '0'],
      ['WIN', 1_900_000n, '0.35'],
      ['LOSS', 0n, '0.7'],
    ])
  })

  test('a member who did not reveal costs its team the score', () => {
    expect(
      teams(['187.25', '100', null, '100'])
        .seats()
        .map(([result]) => result),
    ).toEqual(['LOSS', 'WIN', 'LOSS', 'WIN'])
  })
})

describe('refusals', () => {
  test('a commitment out of time, out of form, or twice', () => {
    const play = new Prediction(['alice', 'bob'])
    expect(play.commitRaw(0, 'A'.repeat(64))).toBe('INVALID_INPUT')
    expect(play.commitRaw(0, 'a'.repeat(63))).toBe('INVALID_INPUT')
    play.world.pass(4.999)
    expect(play.commit(0, '187')).toBe('accepted')
    expect(play.commit(0, '188')).toBe('ALREADY_COMMITTED')
    play.world.pass(0.001)
    expect(play.commit(1, '187')).toBe('COMMIT_CLOSED')
  })

  test('a commitment before the lock', () => {
    const world = new TestWorld()
    const alice = world.agent('alice')
    const contestId = world.create(alice, { mode: 'price_prediction' })
    const move = { type: 'commitPrediction', commitment: 'a'.repeat(64) } as const
    expect(world.refusalOf({ type: 'move', agentId: alice, contestId, move })).toBe('COMMIT_CLOSED')
    expect(world.refusalOf({ type: 'move', agentId: world.agent('bob'), contestId, move })).toBe('NOT_IN_CONTEST')
    expect(world.refusalOf({ type: 'move', agentId: alice, contestId: 'none', move })).toBe('NOT_FOUND')
    expect(world.refusalOf({ type: 'move', agentId: alice, contestId, move: { type: 'draftPick', token: SOL } })).toBe('INVALID_INPUT')
  })

  test('a reveal too early, of another value, salt or seat, never committed, twice, or too late', () => {
    const play = new Prediction(['alice', 'bob', 'carol'])
    play.commit(0, '187.2')
    play.commit(1, '187.2')
    expect(play.reveal(0, '187.2')).toBe('REVEAL_NOT_OPEN')
    play.world.pass(19.999)
    expect(play.reveal(0, '187.2')).toBe('REVEAL_NOT_OPEN')
    play.world.pass(0.001)
    expect(play.reveal(0, '187.2', 'short')).toBe('SALT_INVALID')
    expect(play.reveal(0, '187.2', `${SALT}!`)).toBe('SALT_INVALID')
    expect(play.reveal(0, '1e2')).toBe('INVALID_INPUT')
    expect(play.reveal(0, '-187.2')).toBe('INVALID_INPUT')
    expect(play.reveal(0, '187.3')).toBe('COMMITMENT_MISMATCH')
    expect(play.reveal(0, '187.2', `${SALT}x`)).toBe('COMMITMENT_MISMATCH')
    expect(play.reveal(2, '187.2')).toBe('COMMITMENT_MISMATCH')
    expect(play.reveal(0, '0187.200')).toBe('accepted')
    expect(play.reveal(0, '187.2')).toBe('REVEAL_NOT_OPEN')
    play.world.pass(20)
    expect(play.world.contest(play.contestId).status).toBe('settled')
    expect(play.reveal(1, '187.2')).toBe('REVEAL_NOT_OPEN')
  })

  test('no message or detail holds a salt', () => {
    const play = new Prediction(['alice', 'bob'])
    play.commit(0, '187.2')
    play.world.pass(20)
    for (const salt of ['this-salt-is-another-one', 'bad salt!']) {
      const move = { type: 'revealPrediction', value: '187.2', salt } as const
      const applied = play.world.run({ type: 'move', agentId: play.agents[0] ?? '', contestId: play.contestId, move })
      expect(applied.ok).toBe(false)
      expect(JSON.stringify(applied)).not.toContain(salt)
    }
  })
})

describe('its state', () => {
  test('says of the viewer alone what is committed and revealed', () => {
    const play = new Prediction(['alice', 'bob'])
    play.commit(0, '187')
    play.commit(1, '188')
    play.world.pass(20)
    play.reveal(0, '187')
    expect(play.state(0)).toMatchObject({ committed: true, revealed: true })
    expect(play.state(1)).toMatchObject({ committed: true, revealed: false })
    expect(play.state(2)).toMatchObject({ committed: false, revealed: false })
  })

  test('of a commitment that is more or less than 64 hex digits has nothing', () => {
    const play = new Prediction(['alice', 'bob'])
    for (const commitment of [`0${'a'.repeat(64)}`, `${'a'.repeat(64)}g`, 'a'.repeat(63)])
      expect(play.commitRaw(0, commitment)).toBe('INVALID_INPUT')
    expect(play.state(0).committed).toBe(false)
  })

  test('shows deadlines, and a value only once it is revealed', () => {
    const play = new Prediction(['alice', 'bob'])
    const entries = play.world.contest(play.contestId).entries
    play.commit(0, '187.2')
    expect(play.state(1)).toMatchObject({
      phase: 'commit',
      entryId: entries[1]?.entryId,
      token: SOL,
      commitBy: '2025-07-21T12:00:05.000Z',
      revealFrom: '2025-07-21T12:00:20.000Z',
      revealBy: '2025-07-21T12:00:40.000Z',
      committed: false,
      predictions: [
        { entryId: entries[0]?.entryId, userId: play.agents[0], committed: true, value: null },
        { entryId: entries[1]?.entryId, userId: play.agents[1], committed: false, value: null },
      ],
    })
    play.commit(1, '188')
    play.world.pass(5)
    expect(play.state(0)).toMatchObject({ phase: 'running', committed: true, revealed: false, endPrice: null })
    play.world.pass(15)
    play.reveal(0, '187.20')
    expect(play.state(1)).toMatchObject({
      phase: 'reveal',
      revealed: false,
      endPrice: '187.25',
      predictions: [{ value: '187.2' }, { value: null }],
    })
    play.world.pass(20)
    expect(play.state(0).phase).toBe('settled')
  })
})
