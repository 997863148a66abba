import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf as madeBy, movesMade, movesOf, type Sample as Sampled } from '../../../test/support/lifecycles/machines.ts'
import { START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, queuedTicket } from '../../../test/support/scriptedService.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import type { ServiceAction } from '../../strategy/action.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { SendOrder } from '../protocol/step.ts'
import { type HappeningOf, troubleOf } from './entryAnswers.ts'
import { entryMachine } from './entryMachine.ts'
import type { Doubted, EntryEffect, EntryHappening, EntrySeen, EntryState, InVain, Sent, Unknown, Waiting } from './entryState.ts'
import { lookUpOf } from './reconciliation.ts'

// Every pair of the table, in samples that reach every state that may follow; and what money hangs on, one by one.

const NOW = START_MS + 60_000
const TIMEOUT_MS = 5000
const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')

const enqueue: ServiceAction = { type: 'enqueue', mode: 'up_down', stake: usdc('1'), durationSec: 15 }
const join: ServiceAction = { type: 'joinContest', contestId }
const leave: ServiceAction = { type: 'leaveContest', contestId }
const commit: ServiceAction = { type: 'commitPrediction', contestId, price: '1' }
const reveal: ServiceAction = { type: 'revealPrediction', contestId }

const entryOf = (action: ServiceAction) => ({
  intent: { key: '3:own:0', action, at: START_MS, stake: usdc('1'), risk: usdc('1') },
  listed: undefined,
  wasLeft: false,
})
const common = (action: ServiceAction) => ({
  ...{ entry: entryOf(action), told: undefined, tries: undefined, failingSince: undefined, dueAt: undefined },
})
const sendable = (action: ServiceAction) => ({
  ...{ ...common(action), requests: 1 },
  order: { key: '3:own:0', action, request: { procedure: 'agent.queue.list' } } as unknown as SendOrder,
})
const refusal = (code: string, status = 400) => ({ code, message: 'no', status, details: undefined }) as never
const rejected = (code: string, status?: number): InVain => ({ status: 'rejected', refusal: refusal(code, status) })
const tooLate = { code: 'OVER', message: 'no', status: 400, details: undefined, meaning: 'tooLate' } as never
const notSent: InVain = { status: 'notSent', reason: 'no network' }
const lost: Outcome = { status: 'unknown', reason: 'timed out' }

const sent = (action: ServiceAction, changes: Partial<Sent> = {}): Sent => ({
  ...{ is: 'sent', ...sendable(action), unanswered: 1, heard: undefined },
  ...changes,
})
const waiting = (changes: Partial<Waiting> = {}): Waiting => ({
  ...{ is: 'waiting', ...sendable(reveal), tries: { count: 1, last: notSent, againAt: NOW + 500, refusedAt: undefined } },
  ...{ dueAt: NOW + 500, ...changes },
})
const doubted = (action: ServiceAction, changes: Partial<Doubted> = {}): Doubted => ({
  ...{ is: 'doubted', ...common(action), doubted: rejected('CAP_REACHED') },
  ...changes,
})
const unknown = (action: ServiceAction, changes: Partial<Unknown> = {}): Unknown => ({
  ...{ is: 'unknown', ...common(action), since: NOW - 1000, lateAt: NOW - 1000, absences: 0, gone: 0, isTaken: false },
  ...changes,
})

const see = (changes: Partial<EntrySeen> = {}): EntrySeen => ({
  ...{ now: NOW, timeoutMs: TIMEOUT_MS, paths: {}, caughtUp: true, claimed: new Set<string>() },
  queued: () => [],
  hangingMs: () => 1000,
  pauseMs: () => 0,
  isAlone: () => true,
  isOver: () => false,
  isForSeat: () => true,
  wasRevealTried: () => true,
  phaseOf: () => 'open',
  ...changes,
})
const over = (changes: Partial<EntrySeen> = {}) => see({ isOver: () => true, ...changes })

type Sample = Sampled<EntryState, EntryHappening, EntrySeen>

