import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from 'vitest'
import { endOf } from '../support/endOf.ts'
import { runCornerman } from '../support/runCornerman.ts'
import { startReport } from '../support/startReport.ts'
import { childOf, quoted, runWay, type WayOptions, type WayRun } from '../support/waysOfRunning/run.ts'

// How `start` is run, times how it is ended: what is open is played to its end, reported, and what was cut short is taken up by the next start.
// The programs around it are the real ones: npm, a namespace of processes, tini, nohup, a terminal. Debian's package tini; a missing tool is red.

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'cornerman-ways-'))
const bots = join(folder, 'my-bots')
const runs: WayRun[] = []
afterAll(() => {
  for (const run of runs) run.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** One contest at a time, as short as they get, lost unless it is revealed. */
const config = (strategies: string) => `import { defineConfig, sandbox, usdc } from 'cornerman'
import ladder from '${strategies}/ladder.ts'
import drift from '${strategies}/drift.ts'

export default defineConfig({
  service: sandbox({ seed: 7 }),
  bots: [
    {
      name: 'alice',
      strategies: [ladder({ modes: ['price_prediction'], durationSec: 15, atOnce: 1 }), drift({ lookbackSec: 5 })],
      guard: { maxStake: usdc('2'), dailyLoss: usdc('100') },
    },
  ],
})
`
const CONFIG = join(folder, 'ways.config.ts')

const NODE = ['node', '--v8-pool-size=0', 'src/cli/cornerman.js', 'start']
const NPM = ['npm', '--silent', 'start', '--']
const NAMESPACE = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child']
/** Command of the image, for the clone or a folder of bots, without its volume. */
const cmdOf = (root: string): string[] => {
  const argv = JSON.parse(/^CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? '[]') as string[]
  expect(argv.splice(-2)).toEqual(['--data-dir', '/data'])
  return argv
}
const unitOf = (): string[] => {
  const argv = /^ExecStart=(.*)$/m.exec(readFileSync(join(ROOT, 'docs/guide/operations.md'), 'utf8'))?.[1]?.split(' ') ?? []
  expect(argv.splice(-2)).toEqual(['--data-dir', 'live'])
  return argv.map((arg) => arg.replace('/opt/cornerman', ROOT))
}

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/cornerman'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(CONFIG, config(join(ROOT, 'strategies')))
  // npm install is package.test.ts's: here the packages of the clone are linked beside the packed framework.
  const made = runCornerman(['init', bots])
  expect(await made.exited, made.stderr()).toBe(0)
  mkdirSync(join(bots, 'node_modules/.bin'), { recursive: true })
  for (const name of readdirSync(join(folder, 'node_modules')).filter((name) => name !== 'cornerman'))
    symlinkSync(join(folder, 'node_modules', name), join(bots, 'node_modules', name))
  const [tarball = ''] = readdirSync(join(bots, 'vendor'))
  await expectDone(bots, ['tar', 'xzf', join('vendor', tarball), '-C', 'node_modules'])
  cpSync(join(bots, 'node_modules/package'), join(bots, 'node_modules/cornerman'), { recursive: true })
  symlinkSync('../cornerman/dist/cli/cornerman.js', join(bots, 'node_modules/.bin/cornerman'))
  await expectDone(bots, ['npm', 'run', '--silent', 'postinstall'])
  writeFileSync(join(bots, 'ways.config.ts'), config('./strategies'))
})

async function expectDone(cwd: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await endOf(spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] }))
  expect(exitCode, stderr).toBe(0)
}

interface Way {
  readonly argv: () => readonly string[]
  readonly cwd?: string
  readonly onTerminal?: boolean
  readonly byPipes?: boolean
  /** The process that a supervisor signals. Default: the one that was started. */
  readonly signalled?: (run: WayRun) => number
}

const first = ({ child }: WayRun): number => child.pid ?? 0
const inNamespace = (run: WayRun): number => childOf(first(run))
/** As a shell does it that is about to close: the window's processes are one group. */
const inWindow = (argv: readonly string[], dataDir: string) => ['sh', '-c', `nohup ${quoted(argv)} >'${dataDir}/out.txt' 2>&1 & sleep 1000`]

