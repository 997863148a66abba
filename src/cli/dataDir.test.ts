import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { exposedIn, makeDataDir, tightenDataDir } from './dataDir.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-dir-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const modeOf = (...path: string[]) => (statSync(join(folder, ...path)).mode & 0o777).toString(8)

/** A data directory as a process with an umask of 0 leaves it. */
function openToAll(dataDir: string): void {
  mkdirSync(join(dataDir, 'bots'), { recursive: true })
  mkdirSync(join(dataDir, 'recordings/alice'), { recursive: true })
  for (const file of ['bots/alice.db', 'bots/alice.db-wal', 'recordings/alice/run-000001.ndjson', 'control.json']) {
    writeFileSync(join(dataDir, file), '')
    chmodSync(join(dataDir, file), 0o666)
  }
  for (const path of ['', 'bots', 'recordings', 'recordings/alice']) chmodSync(join(dataDir, path), 0o777)
}

describe.skipIf(process.platform === 'win32')('a data directory', () => {
  test('that others could read is its owner’s alone, all the way down', () => {
    const dataDir = join(folder, '.cornerman')
    openToAll(dataDir)
    expect(exposedIn(dataDir)).toHaveLength(8)
    expect(tightenDataDir(dataDir)).toEqual({ tightened: 8, failure: undefined })
    expect(exposedIn(dataDir)).toEqual([])
    expect(modeOf('.cornerman', 'recordings/alice')).toBe('700')
    expect(modeOf('.cornerman', 'bots/alice.db-wal')).toBe('600')
    expect(tightenDataDir(dataDir)).toEqual({ tightened: 0, failure: undefined })
  })

  test('that holds a project, too, is tightened where the data is and nowhere else, and is not ignored', () => {
    openToAll(folder)
    writeFileSync(join(folder, 'bots.config.ts'), '')
    chmodSync(join(folder, 'bots.config.ts'), 0o644)
    vi.spyOn(process, 'cwd').mockReturnValue(join(folder, 'strategies'))
    makeDataDir(folder)
    tightenDataDir(folder)
    expect(modeOf('bots.config.ts')).toBe('644')
    expect(modeOf()).toBe('777')
    expect(modeOf('bots')).toBe('700')
    expect(modeOf('bots/alice.db')).toBe('600')
    expect(() => readFileSync(join(folder, '.gitignore'))).toThrow('ENOENT')
  })

  test('what a link leads to is left alone, but not the data directory behind one', () => {
    mkdirSync(join(folder, 'elsewhere'))
    chmodSync(join(folder, 'elsewhere'), 0o755)
    mkdirSync(join(folder, 'data'))
    chmodSync(join(folder, 'data'), 0o755)
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'data', 'link'))
    symlinkSync(join(folder, 'data'), join(folder, 'link'))
    tightenDataDir(join(folder, 'link'))
    expect(modeOf('data')).toBe('700')
    expect(modeOf('elsewhere')).toBe('755')
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
  })

  test('is left out of a repository, in the words of whoever wrote them first', () => {
    const dataDir = join(folder, 'data')
    makeDataDir(dataDir)
    expect(readFileSync(join(dataDir, '.gitignore'), 'utf8')).toMatch(/^\*$/m)
    writeFileSync(join(dataDir, '.gitignore'), 'mine\n')
    makeDataDir(dataDir)
    expect(readFileSync(join(dataDir, '.gitignore'), 'utf8')).toBe('mine\n')
  })
})
