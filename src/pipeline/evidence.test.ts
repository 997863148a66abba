import { describe, expect, test } from 'vitest'
import { START_MS } from '../../test/support/rawEvents.ts'
import { decoded } from '../../test/support/scriptedService.ts'
import type { ReadName } from '../contract/procedures.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import type { ServiceAction as Action } from '../strategy/action.ts'
import { type Evidence, evidenceOf, lookUpOf } from './evidence.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const happened: Evidence = { happened: true }
const absent: Evidence = { happened: false }

function evidence(action: Action, wire: unknown, claimed: readonly string[] = []): Evidence {
  const result = decoded(lookUpOf(action).procedure as ReadName, wire)
  if (!result.ok) throw new Error(result.reason)
  const intent = { key: 'k', action, at: START_MS, stake: usdc('1'), risk: usdc('1') }
  return evidenceOf(result.output, action, { intent, claimed: new Set(claimed), paths: {} })
}

describe('enqueue', () => {
  const action: Action = { type: 'enqueue', mode: 'up_down', stake: usdc('1'), durationSec: 15 }
  const ticket = {
    ticketId,
    status: 'queued',
    mode: 'up_down',
    stake: '1000000',
    durationSec: 15,
    createdAt: new Date(START_MS).toISOString(),
  }

  test('a ticket like it, made since and not accounted for, is what it made, whatever became of it', () => {
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.queue.list', input: null })
    expect(evidence(action, [ticket])).toEqual({ happened: true, id: ticketId })
    expect(evidence(action, { items: [{ ...ticket, status: 'matched' }] })).toEqual({ happened: true, id: ticketId })
    expect(evidence(action, [{ ...ticket, createdAt: undefined }])).toEqual({ happened: true, id: ticketId })
  })

  test.each([
    ['of another mode', { mode: 'draft_basket' }],
    ['of another stake', { stake: '2000000' }],
    ['of another duration', { durationSec: 20 }],
    ['older than it', { createdAt: new Date(START_MS - 6000).toISOString() }],
    ['without an id', { ticketId: undefined }],
  ])('a ticket %s is not', (_why, fields) => {
    expect(evidence(action, [{ ...ticket, ...fields }])).toEqual(absent)
  })

  test('nor is one that another intent made', () => {
    expect(evidence(action, [ticket], [ticketId])).toEqual(absent)
    const second = { ...ticket, ticketId: keyedUuid('second') }
    expect(evidence(action, [ticket, second], [ticketId])).toEqual({ happened: true, id: second.ticketId })
  })
})

describe('createContest', () => {
  const action: Action = { type: 'createContest', mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15 }
  const contest = { contestId, mode: 'up_down', stake: '1000000', durationSec: 15 }

  test('a seat in a contest like it, not accounted for, is what it made', () => {
    expect(evidence(action, [contest])).toEqual({ happened: true, id: contestId })
    expect(evidence(action, [contest], [contestId])).toEqual(absent)
    expect(evidence(action, [{ ...contest, stake: '3000000' }])).toEqual(absent)
  })
})

describe('joinContest and leaveContest', () => {
  test('are read off the seats', () => {
    expect(evidence({ type: 'joinContest', contestId }, [{ contestId }])).toEqual({ happened: true, id: contestId })
    expect(evidence({ type: 'joinContest', contestId }, [])).toEqual(absent)
    expect(evidence({ type: 'leaveContest', contestId }, [])).toEqual(happened)
    expect(evidence({ type: 'leaveContest', contestId }, [{ contestId }])).toEqual(absent)
  })
})

describe('cancelTicket', () => {
  const action: Action = { type: 'cancelTicket', ticketId }
  test.each([
    [[{ ticketId, status: 'cancelled' }], happened],
    [[{ ticketId, status: 'CANCELED' }], happened],
    [[{ ticketId, status: 'queued' }], absent],
    [[{ ticketId }], absent],
    [[], undefined],
  ])('%j', (wire, expected) => {
    expect(evidence(action, wire)).toEqual(expected)
  })
})

describe('ready', () => {
  const action: Action = { type: 'ready', contestId, ready: true }
  test.each([
    [{ status: 'open', you: { ready: true } }, happened],
    [{ status: 'open', you: { ready: false } }, absent],
    [{ status: 'live', you: { ready: false } }, happened],
    [{ status: 'open' }, undefined],
  ])('%j', (wire, expected) => {
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.contests.get', input: { contestId } })
    expect(evidence(action, wire)).toEqual(expected)
  })
})

describe('moves', () => {
  const token = 'So11111111111111111111111111111111111111112'
  test('a pick shows among our own', () => {
    const action: Action = { type: 'draftPick', contestId, token }
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.modes.state', input: { contestId } })
    expect(evidence(action, { mine: [token] })).toEqual(happened)
    expect(evidence(action, { picks: { mine: [{ mint: token }] } })).toEqual(happened)
    expect(evidence(action, { mine: [], theirs: [token] })).toEqual(absent)
    expect(evidence(action, {})).toBeUndefined()
  })

  test.each([
    ['commitPrediction', { committed: true }, happened],
    ['commitPrediction', { commitment: 'ab' }, happened],
    ['commitPrediction', { commitment: null }, absent],
    ['commitPrediction', { committed: false }, absent],
    ['commitPrediction', { phase: 'commit' }, undefined],
    ['revealPrediction', { revealed: true }, happened],
    ['revealPrediction', { revealed: false }, absent],
    ['revealPrediction', {}, undefined],
  ] as const)('%s: %j', (type, wire, expected) => {
    const action: Action = type === 'commitPrediction' ? { type, contestId, price: '1' } : { type, contestId }
    expect(evidence(action, wire)).toEqual(expected)
  })
})
