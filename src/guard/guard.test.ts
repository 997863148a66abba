import { describe, expect, test } from 'vitest'
import { usdc } from '../core/usdc.ts'
import {
  type Action,
  cancelTicket,
  commitPrediction,
  createContest,
  draftPick,
  enqueue,
  joinContest,
  leaveContest,
  ready,
} from '../strategy/action.ts'
import { check, isApproved } from './guard.ts'
import { Reservations } from './reservations.ts'
import { isEntry } from './rule.ts'
import { guardView, limits, NOW_MS, type ViewChanges } from './testView.ts'
import { REFUSAL_CODES, type Refusal, type RefusalCode } from './verdict.ts'

const queue = (stake = usdc('1'), fields: { durationSec?: number; mode?: 'up_down' | 'draft_basket' } = {}) =>
  enqueue({ mode: 'draft_basket', durationSec: 20, ...fields, stake })
const join = (fields: { side?: string } = {}) => joinContest({ contestId: 'c', ...fields })
const create = (stake = usdc('1')) => createContest({ mode: 'up_down', chain: 'solana', format: 'duel', stake, durationSec: 20 })
const reveal: Action = { type: 'revealPrediction', contestId: 'c' }

/** A ledger that holds these stakes without an outcome. */
function holding(...stakes: readonly bigint[]): Reservations {
  const reservations = new Reservations()
  for (const [index, stake] of stakes.entries()) reservations.reserve({ key: `held ${index}`, identity: `held ${index}`, stake })
  return reservations
}

/** A ledger with a pending stake of 2 USDC, and one of 4 USDC that was placed. */
function holdingAndPlaced(): Reservations {
  const reservations = holding(usdc('2'), usdc('4'))
  reservations.place('held 1', NOW_MS)
  return reservations
}

const codeOf = (action: Action, changes: ViewChanges = {}): RefusalCode | 'approved' => {
  const verdict = check('key', action, guardView(changes))
  return verdict.ok ? 'approved' : verdict.refusal.code
}

interface Case {
  readonly name: string
  readonly action: Action
  readonly view?: () => ViewChanges
  readonly numbers: Refusal['numbers']
  readonly message: string
}

