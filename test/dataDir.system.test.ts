import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

// Who can read what a run leaves: its owner, whatever the umask of the shell that started it.

const folder = mkdtempSync(join(tmpdir(), 'data-dir-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
})
afterAll(() => {
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Every path in a folder whose mode lets others in, and the folder's own. */
function openPathsIn(dataDir: string): string[] {
  const paths = [dataDir, ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name))]
  return paths.filter((path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
}

/** Starts the command line as a shell with an umask of 0 does. */
function openHanded(...args: string[]): CornermanRun {
  const umask = process.umask(0)
  try {
    const run = runCornerman(args)
    runs.push(run)
    return run
  } finally {
    process.umask(umask)
  }
}

const config = () =>
  configs.write(`import { defineConfig, sandbox, usdc } from 'cornerman'
import momentum from './strategies/momentum.ts'
export default defineConfig({
  service: sandbox({ matchDelayMs: 50 }),
  bots: [{ name: 'alice', strategies: [momentum()], guard: { maxStake: usdc('5'), dailyLoss: usdc('20') } }],
})`)

interface Doctor {
  readonly checks: readonly { readonly name: string; readonly verdict: string; readonly message: string }[]
}

describe.skipIf(process.platform === 'win32')('under an umask of 0', () => {
  test('all that a run writes is its owner’s alone, what was there before is tightened, and a doctor before that fails', async () => {
    const dataDir = join(folder, 'data')
    const bots = join(dataDir, 'bots')
    mkdirSync(bots, { recursive: true })
    writeFileSync(join(bots, 'earlier.db.broken-20250101T000000Z'), 'salts')
    for (const path of [dataDir, bots]) chmodSync(path, 0o755)
    chmodSync(join(bots, 'earlier.db.broken-20250101T000000Z'), 0o644)
    const file = config()

    const examined = openHanded('doctor', '--config', file, '--data-dir', dataDir, '--json')
    expect(await examined.exited).toBe(1)
    const found = jsonOf<Doctor>(examined).checks.find(({ name }) => name === 'data directory')
    expect(found?.verdict).toBe('fail')
    expect(found?.message).toMatch(/others can read .*data and 2 more.*chmod -R go= /)

    const run = openHanded('start', '--config', file, '--data-dir', dataDir, '--no-dashboard', '--for', '1s')
    await run.logged(({ msg }) => msg.startsWith('draining') || msg.includes(': draining'))
    // While it plays: logs of databases and notes of processes are there, too.
    expect(readdirSync(bots)).toEqual(expect.arrayContaining(['alice.db', 'alice.db-wal', 'alice.db.holder.json']))
    expect(openPathsIn(dataDir)).toEqual([])
    expect(await run.exited).toBe(0)
    expect(openPathsIn(dataDir)).toEqual([])
    expect(run.stderr()).toMatch(/3 folders and files that others could read are this user's alone now/)
    expect(readFileSync(join(dataDir, '.gitignore'), 'utf8')).toMatch(/^\*$/m)
    expect(readdirSync(join(dataDir, 'recordings/alice')).length).toBeGreaterThan(0)

    const again = openHanded('doctor', '--config', file, '--data-dir', dataDir, '--json')
    expect(await again.exited).toBe(0)
    expect(jsonOf<Doctor>(again).checks.find(({ name }) => name === 'data directory')?.verdict).toBe('ok')
  })

  test('a stop leaves what it says to its owner', async () => {
    const dataDir = join(folder, 'stopped')
    mkdirSync(dataDir, { mode: 0o700 })
    expect(await openHanded('stop', '--now', '--data-dir', dataDir).exited).toBe(0)
    expect(readdirSync(dataDir)).toContain('control.json')
    expect(openPathsIn(dataDir)).toEqual([])
  })
})
