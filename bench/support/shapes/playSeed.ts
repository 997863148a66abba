import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { procedures } from '../../../src/contract/procedures.ts'
import { type Audit, auditOf, type LoggedLine } from '../../../test/shapes/audit.ts'
import { startShapeProxy } from '../../../test/shapes/proxy.ts'
import { shapeOf } from '../../../test/shapes/shape.ts'
import type { SandboxAgentKey } from '../../../test/support/sandboxProcess.ts'

// One bot on one service of another shape: what it did, and what it said.

const PLAYED_MODES = ['up_down', 'draft_basket', 'price_prediction', 'same_token', 'last_bag_standing', 'pnl_usd'] as const
export type ShapesMode = 'none' | 'truth' | 'probe'

export interface SeedOptions {
  readonly seed: number
  readonly departure: number
  readonly seconds: number
  readonly mode: ShapesMode
  /** The most that a probe may cost, in USDC. */
  readonly most: string
  /** The checkout whose product plays. */
  readonly root: string
  /** Of this run alone. */
  readonly folder: string
  /** Base address of the sandbox. */
  readonly sandbox: string
  readonly agent: SandboxAgentKey
}

export interface ProcessEnd {
  /** Null where a signal ended it. */
  readonly exit: number | null
  readonly seconds: number
}

export interface SeedResult {
  readonly seed: number
  readonly departure: number
  readonly departures: readonly string[]
  readonly mode: ShapesMode
  readonly startedAt: number
  readonly probe: (ProcessEnd & { readonly audit: Audit }) | undefined
  readonly start: ProcessEnd
  /** Of what was entered from the start on; a probe before it is audited by itself. */
  readonly audit: Audit
  readonly readsPerMinute: number
  /** Lines at `warn` and above, each text once, and how often. */
  readonly said: Readonly<Record<string, number>>
}

/** The longest that a bot drains, and what a busy machine adds. */
const MOST_DRAIN_MS = 4 * 60_000
const MOST_PROBE_MS = 15 * 60_000

/** What was played, and what is left to be audited once the sandbox has let go of its file. */
export interface PlayedSeed {
  audited(file: string): SeedResult
}

export async function playSeed(options: SeedOptions): Promise<PlayedSeed> {
  const { seed, departure, seconds, mode, folder, sandbox, agent, root, most } = options
  const shape = shapeOf(seed, { departure })
  await using proxy = await startShapeProxy({
    target: sandbox,
    shape,
    agents: [{ key: agent.key, agentId: agent.agentId, handle: agent.name }],
  })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules', 'cornerman'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'bots.config.ts'), configOf({ root, url: proxy.url, sandbox }))
  if (mode === 'truth')
    writeFileSync(join(folder, 'service.shapes.json'), `${JSON.stringify({ ...shape.truth, service: proxy.url }, null, 2)}\n`)
  const run = (name: string, args: readonly string[], mostMs: number) => runCli({ root, folder, name, args, mostMs, key: agent.key })
  const common = ['--config', 'bots.config.ts', '--data-dir', 'data']

  const startedAt = Date.now()
  const probe =
    mode === 'probe'
      ? await run(
          'probe',
          ['probe', ...common, '--play', '--most', most, '--stake', '1', '--modes', PLAYED_MODES.join(), '--write', '--json'],
          MOST_PROBE_MS,
        )
      : undefined
  const playsFrom = Date.now()
  const start = await run('start', ['start', ...common, '--for', `${seconds}s`, '--port', '0', '--json'], seconds * 1000 + MOST_DRAIN_MS)
  const minutes = (Date.now() - playsFrom) / 60_000
  const reads = proxy.calls.filter(({ procedure, at }) => at >= playsFrom && isRead(procedure)).length
  const readsPerMinute = Math.round(reads / minutes)
  return {
    audited(file) {
      const of = { file, agentId: agent.agentId }
      const lines = linesOf(join(folder, 'start.log'))
      const probed = () => auditOf({ ...of, lines: linesOf(join(folder, 'probe.log')), fromMs: startedAt, toMs: playsFrom })
      return {
        ...{ seed, departure, departures: shape.departures, mode, startedAt, start, readsPerMinute },
        probe: probe === undefined ? undefined : { ...probe, audit: probed() },
        audit: auditOf({ ...of, lines, fromMs: playsFrom }),
        said: saidIn(lines),
      }
    },
  }
}

const isRead = (procedure: string): boolean =>
  Object.hasOwn(procedures, procedure) && procedures[procedure as keyof typeof procedures].kind === 'read'

interface CliRun {
  readonly root: string
  readonly folder: string
  readonly name: string
  readonly args: readonly string[]
  readonly mostMs: number
  readonly key: string
}

async function runCli({ root, folder, name, args, mostMs, key }: CliRun): Promise<ProcessEnd> {
  const began = Date.now()
  const child: ChildProcess = spawn(process.execPath, [join(root, 'src/cli/cornerman.js'), ...args], {
    cwd: folder,
    env: { ...process.env, SHAPES_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Where this fails nothing plays on.
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text
    })
  const over = new AbortController()
  void delay(mostMs, undefined, { signal: over.signal }).then(end, () => {})
  const [exit] = (await once(child, 'close')) as [number | null]
  over.abort()
  process.off('exit', end)
  writeFileSync(join(folder, `${name}.log`), texts.stderr)
  writeFileSync(join(folder, `${name}.out`), texts.stdout)
  return { exit, seconds: Math.round((Date.now() - began) / 1000) }
}

function linesOf(file: string): readonly LoggedLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LoggedLine)
}

function saidIn(lines: readonly LoggedLine[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { level, msg } of lines) {
    if (level !== 'warn' && level !== 'error' && level !== 'fatal') continue
    const text = `${level} ${msg}`.slice(0, 240)
    counts[text] = (counts[text] ?? 0) + 1
  }
  return counts
}

/** Each mode has a strategy that moves in every contest. */
function configOf({ root, url, sandbox }: { readonly root: string; readonly url: string; readonly sandbox: string }): string {
  const strategies = ['crossover', 'drift', 'holder', 'ladder', 'momentum', 'trend']
  return `import { contestService, defineConfig, secret, usdc } from 'cornerman'
${strategies.map((name) => `import ${name} from '${join(root, 'strategies', `${name}.ts`)}'`).join('\n')}

export default defineConfig({
  service: contestService({ url: '${url}', timeoutMs: 5000, sandbox: true }),
  market: { url: '${sandbox}/jup/price/v3', swapUrl: '${sandbox}/jup/swap/v1', rpcUrl: '${sandbox}/rpc' },
  bots: [
    {
      name: 'player',
      agentKey: secret('SHAPES_KEY'),
      strategies: [
        ladder({ modes: ${JSON.stringify(PLAYED_MODES)}, stake: usdc('1'), durationSec: 15, atOnce: 4 }),
        momentum({ lookbackSec: 10 }),
        drift({ lookbackSec: 10, share: 0.5 }),
        trend({ lookbackSec: 5 }),
        crossover({ fast: 3, slow: 8, amount: usdc('10'), opening: usdc('2') }),
        holder({ amount: usdc('10') }),
      ],
      guard: { maxStake: usdc('1'), dailyLoss: usdc('100'), maxOpenContests: 4, maxSwap: usdc('25'), maxSwapsPerMinute: 30 },
    },
  ],
})
`
}