// Every refusal code, with the numbers that decided it.
const REFUSALS: Readonly<Record<RefusalCode, readonly Case[]>> = {
  STAKE_INVALID: [
    { name: 'no stake', action: queue(0n), numbers: { stake: 0n }, message: 'above 0 micro-USDC, this one is 0' },
    { name: 'a negative stake', action: create(-1n), numbers: { stake: -1n }, message: 'this one is -1' },
    {
      name: 'a contest for nothing',
      action: join(),
      view: () => ({ joinable: { c: { stake: 0n } } }),
      numbers: { stake: 0n },
      message: 'this one is 0',
    },
  ],
  CATCHING_UP: [
    {
      name: 'an entry before the stream was read',
      action: queue(),
      view: () => ({ caughtUp: false }),
      numbers: {},
      message: 'not been read to its end',
    },
  ],
  DRAINING: [
    { name: 'an entry while draining', action: join(), view: () => ({ runMode: 'draining' }), numbers: {}, message: 'enters no new one' },
  ],
  DUPLICATE_ACTION: [
    {
      name: 'a twin of an entry without an outcome',
      action: queue(),
      view: () => {
        const reservations = new Reservations()
        check('7:ladder:0', queue(), guardView({ reservations }))
        return { reservations }
      },
      numbers: { intent: '7:ladder:0' },
      message: '7:ladder:0, is still without an outcome',
    },
    {
      name: 'a second reveal while the first is under way',
      action: reveal,
      view: () => {
        const reservations = new Reservations()
        check('9:framework:0', reveal, guardView({ reservations, seats: { c: { revealable: true } } }))
        return { reservations, seats: { c: { revealable: true } } }
      },
      numbers: { intent: '9:framework:0' },
      message: '9:framework:0',
    },
  ],
  LIMITS_UNKNOWN: [
    { name: 'limits never read', action: queue(), view: () => ({ limits: undefined }), numbers: {}, message: 'have not been read' },
    { name: 'a bankroll never read', action: queue(), view: () => ({ available: undefined }), numbers: {}, message: 'have not been read' },
    {
      name: 'limits over a minute old',
      action: queue(),
      view: () => ({ limits: limits({}, NOW_MS - 60_001) }),
      numbers: { ageMs: 60_001, maxAgeMs: 60_000 },
      message: 'last read 60001 ms ago',
    },
    {
      name: 'a bankroll over a minute old',
      action: queue(),
      view: () => ({ available: { value: usdc('1000'), begunAt: NOW_MS - 70_000 } }),
      numbers: { ageMs: 70_000, maxAgeMs: 60_000 },
      message: 'last read 70000 ms ago',
    },
  ],
  STAKE_OVER_OWN_CAP: [
    {
      name: 'a unit over guard.maxStake',
      action: queue(usdc('5') + 1n),
      numbers: { stake: 5_000_001n, maxStake: 5_000_000n },
      message: '5.000001 USDC is above guard.maxStake, 5.00 USDC',
    },
  ],
  STAKE_OVER_SERVICE_CAP: [
    {
      name: "a unit over the service's cap",
      action: queue(usdc('3') + 1n),
      view: () => ({ limits: limits({ maxStake: usdc('3') }) }),
      numbers: { stake: 3_000_001n, maxStake: 3_000_000n },
      message: "3.000001 USDC is above the service's cap for this agent, 3.00 USDC",
    },
  ],
  DAILY_LOSS_OWN: [
    {
      name: 'lost, in play, pending and this one, a unit over the cap',
      action: queue(usdc('1') + 1n),
      // 20 = 10 lost + 7 in play (4 of them placed since) + 2 pending + 1
      view: () => ({ lostToday: usdc('10'), inPlay: usdc('7'), reservations: holdingAndPlaced() }),
      numbers: {
        lostToday: usdc('10'),
        inPlay: usdc('7'),
        reserved: usdc('2'),
        stake: 1_000_001n,
        worst: 20_000_001n,
        dailyLoss: usdc('20'),
      },
      message: '20.000001 USDC down, more than guard.dailyLoss, 20.00 USDC',
    },
  ],
  DAILY_LOSS_SERVICE: [
    {
      name: 'lost, in play, pending, placed since and this one, a unit over the cap',
      action: queue(usdc('1') + 1n),
      // 15 = 5 lost + 3 in play + (2 pending + 4 placed) + 1
      view: () => ({
        limits: limits({ dailyLossCap: usdc('15'), lostToday: usdc('5'), inPlay: usdc('3') }),
        reservations: holdingAndPlaced(),
      }),
      numbers: {
        lostToday: usdc('5'),
        inPlay: usdc('3'),
        reserved: usdc('6'),
        stake: 1_000_001n,
        worst: 15_000_001n,
        dailyLossCap: usdc('15'),
      },
      message: "15.000001 USDC down, more than the service's cap, 15.00 USDC",
    },
  ],
  BANKROLL: [
    {
      name: 'a unit over what is free',
      action: queue(usdc('1') + 1n),
      // 7 = 2 pending + 4 placed since + 1
      view: () => ({ available: { value: usdc('7'), begunAt: NOW_MS }, reservations: holdingAndPlaced() }),
      numbers: { stake: 1_000_001n, available: usdc('7'), reserved: usdc('6') },
      message: '1.000001 USDC is more than the 1.00 USDC that are free',
    },
    {
      name: 'less there than is held',
      action: queue(1n),
      view: () => ({ available: { value: usdc('5'), begunAt: NOW_MS }, reservations: holdingAndPlaced() }),
      numbers: { stake: 1n, available: usdc('5'), reserved: usdc('6') },
      message: 'more than the -1.00 USDC that are free',
    },
  ],
  OPEN_CONTESTS: [
    {
      name: 'a seat, a ticket and an entry under way, of three',
      action: queue(),
      view: () => ({ openContests: 1, openTickets: 1, reservations: holding(usdc('1')) }),
      numbers: { seats: 1, tickets: 1, pending: 1, maxOpenContests: 3 },
      message: '3 contests and tickets are open, guard.maxOpenContests is 3',
    },
  ],
  CONTEST_UNKNOWN: [
    {
      name: 'a contest that was not listed',
      action: join(),
      view: () => ({ joinable: { other: {} } }),
      numbers: { contestId: 'c' },
      message: 'its stake is not known: join one of openContests',
    },
  ],
  NOT_IN_CONTEST: [
    ...[leaveContest({ contestId: 'c' }), ready({ contestId: 'c', ready: true }), draftPick({ contestId: 'c', token: 't' })].map(
      (action): Case => ({
        name: `${action.type} without a seat`,
        action,
        numbers: { contestId: 'c' },
        message: 'this bot has no seat in contest c',
      }),
    ),
    {
      name: 'a commitment in a contest that is over',
      action: commitPrediction({ contestId: 'c', price: '1' }),
      view: () => ({ seats: { c: { phase: 'settled', commitOpen: true } } }),
      numbers: { contestId: 'c' },
      message: 'contest c, which is settled',
    },
    {
      name: 'a reveal in a contest that was cancelled',
      action: reveal,
      view: () => ({ seats: { c: { phase: 'cancelled', revealable: true } } }),
      numbers: { contestId: 'c' },
      message: 'contest c, which is cancelled',
    },
    {
      name: 'a ticket of nobody',
      action: cancelTicket({ ticketId: 't' }),
      view: () => ({ tickets: ['other'] }),
      numbers: { ticketId: 't' },
      message: 'ticket t is not an open ticket of this bot',
    },
  ],
  SIDE_TAKEN: [
    {
      name: 'the side somebody has',
      action: join({ side: 'UP' }),
      view: () => ({ joinable: { c: { sided: true, sidesTaken: ['UP'] } } }),
      numbers: { contestId: 'c', side: 'UP' },
      message: 'side UP of contest c is taken',
    },
  ],
  SIDE_UNDECIDED: [
    {
      name: 'no side where one is needed',
      action: join(),
      view: () => ({ joinable: { c: { sided: true } } }),
      numbers: { contestId: 'c' },
      message: 'neither the action nor a predictor named one',
    },
  ],
  SIBLING_IN_CONTEST: [
    {
      name: 'a contest that another bot of the config is in',
      action: join(),
      view: () => ({ joinable: { c: {} }, sibling: (where) => ('contestId' in where && where.contestId === 'c' ? 'bob' : undefined) }),
      numbers: { sibling: 'bob' },
      message: 'bob, a bot of the same config',
    },
    {
      name: 'a ticket that could be matched with that of another',
      action: queue(usdc('2')),
      view: () => ({
        sibling: (where) =>
          'mode' in where && where.mode === 'draft_basket' && where.stake === usdc('2') && where.durationSec === 20 ? 'bob' : undefined,
      }),
      numbers: { sibling: 'bob' },
      message: 'bob, a bot of the same config',
    },
  ],
  TOKEN_NOT_AVAILABLE: [
    {
      name: 'a token that is gone',
      action: draftPick({ contestId: 'c', token: 'gone' }),
      view: () => ({ seats: { c: { draftable: ['a', 'b'] } } }),
      numbers: { contestId: 'c', token: 'gone', available: 2 },
      message: 'gone is not among the 2 tokens left',
    },
    {
      name: 'a pick out of turn',
      action: draftPick({ contestId: 'c', token: 'a' }),
      view: () => ({ seats: { c: {} } }),
      numbers: { contestId: 'c', token: 'a', available: 0 },
      message: 'turn to pick',
    },
  ],
  COMMIT_NOT_OPEN: [
    {
      name: 'a commitment nobody waits for',
      action: commitPrediction({ contestId: 'c', price: '1' }),
      view: () => ({ seats: { c: {} } }),
      numbers: { contestId: 'c' },
      message: 'takes no commitment of this bot now',
    },
  ],
  NOTHING_TO_REVEAL: [
    {
      name: 'a reveal of nothing',
      action: reveal,
      view: () => ({ seats: { c: { commitOpen: true } } }),
      numbers: { contestId: 'c' },
      message: 'no commitment of this bot in contest c',
    },
  ],
}

