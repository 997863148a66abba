import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { checkJournal } from '../src/live/index.ts'
import { writeJournal } from './support/journalFiles.ts'

// A byte that a disk or a foreign program has changed, anywhere in a journal: where it alters what the journal says of predictions,
// actions and swaps, it does not go unnoticed.

const folder = mkdtempSync(join(tmpdir(), 'journal-bytes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TABLES = ['custody', 'intents', 'swaps', 'fills'] as const

/** All that the tables say; undefined where SQLite itself does not read them to their end. */
function contentOf(file: string): string | undefined {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    return JSON.stringify(TABLES.map((table) => db.prepare(`SELECT * FROM ${table} NOT INDEXED ORDER BY rowid`).all()))
  } catch {
    return undefined
  }
}

test('of bytes changed all over a journal none that alters a prediction, an action, a swap or a fill goes unnoticed', {
  timeout: 300_000,
}, () => {
  const whole = join(folder, 'whole.db')
  writeJournal(whole, 60)
  const bytes = readFileSync(whole)
  const content = contentOf(whole)
  expect(checkJournal(whole)).toEqual([])
  const file = join(folder, 'changed.db')
  let altering = 0
  const unnoticed: number[] = []
  // A prime, so that every place within a page is met; a low bit, so that a digit becomes another digit.
  for (let at = 100; at < bytes.length; at += 211) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(file, changed)
    const now = contentOf(file)
    if (now === content) continue
    altering += 1
    if (now !== undefined && checkJournal(file).length === 0) unnoticed.push(at)
  }
  expect(altering).toBeGreaterThan(40)
  expect(unnoticed).toEqual([])
})
