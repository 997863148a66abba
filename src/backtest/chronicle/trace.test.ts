import { expect, test } from 'vitest'
import type { Step } from '../../pipeline/index.ts'
import { swap } from '../../strategy/action.ts'
import { Fingerprint } from './fingerprint.ts'
import { trace } from './trace.ts'

const action = swap({ contestId: 'c', from: 'A', to: 'B', amount: 5n })
const intent = { key: '1:s:0', action, at: 1, stake: 5n, risk: 1n }
const refused = { strategy: 's', action, refusal: { code: 'GAS_LOW', message: 'it has 3', numbers: { gasLamports: 3n } } } as const
const outcome = { key: '1:s:0', status: 'filled', made: 'm', detail: 'd' } as const
const fill = { key: '1:s:0', contestId: 'c', at: 1, from: 'A', to: 'B', given: 5n, received: 6n, feeLamports: 0n, source: 'chain' } as const
const custody = { contestId: 'c', entryId: 'e', price: '1', salt: '', commitment: 'x', status: 'made' } as const
const order = { key: '1:s:0', action, request: { procedure: 'agent.queue.cancel', input: { ticketId: 't' } } }

interface Decided {
  intents?: readonly object[]
  refused?: readonly object[]
  outcomes?: readonly object[]
  fills?: readonly object[]
  custody?: readonly object[]
  orders?: readonly object[]
}

/** The fingerprint of one step; undefined where nothing went into it. */
function traced({ refused: kept = [], orders = [], ...record }: Decided, at = 1): string | undefined {
  const fingerprint = new Fingerprint()
  const step = {
    ...{ input: { type: 'timer', n: 1, at }, refused: kept, orders },
    record: { n: 1, at: 1, intents: [], outcomes: [], custody: [], swaps: [], fills: [], refusals: [], ...record },
  }
  return trace(step as unknown as Step, fingerprint) ? fingerprint.hex() : undefined
}

test('every field that says what was decided, or what became of it, is in a trace', () => {
  const whole: Decided = {
    ...{ intents: [intent], refused: [refused], outcomes: [outcome], fills: [fill], custody: [custody], orders: [order] },
  }
  const other: Decided[] = [
    { intents: [] },
    { intents: [intent, intent] },
    { intents: [{ ...intent, key: '2:s:0' }] },
    { intents: [{ ...intent, stake: 6n }] },
    { intents: [{ ...intent, risk: 2n }] },
    ...[{ type: 'sweep' }, { contestId: 'd' }, { from: 'C' }, { to: 'C' }, { amount: 6n }, { maxSlippageBps: 9 }].map((change) => ({
      intents: [{ ...intent, action: { ...action, ...change } }],
    })),
    { intents: [{ ...intent, action: { type: 'draftPick', contestId: 'c', token: 'A' } }] },
    { intents: [{ ...intent, action: { type: 'draftPick', contestId: 'c', token: 'B' } }] },
    { refused: [] },
    { refused: [{ ...refused, strategy: 'r' }] },
    { refused: [{ ...refused, action: { ...action, amount: 6n } }] },
    { refused: [{ ...refused, refusal: { ...refused.refusal, code: 'DRAINING' } }] },
    { refused: [{ ...refused, refusal: { ...refused.refusal, numbers: { gasLamports: 4n } } }] },
    ...[{ key: '2:s:0' }, { status: 'reverted' }, { made: 'n' }, { detail: 'e' }].map((change) => ({
      outcomes: [{ ...outcome, ...change }],
    })),
    ...[{ key: '2:s:0' }, { given: 6n }, { received: 7n }].map((change) => ({
      fills: [{ ...fill, ...change }],
    })),
    ...[{ contestId: 'd' }, { commitment: 'y' }, { status: 'revealed' }].map((change) => ({ custody: [{ ...custody, ...change }] })),
    { orders: [{ ...order, key: '2:s:0' }] },
    { orders: [{ ...order, request: { procedure: 'agent.queue.enqueue' } }] },
  ]
  const traces = [whole, ...other.map((change) => ({ ...whole, ...change }))].map((decided) => traced(decided))
  expect(new Set([...traces, traced(whole, 2)]).size).toBe(traces.length + 1)
  expect(traced(whole)).toBe(traces[0])
  expect(traced({})).toBeUndefined()
})
