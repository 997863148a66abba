import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isProcedureName, PROCEDURE_NAMES, type ProcedureName, procedures, SALT_PATTERN } from './procedures.ts'

const ID = '0198b5a0-7c1e-7a2b-8c3d-4e5f60718293'
const MINT = 'So11111111111111111111111111111111111111112'
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
const COMMITMENT = '094120bc73f90ec45e59c1527a0def364ae6474e1a275ac8c35616f97033702f'
const FILTERS = {
  lane: 'MIXED',
  modes: ['up_down', 'same_token'],
  chain: 'solana',
  format: 'duel',
  minStake: '1000000',
  maxStake: '5000000',
}

// The tables of part 4, written out by hand: procedure, kind, and inputs as they go over the wire, the
// specification's own example values where it gives some, with every field and with the required ones alone.
const TABLE: readonly (readonly [name: ProcedureName, kind: 'G' | 'P', inputs: readonly unknown[]])[] = [
  ['agent.me', 'G', [null]],
  ['agent.profile', 'G', [null]],
  ['agent.bankroll', 'G', [null]],
  ['agent.limits', 'G', [null]],
  ['agent.rank', 'G', [null]],
  ['agent.stats', 'G', [null]],
  ['agent.history', 'G', [{ versus: 'HUMAN', cursor: null, limit: 20 }, { versus: 'AGENT' }, { versus: 'MIXED' }, { cursor: 'next' }, {}]],
  ['agent.leaderboard', 'G', [{ metric: 'rank', period: 'all', cursor: 0, limit: 50 }, { metric: 'profit', period: '7d' }, {}]],
  [
    'agent.events',
    'G',
    [{ after: ID, limit: 50 }, { after: null, limit: 100 }, { after: null }, { after: 'as-the-service-gave-it' }, { latest: true }],
  ],
  [
    'agent.queue.enqueue',
    'P',
    [
      { mode: 'draft_basket', stake: '1000000', durationSec: 60, opponents: 'ANY', chain: 'solana', waitSec: 30 },
      { mode: 'up_down', stake: '1000000', durationSec: 60, opponents: 'HUMAN', chain: 'robinhood' },
      { mode: 'pnl_usd', stake: '1000000', durationSec: 60 },
    ],
  ],
  ['agent.queue.get', 'G', [{ ticketId: ID }]],
  ['agent.queue.list', 'G', [null]],
  ['agent.queue.cancel', 'P', [{ ticketId: ID }]],
  ['agent.contests.list', 'G', [{ ...FILTERS, status: 'open', sort: 'newest', cursor: 'next', limit: 20 }, { status: 'live' }, {}]],
  ['agent.contests.counts', 'G', [FILTERS, {}]],
  ['agent.contests.get', 'G', [{ contestId: ID }]],
  ['agent.contests.mine', 'G', [null]],
  [
    'agent.contests.create',
    'P',
    [
      {
        mode: 'same_token',
        chain: 'solana',
        format: 'lobby',
        stake: '1000000',
        durationSec: 60,
        opponents: 'AGENT',
        visibility: 'private',
        capacity: 4,
        teamSize: 2,
        joinWindowSec: 60,
        params: { token: MINT, payouts: [2, 1] },
      },
      { mode: 'up_down', chain: 'robinhood', format: 'duel', stake: '1000000', durationSec: 60 },
    ],
  ],
  ['agent.contests.join', 'P', [{ contestId: ID, side: 'UP' }, { contestId: ID }]],
  ['agent.contests.leave', 'P', [{ contestId: ID }]],
  ['agent.contests.ready', 'P', [{ contestId: ID, ready: false }, { contestId: ID }]],
  ['agent.modes.state', 'G', [{ contestId: ID }]],
  ['agent.modes.draftPick', 'P', [{ contestId: ID, token: MINT }]],
  ['agent.modes.commitPrediction', 'P', [{ contestId: ID, commitment: COMMITMENT }]],
  ['agent.modes.revealPrediction', 'P', [{ contestId: ID, value: '187.25', salt: 'abcdefghijklmnop' }]],
  ['agent.trade.signAndSend', 'P', [{ transaction: 'AQID', contestId: ID }, { transaction: 'AQID' }]],
  ['agent.tx.status', 'G', [{ signature: SIGNATURE }]],
]

