import { expect, test } from 'vitest'
import type { Step } from '../../pipeline/index.ts'
import { type Action, cancelTicket, enqueue, swap, sweep } from '../../strategy/action.ts'
import { Chronicle } from './chronicle.ts'

const terms = { contestId: 'c', from: 'A', to: 'B', amount: 5n }
const entry = enqueue({ mode: 'up_down', stake: 1n, durationSec: 15 })

/** A step in which the guard refused an action, as far as it is written down. */
function refusing(action: Action, code: string): Step {
  const record = { n: 1, at: 1, intents: [], outcomes: [], custody: [], swaps: [], fills: [], refusals: [] }
  const refused = [{ strategy: 's', action, refusal: { code, message: '', numbers: {} } }]
  return { input: { type: 'timer', n: 1, at: 1 }, isQuiet: true, notes: [], orders: [], refused, record } as unknown as Step
}

test('of what is refused for old prices, swaps and entries are counted apart, and what only waits for a price is not', () => {
  const chronicle = new Chronicle('bench', () => {})
  const stale = [swap(terms), swap(terms), sweep(terms), entry, cancelTicket({ ticketId: 't' })]
  for (const action of stale) chronicle.onStep(refusing(action, 'PRICE_STALE'))
  for (const action of [swap(terms), entry]) chronicle.onStep(refusing(action, 'DAILY_LOSS_OWN'))
  expect(chronicle.refused).toEqual({ PRICE_STALE: 5, DAILY_LOSS_OWN: 2 })
  expect(chronicle.onOldPrices).toEqual({ swaps: 2, entries: 1 })
})
