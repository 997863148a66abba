// `node bench/reaction.ts`: how long from what the sandbox commits to the bot's action on the wire, by webhooks and by polling, and what
// 200 bots in one process cost. Sandbox and bots are processes of their own, the bots by `cornerman start`.
// `webhooks`, `draft`, `idle`, `fleet` or `hosted` runs one part; the last one needs PostgreSQL (apt-get install postgresql).

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Cluster } from '../test/support/fleet/cluster.ts'
import type { Reaction, ReactionReport, ReactionSandboxOptions, ReactionSandboxReady } from './support/reactionSandbox.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_MS = 120_000
/** After every bot reads its stream: what the start took is over. */
const SETTLE_MS = 15_000
/** Bots run for weeks: what they do again and again has been compiled by then. */
const WARM_UP_MS = 60_000
/** Linux counts the time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100
const MEBIBYTE = 1024 * 1024
const HOSTED_ROUNDS = Number(process.env.HOSTED_ROUNDS ?? 3)

interface RunOptions {
  readonly bots: number
  readonly cause: ReactionSandboxOptions['cause']
  readonly hasWebhooks: boolean
  /** How long a ticket waits; 0: no bot enters anything. */
  readonly waitSec: number
  /** Over how long the bots' first entries are spread: those that begin together stay in step. */
  readonly spreadMs?: number
  readonly settleMs?: number
  readonly forMs: number
  /** Of a fleet that the process is a host of, whose journals are there. */
  readonly database?: string | undefined
}

interface Run {
  readonly reactions: readonly Reaction[]
  readonly residentBytes: number
  /** Of one core. */
  readonly cpuShare: number
}

const children: ChildProcess[] = []
const folders: string[] = []

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function measure({
  bots,
  cause,
  hasWebhooks,
  waitSec,
  spreadMs = 0,
  settleMs = SETTLE_MS,
  forMs,
  database,
}: RunOptions): Promise<Run> {
  const webhookPort = hasWebhooks ? await freePort() : undefined
  const agents = Array.from({ length: bots }, (_, index) => `bot-${index}`)
  const options: ReactionSandboxOptions = { agents, cause, webhookPort }
  const sandbox = fork(join(ROOT, 'bench/support/reactionSandbox.ts'), [JSON.stringify(options)])
  children.push(sandbox)
  const [ready] = (await once(sandbox, 'message')) as [ReactionSandboxReady]
  const report = async (): Promise<ReactionReport> => {
    const answer = once(sandbox, 'message')
    sandbox.send('report')
    return ((await answer) as [ReactionReport])[0]
  }
  const fleet = startFleet(ready, { bots, waitSec, spreadMs, webhookPort, database })
  const until = performance.now() + READY_MS
  while ((await report()).following < bots) {
    if (performance.now() > until) throw new Error(`not all of ${bots} bots were ready within ${READY_MS} ms`)
    await delay(100)
  }
  await delay(settleMs)
  await report()
  const [cpuBefore, startedAt] = [cpuSecondsOf(fleet), performance.now()]
  await delay(forMs)
  const cpuShare = (cpuSecondsOf(fleet) - cpuBefore) / ((performance.now() - startedAt) / 1000)
  const { reactions } = await report()
  const residentBytes = residentBytesOf(fleet)
  for (const child of [fleet, sandbox]) {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return { reactions, residentBytes, cpuShare }
}

function startFleet(
  { url, agents }: ReactionSandboxReady,
  {
    bots,
    waitSec,
    spreadMs,
    webhookPort,
    database,
  }: Pick<RunOptions, 'bots' | 'waitSec' | 'spreadMs' | 'database'> & Pick<ReactionSandboxOptions, 'webhookPort'>,
): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'reaction-'))
  folders.push(folder)
  const secrets = agents.flatMap(({ key, webhookSecret }, index) => [
    [`REACTION_KEY_${index}`, key],
    [`REACTION_SECRET_${index}`, webhookSecret],
  ])
  const env = {
    ...process.env,
    ...Object.fromEntries(secrets),
    ...{ REACTION_URL: url, REACTION_BOTS: String(bots), REACTION_WAIT_SEC: String(waitSec), REACTION_SPREAD_MS: String(spreadMs) },
    ...(webhookPort === undefined ? {} : { REACTION_PORT: String(webhookPort) }),
    ...(database === undefined ? {} : { CORNERMAN_FLEET_KEY: 'ab'.repeat(32) }),
  }
  const args = ['src/cli/cornerman.js', 'start', '--config', 'bench/support/reactionConfig.ts', '--data-dir', folder]
  if (database !== undefined) args.push('--fleet', database, '--host-name', 'h1')
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] })
  children.push(child)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-4000)
  })
  child.once('exit', (code) => {
    if (code !== null) throw new Error(`the bots ended with ${code}:\n${said}`)
  })
  return child
}