const WAYS = {
  npm: { argv: () => NPM },
  node: { argv: () => NODE },
  'node, its pipes read': { argv: () => NODE, byPipes: true },
  'npm on a terminal': { argv: () => NPM, onTerminal: true },
  'node on a terminal': { argv: () => NODE, onTerminal: true },
  'nohup npm start &': { argv: () => NPM, onTerminal: true },
  'the image’s CMD as PID 1': { argv: () => [...NAMESPACE, ...cmdOf(ROOT)], signalled: inNamespace },
  'the image’s CMD under an init': { argv: () => [...NAMESPACE, 'tini', '--', ...cmdOf(ROOT)], signalled: inNamespace },
  'the systemd unit’s command': { argv: unitOf },
  'a folder of init by npm': { argv: () => NPM, cwd: bots },
  'the CMD that init wrote, as PID 1': { argv: () => [...NAMESPACE, ...cmdOf(bots)], cwd: bots, signalled: inNamespace },
} satisfies Record<string, Way>

/** In tests that run at once, an `expect` that polls is the test's own. */
type Ending = (run: WayRun, signalled: number, expect: ExpectStatic) => Promise<void> | void

const enters = (run: WayRun): number => run.logged().filter((msg) => msg.startsWith('enqueue')).length
async function goesOn(run: WayRun, after: number, expect: ExpectStatic): Promise<void> {
  await expect.poll(() => enters(run), { timeout: 90_000 }).toBeGreaterThan(after)
}

const ENDINGS = {
  stop: (_, signalled) => void process.kill(signalled, 'SIGTERM'),
  'Ctrl-C': ({ child }) => void child.stdin?.write('\x03'),
  // The terminal goes with the program that holds it.
  'the window closes': ({ child }) => void child.kill('SIGKILL'),
  'the window closes, kill': async (run, _, expect) => {
    const [entered, pid] = [enters(run), run.pid()]
    run.child.kill('SIGKILL')
    await goesOn(run, entered, expect)
    process.kill(pid, 'SIGTERM')
  },
  // A log-out without a terminal, as of a service of the session's.
  'SIGHUP, stop': async (run, signalled, expect) => {
    const entered = enters(run)
    process.kill(run.pid(), 'SIGHUP')
    process.kill(run.pid(), 'SIGHUP')
    await goesOn(run, entered, expect)
    process.kill(signalled, 'SIGTERM')
  },
  'nobody reads on, stop': async (run, signalled, expect) => {
    const entered = enters(run)
    run.child.stdout?.destroy()
    run.child.stderr?.destroy()
    await goesOn(run, entered, expect)
    process.kill(signalled, 'SIGTERM')
  },
  crash: (run) => void process.kill(run.pid(), 'SIGKILL'),
} satisfies Record<string, Ending>

interface Row {
  readonly way: keyof typeof WAYS
  readonly ending: keyof typeof ENDINGS
  /** Exit code of the first process; null if a signal ended it, absent if it depends on the version of `unshare`. */
  readonly exit?: number | null
  /** Place of the report: stdout, or the log's file if stdout has no reader. */
  readonly report: 'printed' | 'logged' | 'none'
  /** Said once each. */
  readonly says?: readonly string[]
}

const GOES_ON = 'a window was closed (SIGHUP): this command goes on'
const DRAINS = 'interrupted (once more stops at once): draining'
const NPM_ENDED = 'npm, which started this, has ended: draining'