const cases = REFUSAL_CODES.flatMap((code) => REFUSALS[code].map((row) => ({ code, ...row })))

describe('check refuses', () => {
  test('with every code there is a case of', () => {
    for (const code of REFUSAL_CODES) expect(REFUSALS[code].length, code).toBeGreaterThan(0)
    expect(new Set(REFUSAL_CODES).size).toBe(19)
  })

  test.each(cases)('$code: $name', ({ code, action, view, numbers, message }) => {
    const shown = guardView(view?.())
    const { pendingStake, pendingEntries, unseenStake } = shown.reservations
    expect(check('refused', action, shown)).toEqual({ ok: false, refusal: { code, message: expect.stringContaining(message), numbers } })
    // What is refused holds nothing.
    const { reservations } = shown
    expect([reservations.pendingStake, reservations.pendingEntries, reservations.unseenStake]).toEqual([
      pendingStake,
      pendingEntries,
      unseenStake,
    ])
  })
})

describe('at the limit exactly an entry passes, a unit over it does not', () => {
  const boundaries: readonly (readonly [name: string, code: RefusalCode, changes: () => ViewChanges, stake: bigint])[] = [
    ['own stake cap', 'STAKE_OVER_OWN_CAP', () => ({}), usdc('5')],
    ["the service's stake cap", 'STAKE_OVER_SERVICE_CAP', () => ({ limits: limits({ maxStake: usdc('3') }) }), usdc('3')],
    [
      'own daily loss: 20 = 10 lost + 7 in play + 2 pending + 1',
      'DAILY_LOSS_OWN',
      () => ({ lostToday: usdc('10'), inPlay: usdc('7'), reservations: holdingAndPlaced() }),
      usdc('1'),
    ],
    [
      "the service's daily loss: 15 = 5 lost + 3 in play + 2 pending + 4 placed + 1",
      'DAILY_LOSS_SERVICE',
      () => ({
        limits: limits({ dailyLossCap: usdc('15'), lostToday: usdc('5'), inPlay: usdc('3') }),
        reservations: holdingAndPlaced(),
      }),
      usdc('1'),
    ],
    [
      'the bankroll: 7 = 2 pending + 4 placed + 1',
      'BANKROLL',
      () => ({ available: { value: usdc('7'), begunAt: NOW_MS }, reservations: holdingAndPlaced() }),
      usdc('1'),
    ],
  ]
  // By all three ways in: a ticket, a contest of one's own, a contest of others.
  const ways = (stake: bigint): readonly (readonly [Action, ViewChanges])[] => [
    [queue(stake), {}],
    [create(stake), {}],
    [join(), { joinable: { c: { stake } } }],
  ]

  test.each(boundaries)('%s', (_name, code, changes, stake) => {
    for (const [action, listed] of ways(stake)) expect(codeOf(action, { ...changes(), ...listed }), action.type).toBe('approved')
    for (const [action, listed] of ways(stake + 1n)) expect(codeOf(action, { ...changes(), ...listed }), action.type).toBe(code)
  })

  test('open contests: the third of three', () => {
    expect(codeOf(queue(), { openContests: 1, openTickets: 1 })).toBe('approved')
    expect(codeOf(queue(), { openContests: 2, reservations: holding(1n) })).toBe('OPEN_CONTESTS')
    expect(codeOf(queue(), { openTickets: 3 })).toBe('OPEN_CONTESTS')
    expect(codeOf(queue(), { openContests: 3 })).toBe('OPEN_CONTESTS')
  })

  test('figures a minute old', () => {
    expect(codeOf(queue(), { limits: limits({}, NOW_MS - 60_000) })).toBe('approved')
    expect(codeOf(queue(), { limits: limits({}, NOW_MS - 60_001) })).toBe('LIMITS_UNKNOWN')
  })
})

