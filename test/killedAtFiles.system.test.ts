import type * as Fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readControl, removeRunNote, takeDeadRuns, writeControl, writeRunNote } from '../src/cli/control.ts'
import { makeDataDir, tightenDataDir } from '../src/cli/dataDir.ts'
import { SqliteJournal } from '../src/live/index.ts'
import { checkLog, LogWriter } from '../src/recording/index.ts'
import { entryIntent, heldPrediction, journalRecord } from './support/journalFiles.ts'
import { input, header as logHeader } from './support/logFiles.ts'

// A process can be killed at any of its file operations. One run is made, and before each operation, and in the middle of
// each write, the data directory is copied as a kill would leave it; then a bot starts on every copy.

const disk = vi.hoisted(() => ({ before: (_operation: string) => {} }))
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Fs>()
  const announced = <A extends unknown[], R>(name: string, work: (...args: A) => R) => {
    return (...args: A): R => {
      disk.before(name)
      return work(...args)
    }
  }
  const writeFileSync: typeof Fs.writeFileSync = (file, data, options) => {
    disk.before('write')
    const bytes = Buffer.from(data as string)
    const isOpen = typeof file === 'number'
    const { flag = 'w', mode = 0o666 } = (options ?? {}) as { flag?: string; mode?: number }
    const descriptor = isOpen ? file : fs.openSync(file as string, flag, mode)
    fs.writeSync(descriptor, bytes, 0, bytes.length >> 1)
    disk.before('the rest of a write')
    fs.writeSync(descriptor, bytes, bytes.length >> 1)
    if (!isOpen) fs.closeSync(descriptor)
  }
  const hooked = {
    writeFileSync,
    openSync: announced('open', fs.openSync),
    closeSync: announced('close', fs.closeSync),
    fsyncSync: announced('fsync', fs.fsyncSync),
    fdatasyncSync: announced('fdatasync', fs.fdatasyncSync),
    renameSync: announced('rename', fs.renameSync),
    rmSync: announced('rm', fs.rmSync),
    mkdirSync: announced('mkdir', fs.mkdirSync),
    chmodSync: announced('chmod', fs.chmodSync),
  }
  return { ...fs, ...hooked, default: { ...fs, ...hooked } }
})

const fs = await vi.importActual<typeof Fs>('node:fs')
const folder = fs.mkdtempSync(join(tmpdir(), 'killed-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const START_MS = Date.parse('2025-03-01T12:00:00Z')
/** A process id that no process has. */
const DEAD = 2 ** 30

/** All that a bot does to its files, with segments so short that several end. */
function play(dataDir: string, run: string, inputs = 6): void {
  makeDataDir(dataDir)
  tightenDataDir(dataDir)
  takeDeadRuns(dataDir)
  const control = readControl(dataDir)
  writeRunNote(dataDir, { pid: DEAD, obeys: { state: control.state, bots: {} } })
  fs.mkdirSync(join(dataDir, 'bots'), { recursive: true })
  const journal = new SqliteJournal(join(dataDir, 'bots/alice.db')).belongTo('agent')
  const { lastInput } = journal.load()
  const recording = join(dataDir, 'recordings/alice')
  const recorder = new LogWriter({ folder: recording, header: logHeader({ run }), limits: { segmentBytes: 300 } })
  for (let n = lastInput + 1; n <= lastInput + inputs; n++) {
    const at = START_MS + n
    recorder.write(input(n, { at }))
    recorder.sync()
    journal.commit(journalRecord({ n, at, intents: [entryIntent(n)], custody: [heldPrediction(n)] }))
    if (n % 3 === 0) writeControl(dataDir, { state: n % 2 === 0 ? 'running' : 'stopped', bots: {} }, at)
  }
  recorder.close()
  journal.close()
  removeRunNote(dataDir, DEAD)
}

describe('a process that is killed', () => {
  test('at any operation on its files leaves what the next start takes up', { timeout: 120_000 }, () => {
    const dataDir = join(folder, 'data')
    const copies: { at: string; path: string }[] = []
    const copy = (at: string) => {
      const path = join(folder, `copy-${copies.length}`)
      if (fs.existsSync(dataDir)) fs.cpSync(dataDir, path, { recursive: true })
      copies.push({ at, path })
    }
    play(dataDir, '20250301T120000Z-aaaa')
    const recording = join(dataDir, 'recordings/alice')
    expect(fs.readdirSync(recording).length).toBeGreaterThan(1)
    // One that died in the middle of a line: the next start packs what it has left.
    const died = new LogWriter({ folder: recording, header: logHeader({ run: '20250301T123000Z-dead' }) })
    died.write(input(13, { at: START_MS + 13 }))
    died.sync()
    fs.appendFileSync(join(recording, '20250301T123000Z-dead-000001.ndjson'), '{"kind":"inp')
    disk.before = copy
    const { exec } = DatabaseSync.prototype
    const spied = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
      copy(sql)
      exec.call(this, sql)
    })
    play(dataDir, '20250301T130000Z-bbbb')
    disk.before = () => {}
    spied.mockRestore()
    expect(copies.length).toBeGreaterThan(90)

    for (const { at, path } of copies) {
      expect(() => play(path, '20250301T140000Z-cccc', 1), `killed before ${at}, as in ${path}`).not.toThrow()
      const left = fs.readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tmp$|\.json\.\d+$|run\.json/.test(name))
      expect(left, `left over by a kill before ${at}`).toEqual([])
      expect(checkLog(join(path, 'recordings/alice'))).toEqual([])
    }
  })
})