const answered = (outcome: Outcome): EntryHappening => ({ type: 'answered', outcome })
const accepted = (output: unknown): EntryHappening => answered({ status: 'accepted', output })
/** A look that is answered with what the service has on the wire. */
function looked(action: ServiceAction, wire: unknown, begunAt = NOW): EntryHappening {
  const result = decoded(lookUpOf(action).procedure as ReadName, wire)
  if (!result.ok) throw new Error(result.reason)
  return { type: 'looked', begunAt, result: { ok: true, output: result.output as never } }
}
const failed = (told?: never): EntryHappening => ({ type: 'looked', begunAt: NOW, result: { ok: false, refusal: told, reason: 'x' } })
const due = { type: 'due' } as const
const unread = (at = NOW + 700): EntryHappening => ({ type: 'unread', at })
const told = { type: 'told', made: ticketId } as const
const proved = { type: 'proved' } as const
const closed = { type: 'closed' } as const
const ticket = { ...queuedTicket(ticketId), createdAt: new Date(START_MS).toISOString() }
const seat = { contestId, mode: 'up_down', status: 'open', stake: '1000000' }

const SAMPLES: readonly Sample[] = [
  [sent(enqueue), accepted({ ticketId }), see()],
  [sent(enqueue), accepted({}), see()],
  [sent(enqueue, { told: ticketId }), accepted({}), see()],
  [sent(leave), accepted({}), see()],
  [sent(leave), answered(rejected('NOT_IN_CONTEST')), see()],
  [sent(enqueue), answered(rejected('CAP_REACHED')), see()],
  [sent(enqueue), answered(notSent), see()],
  [sent(enqueue), answered(lost), see()],
  [sent(join, { told: contestId }), answered(lost), see()],
  [sent(commit, { unanswered: 2, requests: 2 }), answered(lost), see()],
  [sent(commit, { heard: lost, requests: 2 }), answered(notSent), see()],
  [sent(reveal), answered(notSent), see()],
  [sent(reveal), answered(rejected('REVEAL_NOT_OPEN')), see()],
  [sent(reveal), answered(rejected('REVEAL_NOT_OPEN')), over()],
  [sent(reveal), answered(rejected('REVEAL_NOT_OPEN')), over({ wasRevealTried: () => false })],
  [sent(commit), due, see()],
  [sent(commit), unread(), see()],
  [sent(commit), looked(commit, { committed: true }), see()],
  [sent(commit), looked(commit, { committed: false }), see()],
  [sent(commit, { requests: 3 }), looked(commit, { committed: false }), see()],
  [sent(commit), looked(commit, { committed: true }), see({ isForSeat: () => false })],
  [sent(commit), failed(), see()],
  [sent(enqueue), told, see()],
  [sent(join), proved, see()],
  [waiting(), due, see()],
  [waiting(), accepted({}), see()],
  [waiting(), answered(rejected('REVEAL_NOT_OPEN')), see()],
  [waiting(), unread(), see()],
  [waiting(), looked(reveal, { revealed: true }), see()],
  [waiting(), looked(reveal, { revealed: false }), see()],
  [waiting({ tries: { count: 1, last: notSent, againAt: NOW, refusedAt: NOW - 10 } }), looked(reveal, { revealed: false }), see()],
  [waiting(), { type: 'postponed', until: NOW + 9000 }, see()],
  [waiting(), { type: 'postponed', until: undefined }, see()],
  [waiting(), { type: 'contestEnded' }, over()],
  [waiting(), { type: 'contestEnded' }, over({ wasRevealTried: () => false })],
  [doubted(enqueue), due, see()],
  [doubted(join), accepted({}), see()],
  [doubted(enqueue), answered(lost), see()],
  [doubted(enqueue), unread(), see()],
  [doubted(enqueue), looked(enqueue, [ticket]), see()],
  [doubted(enqueue), looked(enqueue, []), see()],
  [doubted(enqueue), failed(), see()],
  [doubted(enqueue), told, see()],
  [doubted(join), proved, see()],
  [unknown(enqueue), due, see()],
  [unknown(enqueue), accepted({ ticketId }), see()],
  [unknown(enqueue), answered(rejected('CAP_REACHED')), see()],
  [unknown(enqueue, { dueAt: NOW + 5 }), unread(), see()],
  [unknown(enqueue), looked(enqueue, [ticket]), see()],
  [unknown(enqueue), looked(enqueue, []), see()],
  [unknown(enqueue, { absences: 1 }), looked(enqueue, []), see()],
  [unknown(enqueue, { absences: 1 }), looked(enqueue, []), see({ caughtUp: false })],
  [unknown(enqueue, { absences: 1, isTaken: true }), looked(enqueue, []), see()],
  [unknown(enqueue, { absences: 1, lateAt: NOW + 1 }), looked(enqueue, []), see()],
  [unknown(leave), looked(leave, []), see()],
  [unknown(leave, { gone: 1 }), looked(leave, []), see()],
  [unknown(leave, { gone: 1 }), looked(leave, []), see({ phaseOf: () => 'live' })],
  [unknown(leave), looked(leave, [seat]), see()],
  [unknown(commit), looked(commit, { committed: false }), see()],
  [unknown(commit, { since: NOW + 1 }), looked(commit, { committed: false }), see()],
  [unknown(enqueue), failed(), see()],
  [unknown(commit), failed(refusal('SERVER_BROKEN', 500)), over()],
  [unknown(commit, { failingSince: NOW - 60_000 }), failed(refusal('SERVER_BROKEN', 500)), over()],
  [unknown(commit), failed(refusal('NOT_FOUND', 404)), over()],
  [unknown(enqueue), told, see()],
  [unknown(join), proved, see()],
  [unknown(join), closed, see()],
]

