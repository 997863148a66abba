import { describe, expect, test } from 'vitest'
import { START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, queuedTicket } from '../../../test/support/scriptedService.ts'
import type { ExtraPaths } from '../../contract/paths.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import type { ServiceAction as Action } from '../../strategy/action.ts'
import { type Look, type LookContext, lookAt, lookUpOf } from './reconciliation.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const shown: Look = { evidence: 'present' }
const missing: Look = { evidence: 'missing' }
const inconclusive: Look = { evidence: 'inconclusive' }

function look(
  action: Action,
  wire: unknown,
  claimed: readonly string[] = [],
  paths: ExtraPaths = {},
  queued: LookContext['queued'] = [],
  isCertain = false,
): Look {
  const result = decoded(lookUpOf(action).procedure as ReadName, wire)
  if (!result.ok) throw new Error(result.reason)
  const intent = { key: 'k', action, at: START_MS, stake: usdc('1'), risk: usdc('1') }
  return lookAt(result.output, action, { intent, claimed: new Set(claimed), queued, isCertain, paths })
}

describe('enqueue', () => {
  const action: Action = { type: 'enqueue', mode: 'up_down', stake: usdc('1'), durationSec: 15 }
  const ticket = queuedTicket(ticketId)

  test('a ticket like it, made since and not accounted for, is what it made, whatever became of it', () => {
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.queue.list', input: null })
    expect(look(action, [ticket])).toEqual({ evidence: 'present', id: ticketId })
    expect(look(action, { items: [{ ...ticket, status: 'matched' }] })).toEqual({ evidence: 'present', id: ticketId })
    expect(look(action, [{ ...ticket, createdAt: undefined }])).toEqual({ evidence: 'present', id: ticketId })
  })

  test.each([
    ['of another mode', { mode: 'draft_basket' }],
    ['of another stake', { stake: '2000000' }],
    ['of another duration', { durationSec: 20 }],
    ['older than it', { createdAt: new Date(START_MS - 6000).toISOString() }],
  ])('a ticket %s is not', (_why, fields) => {
    expect(look(action, [{ ...ticket, ...fields }])).toEqual(missing)
  })

  test.each([
    ['an id', { ticketId: undefined }],
    ['a mode', { mode: undefined }],
    ['a stake', { stake: 'much' }],
    ['a duration', { durationSec: undefined }],
  ])('one like it without %s may be it: the list says neither', (_what, fields) => {
    expect(look(action, [{ ...ticket, ...fields }])).toEqual(inconclusive)
    expect(look(action, [{ ...ticket, ...fields }, ticket]), 'one that says all is it').toEqual({ evidence: 'present', id: ticketId })
    expect(look(action, [{ ...ticket, ...fields, mode: 'best_trade' }]), 'of another mode it is not').toEqual(missing)
  })

  test.each([
    ['id', {}],
    ['where.it.is', { ticketId: ['where.it.is'] }],
  ])('its id may stand at %s', (path, paths) => {
    const { ticketId: id, ...row } = ticket
    const placed = path === 'id' ? { id } : { where: { it: { is: id } } }
    expect(look(action, [{ ...row, ...placed }], [], paths)).toEqual({ evidence: 'present', id: ticketId })
  })

  test('where it is certain that it made one, the only one that may be it is it', () => {
    const bare = { ...ticket, mode: undefined }
    const certain = (wire: unknown, claimed: readonly string[] = []) => look(action, wire, claimed, {}, [], true)
    expect(certain([bare])).toEqual({ evidence: 'present', id: ticketId })
    expect(certain([bare], [ticketId])).toEqual(missing)
    expect(certain([bare, { ...bare, ticketId: keyedUuid('second') }])).toEqual(inconclusive)
    expect(certain([{ ...bare, ticketId: undefined }])).toEqual(inconclusive)
    expect(certain([{ ...bare, stake: '2000000' }])).toEqual(missing)
  })

  test('nor is one that another intent made', () => {
    expect(look(action, [ticket], [ticketId])).toEqual(missing)
    const second = { ...ticket, ticketId: keyedUuid('second') }
    expect(look(action, [ticket, second], [ticketId])).toEqual({ evidence: 'present', id: second.ticketId })
  })
})

describe('enqueue, where the list has no room for it any more', () => {
  const action: Action = { type: 'enqueue', mode: 'up_down', stake: usdc('1'), durationSec: 15 }
  const others = (count: number, at: number) =>
    Array.from({ length: count }, (_, index) => ({
      ticketId: keyedUuid('other', index),
      mode: 'draft_basket',
      stake: '1000000',
      durationSec: 15,
      createdAt: new Date(at).toISOString(),
    }))

  test('twenty newer tickets say nothing of it', () => {
    expect(look(action, others(20, START_MS + 1000))).toEqual({ evidence: 'outOfRange' })
  })

  test('fewer than twenty, or one that is older, show that it is not there', () => {
    expect(look(action, others(19, START_MS + 1000))).toEqual(missing)
    expect(look(action, [...others(19, START_MS + 1000), ...others(1, START_MS - 60_000)])).toEqual(missing)
  })
})

