import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { thrownBy } from '../../test/support/thrownBy.ts'
import { diskRemedy } from './diskRemedy.ts'

const folder = mkdtempSync(join(tmpdir(), 'disk-remedy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a disk that is full needs room, whoever says so', () => {
  expect(diskRemedy(thrownBy(() => writeFileSync('/dev/full', 'x')))).toBe('make room on its disk')
  using db = new DatabaseSync(join(folder, 'full.db'))
  db.exec('CREATE TABLE t (x TEXT) STRICT; PRAGMA max_page_count = 3')
  expect(diskRemedy(thrownBy(() => db.exec(`INSERT INTO t VALUES ('${'x'.repeat(50_000)}')`)))).toBe('make room on its disk')
})

test('each kind of failure has words of its own', () => {
  expect(diskRemedy(thrownBy(() => writeFileSync(folder, 'x')))).toBe('it is a folder: name a file')
  expect(diskRemedy(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))).toMatch(/ulimit -n/)
  for (const other of [undefined, 'text', new Error('x'), { code: 7 }]) expect(diskRemedy(other)).toMatch(/^check the file, its folder/)
})