const moveOf = (sample: Sample) => madeBy(entryMachine, sample)
const effectOf = <T extends EntryEffect['type']>(sample: Sample, type: T) =>
  moveOf(sample).effects.find((effect): effect is Extract<EntryEffect, { type: T }> => effect.type === type)
const statusAfter = (sample: Sample) => effectOf(sample, 'settled')?.status
const stateAfter = (sample: Sample) => moveOf(sample).state

describe('the machine of an action', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(entryMachine, SAMPLES)].sort()).toEqual([...movesOf(entryMachine as unknown as AnyMachine)].sort())
  })

  test('gives the same move for the same', () => {
    for (const sample of SAMPLES) expect(moveOf(sample)).toEqual(moveOf(sample))
  })

  test('ends in exactly one outcome, and sends nothing with it', () => {
    for (const sample of SAMPLES) {
      const { state, effects } = moveOf(sample)
      expect(effects.filter(({ type }) => type === 'settled')).toHaveLength(state === undefined ? 1 : 0)
      if (state === undefined) expect(effects.filter(({ type }) => type === 'order' || type === 'lookUp')).toEqual([])
    }
  })

  test('sends nothing again but moves that the service takes once: none that stakes', () => {
    for (const sample of SAMPLES) {
      const sends = moveOf(sample).effects.filter(({ type }) => type === 'order')
      if (sends.length > 0) expect(['commitPrediction', 'revealPrediction']).toContain(sample[0].entry.intent.action.type)
    }
    expect(SAMPLES.filter((sample) => effectOf(sample, 'order') !== undefined).length).toBeGreaterThan(2)
  })

  test('is due, looked up or waits for an answer wherever it has none', () => {
    for (const sample of SAMPLES) {
      const { state, effects } = moveOf(sample)
      if (state === undefined) continue
      const isAwaited = state.is === 'sent' || effects.some(({ type }) => type === 'lookUp') || entryMachine.dueAt(state).length > 0
      // A reveal whose time nobody knows waits for that; what is told while it is looked up waits for that, too.
      const [before, { type }] = sample
      const isAsked = before.is === 'doubted' || before.is === 'unknown'
      expect(isAwaited || type === 'postponed' || (isAsked && (type === 'told' || type === 'answered')), `${before.is} ${type}`).toBe(true)
    }
  })

  test('holds a stake whose entry is refused until a look has missed it', () => {
    const refused: Sample = [sent(enqueue), answered(rejected('CAP_REACHED')), see()]
    expect(effectOf(refused, 'settled')).toBeUndefined()
    const state = stateAfter(refused)
    if (state === undefined) throw new Error('it is over')
    expect(statusAfter([state, looked(enqueue, []), see()])).toBe('rejected')
    const taken: Sample = [state, looked(enqueue, [ticket]), see()]
    expect(effectOf(taken, 'settled')).toMatchObject({ status: 'accepted', made: ticketId })
    expect(effectOf(taken, 'note')?.fields.code).toBe('REFUSAL_CONTRADICTED')
    expect(effectOf(taken, 'concluded')?.outcome.status).toBe('accepted')
  })

  test('counts an absence after two late reads, with the stream read, and never of what the service has taken', () => {
    const missed = (changes: Partial<Unknown>, seen: EntrySeen = see()): Sample => [unknown(enqueue, changes), looked(enqueue, []), seen]
    expect(stateAfter(missed({}))).toMatchObject({ absences: 1, dueAt: NOW + 1000 })
    expect(statusAfter(missed({ absences: 1 }))).toBe('absent')
    for (const sample of [
      missed({ absences: 1, lateAt: NOW + 1 }),
      missed({ absences: 1, isTaken: true }),
      missed({ absences: 1 }, see({ caughtUp: false })),
    ])
      expect(stateAfter(sample)).toMatchObject({ absences: 1, is: 'unknown' })
  })

  test('is late at the earliest two time-outs after it was let out, one after its loss, and when a proxy has given up', () => {
    const lateAfter = (mayArriveForMs: number | undefined, now = NOW) => {
      const outcome: Outcome = { ...lost, ...(mayArriveForMs === undefined ? {} : { mayArriveForMs }) }
      const state = stateAfter([sent(enqueue), answered(outcome), see({ now })])
      return state?.is === 'unknown' ? state.lateAt : undefined
    }
    expect(lateAfter(undefined)).toBe(NOW + TIMEOUT_MS)
    expect(lateAfter(60_000)).toBe(NOW + 60_000)
    expect(lateAfter(undefined, START_MS + 100)).toBe(START_MS + 2 * TIMEOUT_MS)
  })

  test.each<[string, InVain, number, number]>([
    ['that never left, twice as late each time', notSent, 3, 2000],
    ['that never left, no later than that', notSent, 9, 10_000],
    ['that is refused, as it may be open in a moment', rejected('REVEAL_NOT_OPEN'), 9, 2000],
    ['that is too late by the service’s word, seldom', { status: 'rejected', refusal: tooLate }, 1, 10_000],
  ])('tries a reveal again %s', (_, outcome, count, ms) => {
    const tries = { count: count - 1, last: notSent, againAt: 0, refusedAt: undefined }
    const sample: Sample = [sent(reveal, count === 1 ? {} : { tries }), answered(outcome), see()]
    expect(stateAfter(sample)).toMatchObject({ is: 'waiting', dueAt: NOW + ms, tries: { count } })
    // One that was refused may have been taken before.
    expect(moveOf(sample).effects).toEqual([
      ...(outcome.status === 'rejected' ? [{ type: 'lookUp' }] : []),
      { type: 'vain', outcome, count },
    ])
  })

  test('takes the heaviest of several answers, and the first that says it was taken', () => {
    const second = (heard: Outcome, outcome: Outcome) =>
      statusAfter([sent(commit, { heard, requests: 2 }), answered(outcome), see()]) ?? 'unknown'
    expect(second(lost, notSent)).toBe('unknown')
    expect(second(notSent, rejected('COMMIT_CLOSED'))).toBe('rejected')
    const early: Sample = [sent(commit, { unanswered: 2, requests: 2 }), answered(rejected('ALREADY_COMMITTED')), see()]
    expect(statusAfter(early)).toBe('accepted')
  })

  test('takes an answer that nobody waits for any more at its word where that says it was taken, and nowhere else', () => {
    for (const state of [waiting(), doubted(reveal), unknown(reveal)]) {
      expect(statusAfter([state, accepted({}), see()])).toBe('accepted')
      expect(statusAfter([state, answered(rejected('ALREADY_REVEALED')), see()])).toBe('accepted')
      for (const outcome of [lost, notSent, rejected('REVEAL_NOT_OPEN')]) expect(stateAfter([state, answered(outcome), see()])).toBe(state)
    }
  })

  test('ends a reveal that waits as its contest does, once it is known that none was taken before', () => {
    const ended = { type: 'contestEnded' } as const
    expect(stateAfter([waiting(), ended, over()])?.is).toBe('doubted')
    expect(statusAfter([waiting(), ended, over({ wasRevealTried: () => false })])).toBe('notSent')
  })

  test('has a leave that is taken prove the join before', () => {
    const effects = moveOf([sent(leave), accepted({}), see()]).effects.map(({ type }) => type)
    expect(effects).toEqual(['provesJoin', 'settled', 'concluded'])
    expect(effectOf([unknown(join), proved, see()], 'settled')).toMatchObject({ status: 'accepted', made: contestId })
  })

  test('says of one that was taken whether it is certain: no other may be what the service shows', () => {
    const bare = { ...ticket, mode: undefined }
    const shown = (isAlone: boolean, isTaken: boolean) =>
      statusAfter([unknown(enqueue, { isTaken }), looked(enqueue, [bare]), see({ isAlone: () => isAlone })])
    expect([shown(true, true), shown(false, true), shown(true, false)]).toEqual(['accepted', undefined, undefined])
  })

  test('plans a time in place of the one before, and no later than it where a look fails', () => {
    const dueAfter = (sample: Sample) => {
      const state = stateAfter(sample)
      return state && entryMachine.dueAt(state)
    }
    const task = 'resolve:3:own:0'
    expect(dueAfter([unknown(enqueue, { dueAt: NOW + 5 }), unread(), see()])).toEqual([{ task, at: NOW + 5 }])
    expect(dueAfter([unknown(enqueue), unread(), see()])).toEqual([{ task, at: NOW + 700 }])
    expect(dueAfter([waiting(), { type: 'postponed', until: NOW } satisfies HappeningOf<'postponed'>, see()])).toEqual([
      { task, at: NOW + 500 },
    ])
    expect(dueAfter([unknown(enqueue, { lateAt: NOW + 300 }), looked(enqueue, []), see()])).toEqual([{ task, at: NOW + 300 }])
  })

  test('holds nothing for an entry that never left, and looks nothing up for it', () => {
    expect(statusAfter([sent(enqueue), answered(notSent), see()])).toBe('notSent')
    expect(effectOf([sent(enqueue), answered(notSent), see()], 'concluded')?.outcome).toBe(notSent)
  })

  test('accounts for what it made, or the contest that it joined, and nothing else', () => {
    const create: ServiceAction = { ...enqueue, type: 'createContest', chain: 'solana', format: 'duel' }
    const made = (action: ServiceAction, output: unknown) => effectOf([sent(action), accepted(output), see()], 'settled')?.made
    expect([made(enqueue, { ticketId }), made(create, { contestId }), made(join, {}), made(commit, {}), made(leave, {})]).toEqual([
      ...[ticketId, contestId, contestId, undefined, undefined],
    ])
    expect(moveOf([sent(join), accepted({}), see()]).effects.map(({ type }) => type)).toEqual(['settled', 'concluded'])
  })

  test('was taken where the stream has told so before its answer was lost, unless the ticket may be another’s', () => {
    const loses = (state: Sent, happening: EntryHappening, seen: EntrySeen = see()) => statusAfter([state, happening, seen])
    expect(loses(sent(join, { told: contestId }), answered(lost))).toBe('accepted')
    expect(loses(sent(enqueue, { told: ticketId }), answered(lost)), 'of the same terms').toBeUndefined()
    expect(loses(sent(enqueue, { told: ticketId }), accepted({}))).toBe('accepted')
    expect(loses(sent(enqueue, { told: ticketId }), accepted({}), see({ claimed: new Set([ticketId]) }))).toBeUndefined()
    expect(loses(sent(enqueue), accepted({}))).toBeUndefined()
  })

  test('counts the first of two answers that weigh the same, and says why in words', () => {
    const second: Sample = [sent(commit, { heard: rejected('FIRST'), requests: 2 }), answered(rejected('SECOND')), see()]
    expect(effectOf(second, 'settled')?.detail).toBe('FIRST: no')
    expect([troubleOf(rejected('FIRST')), troubleOf(notSent)]).toEqual(['FIRST: no', 'no network'])
  })

  test('has no time where none is known, and tells whoever acts on it what its last try came to', () => {
    expect(stateAfter([waiting(), { type: 'postponed', until: undefined }, see()])?.dueAt).toBeUndefined()
    const ended: Sample = [waiting(), { type: 'contestEnded' }, over({ wasRevealTried: () => false })]
    expect(effectOf(ended, 'concluded')?.outcome).toBe(notSent)
    const late: Outcome = { status: 'accepted', output: {} }
    expect(effectOf([waiting(), answered(late), see()], 'concluded')?.outcome).toBe(late)
  })
})

