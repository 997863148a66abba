import { expect, test } from 'vitest'
import type { Random } from '../../core/random.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { Contest } from '../index.ts'
import type { HouseSeat } from './houseMode.ts'
import { swapMode } from './swapMode.ts'

// A window of 100 s from 1,000,000 on. Halves of everything are drawn: it buys at 11 s, looks again at 47.5 s, sells at 85 s.
const START_MS = 1_000_000
const contest: Pick<Contest, 'durationSec' | 'endsAt'> = { durationSec: 100, endsAt: START_MS + 100_000 }
const after = (seconds: number) => START_MS + seconds * 1000
const half: Random = { next: () => 0.5, integer: (min) => min, pick: ([first]) => first, normal: () => 0 }

const mode = swapMode({ tokens: () => ['a', 'b'], temper: { looksAgain: 1, sells: 1 } })

interface Situation {
  readonly seconds: number
  readonly fills: number
  readonly held?: string
  /** What it expects of each token; 0 of any other. */
  readonly hopes: Readonly<Record<string, number>>
}

/** What it does next: at which second, from what, to what. */
function next({ seconds, fills, held, hopes }: Situation) {
  const seat: Partial<HouseSeat> = {
    entryId: 'me',
    skill: 'random',
    contest: contest as Contest,
    now: after(seconds),
    view: { positions: held === undefined ? [] : [{ token: held, amount: '7' }], traders: [{ entryId: 'me', fills }] },
    random: () => half,
    expect: ({ mint }) => hopes[mint] ?? 0,
    // A feed says nothing of USDC.
    priceAt: (mint) => (mint === USDC_MINT ? null : '1'),
  }
  const plan = mode.plan(seat as HouseSeat)
  const swap = plan?.decide() ?? null
  return plan === null
    ? null
    : { second: (plan.atMs - START_MS) / 1000, swap: swap?.type === 'swap' ? [swap.from, swap.to, swap.amount] : null }
}

test('it first buys what it expects most of', () => {
  expect(next({ seconds: 0, fills: 0, hopes: { a: 1, b: 2 } })).toEqual({ second: 11, swap: [USDC_MINT, 'b', usdc('100')] })
})

test('it looks again, and changes all of what it holds for what it now likes better: a token, or USDC', () => {
  const bought = { seconds: 12, fills: 1, held: 'b' }
  expect(next({ ...bought, hopes: { a: 3, b: 2 } })).toEqual({ second: 47.5, swap: ['b', 'a', 7n] })
  expect(next({ ...bought, hopes: { a: -1, b: -2 } })).toEqual({ second: 47.5, swap: ['b', USDC_MINT, 7n] })
})

test('a look that changes nothing is over: what comes next is the sale', () => {
  const hopes = { a: 1, b: 2 }
  for (const seconds of [47.5, 60, 85]) {
    expect(next({ seconds, fills: 1, held: 'b', hopes })).toEqual({ second: 85, swap: ['b', USDC_MINT, 7n] })
  }
})

test('it changes once', () => {
  expect(next({ seconds: 48, fills: 2, held: 'a', hopes: { b: 9 } })).toEqual({ second: 85, swap: ['a', USDC_MINT, 7n] })
})

test('with nothing left, and with the window closed, it is done', () => {
  expect(next({ seconds: 90, fills: 2, hopes: {} })).toBeNull()
  expect(next({ seconds: 100, fills: 0, hopes: {} })).toBeNull()
})
