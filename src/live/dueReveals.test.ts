import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { journalRecord, openedJournal } from '../../test/support/journalFiles.ts'
import { ENDS_MS, entryId, predictionId, shelvePrediction } from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, rejected, ScriptedService, unknown, unreadable } from '../../test/support/scriptedService.ts'
import { commitmentOf } from '../contract/commitment.ts'
import { VirtualClock } from '../core/clock.ts'
import type { Note } from '../pipeline/index.ts'
import { DueReveals } from './dueReveals.ts'
import { SqliteJournal } from './journal/sqliteJournal.ts'

// A journal of weeks is folded at its first start, a minute long: a prediction whose time comes meanwhile is shown all the same.

const folder = mkdtempSync(join(tmpdir(), 'due-reveals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [price, salt] = ['187.25', 'a-salt-of-at-least-sixteen']
const held = { contestId: predictionId, entryId, price, salt, commitment: commitmentOf(price, salt, entryId), status: 'committed' } as const

let journal: SqliteJournal
let clock: VirtualClock
let service: ScriptedService
let notes: Note[]
let files = 0

beforeEach(() => {
  journal = new SqliteJournal(join(folder, `${files++}.db`))
  journal.commit(journalRecord({ n: 7, custody: [held] }))
  clock = new VirtualClock(START_MS)
  service = new ScriptedService(clock)
  const [startsAt, endsAt] = [START_MS + 5000, ENDS_MS].map((ms) => new Date(ms).toISOString())
  service.contests = [{ contestId: predictionId, mode: 'price_prediction', status: 'live', startsAt, endsAt }]
  shelvePrediction(service, { committed: true, phase: 'running' })
  notes = []
})

const dueReveals = () => new DueReveals({ journal, service, clock, paths: {}, log: (note) => notes.push(note) })
const reveals = () => service.sent('agent.modes.revealPrediction')
/** What the next start finds. */
const left = () => {
  const { custody, pending, counts } = journal.load()
  return { custody: custody.map(({ status }) => status), pending: pending.map(({ action }) => action.type), revealed: counts.revealed }
}

describe('a prediction in a journal that is being folded', () => {
  test('is shown once its time has come, and not before', async () => {
    const due = dueReveals()
    await due.look()
    expect(reveals()).toEqual([])
    clock.advanceTo(ENDS_MS + 100)
    const intents: string[][] = []
    service.onSend = () => intents.push(left().pending)
    await due.look()
    expect(reveals()).toEqual([{ contestId: predictionId, value: price, salt }])
    // In the journal before it left.
    expect(intents).toEqual([['revealPrediction']])
    expect(left()).toEqual({ custody: [], pending: [], revealed: 1 })
    clock.advanceTo(clock.now() + 60_000)
    await due.look()
    expect(reveals()).toHaveLength(1)
    expect(notes.map(({ message }) => message)).toEqual(['revealPrediction, before the journal is read, was taken'])
  })

  test('is shown by its contest’s end where the mode’s state cannot be read', async () => {
    service.onRead('agent.modes.state', () => unreadable())
    clock.advanceTo(ENDS_MS + 100)
    await dueReveals().look()
    expect(reveals()).toHaveLength(1)
  })

  test('is not shown of a contest that is not live, or of which nothing can be read', async () => {
    clock.advanceTo(ENDS_MS + 100)
    service.contests = [{ ...service.contests[0], status: 'open' }]
    await dueReveals().look()
    service.onRead('agent.contests.get', () => unreadable())
    await dueReveals().look()
    expect(reveals()).toEqual([])
  })

  test('is shown again where the service refused, by the time it says by then, as one action', async () => {
    clock.advanceTo(ENDS_MS + 100)
    service.onAct('agent.modes.revealPrediction', () => rejected('REVEAL_NOT_OPEN'))
    const due = dueReveals()
    await due.look()
    expect(left()).toEqual({ custody: ['committed'], pending: [], revealed: 0 })
    expect(notes.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'revealPrediction, before the journal is read, came to nothing (REVEAL_NOT_OPEN: refused: REVEAL_NOT_OPEN)'],
    ])
    shelvePrediction(service, { committed: true, phase: 'running', revealFrom: new Date(ENDS_MS + 5000).toISOString() })
    service.onAct('agent.modes.revealPrediction', () => accepted())
    clock.advanceTo(clock.now() + 2500)
    await due.look()
    expect(reveals()).toHaveLength(1)
    clock.advanceTo(clock.now() + 4000)
    await due.look()
    expect(reveals()).toHaveLength(2)
    expect(left()).toEqual({ custody: [], pending: [], revealed: 1 })
    expect(journal.load().counts.sent).toBe(1)
  })

  test('whose answer is lost is left to the pipeline, which looks it up', async () => {
    clock.advanceTo(ENDS_MS + 100)
    service.onAct('agent.modes.revealPrediction', () => unknown)
    await dueReveals().look()
    expect(left()).toEqual({ custody: ['committed'], pending: ['revealPrediction'], revealed: 0 })
    // Of a start that was killed meanwhile it is the same action.
    service.onAct('agent.modes.revealPrediction', () => rejected('ALREADY_REVEALED'))
    await dueReveals().look()
    expect(left()).toEqual({ custody: [], pending: [], revealed: 1 })
    expect(journal.load().counts.sent).toBe(1)
  })
})

describe('folding', () => {
  test('says how far it is before every piece, and nothing of a journal that is short', () => {
    const { journal, db } = openedJournal(join(folder, 'long.db'))
    journal.commit(journalRecord({ n: 7, custody: [held] }))
    expect([...journal.folding()]).toEqual([])
    const add = db.prepare('INSERT INTO events (n, at, raw, problem) VALUES (?, ?, ?, NULL)')
    db.exec('BEGIN')
    for (let n = 8; n < 25_008; n++) add.run(n, START_MS + n, JSON.stringify(rawEvent('ticket.expired', { ticketId: 'a' }, START_MS + n)))
    db.exec('COMMIT')
    expect([...journal.folding()]).toEqual([
      { folded: 0, events: 25_000 },
      { folded: 10_000, events: 25_000 },
    ])
    expect([...journal.load().events]).toHaveLength(0)
    expect(journal.owed()).toMatchObject({ custody: [held], pending: [], lastInput: 25_007 })
  })
})