describe('a look at an action', () => {
  const ready: ServiceAction = { type: 'ready', contestId, ready: true }
  const broken = failed(refusal('SERVER_BROKEN', 500))
  const gone = failed(refusal('NOT_FOUND', 404))

  test('before its answer: done where it shows, sent once more where it does not, three times at most', () => {
    const looks = (state: EntryState, happening: EntryHappening, seen: EntrySeen = see()) => ({
      ...{ state: stateAfter([state, happening, seen]), status: statusAfter([state, happening, seen]) },
      isSent: effectOf([state, happening, seen], 'order') !== undefined,
    })
    const missed = looked(commit, { committed: false })
    expect(looks(sent(commit), looked(commit, { committed: true })).status).toBe('accepted')
    expect(
      looks(sent(commit), looked(commit, { committed: true }), see({ isForSeat: () => false })).status,
      'of another seat',
    ).toBeUndefined()
    expect(looks(sent(commit), missed)).toMatchObject({ isSent: true, state: { requests: 2, unanswered: 2, dueAt: NOW + 1000 } })
    expect(looks(sent(commit, { requests: 2 }), missed).isSent).toBe(true)
    expect(looks(sent(commit, { requests: 3 }), missed)).toMatchObject({ isSent: false, state: { requests: 3, dueAt: NOW + 1000 } })
    expect(looks(sent(commit), missed, over()).isSent, 'too late').toBe(false)
    expect(looks(sent(commit), failed())).toMatchObject({ isSent: false, state: { dueAt: NOW + 1000 } })
  })

  test('at a reveal that waits: sent as it is due, and by a look from before it was refused, not by one from after', () => {
    const again: Sample = [waiting(), due, see()]
    expect(stateAfter(again)).toMatchObject({ is: 'sent', unanswered: 1, heard: undefined, dueAt: NOW + 1000 })
    const refusedAt = (at: number | undefined): Sample => [
      waiting({ tries: { count: 1, last: notSent, againAt: NOW + 500, refusedAt: at } }),
      looked(reveal, { revealed: false }, NOW),
      see(),
    ]
    expect([NOW - 1, NOW, NOW + 1, undefined].map((at) => stateAfter(refusedAt(at))?.is)).toEqual(['waiting', 'waiting', 'sent', 'sent'])
    expect(stateAfter(refusedAt(NOW))?.dueAt, 'it keeps its time').toBe(NOW + 500)
  })

  test('at what was refused: no alarm where it is no entry, and another look where there is no answer', () => {
    const taken: Sample = [doubted(reveal), looked(reveal, { revealed: true }), see()]
    expect(moveOf(taken).effects.map(({ type }) => type)).toEqual(['settled', 'concluded'])
    expect(stateAfter([doubted(enqueue), failed(), see()])?.dueAt).toBe(NOW + 1000)
  })

  test('at a leave: it shows by what is not there, in two late reads, and in no contest that is played', () => {
    const missing = (changes: Partial<Unknown>, seen: EntrySeen = see()): Sample => [unknown(leave, changes), looked(leave, []), seen]
    expect(stateAfter(missing({}))).toMatchObject({ gone: 1, dueAt: NOW + 1000 })
    expect(statusAfter(missing({ gone: 1 }))).toBe('accepted')
    expect(stateAfter(missing({ gone: 1, lateAt: NOW + 1 }))).toMatchObject({ gone: 1 })
    expect(stateAfter(missing({ gone: 1 }, see({ phaseOf: () => 'live' })))).toMatchObject({ gone: 1 })
    expect(stateAfter([unknown(leave), looked(leave, [seat]), see()])).toMatchObject({ gone: 0, absences: 1 })
  })

  test('at what may be sent again: not taken, where the look was begun after it was lost', () => {
    const begun = (at: number): Sample => [unknown(commit, { since: NOW }), looked(commit, { committed: false }, at), see()]
    expect(effectOf(begun(NOW), 'settled')).toMatchObject({ status: 'notTaken', detail: 'the service shows that it was not taken' })
    expect(stateAfter(begun(NOW - 1))).toMatchObject({ is: 'unknown', dueAt: NOW + 1000 })
    const pauseMs = () => NOW - START_MS + 4000
    const paused = (at: number): Sample => [unknown(commit, { since: NOW }), looked(commit, { committed: false }, at), see({ pauseMs })]
    expect(stateAfter(paused(NOW + 3999))).toMatchObject({ is: 'unknown', dueAt: NOW + 4000 })
    expect(effectOf(paused(NOW + 4000), 'settled')).toMatchObject({ status: 'notTaken' })
  })

  test.each<[string, Sample, number]>([
    ['after a time-out', [unknown(enqueue, { isTaken: true }), failed(), see()], TIMEOUT_MS],
    ['after a second where it may be sent again', [unknown(ready), failed(), see()], 1000],
    [
      'after a minute where the list has no room for it',
      [
        unknown(enqueue),
        looked(
          enqueue,
          Array.from({ length: 20 }, (_, index) => ({ ...ticket, ticketId: keyedUuid('other', index), stake: '2000000' })),
        ),
        see(),
      ],
      60_000,
    ],
    ['when it must show, where that is sooner', [unknown(enqueue, { lateAt: NOW + 300 }), failed(), see()], 300],
  ])('is made again %s', (_, sample, ms) => {
    expect(stateAfter(sample)?.dueAt).toBe(NOW + ms)
  })

  test('that says nothing of what is over counts as an absence, and so does one that fails for a minute', () => {
    const absences = (happening: EntryHappening, seen: EntrySeen, changes: Partial<Unknown> = {}) => {
      const state = stateAfter([unknown(commit, changes), happening, seen])
      return state?.is === 'unknown' ? state.absences : undefined
    }
    const silent = looked(commit, {})
    expect([absences(silent, see()), absences(silent, over())]).toEqual([0, 1])
    expect([absences(gone, see()), absences(gone, over())]).toEqual([0, 1])
    expect([absences(broken, over()), absences(broken, over(), { failingSince: NOW - 59_999 })]).toEqual([0, 0])
    expect(absences(broken, over(), { failingSince: NOW - 60_000 })).toBe(1)
    expect(absences(broken, see(), { failingSince: NOW - 60_000 }), 'of what goes on').toBe(0)
    expect(absences(failed(), over(), { failingSince: NOW - 60_000 }), 'without a word').toBe(0)
  })

  test('remembers since when looks fail, of what is over, and forgets it with one that does not', () => {
    const since = (happening: EntryHappening, seen: EntrySeen) =>
      stateAfter([unknown(commit, { failingSince: NOW - 5 }), happening, seen])?.failingSince
    expect([
      since(broken, over()),
      since(broken, see()),
      since(broken, over({ caughtUp: false })),
      since(looked(commit, {}), see()),
    ]).toEqual([...[NOW - 5, undefined, undefined, undefined]])
    expect(stateAfter([unknown(enqueue, { failingSince: NOW - 60_000 }), broken, over()]), 'a list that fails is no word').toMatchObject({
      ...{ absences: 0, failingSince: NOW - 60_000 },
    })
  })
})
