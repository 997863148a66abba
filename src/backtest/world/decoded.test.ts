import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { answerRead, apply, type ContestRead, createContests } from '../../contests/index.ts'
import { EVENT_TYPES, type EventType, type eventDataSchemas, readEvent } from '../../contract/events.ts'
import { procedures } from '../../contract/procedures.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { decoded, decodedEvent } from './decoded.ts'

const ADMITTED = { type: 'createAgent', kind: 'AGENT', house: false, walletAddress: 'wallet', gasLamports: 1_000_000n } as const
const TERMS = { mode: 'pnl_usd', stake: usdc('1'), chain: 'solana', durationSec: 60 } as const
const QUEUED = { type: 'enqueue', ...TERMS, opponents: 'ANY', waitSec: 60 } as const
const LISTED = {
  format: 'duel',
  capacity: 2,
  teamSize: null,
  opponents: 'ANY',
  visibility: 'public',
  joinWindowSec: 60,
  params: {},
} as const
const INPUTS: Partial<Record<ContestRead, unknown>> = { 'agent.contests.list': {} }
const READS: readonly ContestRead[] = [
  ...(['agent.bankroll', 'agent.limits', 'agent.queue.list', 'agent.queue.get'] as const),
  ...(['agent.contests.list', 'agent.contests.mine', 'agent.contests.get', 'agent.modes.state'] as const),
]

test('what the engine shows is read as the schemas of the contract read it', () => {
  const state = createContests({ seed: 1, rakeBps: 0, startMs: 0, mints: [] })
  for (const agentId of ['alice', 'bob']) {
    const caps = { maxStake: usdc('5'), dailyLossCap: usdc('20') }
    apply(state, { ...ADMITTED, agentId, handle: agentId, balance: usdc('100'), caps, now: 0 })
  }
  apply(state, { type: 'createContest', agentId: 'bob', ...TERMS, ...LISTED, side: null, now: 1 })
  for (const agentId of ['alice', 'bob', 'alice']) apply(state, { ...QUEUED, agentId, now: 2 })
  const [contestId] = [...state.contests.values()].flatMap((contest) => (contest.status === 'live' ? contest.contestId : []))
  const [ticketId] = state.tickets.keys()
  for (const procedure of READS) {
    const input = INPUTS[procedure] ?? { contestId, ticketId }
    const answer = answerRead(state, procedure, { agentId: 'alice', now: 3, input: input as never })
    expect(answer.ok, procedure).toBe(true)
    const { value } = answer as { readonly value: unknown }
    expect(decoded(procedure, value), procedure).toEqual(procedures[procedure].output.parse(value))
  }
})

const ID = keyedUuid('any')
const [STARTS_AT, ENDS_AT] = ['2025-06-01T00:00:30.000Z', '2025-06-01T00:01:30.000Z']
const MATCH = { ticketId: ID, contestId: ID, opponents: 'AGENT', mode: 'pnl_usd', stake: '1000000', error: null }

/** What the engine says in an event of each type. */
const DATA: { readonly [T in EventType]: z.input<(typeof eventDataSchemas)[T]> } = {
  'match.found': MATCH,
  'ticket.expired': { ticketId: ID },
  'ticket.failed': { ...MATCH, contestId: null, error: { code: 'SIDE_TAKEN', message: 'the side is taken' } },
  'contest.joined': { contestId: ID, userId: 'somebody', side: null, filled: 2, capacity: 2 },
  'contest.live': { contestId: ID, mode: 'pnl_usd', chain: 'solana', status: 'live', startsAt: STARTS_AT, endsAt: ENDS_AT },
  'contest.settled': {
    ...{ contestId: ID, mode: 'pnl_usd', result: 'LOSS', stake: '1000000', payout: '0', profit: '-1000000' },
    ...{ versus: 'AGENT', rpDelta: -3, rpAfter: 997 },
  },
  'contest.cancelled': { contestId: ID, status: 'cancelled', reason: 'not_ready', refunded: '1000000' },
}

describe('what happens in the engine is read as the schemas of the contract read it', () => {
  test.each(EVENT_TYPES)('%s', (type) => {
    const raw = { id: ID, type, data: DATA[type], createdAt: STARTS_AT }
    expect({ ok: true, event: decodedEvent(raw) }).toEqual(readEvent(raw))
  })
})
