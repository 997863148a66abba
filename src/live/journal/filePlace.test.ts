import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { entryIntent, journalRecord } from '../../../test/support/journalFiles.ts'
import { SqliteJournal } from './sqliteJournal.ts'

let folder = ''
let file = ''
let journal: SqliteJournal
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-place-'))
  file = join(folder, 'bots.db')
  journal = new SqliteJournal(file).belongTo('agent')
  journal.commit(journalRecord({ n: 1, intents: [entryIntent(1)] }))
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

const commit = () => journal.commit(journalRecord({ n: 2, intents: [entryIntent(2)] }))
const isGone = expect.objectContaining({ code: 'JOURNAL_GONE', message: expect.stringContaining(file) })

describe('a journal whose file is taken away while it is held', () => {
  test.each<[string, () => void]>([
    ['deleted with its folder', () => rmSync(folder, { recursive: true })],
    ['deleted', () => rmSync(file)],
    ['its log alone deleted', () => rmSync(`${file}-wal`)],
    ['moved', () => renameSync(file, `${file}.moved`)],
    [
      'replaced by a copy of itself',
      () => {
        cpSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
  ])('%s: takes nothing more', (_, takeAway) => {
    takeAway()
    expect(commit).toThrow(isGone)
    expect(() => journal.lease({ at: 1, count: 10 }, 0)).toThrow(isGone)
  })

  test('and is put back goes on', () => {
    renameSync(file, `${file}.moved`)
    expect(commit).toThrow(isGone)
    renameSync(`${file}.moved`, file)
    journal.commit(journalRecord({ n: 3 }))
    expect(journal.load().lastInput).toBe(2)
  })
})

test('a journal in memory lies nowhere', () => {
  const inMemory = new SqliteJournal(':memory:').belongTo('agent')
  inMemory.commit(journalRecord({ n: 1 }))
  expect(existsSync(':memory:')).toBe(false)
  inMemory.close()
})
