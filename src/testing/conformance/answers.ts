import { isPlayedBy } from '../../contract/modes.ts'
import { messageOf } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import { readAction, readSwapIntent } from '../../strategy/action.ts'
import type { RuleName } from './rules.ts'

/** What is wrong with an answer; undefined where nothing is. */
export type Verdict = { readonly rule: RuleName; readonly message: string } | undefined

/** Fields that are amounts of money, or prices. */
const AMOUNTS: ReadonlySet<string> = new Set(['stake', 'amount', 'price'])

export const judgeAction = (value: unknown): Verdict => judgeFields(value) ?? judgeForm('an action', () => readAction(value))
export const judgeSwap = (value: unknown): Verdict => judgeFields(value) ?? judgeForm('a swap', () => readSwapIntent(value))

export function judgePick(
  value: unknown,
  { available, mine, theirs }: Record<'available' | 'mine' | 'theirs', readonly string[]>,
): Verdict {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'string') return { rule: 'invalid-answer', message: `it picked ${show(value)}, which is no mint` }
  if (available.includes(value)) return undefined
  const who = mine.includes(value) ? 'it has itself' : theirs.includes(value) ? 'the others have' : 'is not in the draft'
  return { rule: 'token-not-available', message: `it picked ${value}, which ${who}` }
}

export function judgePrediction(value: unknown, mode: string): Verdict {
  if (value === null || value === undefined) return undefined
  const found = judgeFields(value)
  if (found !== undefined) return found
  const { price, side } = typeof value === 'object' ? (value as { price?: unknown; side?: unknown }) : {}
  if (isPlayedBy(mode, 'side')) {
    return side === 'UP' || side === 'DOWN'
      ? undefined
      : { rule: 'invalid-answer', message: `it answered ${show(value)} to up_down: { side: 'UP' } or { side: 'DOWN' }` }
  }
  if (typeof price !== 'string')
    return { rule: 'invalid-answer', message: `it answered ${show(value)} to price_prediction: { price: '187.25' }` }
  return judgeForm('a price', () => readAction({ type: 'commitPrediction', contestId: 'c', price }))
}

/** Numbers that are none, and amounts that are not above 0, in the fields of an answer. */
function judgeFields(value: unknown): Verdict {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, field] of Object.entries(value)) {
    if (isNoNumber(field) || (AMOUNTS.has(key) && typeof field === 'string' && isNoNumber(Number(field)))) {
      return { rule: 'not-a-number', message: `${key} is ${show(field)}` }
    }
    const isAmount = AMOUNTS.has(key) && (typeof field === 'bigint' || typeof field === 'number' || typeof field === 'string')
    if (isAmount && Number(field) <= 0) return { rule: 'amount-not-positive', message: `${key} is ${show(field)}` }
  }
  return undefined
}

const isNoNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value)

function judgeForm(what: string, read: () => unknown): Verdict {
  try {
    read()
    return undefined
  } catch (thrown) {
    return { rule: 'invalid-answer', message: `what it answered is not ${what}: ${messageOf(thrown)}` }
  }
}