describe('what is no entry', () => {
  const seats = { c: { draftable: ['t'], commitOpen: true, revealable: true } }
  const moves: readonly Action[] = [
    cancelTicket({ ticketId: 't' }),
    leaveContest({ contestId: 'c' }),
    ready({ contestId: 'c', ready: true }),
    draftPick({ contestId: 'c', token: 't' }),
    commitPrediction({ contestId: 'c', price: '187.25' }),
    reveal,
  ]

  test.each(moves)(
    '$type is let out while draining, behind the stream, over every cap and with no limits read: money in play depends on it',
    (action) => {
      const trouble: ViewChanges = {
        runMode: 'draining',
        caughtUp: false,
        limits: undefined,
        available: undefined,
        lostToday: usdc('99'),
        openContests: 99,
        sibling: () => 'bob',
      }
      const view = guardView({ ...trouble, seats, tickets: ['t'] })
      expect(check('key', action, view)).toEqual({ ok: true, action })
      expect([view.reservations.pendingStake, view.reservations.pendingEntries]).toEqual([0n, 0])
      expect(isEntry(action)).toBe(false)
    },
  )

  test('a seat in a contest that is still open can be left and readied', () => {
    expect(codeOf(leaveContest({ contestId: 'c' }), { seats: { c: { phase: 'open' } } })).toBe('approved')
    expect(codeOf(ready({ contestId: 'c', ready: true }), { seats: { c: { phase: 'open' } } })).toBe('approved')
  })
})

