// `npm exec -- node bench/hosts.ts [bots]`: what a hundred bots on three hosts cost, playing and idle, and how long the third of them that
// loses its host waits for another. Hosts, sandbox and PostgreSQL (apt-get install postgresql) are processes of this machine. Linux only.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { callsIn, percentilesOf } from '../test/support/fleet/calls.ts'
import { Cluster } from '../test/support/fleet/cluster.ts'
import { Failover } from '../test/support/fleet/failover.ts'
import { runCornerman } from '../test/support/runCornerman.ts'

const BOTS = Array.from({ length: Number(process.argv[2] ?? 100) }, (_, n) => `bot-${n}`)
const HOSTS = ['h1', 'h2', 'h3']
const DATABASE = 'hosts'
const START_MS = 600_000
const LOOK_MS = 200
const WARM_UP_MS = 30_000
const MEASURED_MS = 30_000
/** By then every contest that was open has ended. */
const QUIET_MS = 120_000
/** Linux counts the time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100

interface Reading {
  readonly atMs: number
  readonly cpuSeconds: number
  readonly statements: number
  readonly walBytes: number
  readonly records: number
  readonly requests: number
}

const cluster = await Cluster.open(['fsync=on', 'shared_buffers=128MB'])
const url = await cluster.database(DATABASE)
const fleet = await Failover.open({ url, key: 'ab'.repeat(32), bots: BOTS })
// Whoever ends this ends the hosts too: they would play on for ever.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fleet.close().then(() => process.exit(1)))

try {
  for (const host of HOSTS) await fleet.start(host)
  await until(async () => (await holders()).length === BOTS.length, 'every bot has a host')
  await sleep(WARM_UP_MS)
  say('playing', await reading(), await after(MEASURED_MS))
  await memory()
  await takeover()
  const stop = runCornerman(['stop', '--fleet', url, '--entries'])
  if ((await stop.exited) !== 0) throw new Error(stop.stderr())
  await sleep(QUIET_MS)
  say('idle, after `stop --entries`', await reading(), await after(MEASURED_MS))
  await size()
} finally {
  await fleet.close()
  await cluster.close()
}

async function takeover(): Promise<void> {
  const lost = (await holders()).filter(({ host }) => host === 'h3').map(({ bot }) => bot)
  const diedAt = Date.now()
  await fleet.kill('h3')
  await until(async () => (await holders()).every(({ host }) => host !== 'h3'), 'the bots of h3 are elsewhere')
  const claimed = Date.now() - diedAt
  await sleep(20_000)
  const calls = callsIn(fleet.callsFile).filter(({ at }) => at > diedAt + 100)
  const again = fleet.sandbox.agents
    .filter(({ name }) => lost.includes(name))
    .flatMap(({ agentId }) => {
      const first = calls.find((call) => call.agentId === agentId)
      return first === undefined ? [] : [first.at - diedAt]
    })
  console.log(
    `a host with ${lost.length} bots is killed: all of them were claimed after ${claimed} ms; from the kill to the first request elsewhere ${JSON.stringify(percentilesOf(again))} ms, of ${again.length} bots`,
  )
}

async function memory(): Promise<void> {
  const megabytes = HOSTS.map((host) => {
    const status = readFileSync(`/proc/${pidOf(host)}/status`, 'utf8')
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
  })
  const clients = await cluster.query<{ n: number }>(
    'postgres',
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'cornerman'",
  )
  const bots = await holders()
  console.log(
    `  ${HOSTS.map((name, n) => `${name} with ${bots.filter(({ host }) => host === name).length} bots: ${megabytes[n]} MB`).join(', ')}; ${clients[0]?.n} connections`,
  )
}

async function size(): Promise<void> {
  const rows = await cluster.query<{ table: string; bytes: string }>(
    DATABASE,
    `SELECT relname AS table, pg_total_relation_size(c.oid)::text AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'cornerman_fleet' AND relkind = 'r' ORDER BY pg_total_relation_size(c.oid) DESC LIMIT 5`,
  )
  console.log(`  on the disk: ${rows.map(({ table, bytes }) => `${table} ${(Number(bytes) / 1024 ** 2).toFixed(1)} MB`).join(', ')}`)
}

async function after(ms: number): Promise<Reading> {
  await sleep(ms)
  return await reading()
}

async function reading(): Promise<Reading> {
  const [row] = await cluster.query<{ statements: string; wal: string; records: string }>(
    DATABASE,
    `SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::text AS statements,
       (pg_current_wal_lsn() - '0/0')::text AS wal, (SELECT sum(seq) FROM cornerman_fleet.bots)::text AS records`,
  )
  const cpuSeconds = HOSTS.filter((host) => fleet.host(host).child.exitCode === null && fleet.host(host).child.signalCode === null).reduce(
    (sum, host) => sum + cpuSecondsOf(pidOf(host)),
    0,
  )
  return {
    ...{
      atMs: performance.now(),
      cpuSeconds,
      statements: Number(row?.statements),
      walBytes: Number(row?.wal),
      records: Number(row?.records),
    },
    requests: readFileSync(fleet.callsFile, 'utf8').split('\n').length,
  }
}

function say(what: string, from: Reading, to: Reading): void {
  const seconds = (to.atMs - from.atMs) / 1000
  const a = (figure: keyof Reading) => (to[figure] - from[figure]) / seconds
  console.log(
    `${BOTS.length} bots, ${what}: hosts ${a('cpuSeconds').toFixed(2)} cores, ${a('statements').toFixed(0)} statements a second, ${a('records').toFixed(0)} records, WAL ${(a('walBytes') / 1024).toFixed(0)} KiB, ${a('requests').toFixed(0)} requests to the service`,
  )
}

function cpuSecondsOf(pid: number): number {
  // After the name in brackets: user and system time are fields 14 and 15 (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function pidOf(host: string): number {
  const { pid } = fleet.host(host).child
  if (pid === undefined) throw new Error(`${host} did not start`)
  return pid
}

/** Bots by the host that plays them. */
function holders(): Promise<{ bot: string; host: string }[]> {
  return cluster
    .query<{ bot: string; host: string }>(DATABASE, 'SELECT bot, host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')
    .catch(() => [])
}

async function until(is: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + START_MS
  while (!(await is())) {
    if (performance.now() > end) throw new Error(`not within ${START_MS} ms: ${what}`)
    await sleep(LOOK_MS)
  }
}
