import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { journalRecord } from '../../../test/support/journalFiles.ts'
import { usdc } from '../../core/usdc.ts'
import { freshMode, type ModeRecord, nextMode, UNPLAYED_LIMITS } from '../../pipeline/index.ts'
import { modesKept } from './modesKept.ts'
import { SqliteJournal } from './sqliteJournal.ts'

const folder = mkdtempSync(join(tmpdir(), 'modes-kept-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lost = (mode: string): ModeRecord =>
  nextMode(freshMode(mode), { type: 'unplayed', hindrance: 'noPiece', stake: usdc('1') }, 1000, UNPLAYED_LIMITS)

/** The form in which records come back: what is undefined is not there. */
const kept = (mode: string) => expect.objectContaining({ mode, unplayed: { count: 1, staked: usdc('1') } })

describe('modes of a journal', () => {
  test('are read while a bot holds it, as of the newest change, and after it has let go', () => {
    const file = join(folder, 'alice.db')
    const journal = new SqliteJournal(file)
    expect(modesKept(file)).toEqual([])
    journal.commit(journalRecord({ n: 1, at: 1000, modes: [lost('same_token')] }))
    expect(modesKept(file)).toEqual([kept('same_token')])
    journal.commit(journalRecord({ n: 2, at: 2000, modes: [lost('up_down')] }))
    const held = modesKept(file)
    expect(held).toEqual([kept('same_token'), kept('up_down')])
    journal.close()
    expect(modesKept(file)).toEqual(held)
    const again = new SqliteJournal(file)
    expect(modesKept(file), 'from the first moment on').toEqual(held)
    again.close()
    expect(readdirSync(folder), 'to look leaves nothing behind').toEqual(['alice.db'])
  })

  test('of before there was such a table are none', () => {
    const file = join(folder, 'old.db')
    new SqliteJournal(file).close()
    const db = new DatabaseSync(file)
    db.exec('DROP TABLE modes')
    db.close()
    expect(modesKept(file)).toEqual([])
  })

  test('cannot be said where the holder has noted nothing', () => {
    const file = join(folder, 'mute.db')
    const journal = new SqliteJournal(file)
    writeFileSync(`${file}.holder.json`, `{"pid":${process.pid},"since":"2026-01-01T00:00:00Z"}`)
    expect(() => modesKept(file)).toThrow(expect.objectContaining({ code: 'JOURNAL_IN_USE' }))
    journal.close()
  })

  test.each([
    ['is not there', 'JOURNAL_UNREADABLE', () => {}],
    ['is no database', 'JOURNAL_CORRUPT', (file: string) => writeFileSync(file, 'not a database, whatever it is called'.repeat(50))],
  ])('of a file that %s are an error', (name, code, make) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.db`)
    make(file)
    expect(() => modesKept(file)).toThrow(expect.objectContaining({ code }))
  })

  test('of a row that nobody wrote are closed, until somebody opens them', () => {
    const file = join(folder, 'nobody.db')
    new SqliteJournal(file).close()
    const db = new DatabaseSync(file)
    db.exec(`INSERT INTO modes (mode, state, why, numbers, since, trials) VALUES ('up_down', 'open', '', '{}', 0, 0)`)
    db.close()
    expect(modesKept(file)).toMatchObject([{ mode: 'up_down', closed: { why: 'operator', trialAt: undefined } }])
  })
})