describe('a side', () => {
  const sided = { joinable: { c: { sided: true, sidesTaken: ['DOWN'] } } }

  test('that is free is taken; where none is needed none is asked for', () => {
    expect(codeOf(join({ side: 'UP' }), sided)).toBe('approved')
    expect(codeOf(join(), { joinable: { c: { sided: false, sidesTaken: ['DOWN'] } } })).toBe('approved')
  })
})

describe('an approval', () => {
  test('reserves its stake in the check itself: the same money does not pass twice', () => {
    const view = guardView({ available: { value: usdc('5'), begunAt: NOW_MS } })
    expect(check('first', queue(usdc('3')), view).ok).toBe(true)
    expect(view.reservations).toMatchObject({ pendingStake: usdc('3'), pendingEntries: 1, unseenStake: usdc('3') })
    const second = check('second', queue(usdc('3'), { mode: 'up_down' }), view)
    expect(second).toMatchObject({ ok: false, refusal: { code: 'BANKROLL', numbers: { reserved: usdc('3') } } })
    expect(check('third', queue(usdc('2'), { mode: 'up_down' }), view).ok).toBe(true)
  })

  test('of a contest joined reserves the stake that was listed', () => {
    const view = guardView({ joinable: { c: { stake: usdc('4') } } })
    expect(check('key', join(), view).ok).toBe(true)
    expect(view.reservations.pendingStake).toBe(usdc('4'))
  })

  test('is known by the very object: no copy, and nothing made by hand, passes for one', () => {
    const action = queue()
    const verdict = check('key', action, guardView())
    if (!verdict.ok) throw new Error(verdict.refusal.message)
    expect(verdict.action).toEqual(action)
    expect(isApproved(verdict.action)).toBe(true)
    const copies: readonly Action[] = [{ ...verdict.action }, structuredClone(verdict.action), Object.freeze({ ...verdict.action })]
    for (const other of [action, ...copies, Object.create(verdict.action) as Action]) {
      expect(isApproved(other)).toBe(false)
    }
    const branded = { ...action, [Symbol('approval')]: true, approval: true }
    expect(isApproved(branded)).toBe(false)
  })

  test('is not given for a refused action', () => {
    const action = queue(usdc('6'))
    expect(check('key', action, guardView()).ok).toBe(false)
    expect(isApproved(action)).toBe(false)
  })

  test('can be changed by nobody, in no part of it', () => {
    const params = { pool: ['a', 'b'], rules: { picks: 3 } }
    const action = createContest({ mode: 'draft_basket', chain: 'solana', format: 'lobby', stake: usdc('1'), durationSec: 20, params })
    const verdict = check('key', action, guardView())
    if (!verdict.ok) throw new Error(verdict.refusal.message)
    const approved = verdict.action as unknown as { stake: bigint; params: { pool: string[]; rules: { picks: number } } }
    expect(() => {
      approved.stake = usdc('50')
    }).toThrow(TypeError)
    expect(() => approved.params.pool.push('c')).toThrow(TypeError)
    expect(() => {
      approved.params.rules.picks = 9
    }).toThrow(TypeError)
    // Nor by whoever holds what it was made from, which stays free to change.
    params.pool.push('c')
    params.rules.picks = 9
    expect(approved.params).toEqual({ pool: ['a', 'b'], rules: { picks: 3 } })
  })

  test('is of what was checked: an action that shows another stake each time it is looked at gains nothing', () => {
    let looks = 0
    const shifty = {
      ...queue(),
      get stake() {
        looks += 1
        return looks === 1 ? usdc('1') : usdc('40')
      },
    }
    const view = guardView()
    const verdict = check('key', shifty, view)
    expect(verdict).toMatchObject({ ok: true, action: { stake: usdc('1') } })
    expect(view.reservations.pendingStake).toBe(usdc('1'))
  })

  test('is given once under a key: a second under it is a fault of the framework and stops it', () => {
    const view = guardView()
    expect(check('key', queue(), view).ok).toBe(true)
    expect(() => check('key', queue(usdc('2')), view)).toThrow(expect.objectContaining({ code: 'INVARIANT', details: { key: 'key' } }))
  })
})
