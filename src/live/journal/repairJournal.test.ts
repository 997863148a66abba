import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  emptyIndexPage,
  heldPrediction,
  leafPagesOf,
  openedJournal,
  PAGE_BYTES,
  spoilPages,
  swapIntent,
  swapRecord,
  writeJournal,
} from '../../../test/support/journalFiles.ts'
import { checkJournal } from './checkJournal.ts'
import { repairJournal } from './repairJournal.ts'
import { SqliteJournal } from './sqliteJournal.ts'

const folder = mkdtempSync(join(tmpdir(), 'repair-journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const INPUTS = 200
const whole = join(folder, 'whole.db')
const ids = writeJournal(whole, INPUTS)
let files = 0
function copied(): string {
  const file = join(folder, `${files++}.db`)
  copyFileSync(whole, file)
  return file
}

/** What a bot would take up; the events as their ids. */
function takenUp(file: string) {
  const journal = new SqliteJournal(file).belongTo('agent')
  const { events, ...contents } = journal.load()
  const taken = { ...contents, events: [...events].map((event) => (event as { id: string }).id) }
  journal.close()
  return taken
}

const rowsOf = (file: string, sql: string) => {
  using db = new DatabaseSync(file, { readOnly: true })
  return db.prepare(sql).all()
}

const before = takenUp(whole)
const custodyBefore = rowsOf(whole, 'SELECT * FROM custody ORDER BY contest_id')

describe('repairJournal', () => {
  test('leaves alone what is whole', () => {
    const file = copied()
    const { mtimeMs } = statSync(file)
    expect(repairJournal(file)).toEqual({ original: undefined, mendings: [], left: [] })
    expect(statSync(file).mtimeMs).toBe(mtimeMs)
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(file)))).toEqual([basename(file)])
  })

  test('a page of events that is gone: kept up to there, and read again from there', () => {
    const file = copied()
    const page = leafPagesOf(file, 'events').at(-3) ?? 0
    spoilPages(file, page)
    const { original = '', mendings, left } = repairJournal(file)
    expect(left).toEqual([])
    const taken = takenUp(file)
    expect(taken.events.length).toBeGreaterThan(100)
    expect(taken.events.length).toBeLessThan(INPUTS)
    expect(taken.events).toEqual(ids.slice(0, taken.events.length))
    expect(taken.cursor).toBe(taken.events.at(-1))
    expect({ ...taken, events: [], cursor: '' }).toEqual({ ...before, events: [], cursor: '' })
    expect(mendings).toContainEqual(expect.objectContaining({ row: `page ${page}` }))
    expect(mendings).toContainEqual(expect.objectContaining({ table: 'events', row: String(taken.events.length + 1) }))
    // The original is beside it, as it was.
    expect(original).toMatch(/\.broken-\d{8}T\d{6}Z$/)
    expect(checkJournal(original).length).toBeGreaterThan(0)
  })

  test('a page of intents that is gone: what was executed is written anew, what is open and still there stays open', () => {
    const file = copied()
    const pages = leafPagesOf(file, 'intents')
    spoilPages(file, pages.at(1) ?? 0)
    const { mendings, left } = repairJournal(file)
    expect(left).toEqual([])
    const taken = takenUp(file)
    expect(taken.fills).toEqual(before.fills)
    expect(taken.events).toEqual(before.events)
    expect(taken.custody).toEqual(before.custody)
    expect(taken.pending.length).toBeGreaterThan(0)
    expect(before.pending).toEqual(expect.arrayContaining([...taken.pending]))
    expect(mendings.filter(({ done }) => done === 'that intent was written anew').length).toBeGreaterThan(0)
    const dropped = mendings.filter(({ table }) => table === 'swaps').map(({ row }) => row)
    expect([...dropped, ...taken.swaps.map(({ key }) => key)].toSorted()).toEqual(before.swaps.map(({ key }) => key).toSorted())
  })

  test('a first page that is gone: nothing else is lost with it', () => {
    const file = copied()
    spoilPages(file, 1)
    expect(repairJournal(file).mendings).toEqual([
      expect.objectContaining({ row: 'page 1', what: 'it is not that of a database' }),
      expect.objectContaining({ row: 'page 1' }),
    ])
    expect(takenUp(file)).toEqual(before)
  })

  test('pages above the leaves, and indexes: nothing is lost', () => {
    const file = copied()
    const roots = rowsOf(file, "SELECT pageno FROM dbstat WHERE pagetype = 'internal' OR name LIKE 'sqlite_autoindex%'")
    spoilPages(file, ...roots.map(({ pageno }) => Number(pageno)))
    repairJournal(file)
    expect(takenUp(file)).toEqual(before)
    const another = copied()
    emptyIndexPage(another, leafPagesOf(another, 'intents_open')[0] ?? 0)
    repairJournal(another)
    expect(takenUp(another)).toEqual(before)
  })

  test('predictions: each that is on a whole page is saved, and one that is lost is named', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    const lost = heldPrediction(10).contestId
    const action = JSON.stringify({ type: 'commitPrediction', contestId: lost, price: '187.25' })
    db.prepare("INSERT INTO intents (key, n, at, action, stake, risk, status) VALUES ('10:drift:0', 10, 1, ?, '0', '0', 'accepted')").run(
      action,
    )
    db.exec(`DELETE FROM custody WHERE contest_id = '${lost}'`)
    db.close()
    spoilPages(file, leafPagesOf(file, 'events').at(-1) ?? 0)
    const { mendings } = repairJournal(file)
    expect(mendings).toContainEqual({
      table: 'custody',
      row: lost,
      what: 'the price and salt of its prediction are lost',
      done: 'nothing can be done: it cannot be revealed',
    })
    expect(rowsOf(file, 'SELECT * FROM custody ORDER BY contest_id')).toEqual(custodyBefore.filter(({ contest_id }) => contest_id !== lost))
    expect(JSON.stringify(mendings)).not.toContain('salt-of-the-test')
  })

  test('an open swap whose transaction may be lost is named', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec("DELETE FROM swaps WHERE key = '10:crossover:0'")
    db.close()
    spoilPages(file, leafPagesOf(file, 'events').at(-1) ?? 0)
    expect(repairJournal(file).mendings).toContainEqual(
      expect.objectContaining({ table: 'swaps', row: '10:crossover:0', done: expect.stringMatching(/look in the wallet/) }),
    )
  })

  test('statuses that are none: what may be owed is taken as owed', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec("UPDATE intents SET status = 'lost' WHERE key = '20:ladder:0'; UPDATE custody SET status = 'lost' WHERE status = 'revealed'")
    db.close()
    expect(repairJournal(file).left).toEqual([])
    const taken = takenUp(file)
    expect(taken.pending.map(({ key }) => key)).toContain('20:ladder:0')
    expect(taken.custody).toHaveLength(INPUTS / 10)
  })

  test('a salt that does not fit is kept, said, and shown nowhere', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec("UPDATE custody SET price = '188' WHERE status = 'committed'")
    db.close()
    const { mendings, left } = repairJournal(file)
    expect(mendings).toHaveLength(INPUTS / 20)
    expect(left).toHaveLength(INPUTS / 20)
    expect(takenUp(file).custody.map(({ salt }) => salt)).toEqual(before.custody.map(({ salt }) => salt))
    expect(JSON.stringify([mendings, left])).not.toContain('salt-of-the-test')
  })

  test('a swap that was executed is not open, whatever its intent says', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec("UPDATE intents SET status = 'unknown', settled_at = NULL WHERE key = '20:crossover:0'")
    db.close()
    repairJournal(file)
    expect(takenUp(file)).toEqual(before)
  })

  test('an event that is there twice is counted once', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec('INSERT INTO events (n, at, raw) SELECT 201, at, raw FROM events WHERE position IN (3, 5)')
    db.close()
    expect(repairJournal(file).left).toEqual([])
    expect(takenUp(file)).toEqual({ ...before, lastInput: INPUTS })
  })

  test('cut off anywhere: what is left is taken up, and it is whole', () => {
    const size = statSync(whole).size
    fc.assert(
      fc.property(fc.integer({ min: PAGE_BYTES * 2, max: size - 1 }), (bytes) => {
        const file = copied()
        truncateSync(file, bytes)
        const { left } = repairJournal(file)
        expect(left.filter(({ message }) => !/whose journal it is|what came of it is missing/.test(message))).toEqual([])
        const taken = takenUp(file)
        expect(taken.events).toEqual(ids.slice(0, taken.events.length))
        expect(taken.cursor).toBe(taken.events.at(-1))
        expect(before.custody).toEqual(expect.arrayContaining([...taken.custody]))
        expect(before.fills).toEqual(expect.arrayContaining([...taken.fills]))
      }),
      { numRuns: 25 },
    )
  })

  test('spoiled anywhere: whatever it says is true of the original, and nothing that is not there is taken up', () => {
    const pages = statSync(whole).size / PAGE_BYTES
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 2, max: pages }), { minLength: 1, maxLength: 6 }), (spoiled) => {
        const file = copied()
        spoilPages(file, ...spoiled)
        const { left } = repairJournal(file)
        expect(left.filter(({ message }) => !/whose journal it is|what came of it is missing/.test(message))).toEqual([])
        const taken = takenUp(file)
        expect(taken.events).toEqual(ids.slice(0, taken.events.length))
        for (const name of ['custody', 'fills', 'pending', 'swaps'] as const)
          expect(before[name]).toEqual(expect.arrayContaining([...taken[name]]))
      }),
      { numRuns: 25 },
    )
  })

  test('the log of a bot that was killed is part of it, as far as it is whole', () => {
    const living = copied()
    const { journal, db } = openedJournal(living)
    db.exec('PRAGMA wal_autocheckpoint = 0')
    const file = copied()
    for (let n = 1; n <= 9; n++) {
      journal.commit({
        n: 1000 + n,
        at: 1,
        intents: [swapIntent(1000 + n)],
        outcomes: [],
        custody: [],
        swaps: [swapRecord(1000 + n)],
        fills: [],
        refusals: [],
      })
    }
    copyFileSync(`${living}-wal`, `${file}-wal`)
    journal.close()
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 1)
    spoilPages(file, leafPagesOf(whole, 'events').at(-2) ?? 0)
    const { original = '' } = repairJournal(file)
    const swaps = takenUp(file).swaps.map(({ key }) => key)
    expect(swaps).toContain('1008:crossover:0')
    expect(swaps).not.toContain('1009:crossover:0')
    expect(existsSync(`${original}-wal`)).toBe(true)
    expect(existsSync(`${file}-wal`)).toBe(false)
  })
})