const ROWS: readonly Row[] = [
  { way: 'node', ending: 'stop', exit: 0, report: 'printed', says: [DRAINS] },
  { way: 'node', ending: 'SIGHUP, stop', exit: 0, report: 'printed', says: [GOES_ON, DRAINS] },
  { way: 'node', ending: 'crash', exit: null, report: 'none' },
  {
    way: 'node, its pipes read',
    ending: 'nobody reads on, stop',
    exit: 0,
    report: 'logged',
    says: ['stderr cannot be written any more', DRAINS],
  },
  { way: 'npm', ending: 'stop', exit: null, report: 'printed', says: [NPM_ENDED] },
  { way: 'npm on a terminal', ending: 'Ctrl-C', exit: 130, report: 'printed', says: [DRAINS] },
  { way: 'node on a terminal', ending: 'the window closes', exit: null, report: 'logged', says: ['its terminal was closed: draining'] },
  {
    way: 'nohup npm start &',
    ending: 'the window closes, kill',
    exit: null,
    report: 'printed',
    says: [GOES_ON, 'npm, which started this, has ended with its window', DRAINS],
  },
  { way: 'the image’s CMD as PID 1', ending: 'stop', exit: 0, report: 'printed', says: [DRAINS] },
  { way: 'the image’s CMD as PID 1', ending: 'crash', report: 'none' },
  { way: 'the image’s CMD under an init', ending: 'stop', exit: 0, report: 'printed', says: [DRAINS] },
  { way: 'the systemd unit’s command', ending: 'stop', exit: 0, report: 'printed', says: [DRAINS] },
  { way: 'a folder of init by npm', ending: 'crash', exit: 137, report: 'none' },
  { way: 'the CMD that init wrote, as PID 1', ending: 'stop', exit: 0, report: 'printed', says: [DRAINS] },
]

describe.concurrent('start', () => {
  test.for(ROWS)('$way × $ending', async ({ way, ending, exit, report, says = [] }, { expect }) => {
    const { argv, cwd = ROOT, onTerminal = false, byPipes = false, signalled = first }: Way = WAYS[way]
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const file = cwd === bots ? 'ways.config.ts' : CONFIG
    const whole = [...argv(), '--data-dir', dataDir, '--config', file, '--no-dashboard', '--json']
    const options: WayOptions = { argv: way.startsWith('nohup') ? inWindow(whole, dataDir) : whole, cwd, dataDir, onTerminal, byPipes }
    const run = runWay(options)
    runs.push(run)
    await expect.poll(() => run.logged().some((msg) => msg.includes('live until')), { timeout: 40_000 }).toBe(true)
    run.pid()
    await ENDINGS[ending](run, signalled(run), expect)
    const ended = await run.exited
    if (exit !== undefined) expect(ended, run.printed()).toBe(exit)
    await expect.poll(() => run.isOver(), { timeout: 120_000 }).toBe(true)
    const logged = run.logged()
    for (const said of says)
      expect(
        logged.filter((msg) => msg.includes(said)),
        logged.join('\n'),
      ).toHaveLength(1)
    const printed = way.startsWith('nohup') ? readFileSync(join(dataDir, 'out.txt'), 'utf8') : run.printed()
    const document = printed.split(/\r?\n/).findLast((line) => line.includes('{"bots":'))
    expect(document === undefined ? (logged.some((msg) => msg.includes('this is the report')) ? 'logged' : 'none') : 'printed').toBe(report)
    const settledIn = (text: string) => {
      const [alice] = startReport.parse(JSON.parse(text.slice(text.indexOf('{"bots":')))).bots
      expect(alice).toMatchObject({ inPlay: '0', actions: { unknown: 0, failed: 0 } })
      // What was live while nothing ran, from a crash to the next start, may be lost: `down` says so.
      expect(alice?.unplayed.count).toBeLessThanOrEqual(ending === 'crash' ? 1 : 0)
      return alice?.contests.settled ?? 0
    }
    const settled = document === undefined ? 0 : settledIn(document)
    if (document !== undefined) expect(settled).toBeGreaterThan(0)

    const next = runCornerman(['start', '--for', '1s', '--config', CONFIG, '--data-dir', dataDir, '--no-dashboard', '--json'])
    expect(await next.exited, next.stderr()).toBe(0)
    expect(settledIn(next.stdout())).toBeGreaterThanOrEqual(Math.max(1, settled))
  })
})
