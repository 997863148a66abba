import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runsOf } from '../../../../test/support/suite/cases.ts'
import { leafRows, type Stored } from './leafRows.ts'
import { PageFile } from './pageFile.ts'

// What SQLite itself reads is what has to be found without it.

const folder = mkdtempSync(join(tmpdir(), 'leaf-rows-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const freshFile = () => join(folder, `${files++}.db`)

type Row = readonly [number | bigint | null, string | null, Uint8Array | null, number | null]

const row = fc.tuple(
  fc.oneof(fc.constant(null), fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer({ min: -1, max: 2 })),
  // Some longer than a page, and than several.
  fc.oneof(fc.constant(null), fc.string({ unit: 'grapheme' }), fc.string({ minLength: 3000, maxLength: 9000, size: 'max' })),
  fc.oneof(fc.constant(null), fc.uint8Array({ maxLength: 100 })),
  fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
)

function create(file: string, pageBytes = 4096): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d REAL) STRICT`)
  return db
}

function insert(db: DatabaseSync, rows: readonly Row[]): void {
  const statement = db.prepare('INSERT INTO t VALUES (?, ?, ?, ?)')
  db.exec('BEGIN')
  for (const values of rows) statement.run(...values)
  db.exec('COMMIT')
}

/** Rows of four columns, as they were found, by rowid. */
function found(file: string): unknown[][] {
  const pages = new PageFile(file)
  const rows = [...leafRows(pages)].flatMap((leaf) => ('values' in leaf && leaf.values.length === 4 ? [leaf] : []))
  pages.close()
  return rows.toSorted((one, other) => one.rowid - other.rowid).map(({ rowid, values }) => [rowid, ...values.map(comparable)])
}

function readBySqlite(file: string): unknown[][] {
  using db = new DatabaseSync(file)
  const statement = db.prepare('SELECT rowid, * FROM t ORDER BY rowid')
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return (statement.all() as unknown as Stored[][]).map(([rowid, ...values]) => [Number(rowid), ...values.map(comparable)])
}

/** A whole number is the same whatever holds it, and a real that is whole is kept as an integer. */
const comparable = (value: Stored): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : typeof value === 'number' || typeof value === 'bigint'
      ? Number(value)
      : value

describe('leafRows', () => {
  test('finds what SQLite reads, whatever is stored, on pages of any size', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), fc.constantFrom(512, 4096, 65_536), (rows, pageBytes) => {
        const file = freshFile()
        const db = create(file, pageBytes)
        insert(db, rows)
        db.close()
        expect(found(file)).toEqual(readBySqlite(file))
      }),
      { numRuns: runsOf(40) },
    )
  })

  test('takes what a crash has left in the log, up to the last transaction that is whole', () => {
    const file = freshFile()
    using db = create(file)
    db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0')
    for (let commit = 0; commit < 8; commit++) insert(db, Array<Row>(30).fill([commit, 'x'.repeat(200), null, null]))
    const frame = 24 + 4096
    for (const frames of [3, 7, 12, 20]) {
      const [torn, bySqlite] = [freshFile(), freshFile()]
      for (const copy of [torn, bySqlite]) {
        copyFileSync(file, copy)
        copyFileSync(`${file}-wal`, `${copy}-wal`)
        truncateSync(`${copy}-wal`, 32 + frames * frame - 100)
      }
      expect(found(torn)).toEqual(readBySqlite(bySqlite))
    }
    expect(found(file)).toHaveLength(240)
  })

  test('takes nothing of the log from a frame on that was altered, as SQLite does', () => {
    const file = freshFile()
    using db = create(file)
    db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0')
    for (let commit = 0; commit < 8; commit++) insert(db, Array<Row>(30).fill([commit, 'x'.repeat(200), null, null]))
    const [altered, bySqlite] = [freshFile(), freshFile()]
    for (const copy of [altered, bySqlite]) {
      copyFileSync(file, copy)
      const wal = readFileSync(`${file}-wal`)
      const at = 32 + 9 * (24 + 4096) + 24 + 4000
      wal.writeUInt8(wal.readUInt8(at) ^ 1, at)
      writeFileSync(`${copy}-wal`, wal)
    }
    const rows = found(altered)
    expect(rows).toEqual(readBySqlite(bySqlite))
    expect(rows.length).toBeLessThan(240)
  })

  test('what was deleted does not come back from pages that were given up', () => {
    const file = freshFile()
    const db = create(file)
    insert(
      db,
      Array.from({ length: 500 }, (_, at): Row => [at, 'x'.repeat(200), null, null]),
    )
    db.exec('DELETE FROM t WHERE a >= 50')
    db.close()
    expect(found(file)).toHaveLength(50)
  })
})
