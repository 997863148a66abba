import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SqliteJournal } from '../src/live/index.ts'

// A power cut leaves of a file what was synced last, and of a folder the names that were in it when it was synced.

const here = (path: string) => join(import.meta.dirname, path)
const folder = mkdtempSync(join(tmpdir(), 'cornerman-power-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** More than a thousand pages of log, so that SQLite moves some of them into the file meanwhile. */
const COMMITS = 600

interface Note {
  readonly kind: string
  readonly count: number
  readonly name: string
}

/** Has a process commit on a disk that keeps nothing but what was synced. */
function played(kind: 'journal' | 'copy'): { readonly notes: readonly Note[]; readonly kept: string } {
  const [shim, disk, kept] = [join(folder, 'synced.so'), join(folder, kind), join(folder, `${kind}-kept`)]
  for (const path of [disk, kept]) mkdirSync(path)
  execFileSync('cc', ['-shared', '-fPIC', '-o', shim, here('support/powerCut/synced.c'), '-ldl'])
  const { signal, stderr } = spawnSync(
    process.execPath,
    [here('support/powerCut/committer.ts'), join(disk, 'a.db'), kept, kind, String(COMMITS)],
    { env: { ...process.env, LD_PRELOAD: shim, CUT_FOLDER: disk, CUT_NOTES: kept }, encoding: 'utf8' },
  )
  if (signal !== 'SIGKILL') throw new Error(stderr)
  const lines = readFileSync(join(kept, 'log'), 'utf8').trim().split('\n')
  const notes = lines.map((line) => line.split(' ')).map(([what = '', count, name = '']) => ({ kind: what, count: Number(count), name }))
  return { notes, kept }
}

/** The disk as it is found when the power goes after so many notes. */
function disksOf({ notes, kept }: ReturnType<typeof played>) {
  let names = new Set<string>()
  let listed = new Set<string>()
  let committed = 0
  const contents = new Map<string, number>()
  return notes.map(({ kind, count, name }) => {
    if (kind === 'file') contents.set(name, count)
    else if (kind === 'name') listed.add(name)
    else if (kind === 'names') [names, listed] = [listed, new Set()]
    else if (kind === 'committed') committed = count
    const files = new Map([...contents].filter(([file]) => names.has(file)))
    return { committed, files: [...files].map(([file, copy]) => [file, join(kept, String(copy))] as const) }
  })
}

function commitsAfter(files: readonly (readonly [string, string])[], index: number): number[] {
  const disk = mkdtempSync(join(folder, `cut-${index}-`))
  for (const [name, copy] of files) copyFileSync(copy, join(disk, name))
  const journal = new SqliteJournal(join(disk, 'a.db')).belongTo('agent')
  const found = journal
    .load()
    .pending.map(({ key }) => Number.parseInt(key, 10))
    .toSorted((one, other) => one - other)
  journal.close()
  rmSync(disk, { recursive: true })
  return found
}

describe.skipIf(process.platform !== 'linux')('a power cut', () => {
  test('takes nothing of a journal that a commit has returned', () => {
    const disks = disksOf(played('journal'))
    expect(disks.at(-1)?.committed).toBe(COMMITS)
    const synced = new Set(disks.flatMap(({ files }) => files.map(([name]) => name)))
    expect(synced).toEqual(new Set(['a.db', 'a.db-journal', 'a.db-wal']))
    disks.forEach(({ committed, files }, index) => {
      // Each at the start and around every hundredth commit, where the log is moved into the file; of the others one in twenty.
      if (index > 60 && index % 20 !== 0 && committed % 100 > 1) return
      const found = commitsAfter(files, index)
      expect(found.slice(0, committed), `after ${committed} commits`).toEqual(Array.from({ length: committed }, (_, n) => n + 1))
      // One may be on the disk that has not returned yet.
      expect(found.length - committed).toBeOneOf([0, 1])
    })
  })

  test('takes commits of a copy, which are had again: the disk of this test does drop what was not synced', () => {
    const disks = disksOf(played('copy'))
    const last = disks.at(-1)
    expect(last?.committed).toBe(COMMITS)
    expect(commitsAfter(last?.files ?? [], 0).length).toBeLessThan(COMMITS)
  })
})
