import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, expect, test } from 'vitest'
import { endOf } from '../support/endOf.ts'
import { copyCheckout, linkPackages } from '../support/workingCopy.ts'

// The way of somebody who is new, by the commands of README.md and those that `new-strategy` prints, in a copy of what would be
// committed. Nothing in it is edited but the strategy that it writes.

const LIMIT_MS = 5 * 60_000
const IMPORTED = 'src/sandbox/data/31-coins-1m-closes-2025-07.csv.gz'

const root = mkdtempSync(join(tmpdir(), 'cornerman-newcomer-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const took: { readonly step: string; readonly ms: number }[] = []

/** Runs a command there, as typed, and fails with what it printed. */
async function step(name: string, command: string, ...args: readonly string[]): Promise<string> {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr, exitCode } = await endOf(child)
  took.push({ step: name, ms: Math.round(performance.now() - startedAt) })
  expect(exitCode, `${name}: ${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout + stderr
}

/**
 * Installs from npm's cache; where the cache has not everything, links what is installed here.
 *
 * @returns which of the two it was: a report of times has to say so
 */
async function install(): Promise<'npm ci --offline' | 'linked node_modules'> {
  const startedAt = performance.now()
  // Beside npm's own program: the npm of the machine, not the one of the Node that runs this test.
  const child = spawn('npm', ['ci', '--offline', '--no-audit', '--no-fund'], { cwd: root, stdio: 'ignore' })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (exitCode !== 0) {
    rmSync(join(root, 'node_modules'), { recursive: true, force: true })
    linkPackages(root)
  }
  const way = exitCode === 0 ? 'npm ci --offline' : 'linked node_modules'
  took.push({ step: `install (${way})`, ms: Math.round(performance.now() - startedAt) })
  return way
}

const cornerman = (name: string, ...args: readonly string[]) => step(name, 'npm', 'run', '--silent', 'cornerman', '--', ...args)

test(
  'from a clone to a report of a strategy of one’s own in under five minutes',
  async () => {
    copyCheckout(root)
    await install()

    const said = await cornerman('new-strategy', 'new-strategy', 'my-first', '--kind', 'trade')
    expect(said).toContain('strategies/my-first.test.ts')
    // The only file that is edited: the strategy.
    const file = join(root, 'strategies/my-first.ts')
    const source = readFileSync(file, 'utf8')
    writeFileSync(file, source.replace('.default(15)', '.default(12)'))
    expect(readFileSync(file, 'utf8')).not.toBe(source)

    const tested = await step('its test', 'npx', 'vitest', 'run', '--project', 'fast', 'strategies/my-first.test.ts')
    expect(tested).toContain(', 0 failed')
    await cornerman('strategies', 'strategies')
    await cornerman('logs import', 'logs', 'import', IMPORTED, '--out', 'imported')
    const table = await cornerman(
      'backtest',
      'backtest',
      '--log',
      'imported',
      '--strategy',
      'strategies/my-first.ts',
      '--report',
      'report.html',
    )
    expect(table).toContain('report.html')

    const report = readFileSync(join(root, 'report.html'), 'utf8')
    expect(report).toContain('my-first')
    expect(statSync(join(root, 'report.html')).size).toBeGreaterThan(100_000)
    // A page that asks nobody for anything.
    expect(report).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)=["']?(?:https?:)?\/\//i)
    expect(report).not.toMatch(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource)\s*\(/)

    const total = took.reduce((sum, { ms }) => sum + ms, 0)
    console.log(
      [...took, { step: 'in all', ms: total }].map(({ step: name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`).join('\n'),
    )
    expect(total).toBeLessThan(LIMIT_MS)
  },
  LIMIT_MS,
)