function cpuSecondsOf({ pid }: ChildProcess): number {
  // After the name in brackets: state is field 3, user and system time fields 14 and 15 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function residentBytesOf({ pid }: ChildProcess): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN

const show = (reactions: readonly Reaction[]): string => {
  const of = (part: keyof Reaction, q: number) =>
    quantile(
      reactions.map((one) => one[part]),
      q,
    ).toFixed(1)
  const parts = `until read ${of('untilReadMs', 0.5)}, read ${of('readMs', 0.5)}, until action ${of('untilActionMs', 0.5)}`
  return `${reactions.length} reactions, p10 ${of('ms', 0.1)} ms, p50 ${of('ms', 0.5)} ms, p99 ${of('ms', 0.99)} ms (p50 of the parts: ${parts})`
}

/** Prints a figure, and remembers that a bar was missed. */
function held(what: string, figure: number, bar: number, unit: string): void {
  const isHeld = figure < bar
  if (!isHeld) process.exitCode = 1
  console.log(`  ${what}: ${figure.toFixed(unit === 'cores' ? 2 : 1)} ${unit}, ${isHeld ? 'under' : 'NOT under'} ${bar}`)
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  async webhooks() {
    // A ticket a second would be more than the read budget has for the figures of money after each.
    const run = { cause: 'ticket.expired', hasWebhooks: true, waitSec: 3, settleMs: WARM_UP_MS } as const
    const inStep = await measure({ ...run, bots: 20, forMs: 60_000 })
    console.log(`20 bots in step, a ticket that expires, webhooks: ${show(inStep.reactions)}`)
    const { reactions } = await measure({ ...run, bots: 8, spreadMs: 3000, forMs: 120_000 })
    console.log(`8 bots, a ticket that expires, webhooks: ${show(reactions)}`)
    const ms = reactions.map((one) => one.ms)
    held('p50', quantile(ms, 0.5), 5, 'ms')
    held('p99', quantile(ms, 0.99), 25, 'ms')
  },
  async draft() {
    const { reactions } = await measure({ bots: 10, cause: 'turn', hasWebhooks: false, waitSec: 30, forMs: 90_000 })
    console.log(`10 bots, a turn in a draft, polling alone: ${show(reactions)}`)
    held(
      'p50',
      quantile(
        reactions.map(({ ms }) => ms),
        0.5,
      ),
      250,
      'ms',
    )
  },
  async idle() {
    const { residentBytes, cpuShare } = await measure({ bots: 200, cause: 'ticket.expired', hasWebhooks: true, waitSec: 0, forMs: 30_000 })
    console.log('200 bots in one process, idle')
    held('resident', residentBytes / MEBIBYTE, 600, 'MB')
    held('CPU', cpuShare, 0.5, 'cores')
  },
  async fleet() {
    const run = await measure({ bots: 200, cause: 'ticket.expired', hasWebhooks: true, waitSec: 10, forMs: 40_000 })
    console.log(`200 bots in one process, a ticket that expires, webhooks: ${show(run.reactions)}`)
    console.log(`  ${(run.residentBytes / MEBIBYTE).toFixed(0)} MB resident, ${run.cpuShare.toFixed(2)} cores`)
  },
  async hosted() {
    const run = {
      bots: 8,
      cause: 'ticket.expired',
      hasWebhooks: true,
      waitSec: 3,
      spreadMs: 3000,
      settleMs: WARM_UP_MS,
      forMs: 60_000,
    } as const
    const primary = await Cluster.open(['fsync=on'])
    const standby = await primary.synchronousStandby()
    try {
      const more: number[] = []
      for (let round = 0; round < HOSTED_ROUNDS; round++) {
        const alone = await measure(run)
        const hosted = await measure({ ...run, database: await primary.database(`hosted_${round}`) })
        console.log(`8 bots, webhooks, journal on this disk: ${show(alone.reactions)}`)
        console.log(`  in a fleet, whose database has a standby: ${show(hosted.reactions)}`)
        const p50 = ({ reactions }: Run) =>
          quantile(
            reactions.map(({ ms }) => ms),
            0.5,
          )
        more.push(p50(hosted) - p50(alone))
      }
      held('more in a fleet, p50', quantile(more, 0.5), 4, 'ms')
    } finally {
      await primary.close()
      await standby.close()
    }
  },
}

// Whoever ends this ends the bots too: they would play on for ever.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGKILL')
    process.exit(1)
  })
}

try {
  const only = process.argv[2]
  for (const [name, run] of Object.entries(PARTS)) if (only === undefined || only === name) await run()
} finally {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