describe('what is not repaired', () => {
  const refusal = (file: string, agentId?: string) => {
    const bytes = readFileSync(file)
    try {
      repairJournal(file, agentId)
    } catch (thrown) {
      expect(readFileSync(file)).toEqual(bytes)
      expect(readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.`) && !name.endsWith('holder.json'))).toEqual([])
      return (thrown as { code: string }).code
    }
    return undefined
  }

  test('a journal of a newer version, however broken', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec('PRAGMA user_version = 1000')
    db.close()
    spoilPages(file, leafPagesOf(file, 'events')[0] ?? 0)
    expect(refusal(file)).toBe('JOURNAL_NEWER')
  })

  test('the database of something else, whatever its version', () => {
    const file = copied()
    using db = new DatabaseSync(file)
    db.exec('PRAGMA application_id = 1; PRAGMA user_version = 1000')
    db.close()
    expect(refusal(file)).toBe('JOURNAL_UNREADABLE')
  })

  test('of another agent than was named', () => {
    const file = copied()
    spoilPages(file, leafPagesOf(file, 'events')[0] ?? 0)
    expect(refusal(file, 'other')).toBe('JOURNAL_OF_ANOTHER_AGENT')
    expect(refusal(file, 'agent')).toBeUndefined()
  })

  test('one that a bot runs on', () => {
    const file = copied()
    const { journal } = openedJournal(file)
    expect(refusal(file)).toBe('JOURNAL_IN_USE')
    journal.close()
  })

  test('what is no journal: another database, a text, nothing', () => {
    const other = join(folder, 'other.db')
    using db = new DatabaseSync(other)
    db.exec("CREATE TABLE notes (key TEXT, value TEXT); INSERT INTO notes VALUES ('a', 'b')")
    db.close()
    const text = join(folder, 'text.db')
    writeFileSync(text, 'dear diary, '.repeat(1000))
    const nothing = join(folder, 'nothing.db')
    writeFileSync(nothing, '')
    for (const file of [other, text, nothing]) expect(refusal(file)).toBe('JOURNAL_UNREADABLE')
  })
})

describe('a repair that is cut off', () => {
  test('before the new one is whole: no bot starts, and the next repair begins anew', () => {
    const file = copied()
    spoilPages(file, leafPagesOf(file, 'events')[0] ?? 0)
    writeFileSync(`${file}.repairing`, 'half of a journal')
    expect(() => new SqliteJournal(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNDER_REPAIR' }))
    expect(repairJournal(file).original).toBeDefined()
    expect(takenUp(file).custody).toEqual(before.custody)
  })

  test.each([
    ['before the original is moved', false],
    ['after it', true],
  ])('%s: the next repair puts the new one in its place', (_name, isMoved) => {
    const file = copied()
    const fresh = `${file}.repaired`
    copyFileSync(whole, fresh)
    writeFileSync(file, 'the original')
    if (isMoved) renameSync(file, `${file}.broken-earlier`)
    expect(() => new SqliteJournal(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNDER_REPAIR' }))
    const { original = '' } = repairJournal(file)
    expect(takenUp(file)).toEqual(before)
    if (!isMoved) expect(readFileSync(original, 'utf8')).toBe('the original')
  })
})
