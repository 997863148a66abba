import { describe, expect, test } from 'vitest'
import {
  buy,
  codeOf,
  create,
  guardView,
  holding,
  holdingAndPlaced,
  join,
  limits,
  NOW_MS,
  playable,
  queue,
  reveal,
  swapping,
  type ViewChanges,
} from '../../../test/support/guard/guardView.ts'
import { type Mode, TRADING_MODES } from '../../contract/enums.ts'
import { usdc } from '../../core/usdc.ts'
import { type Action, cancelTicket, commitPrediction, draftPick, leaveContest, ready } from '../../strategy/action.ts'
import { check } from '../guard.ts'
import { Reservations } from '../reservations.ts'
import { isEntry } from '../rule.ts'
import type { RefusalCode } from '../verdict.ts'

/** A ledger with an entry of 10 USDC that another strategy has made in another mode. */
function ofOthers(): Reservations {
  const reservations = new Reservations()
  const [stake, risk] = [usdc('10'), usdc('10')]
  reservations.reserve({ key: 'others', identity: 'others', kind: 'entry', stake, risk, mode: 'best_trade', by: 'other' })
  return reservations
}

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
    [
      "the mode's budget: 4 = 3 spent + 1",
      'MODE_BUDGET',
      () => ({
        ...{ config: { modeBudgets: { draft_basket: usdc('4'), up_down: usdc('4') } } },
        // What is reserved of another mode is none of it.
        ...{ spentByMode: { draft_basket: usdc('3'), up_down: usdc('3') }, reservations: ofOthers() },
      }),
      usdc('1'),
    ],
    [
      "the strategy's budget: 4 = 3 spent + 1",
      'STRATEGY_BUDGET',
      () => ({ config: { strategyBudgets: { ladder: usdc('4') } }, spentByStrategy: { ladder: usdc('3') }, reservations: ofOthers() }),
      usdc('1'),
    ],
    [
      'the drawdown: 10 = 3 fallen + 4 in play + 2 pending + 1',
      'DRAWDOWN_STOP',
      () => ({ config: { maxDrawdown: usdc('10') }, drawdown: usdc('3'), inPlay: usdc('4'), reservations: holdingAndPlaced() }),
      usdc('1'),
    ],
    [
      'own daily loss with swaps: 20 = 10 lost + 4.7 by swaps + 4 in play + 0.3 that a swap may lose + 1',
      'DAILY_LOSS_OWN',
      () => ({ lostToday: usdc('10'), swapLoss: usdc('4.7'), inPlay: usdc('4'), reservations: swapping() }),
      usdc('1'),
    ],
    [
      'the bankroll with a swap: 11 = 10 of the swap + 1',
      'BANKROLL',
      () => ({ available: { value: usdc('11'), begunAt: NOW_MS }, reservations: swapping() }),
      usdc('1'),
    ],
    [
      "the service's daily loss, which swaps are no part of",
      'DAILY_LOSS_SERVICE',
      () => ({ limits: limits({ dailyLossCap: usdc('1') }), reservations: swapping() }),
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

  test('the mode and the strategy with what is reserved: 8 = 5 spent + 2 pending + 1', () => {
    const reservations = holdingAndPlaced
    const [stake, spent, budget] = [usdc('1'), usdc('5'), usdc('8')]
    const ofMode = () => ({ config: { modeBudgets: { up_down: budget } }, spentByMode: { up_down: spent }, reservations: reservations() })
    expect(codeOf(queue(stake, { mode: 'up_down' }), ofMode())).toBe('approved')
    expect(codeOf(queue(stake + 1n, { mode: 'up_down' }), ofMode())).toBe('MODE_BUDGET')
    const ofStrategy = () => ({
      ...{ by: 'other', config: { strategyBudgets: { other: budget } } },
      ...{ spentByStrategy: { other: spent }, reservations: reservations() },
    })
    expect(codeOf(queue(stake), ofStrategy())).toBe('approved')
    expect(codeOf(queue(stake + 1n), ofStrategy())).toBe('STRATEGY_BUDGET')
  })

  test('a strategy of any name has the budget it was given, and no other', () => {
    for (const by of ['constructor', '__proto__', 'toString']) {
      expect(codeOf(queue(), { by, config: { strategyBudgets: { ladder: 1n } } }), by).toBe('approved')
    }
  })

  test('a cool-down: a minute after the third loss', () => {
    const lost = (losses: number, ms: number) => ({
      ...{ config: { coolDown: { losses: 3, seconds: 60 } } },
      ...{ streak: { losses, lastAt: NOW_MS - ms } },
    })
    expect(codeOf(queue(), lost(3, 60_000))).toBe('approved')
    expect(codeOf(queue(), lost(3, 59_999))).toBe('COOL_DOWN')
    expect(codeOf(queue(), lost(4, 59_999)), 'each further loss begins it anew').toBe('COOL_DOWN')
    expect(codeOf(queue(), lost(2, 0))).toBe('approved')
    expect(codeOf(queue(), { streak: { losses: 99, lastAt: NOW_MS } }), 'without one in the config').toBe('approved')
  })

  test('gas, for the modes that are played by swaps alone', () => {
    const lamports = (value: bigint, begunAt = NOW_MS): ViewChanges => ({ gasLamports: { value, begunAt } })
    for (const mode of TRADING_MODES) {
      expect(codeOf(queue(usdc('1'), { mode }), lamports(5_000_000n)), mode).toBe('approved')
      expect(codeOf(queue(usdc('1'), { mode }), lamports(4_999_999n)), mode).toBe('GAS_LOW')
      expect(codeOf(queue(usdc('1'), { mode }), lamports(5_000_000n, NOW_MS - 60_000)), mode).toBe('approved')
      expect(codeOf(queue(usdc('1'), { mode }), lamports(5_000_000n, NOW_MS - 60_001)), mode).toBe('LIMITS_UNKNOWN')
    }
    for (const mode of ['draft_basket', 'price_prediction', 'up_down'] as const) {
      expect(codeOf(queue(usdc('1'), { mode }), lamports(0n)), mode).toBe('approved')
      expect(codeOf(queue(usdc('1'), { mode }), { gasLamports: undefined }), mode).toBe('approved')
    }
  })
})

