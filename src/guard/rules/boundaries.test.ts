import { describe, expect, test } from 'vitest'
import { usdc } from '../../core/usdc.ts'
import { type Action, cancelTicket, commitPrediction, draftPick, leaveContest, ready } from '../../strategy/action.ts'
import { check } from '../guard.ts'
import { isEntry } from '../rule.ts'
import { codeOf, create, guardView, holding, holdingAndPlaced, join, limits, NOW_MS, queue, reveal, type ViewChanges } from '../testView.ts'
import type { RefusalCode } from '../verdict.ts'

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
