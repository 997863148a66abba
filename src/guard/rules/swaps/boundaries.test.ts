import { describe, expect, test } from 'vitest'
import {
  BONK_MINT,
  buy,
  codeOf,
  guardView,
  holding,
  holdingSol,
  NOW_MS,
  sell,
  swapping,
  type ViewChanges,
} from '../../../../test/support/guard/guardView.ts'
import { SOL_MINT, USDC_MINT } from '../../../core/tokens.ts'
import { usdc } from '../../../core/usdc.ts'
import { type Action, sweep } from '../../../strategy/action.ts'
import { check } from '../../guard.ts'
import type { RefusalCode } from '../../verdict.ts'

const LEFT = sweep({ contestId: 'c', from: SOL_MINT, to: USDC_MINT, amount: 100_000_000n })
const over = holdingSol({ phase: 'settled' })

describe('at the limit exactly a swap passes, one unit over it does not', () => {
  const price = (ageMs: number) => ({ prices: { [SOL_MINT]: { price: '150', ageMs } } })
  const rich = { c: { held: { [SOL_MINT]: 10n ** 9n } } }
  const free = (value: bigint) => ({ available: { value, begunAt: NOW_MS }, reservations: holding(usdc('2')) })
  const lost = (swapLoss: bigint) => ({ lostToday: usdc('10'), swapLoss, inPlay: usdc('7'), reservations: holding(usdc('2')) })

  const boundaries: readonly (readonly [
    name: string,
    code: RefusalCode,
    at: readonly [Action, ViewChanges?],
    over: readonly [Action, ViewChanges?],
  ])[] = [
    ['amount', 'SWAP_AMOUNT_INVALID', [buy({ amount: 1n })], [buy({ amount: 0n })]],
    ['size in USDC', 'SWAP_TOO_LARGE', [buy({ amount: usdc('25') })], [buy({ amount: usdc('25') + 1n })]],
    [
      'size by the feed',
      'SWAP_TOO_LARGE',
      [sell({ amount: 166_666_666n }), { traded: rich }],
      [sell({ amount: 166_666_667n }), { traded: rich }],
    ],
    ['free USDC: 12 less 2 pending', 'SWAP_OVER_BALANCE', [buy(), free(usdc('12'))], [buy(), free(usdc('12') - 1n)]],
    [
      'what the contest holds',
      'SWAP_OVER_BALANCE',
      [sell(), { traded: holdingSol() }],
      [sell({ amount: 100_000_001n }), { traded: holdingSol() }],
    ],
    ['slippage', 'SLIPPAGE_OVER_CAP', [buy({ maxSlippageBps: 50 })], [buy({ maxSlippageBps: 51 })]],
    ['age of a price', 'PRICE_STALE', [buy(), price(15_000)], [buy(), price(15_001)]],
    ['swaps of a contest', 'SWAPS_IN_CONTEST', [buy(), { traded: { c: { swaps: 39 } } }], [buy(), { traded: { c: { swaps: 40 } } }]],
    [
      'swaps of a minute',
      'SWAPS_IN_MINUTE',
      [buy(), { swapsInMinute: 19, traded: { c: { swaps: 1 } } }],
      [buy(), { swapsInMinute: 20, traded: { c: { swaps: 1 } } }],
    ],
    [
      'swaps of a minute, less those that are kept',
      'SWAPS_IN_MINUTE',
      [buy(), { swapsInMinute: 17, unswapped: () => 2, traded: { c: { swaps: 1 } } }],
      [buy(), { swapsInMinute: 18, unswapped: () => 2, traded: { c: { swaps: 1 } } }],
    ],
    [
      'gas',
      'GAS_LOW',
      [buy(), { gasLamports: { value: 5_000_000n, begunAt: NOW_MS - 60_000 } }],
      [buy(), { gasLamports: { value: 4_999_999n, begunAt: NOW_MS } }],
    ],
    ['daily loss: 10 + 0.85 + 7 + 2 + 0.15 = 20', 'DAILY_LOSS_OWN', [buy(), lost(850_000n)], [buy(), lost(850_001n)]],
  ]

  test.each(boundaries)('%s', (_name, code, at, past) => {
    expect(codeOf(...at)).toBe('approved')
    expect(codeOf(...past)).toBe(code)
  })
})