test('prices, for the modes that are played by them', () => {
  for (const mode of [...TRADING_MODES, 'price_prediction'] as const) {
    const entry = queue(usdc('1'), { mode })
    expect(codeOf(entry, { pricesAgeMs: 120_000 }), mode).toBe('approved')
    expect(codeOf(entry, { pricesAgeMs: 120_001 }), mode).toBe('PRICE_STALE')
    expect(codeOf(entry, { pricesAgeMs: 600_000, config: { maxPriceAgeMs: 600_000 } }), mode).toBe('approved')
    expect(codeOf(entry, { pricesAgeMs: undefined }), mode).toBe('PRICE_UNKNOWN')
  }
  for (const mode of ['draft_basket', 'up_down'] as const)
    expect(codeOf(queue(usdc('1'), { mode }), { pricesAgeMs: undefined })).toBe('approved')
})

describe('where a bot may play', () => {
  test('is by default everywhere; a chain that is not named is Solana, opponents that are not named are any', () => {
    const any = { joinable: { c: { chain: 'robinhood', opponents: 'HUMAN' } } }
    for (const action of [queue(), queue(usdc('1'), { chain: 'robinhood', opponents: 'AGENT' }), create()]) {
      expect(codeOf(action)).toBe('approved')
    }
    expect(codeOf(join(), any)).toBe('approved')
    const narrow = { config: { modes: ['draft_basket' as const], chains: ['solana' as const], opponents: ['ANY' as const] } }
    expect(codeOf(queue(), narrow)).toBe('approved')
    expect(codeOf(join(), { ...narrow, joinable: { c: {} } })).toBe('approved')
    expect(codeOf(queue(usdc('1'), { opponents: 'AGENT' }), narrow), 'ANY lets nobody in who is named').toBe('OPPONENTS_NOT_ALLOWED')
  })
})

describe('the operator', () => {
  test('who stops entries stops those alone', () => {
    const view: ViewChanges = { stopped: 'entries', seats: { c: {} } }
    for (const action of [queue(), create()]) expect(codeOf(action, view)).toBe('ENTRIES_STOPPED')
    for (const action of [ready({ contestId: 'c', ready: true }), buy()]) expect(codeOf(action, view)).toBe('approved')
  })

  test('who stops everything stops no move that keeps what is in play, nor an unready', () => {
    const view: ViewChanges = { stopped: 'all', tickets: ['t'], seats: { c: { draftable: ['t'], commitOpen: true, revealable: true } } }
    const moves = [
      ...[cancelTicket({ ticketId: 't' }), leaveContest({ contestId: 'c' }), ready({ contestId: 'c', ready: false })],
      ...[draftPick({ contestId: 'c', token: 't' }), commitPrediction({ contestId: 'c', price: '187.25' }), reveal],
    ]
    for (const action of moves) expect(codeOf(action, view), action.type).toBe('approved')
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

  test.each(
    moves,
  )('$type is let out while draining, behind the stream, over every cap and with no limits read: money in play depends on it', (action) => {
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
    expect(check('key', action, view)).toEqual({ ok: true, action, hold: { kind: 'move', stake: 0n, risk: 0n } })
    expect([view.reservations.pendingStake, view.reservations.pendingEntries]).toEqual([0n, 0])
    expect(isEntry(action)).toBe(false)
  })

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

describe('contests of swaps', () => {
  const codeAt = (mode: Mode, perMinute: number, contests: number) => {
    const swapBudget = { perMinute, prices: 6, looks: 2, others: 0, requestsPerSwap: 2, contests }
    return codeOf(queue(usdc('1'), { mode }), { playable: playable({ swapBudget }) })
  }

  test('are entered while two swaps a minute of each are borne', () => {
    // 30 without a key, less 6 of prices and 2 of looks, are five contests of two swaps of two requests.
    expect(codeAt('pnl_usd', 30, 4)).toBe('approved')
    expect(codeAt('pnl_usd', 30, 5)).toBe('SWAP_BUDGET')
    expect(codeAt('pnl_usd', 12, 0)).toBe('approved')
    expect(codeAt('pnl_usd', 11, 0)).toBe('SWAP_BUDGET')
    expect(codeAt('up_down', 1, 9)).toBe('approved')
  })

  test('are entered while the requests left in this minute make their first swaps, and sales', () => {
    const codeLeft = (free: number, unswapped: number) =>
      codeOf(queue(usdc('1'), { mode: 'pnl_usd' }), {
        playable: playable({ swapBudget: { perMinute: 60, free, prices: 0, looks: 0, others: 0, requestsPerSwap: 2, contests: 0 } }),
        unswapped: () => unswapped,
      })
    expect([codeLeft(12, 2), codeLeft(11, 2)]).toEqual(['approved', 'SWAP_BUDGET'])
    expect([codeLeft(4, 0), codeLeft(3, 0)]).toEqual(['approved', 'SWAP_BUDGET'])
  })
})
