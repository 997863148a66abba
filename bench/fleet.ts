// `npm exec -- node bench/fleet.ts workers|database`: what workers on PostgreSQL reach of what bare processes do, and what the database alone lets through.
// Needs PostgreSQL's programs (apt-get install postgresql), and starts a server of its own that flushes its disk.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFleetPool } from '../src/cli/runs/fleet/openFleetPool.ts'
import { type Prepared, prepare } from '../src/cli/runs/optimize/prepare.ts'
import { FleetDatabase } from '../src/fleet/database.ts'
import { FleetKey, newFleetKey } from '../src/fleet/fleetKey.ts'
import { FleetPool } from '../src/fleet/fleetPool.ts'
import { FleetWorker } from '../src/fleet/fleetWorker.ts'
import { JobQueue } from '../src/fleet/jobQueue.ts'
import { openTables } from '../src/fleet/tables.ts'
import type { BlockJob } from '../src/optimize/blockJob.ts'
import { isLost, type Pool } from '../src/optimize/pool.ts'
import type { BlockResult } from '../src/optimize/runBlock.ts'
import { Cluster } from '../test/support/fleet/cluster.ts'
import { type CornermanRun, runCornerman } from '../test/support/runCornerman.ts'

const REPEATS = 5
const TRIALS = 8
const WORKERS = 2
const JOBS = 3000
const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
const secondsOf = async (play: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await play()
  return (performance.now() - startedAt) / 1000
}

const prepared = (folder: string, dataDir: string): Promise<Prepared> =>
  prepare(
    {
      ...{ logs: [join(folder, 'demo')], config: pathOf('bots.config.ts'), bot: undefined, strategies: [pathOf('strategies/momentum.ts')] },
      ...{ vary: [], set: undefined, search: 'tpe', budget: TRIALS, holdOut: 0.3, seed: 1 },
    },
    join(folder, dataDir),
  )

/** Every block of a few trials; of another run other trials, since a fleet plays nothing twice. */
const jobsOf = ({ plan }: Prepared, run: number): BlockJob[] =>
  Array.from({ length: TRIALS }, (_, trial) => ({ 'momentum.lookbackSec': 100 + TRIALS * run + trial })).flatMap((values) =>
    plan.blocks.map((block) => ({ ...block, values })),
  )

/** A process that plays its share of the jobs, and knows of nobody else. */
async function bare(folder: string, index: number): Promise<void> {
  const mine = await prepared(folder, `bare-${index}`)
  const pool = mine.open('train', 1)
  await play(pool, jobsOf(mine, 0).slice(0, 2))
  const playShare = async (run: number) => {
    await play(
      pool,
      jobsOf(mine, run).filter((_, place) => place % WORKERS === index),
    )
    process.send?.('done')
  }
  process.on('message', (run: number) => void playShare(run))
  process.send?.('ready')
}

async function play(pool: Pool<BlockJob, BlockResult>, jobs: readonly BlockJob[]): Promise<void> {
  const results = await pool.play(jobs)
  if (results.some(isLost)) throw new Error('a block was lost')
}

async function workers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fleet-'))
  const cluster = await Cluster.open(['fsync=on'])
  const children: ChildProcess[] = []
  const runs: CornermanRun[] = []
  try {
    await runCornerman(['logs', 'demo', '--out', join(folder, 'demo'), '--days', '7']).exited
    process.env.CORNERMAN_FLEET_KEY = newFleetKey()
    const url = await cluster.database('fleet')
    for (let index = 0; index < WORKERS; index++) {
      const child = fork(fileURLToPath(import.meta.url), ['bare', folder, String(index)])
      children.push(child)
      await once(child, 'message')
      runs.push(runCornerman(['worker', '--fleet', url, '--threads', '1', '--data-dir', join(folder, `worker-${index}`)]))
    }
    const mine = await prepared(folder, 'home')
    const pool = await openFleetPool(url, mine)
    // Until both have loaded the log.
    await play(pool, jobsOf(mine, 0))
    const ratios: number[] = []
    for (let run = 1; run <= REPEATS; run++) {
      const jobs = jobsOf(mine, run)
      const alone = await secondsOf(() =>
        Promise.all(
          children.map(async (child) => {
            child.send(run)
            await once(child, 'message')
          }),
        ),
      )
      const used = process.cpuUsage()
      const fleet = await secondsOf(() => play(pool, jobs))
      const { user, system } = process.cpuUsage(used)
      ratios.push(alone / fleet)
      console.log(
        `${jobs.length} blocks: bare ${alone.toFixed(2)} s, fleet ${fleet.toFixed(2)} s, ratio ${(alone / fleet).toFixed(2)}; a block takes ${((1000 * WORKERS * alone) / jobs.length).toFixed(0)} ms; the process that asks uses ${((user + system) / 1e6).toFixed(2)} s of processor`,
      )
    }
    console.log(`median of ${REPEATS}: ${median(ratios).toFixed(2)} (${LEAST_RATIO})`)
    if (median(ratios) < LEAST_RATIO) process.exitCode = 1
    await pool.close()
  } finally {
    for (const child of [...children, ...runs.map((run) => run.child)]) child.kill('SIGKILL')
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
const LEAST_RATIO = 0.85

/** Workers whose blocks take no time: what is left is the database. */
async function database(): Promise<void> {
  const cluster = await Cluster.open(['fsync=on'])
  try {
    for (const [count, threads] of [
      [1, 1],
      [2, 1],
      [5, 1],
      [5, 4],
    ] as const) {
      const url = await cluster.database(`of_${count}_${threads}`)
      const open = async () => {
        const connected = await FleetDatabase.connect({ url, patienceMs: 0 })
        await openTables(connected, key)
        return { connected, queue: await JobQueue.open(connected, 'framework') }
      }
      const home = await open()
      const stop = new AbortController()
      const working = Array.from({ length: count }, async () => {
        const { connected, queue } = await open()
        const worker = new FleetWorker({
          ...{ database: connected, queue, key, host: 'here', framework: 'framework', software: 'framework', threads },
          open: async () => ({
            play: async (jobs) => jobs.map(() => ({ fingerprint: 'f'.repeat(64), contests: [], warnings: [] })),
            close: async () => {},
          }),
        })
        await worker.run(stop.signal)
        await queue.close()
        await connected.close()
      })
      const pool = new FleetPool({ database: home.connected, queue: home.queue, sweep: 'a sweep', key })
      const jobs = Array.from({ length: JOBS }, (_, from) => ({ values: {}, from, until: from + 1, tailMs: 0, seed: 1 }))
      const seconds = await secondsOf(() => pool.play(jobs))
      console.log(
        `${count} workers of ${threads}: ${(JOBS / seconds).toFixed(0)} blocks a second, on ${cpus().length} cores with the server beside them`,
      )
      stop.abort()
      await Promise.all(working)
      await pool.close()
    }
  } finally {
    await cluster.close()
  }
}
const key = new FleetKey(newFleetKey())

const [task, folder = '', index = ''] = process.argv.slice(2)
if (task === 'bare') await bare(folder, Number(index))
else if (task === 'workers') await workers()
else if (task === 'database') await database()
else throw new Error('workers or database?')
