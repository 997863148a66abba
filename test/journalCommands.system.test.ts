import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { StartReport } from '../src/cli/runs/start/report.ts'
import { SqliteJournal } from '../src/live/index.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts'
import { leafPagesOf, spoilPages, writeJournal } from './support/journalFiles.ts'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

const folder = mkdtempSync(join(tmpdir(), 'journal-commands-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []

afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
})
afterAll(() => {
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

function cornerman(args: readonly string[], env: Record<string, string> = {}): CornermanRun {
  const run = runCornerman(args, { env })
  runs.push(run)
  return run
}

async function logs(...args: string[]) {
  const run = cornerman(['logs', ...args])
  return { code: await run.exited, run }
}

describe('logs of a journal', () => {
  test('check says what is wrong, repair mends it and keeps the original beside it', async () => {
    const dataDir = join(folder, 'spoiled')
    mkdirSync(join(dataDir, 'bots'), { recursive: true })
    const file = join(dataDir, 'bots', 'alice.db')
    writeJournal(file, 120)
    copyFileSync(file, join(dataDir, 'bots', 'bob.db'))
    spoilPages(file, leafPagesOf(file, 'events')[2] ?? 0)

    const [one, all, other, copied] = await Promise.all([
      logs('check', file),
      logs('check', dataDir, '--json'),
      logs('check', join(dataDir, 'bots', 'bob.db'), '--agent', 'other'),
      logs('repair', file, '--out', join(folder, 'out')),
    ])
    expect([one.code, all.code, other.code, copied.code]).toEqual([1, 1, 2, 2])
    expect(one.run.stdout()).toContain(`logs repair ${file}`)
    expect(new Set(jsonOf<{ problems: { file: string }[] }>(all.run).problems.map((problem) => problem.file))).toEqual(new Set([file]))
    expect(other.run.stderr()).toMatch(/is the journal of agent agent, this bot is agent other/)

    const repaired = await logs('repair', file, '--agent', 'agent', '--json')
    const { original, left } = jsonOf<{ original: string; left: unknown[] }>(repaired.run)
    expect([repaired.code, left, existsSync(original)]).toEqual([0, [], true])
    const [again, kept, nothing, recording] = await Promise.all([
      logs('check', dataDir),
      logs('check', original),
      logs('repair', file),
      logs('repair', join(dataDir, 'bots')),
    ])
    expect([again.code, kept.code, nothing.code, recording.code]).toEqual([0, 1, 0, 2])
    expect(nothing.run.stdout()).toBe(`${file}: nothing is wrong, and nothing was changed\n`)
    for (const { run } of [one, all, repaired, kept]) expect(run.stdout()).not.toContain('salt-of-the-test')
  })
})

describe('start', () => {
  /** Two bots on a sandbox that is not theirs. */
  async function twoBots(dataDir: string): Promise<{ sandbox: Sandbox; config: string; env: Record<string, string> }> {
    mkdirSync(join(dataDir, 'bots'), { recursive: true })
    const sandbox = await startSandbox({ agents: ['alice', 'bob'] })
    const config = configs.write(`import { contestService, defineConfig, secret, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
const guard = { maxStake: usdc('5'), dailyLoss: usdc('20') }
const strategies = [ladder({ modes: ['up_down'] })]
export default defineConfig({
  service: contestService({ url: '${sandbox.url}', sandbox: true }),
  market: { url: '${sandbox.url}/jup/price/v3' },
  bots: ['alice', 'bob'].map((name) => ({ name, agentKey: secret(\`TEST_KEY_\${name.toUpperCase()}\`), strategies, guard })),
})`)
    return { sandbox, config, env: Object.fromEntries(sandbox.agents.map(({ name, key }) => [`TEST_KEY_${name.toUpperCase()}`, key])) }
  }

  test('a journal that is broken stops its bot alone, and the exit code says so', async () => {
    const dataDir = join(folder, 'one-broken')
    const { sandbox, config, env } = await twoBots(dataDir)
    const file = join(dataDir, 'bots', 'alice.db')
    writeJournal(file, 20)
    spoilPages(file, 1)
    const run = cornerman(['start', '--config', config, '--data-dir', dataDir, '--for', '2s', '--json'], env)
    expect(await run.exited).toBe(1)
    const [alice, bob] = jsonOf<StartReport>(run).bots
    expect(alice?.failure).toMatchObject({ code: 'JOURNAL_UNREADABLE', message: expect.stringContaining(`logs repair ${file}`) })
    expect(alice, 'nobody can say').toMatchObject({ contests: { settled: null, cancelled: null }, profit: null, actions: { sent: null } })
    expect(bob?.failure).toBeUndefined()
    expect(bob?.contests.cancelled).toBe(0)
    await sandbox.close()
  })

  test('on journals that another process holds ends with 2, and says which; doctor knows it too', async () => {
    const dataDir = join(folder, 'held')
    const { sandbox, config, env } = await twoBots(dataDir)
    const file = join(dataDir, 'bots', 'alice.db')
    const journal = new SqliteJournal(file)
    const [second, doctor] = [
      cornerman(['start', '--config', config, '--data-dir', dataDir, '--bot', 'alice'], env),
      cornerman(['doctor', '--config', config, '--data-dir', dataDir, '--json'], env),
    ]
    expect(await second.exited).toBe(2)
    expect(second.stderr()).toContain(`${file} is held by process ${process.pid} (since `)
    await doctor.exited
    const checks = () => jsonOf<{ checks: { name: string; message: string }[] }>(doctor).checks
    expect(checks().find(({ name }) => name === 'alice: journal')?.message).toContain(`held by process ${process.pid}`)
    journal.close()
    await sandbox.close()
  })
})