const inputs = TABLE.flatMap(([name, , examples]) => examples.map((input) => [name, input] as const))
const fullest = TABLE.flatMap(([name, , [input]]) => (input === null ? [] : [[name, input as Record<string, unknown>] as const]))
const schemaOf = (name: ProcedureName): z.ZodType => procedures[name].input

test('all 27 procedures are there, and no other', () => {
  expect(TABLE).toHaveLength(27)
  expect([...PROCEDURE_NAMES].sort()).toEqual(TABLE.map(([name]) => name).sort())
})

test.each(TABLE)('%s is of kind %s', (name, kind) => {
  expect(procedures[name].kind).toBe(kind === 'G' ? 'read' : 'action')
})

test('a name that only every object has is no procedure', () => {
  expect(isProcedureName('agent.me')).toBe(true)
  for (const name of ['agent', 'agent.nope', 'toString', 'constructor', '__proto__', '']) expect(isProcedureName(name)).toBe(false)
})

describe('an input', () => {
  test.each(inputs)('%s takes %j, and sends it as it was got', (name, input) => {
    const read = schemaOf(name).safeParse(input)
    expect(read.error).toBeUndefined()
    expect(z.encode(schemaOf(name), read.data)).toEqual(input)
  })

  test.each(fullest)('%s refuses a field it does not know', (name, input) => {
    const read = schemaOf(name).safeParse({ ...input, surprise: 1 })
    expect(read.success).toBe(false)
    expect(JSON.stringify(read.error?.issues)).toContain('surprise')
  })

  test.each(fullest)('%s refuses each field of a wrong type', (name, input) => {
    for (const field of Object.keys(input)) {
      // No field takes a list of lists, a record of functions, or an object where a list is meant.
      const wrong = field === 'params' ? 'text' : { odd: [] }
      expect(schemaOf(name).safeParse({ ...input, [field]: wrong }).success, field).toBe(false)
    }
  })

  test.each(TABLE.filter(([, , [input]]) => input === null).map(([name]) => name))('%s takes null and nothing else', (name) => {
    for (const wrong of [undefined, {}, [], '', 0, { surprise: 1 }]) expect(schemaOf(name).safeParse(wrong).success).toBe(false)
  })

  test('amounts are digits on the wire and bigint here', () => {
    const enqueue = procedures['agent.queue.enqueue'].input
    const wire = { mode: 'up_down', stake: '1000000', durationSec: 60 }
    expect(enqueue.parse(wire).stake).toBe(1_000_000n)
    for (const stake of ['-1', '1.5', '1e6', '', ' 1', '0x1', 1_000_000, 1_000_000n, null]) {
      expect(enqueue.safeParse({ ...wire, stake }).success, String(stake)).toBe(false)
    }
  })

  test.each([
    ['agent.history', { versus: 'ANY' }],
    ['agent.leaderboard', { cursor: '0' }],
    ['agent.events', {}],
    ['agent.events', { latest: false }],
    ['agent.events', { latest: true, after: null }],
    ['agent.events', { after: '' }],
    ['agent.queue.enqueue', { mode: 'poker', stake: '1', durationSec: 60 }],
    ['agent.queue.enqueue', { mode: 'up_down', stake: '1', durationSec: 1.5 }],
    ['agent.queue.enqueue', { mode: 'up_down', stake: '1', durationSec: '60' }],
    ['agent.queue.enqueue', { mode: 'up_down', stake: '1', durationSec: 60, opponents: 'MIXED' }],
    ['agent.queue.enqueue', { mode: 'up_down', stake: '1', durationSec: 60, chain: 'base' }],
    ['agent.queue.cancel', { ticketId: 'x' }],
    ['agent.queue.cancel', {}],
    ['agent.contests.list', { status: 'settled' }],
    ['agent.contests.list', { lane: 'ANY' }],
    ['agent.contests.counts', { status: 'open' }],
    ['agent.contests.counts', { limit: 5 }],
    ['agent.contests.create', { mode: 'up_down', format: 'duel', stake: '1', durationSec: 60 }],
    ['agent.contests.create', { mode: 'up_down', chain: 'solana', format: 'team', stake: '1', durationSec: 60 }],
    ['agent.modes.commitPrediction', { contestId: ID, commitment: COMMITMENT.toUpperCase() }],
    ['agent.modes.commitPrediction', { contestId: ID, commitment: COMMITMENT.slice(1) }],
    ['agent.modes.commitPrediction', { contestId: ID, commitment: `${COMMITMENT}\n` }],
    ['agent.modes.revealPrediction', { contestId: ID, value: 187.25, salt: 'abcdefghijklmnop' }],
    ['agent.trade.signAndSend', { transaction: 7 }],
    ['agent.tx.status', { signature: null }],
  ] as const)('%s refuses %j', (name, input) => {
    expect(schemaOf(name).safeParse(input).success).toBe(false)
  })
})

