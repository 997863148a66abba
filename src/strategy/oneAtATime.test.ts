import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../core/clock.ts'
import { type SwapIntent, swap } from './action.ts'
import { type OneAtATimeOptions, oneAtATime } from './oneAtATime.ts'
import type { SwapOutcome } from './view.ts'

const BUY = swap({ from: 'usdc', to: 'sol', amount: 10n })
const SELL = swap({ from: 'sol', to: 'usdc', amount: 7n })
const FAILED: SwapOutcome = { status: 'failed', reason: 'reverted' }
const REFUSED: SwapOutcome = { status: 'refused', code: 'QUOTE_IMPACT', message: '', numbers: {} }
const FILLED: SwapOutcome = {
  status: 'filled',
  fill: {
    ...{ key: 'k', contestId: 'c', signature: undefined, at: 0, from: 'usdc', to: 'sol' },
    ...{ given: 10n, received: 7n, feeLamports: 0n, source: 'chain' as const },
  },
}

function gate(options?: OneAtATimeOptions) {
  const clock = new VirtualClock()
  const [wish$, outcome$] = [new Subject<SwapIntent | undefined>(), new Subject<SwapOutcome>()]
  const let$ = wish$.pipe(oneAtATime({ outcomes$: outcome$, clock }, options))
  const through: unknown[] = []
  const subscription = let$.subscribe({
    next: (intent) => through.push(intent),
    error: (thrown) => through.push(thrown),
    complete: () => through.push('ended'),
  })
  /** How many of these wishes come through. */
  const wished = (...wishes: readonly (SwapIntent | undefined)[]) => {
    const before = through.length
    for (const wish of wishes) wish$.next(wish)
    return through.length - before
  }
  return { clock, wish$, outcome$, let$, through, subscription, wished }
}

describe('oneAtATime', () => {
  test('lets a swap through, and no other before its outcome', () => {
    const { through, outcome$, wished } = gate()
    wished(undefined, BUY, BUY, SELL)
    expect(through).toEqual([BUY])
    outcome$.next(FILLED)
    wished(undefined, SELL, BUY)
    expect(through).toEqual([BUY, SELL])
  })

  test('an outcome that comes while the swap is handed on is its outcome', () => {
    const { let$, wish$, outcome$ } = gate()
    let count = 0
    let$.subscribe(() => {
      count += 1
      outcome$.next(FILLED)
    })
    wish$.next(BUY)
    wish$.next(BUY)
    expect(count).toBe(2)
  })

  test('lets what failed be tried again at once, three times in a row; then it rests', () => {
    const { outcome$, clock, wished } = gate()
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(wished(BUY)).toBe(1)
      outcome$.next(FAILED)
    }
    expect(wished(BUY)).toBe(0)
    clock.advanceTo(4999)
    expect(wished(BUY)).toBe(0)
    clock.advanceTo(5000)
    // Rested, it has its three tries again.
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(wished(BUY)).toBe(1)
      outcome$.next(FAILED)
    }
    expect(wished(BUY)).toBe(0)
  })

  test('counts failures in a row alone: a fill begins a new count', () => {
    const { outcome$, wished } = gate()
    for (const outcome of [FAILED, FAILED, FILLED, FAILED, FAILED]) {
      expect(wished(BUY)).toBe(1)
      outcome$.next(outcome)
    }
    expect(wished(BUY)).toBe(1)
  })

  test('lets a refused swap rest, and the way back go on', () => {
    const { outcome$, clock, wished } = gate()
    wished(BUY)
    outcome$.next(REFUSED)
    expect(wished(BUY)).toBe(0)
    expect(wished(SELL)).toBe(1)
    outcome$.next(FILLED)
    expect(wished(BUY)).toBe(0)
    clock.advanceTo(5000)
    expect(wished(BUY)).toBe(1)
  })

  test('tries and rests as it is told', () => {
    const { outcome$, clock, wished } = gate({ tries: 1, restSec: 60 })
    wished(BUY)
    outcome$.next(FAILED)
    clock.advanceTo(59_999)
    expect(wished(BUY)).toBe(0)
    clock.advanceTo(60_000)
    expect(wished(BUY)).toBe(1)
  })

  test('outcomes of swaps it did not let through change nothing', () => {
    const { outcome$, wished } = gate()
    outcome$.next(REFUSED)
    for (let count = 0; count < 3; count++) outcome$.next(FAILED)
    expect(wished(BUY)).toBe(1)
  })

  test('starts anew at each subscription, ends and fails with its source, and lets go of both streams', () => {
    const first = gate()
    first.wished(BUY)
    const again: unknown[] = []
    first.let$.subscribe((intent) => again.push(intent))
    first.wish$.next(BUY)
    expect([first.through, again]).toEqual([[BUY], [BUY]])

    const ending = gate()
    ending.wish$.complete()
    expect([ending.through, ending.outcome$.observed]).toEqual([['ended'], false])

    const failing = gate()
    failing.wish$.error('broken')
    expect([failing.through, failing.outcome$.observed]).toEqual([['broken'], false])

    const left = gate()
    left.subscription.unsubscribe()
    expect([left.wish$.observed, left.outcome$.observed]).toEqual([false, false])
  })
})