describe('a sale', () => {
  // Everything that stands in the way of a buy, and nothing that says what may be sold.
  const trouble: ViewChanges = {
    ...{ limits: undefined, available: undefined, inPlay: undefined, swapLoss: undefined },
    ...{ lostToday: usdc('99'), drawdown: usdc('99'), openContests: 99, config: { maxDrawdown: usdc('1') } },
    ...{ streak: { losses: 99, lastAt: NOW_MS }, runMode: 'draining', stopped: 'entries' },
  }

  test('into USDC is let out over every cap on losses, and with no figures read: it ends a risk', () => {
    expect(codeOf(sell(), { ...trouble, traded: holdingSol() })).toBe('approved')
    expect(codeOf(LEFT, { ...trouble, traded: over })).toBe('approved')
    const known: ViewChanges = { lostToday: usdc('20'), traded: holdingSol() }
    expect(codeOf(sell(), known)).toBe('approved')
    for (const action of [buy(), sell({ to: BONK_MINT })]) {
      expect(codeOf(action, known)).toBe('DAILY_LOSS_OWN')
      expect(codeOf(action, { ...trouble, traded: holdingSol() })).toBe('LIMITS_UNKNOWN')
    }
  })

  test('still holds what it may lose itself: what comes after it counts that', () => {
    const view = guardView({ traded: holdingSol() })
    const verdict = check('sale', sell(), view)
    expect(verdict).toMatchObject({ ok: true, hold: { kind: 'swap', stake: 0n, risk: usdc('0.225') } })
    const { pendingRisk, unseenSpend, pendingEntries } = view.reservations
    expect([pendingRisk, unseenSpend, pendingEntries]).toEqual([usdc('0.225'), 0n, 0])
  })

  test('of what a contest has left is let out whatever was swapped in it, however much it is and of whatever token', () => {
    const traded = { c: { phase: 'cancelled' as const, mode: 'unknown', swaps: 99, held: { [SOL_MINT]: 10n ** 12n } } }
    const all = sweep({ contestId: 'c', from: SOL_MINT, to: USDC_MINT, amount: 10n ** 12n })
    expect(codeOf(all, { traded, swapsInMinute: 99, config: { tokens: [BONK_MINT] } })).toBe('approved')
  })
})

describe('a swap', () => {
  test('goes on while the bot finishes its contests and while entries are stopped', () => {
    expect(codeOf(buy(), { runMode: 'draining' })).toBe('approved')
    expect(codeOf(buy(), { stopped: 'entries' })).toBe('approved')
    expect(codeOf(LEFT, { runMode: 'draining', traded: over })).toBe('approved')
  })

  test('of USDC is let out whatever tokens the config names; of the token a contest is about, too', () => {
    expect(codeOf(buy(), { config: { tokens: [SOL_MINT] }, traded: { c: { mode: 'same_token', token: SOL_MINT } } })).toBe('approved')
    expect(codeOf(buy({ to: BONK_MINT }), { config: { tokens: [SOL_MINT, BONK_MINT] } })).toBe('approved')
  })

  test('holds the USDC it takes and, rounded up, what it may lose to the feed', () => {
    const holds = (amount: bigint, maxFeedGapBps: number) => {
      const verdict = check('key', buy({ amount }), guardView({ config: { maxFeedGapBps } }))
      return verdict.ok ? [verdict.hold.stake, verdict.hold.risk] : verdict.refusal
    }
    expect(holds(usdc('10'), 150)).toEqual([usdc('10'), usdc('0.15')])
    expect(holds(1n, 150)).toEqual([1n, 1n])
    expect(holds(10_001n, 1)).toEqual([10_001n, 2n])
    expect(holds(10_000n, 1)).toEqual([10_000n, 1n])
    expect(holds(usdc('10'), 0)).toEqual([usdc('10'), 0n])
    expect(holds(usdc('10'), 10_000)).toEqual([usdc('10'), usdc('10')])
  })

  test('is the only one of its wallet until its outcome, whatever it swaps', () => {
    const view = guardView({ traded: { ...holdingSol(), d: { held: { [SOL_MINT]: 10n } } } })
    expect(check('first', buy(), view).ok).toBe(true)
    for (const action of [buy(), sell(), sell({ contestId: 'd', amount: 5n })]) {
      expect(check('second', action, view)).toMatchObject({ refusal: { code: 'SWAP_UNRESOLVED', numbers: { intent: 'first' } } })
    }
    view.reservations.place('first', 1)
    expect(check('second', sell(), view).ok).toBe(true)
    view.reservations.release('second')
    expect(check('third', buy(), view).ok).toBe(true)
  })

  test('and an entry never take the same money: what the one holds the other does not have', () => {
    const few: ViewChanges = { available: { value: usdc('12'), begunAt: NOW_MS }, reservations: swapping() }
    const view = guardView(few)
    view.reservations.place('3:holder:0', 4)
    expect(check('more', buy({ amount: usdc('2') + 1n }), view)).toMatchObject({ refusal: { code: 'SWAP_OVER_BALANCE' } })
    view.reservations.seen(4)
    expect(check('later', buy({ amount: usdc('2') + 1n }), view).ok, 'once the bankroll shows the swap').toBe(true)
  })
})