describe('what the specification leaves open is the strategy’s to say: its type alone is checked', () => {
  const create = { mode: 'up_down', chain: 'solana', format: 'duel', stake: '1', durationSec: 60 }
  test.each([
    ['agent.contests.create', 'visibility', create, 'friends'],
    ['agent.contests.list', 'sort', {}, 'endingSoon'],
    ['agent.contests.list', 'limit', {}, 5000],
    ['agent.leaderboard', 'metric', {}, 'winRate'],
    ['agent.leaderboard', 'period', {}, '30d'],
    ['agent.leaderboard', 'limit', {}, 1000],
    ['agent.history', 'limit', {}, 0],
    ['agent.events', 'limit', { after: null }, 1000],
    ['agent.trade.signAndSend', 'transaction', {}, 'A'.repeat(100_000)],
    ['agent.trade.signAndSend', 'transaction', {}, 'in-some-other-form_'],
    ['agent.tx.status', 'signature', {}, 'short'],
  ] as const)('%s takes any %s', (name, field, others, value) => {
    const input = { ...others, [field]: value }
    expect(z.safeEncode(schemaOf(name), schemaOf(name).parse(input))).toEqual({ success: true, data: input })
    expect(schemaOf(name).safeParse({ ...others, [field]: { not: 'this' } }).success).toBe(false)
  })
})

test('a salt is 16 to 128 of its alphabet', () => {
  for (const salt of ['a'.repeat(16), 'a'.repeat(128), 'AZaz09_-AZaz09_-']) expect(salt).toMatch(SALT_PATTERN)
  for (const salt of ['a'.repeat(15), 'a'.repeat(129), `${'a'.repeat(16)} `, `${'a'.repeat(16)}\n`]) expect(salt).not.toMatch(SALT_PATTERN)
})