describe('createContest', () => {
  const action: Action = { type: 'createContest', mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15 }
  const contest = { contestId, mode: 'up_down', stake: '1000000', durationSec: 15 }

  test('a seat in a contest like it, not accounted for, is what it made', () => {
    expect(look(action, [contest])).toEqual({ evidence: 'present', id: contestId })
    expect(look(action, [contest], [contestId])).toEqual(missing)
    expect(look(action, [{ ...contest, stake: '3000000' }])).toEqual(missing)
  })

  test('nor is it, for sure, while a ticket of these terms waits: that may have led to it', () => {
    const ticket = { mode: 'up_down', stake: usdc('1'), durationSec: 15 }
    expect(look(action, [contest], [], {}, [ticket])).toEqual(inconclusive)
    expect(look(action, [contest], [], {}, [{ ...ticket, durationSec: undefined }])).toEqual(inconclusive)
    expect(look(action, [contest], [], {}, [{ ...ticket, durationSec: 60 }])).toEqual({ evidence: 'present', id: contestId })
    expect(look(action, [], [], {}, [ticket])).toEqual(missing)
  })

  test('one like it whose id cannot be found may be it', () => {
    const { contestId: id, ...row } = contest
    expect(look(action, [{ ...row, number: id }])).toEqual(inconclusive)
    expect(look(action, [{ ...row, id }])).toEqual({ evidence: 'present', id: contestId })
    expect(look(action, [{ ...row, number: id }], [], { contestId: ['number'] })).toEqual({ evidence: 'present', id: contestId })
  })
})

describe('joinContest and leaveContest', () => {
  test('are read off the seats', () => {
    expect(look({ type: 'joinContest', contestId }, [{ contestId }])).toEqual({ evidence: 'present', id: contestId })
    expect(look({ type: 'joinContest', contestId }, [])).toEqual(missing)
    expect(look({ type: 'leaveContest', contestId }, [])).toEqual(shown)
    expect(look({ type: 'leaveContest', contestId }, [{ contestId }])).toEqual({ evidence: 'missing', id: contestId })
  })

  test('of seats that cannot be told apart nothing is known', () => {
    for (const type of ['joinContest', 'leaveContest'] as const)
      expect(look({ type, contestId }, [{ mode: 'up_down' }])).toEqual(inconclusive)
    expect(look({ type: 'joinContest', contestId }, [{ mode: 'up_down' }, { id: contestId }])).toEqual({
      evidence: 'present',
      id: contestId,
    })
  })
})

describe('cancelTicket', () => {
  const action: Action = { type: 'cancelTicket', ticketId }
  test.each([
    [{ ticketId, status: 'cancelled' }, shown],
    [{ ticketId, status: 'CANCELED' }, shown],
    [{ ticketId, status: 'queued' }, missing],
    [{ ticketId, status: 'matched' }, missing],
    [{ ticketId }, inconclusive],
  ])('%j', (wire, expected) => {
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.queue.get', input: { ticketId } })
    expect(look(action, wire)).toEqual(expected)
  })
})

describe('ready', () => {
  const action: Action = { type: 'ready', contestId, ready: true }
  test.each([
    [{ status: 'open', you: { ready: true } }, shown],
    [{ status: 'open', you: { ready: false } }, missing],
    [{ status: 'live', you: { ready: false } }, shown],
    [{ status: 'open' }, inconclusive],
  ])('%j', (wire, expected) => {
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.contests.get', input: { contestId } })
    expect(look(action, wire)).toEqual(expected)
  })
})

describe('moves', () => {
  const token = 'So11111111111111111111111111111111111111112'
  test('a pick shows among our own', () => {
    const action: Action = { type: 'draftPick', contestId, token }
    expect(lookUpOf(action)).toEqual({ procedure: 'agent.modes.state', input: { contestId } })
    expect(look(action, { mine: [token] })).toEqual(shown)
    expect(look(action, { picks: { mine: [{ mint: token }] } })).toEqual(shown)
    expect(look(action, { mine: [], theirs: [token] })).toEqual(missing)
    expect(look(action, {})).toEqual(inconclusive)
  })

  test.each([
    ['commitPrediction', { committed: true }, shown],
    ['commitPrediction', { commitment: 'ab' }, shown],
    ['commitPrediction', { commitment: null }, missing],
    ['commitPrediction', { committed: false }, missing],
    ['commitPrediction', { phase: 'commit' }, inconclusive],
    ['revealPrediction', { revealed: true }, shown],
    ['revealPrediction', { revealed: false }, missing],
    ['revealPrediction', {}, inconclusive],
  ] as const)('%s: %j', (type, wire, expected) => {
    const action: Action = type === 'commitPrediction' ? { type, contestId, price: '1' } : { type, contestId }
    expect(look(action, wire)).toEqual(expected)
  })
})
