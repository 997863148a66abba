import { expect, test } from 'vitest'
import type { Input } from './input.ts'
import { inputOf, recordedBody } from './recorded.ts'

const answer = (output: unknown): Input => ({
  type: 'answer',
  n: 4,
  at: 1000,
  begunAt: 900,
  request: { procedure: 'agent.bankroll', input: null, purpose: 'bankroll' },
  result: { ok: true, output: output as never },
})

test('an input comes back as it was, its amounts too', () => {
  const input = answer({ available: 12_500_000n, wallet: undefined, note: '12n' })
  const recorded = JSON.parse(JSON.stringify(recordedBody(input as never))) as ReturnType<typeof recordedBody>
  expect(inputOf(recorded, input)).toEqual(input)
})

test('a service that answers with a field no library will write does not stop the bot', () => {
  const odd = answer(JSON.parse('{"available":"1","constructor":{"prototype":"x"}}'))
  const recorded = recordedBody(odd as never)
  expect(JSON.stringify(recorded.body)).toContain('"constructor"')
})

test('a salt is not recorded', () => {
  const custody = [{ contestId: 'c', entryId: 'e', price: '1', salt: 'salt-of-the-test-0001', commitment: 'ab', status: 'made' }]
  const started = { type: 'started', n: 1, at: 0, pending: [], custody, claimed: [], swaps: [], fills: [], hasChain: true, counts: {} }
  expect(JSON.stringify(recordedBody(started as never))).not.toContain('salt-of-the-test')
})