describe('an output', () => {
  const outputOf = (name: ProcedureName, wire: unknown): unknown => (procedures[name].output as z.ZodType).parse(wire)
  const LIMITS = {
    maxStake: '50000000',
    dailyLossCap: '200000000',
    lostToday: '0',
    inPlay: '1000000',
    remaining: '199000000',
    resetsAt: '2025-07-22T00:00:00.000Z',
  }

  test('limits are amounts and an instant', () => {
    expect(outputOf('agent.limits', LIMITS)).toEqual({
      maxStake: 50_000_000n,
      dailyLossCap: 200_000_000n,
      lostToday: 0n,
      inPlay: 1_000_000n,
      remaining: 199_000_000n,
      resetsAt: Date.UTC(2025, 6, 22),
    })
  })

  test.each([
    {},
    { resetsAt: null },
    { resetsAt: 5 },
    { resetsAt: 'soon' },
  ])('limits with %j for when they are reset are read: nothing is decided by that', (odd) => {
    const { resetsAt: _, ...rest } = LIMITS
    const limits = outputOf('agent.limits', { ...rest, ...odd }) as { readonly resetsAt?: unknown }
    expect(limits).toMatchObject({ dailyLossCap: 200_000_000n })
    expect(limits.resetsAt).toBeUndefined()
  })

  test.each(
    Object.keys(LIMITS).filter((field) => field !== 'resetsAt'),
  )('limits without %s, or with an odd one, cannot be read: the guard must not guess', (field) => {
    const { [field]: _, ...rest } = LIMITS as Record<string, unknown>
    for (const odd of [{}, { [field]: null }, { [field]: 5 }, { [field]: 'soon' }]) {
      expect(procedures['agent.limits'].output.safeParse({ ...rest, ...odd }).success).toBe(false)
    }
  })

  test('of the bankroll, what is available must be there; the rest is undefined where it is odd', () => {
    expect(
      outputOf('agent.bankroll', {
        available: '5',
        wallet: 7,
        vault: null,
        inPlay: '3',
        gasLamports: '1000',
        walletAddress: 'abc',
        more: 1,
      }),
    ).toEqual({
      available: 5n,
      wallet: undefined,
      vault: undefined,
      inPlay: 3n,
      gasLamports: 1000n,
      walletAddress: 'abc',
      more: 1,
    })
    expect(procedures['agent.bankroll'].output.safeParse({ wallet: '5' }).success).toBe(false)
    expect(procedures['agent.bankroll'].output.safeParse({ available: 5 }).success).toBe(false)
  })

  test('of the boot snapshot and the profile, what is not shown may be anything, or nothing', () => {
    expect(outputOf('agent.me', { agent: { handle: 'alice', level: 3 }, bankroll: { available: '5' } })).toEqual({
      agent: { handle: 'alice', level: 3 },
      bankroll: { available: 5n },
    })
    const whole = {
      agent: { handle: 7 },
      bankroll: { available: '5' },
      exposure: [],
      rank: 3,
      stats: null,
      activeContests: 'none',
      openTickets: [{}],
    }
    expect(outputOf('agent.me', whole)).toEqual({
      ...whole,
      agent: { handle: undefined },
      bankroll: { available: 5n },
      activeContests: undefined,
    })
    expect(outputOf('agent.profile', {})).toEqual({})
    expect(outputOf('agent.profile', { webhookUrl: null })).toEqual({ webhookUrl: null })
    expect(outputOf('agent.stats', {})).toEqual({})
  })

  test.each(['agent.queue.list', 'agent.contests.list', 'agent.contests.mine'] as const)('%s may be bare or in a page', (name) => {
    expect(outputOf(name, [{ odd: 1 }])).toMatchObject([{ odd: 1 }])
    expect(outputOf(name, { items: [{ odd: 1 }], nextCursor: null })).toMatchObject({ items: [{ odd: 1 }], nextCursor: null })
    expect(procedures[name].output.safeParse({ rows: [] }).success).toBe(false)
  })

  test('pages of history and of the leaderboard are read by the fields that are shown', () => {
    const item = {
      contestId: ID,
      mode: 'up_down',
      result: 'LOSS',
      stake: '1000000',
      payout: '0',
      profit: '-1000000',
      versus: 'HUMAN',
      extra: true,
    }
    expect(outputOf('agent.history', { items: [item, { profit: 5, result: null }], nextCursor: 'n' })).toMatchObject({
      items: [
        { contestId: ID, profit: -1_000_000n, payout: 0n, extra: true },
        { profit: undefined, result: undefined },
      ],
      nextCursor: 'n',
    })
    expect(outputOf('agent.leaderboard', { items: [{ place: 1 }], nextCursor: 50 })).toEqual({ items: [{ place: 1 }], nextCursor: 50 })
  })

  test('a page of events keeps each as it came, odd ones too; latest has a cursor alone', () => {
    expect(outputOf('agent.events', { events: [{ id: 1 }, null, 'x'], cursor: 'c' })).toEqual({
      events: [{ id: 1 }, null, 'x'],
      cursor: 'c',
    })
    expect(outputOf('agent.events', { cursor: ID })).toEqual({ events: [], cursor: ID })
    expect(outputOf('agent.events', { events: [], cursor: null })).toEqual({ events: [], cursor: null })
    expect(procedures['agent.events'].output.safeParse({ events: [] }).success).toBe(false)
  })

  test('a submitted transaction has its signature and status; contest and programs where they are told', () => {
    expect(outputOf('agent.trade.signAndSend', { signature: 's', status: 'submitted', contestId: null, programs: ['p'] })).toEqual({
      signature: 's',
      status: 'submitted',
      contestId: null,
      programs: ['p'],
    })
    expect(outputOf('agent.trade.signAndSend', { signature: 's', status: 'confirmed', programs: 3 })).toEqual({
      signature: 's',
      status: 'confirmed',
      programs: undefined,
    })
    expect(procedures['agent.trade.signAndSend'].output.safeParse({ status: 'confirmed' }).success).toBe(false)
  })
})
