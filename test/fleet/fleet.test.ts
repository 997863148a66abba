import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FleetDatabase } from '../../src/fleet/database.ts'
import { FleetKey, newFleetKey } from '../../src/fleet/fleetKey.ts'
import { FleetPool } from '../../src/fleet/fleetPool.ts'
import { FleetWorker } from '../../src/fleet/fleetWorker.ts'
import { JobQueue } from '../../src/fleet/jobQueue.ts'
import { dropOld } from '../../src/fleet/retention.ts'
import { type StatedResult, signatureOf } from '../../src/fleet/signedResult.ts'
import { openTables } from '../../src/fleet/tables.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { type EndedRun, FleetHosts } from '../support/fleet/fleetHosts.ts'
import { Pooler, poolerProgram } from '../support/fleet/pooler.ts'
import { type CornermanRun, jsonOf } from '../support/runCornerman.ts'
import { inLong } from '../support/suite/long.ts'
import { pathOf, TestConfigs } from '../support/testConfigs.ts'

// Searches over several hosts: processes of their own here, on a database of their own.

/** What one machine comes to is asked for as often as this; a thousand blocks take CORNERMAN_FLEET_BUDGET=240. */
const BUDGET = process.env.CORNERMAN_FLEET_BUDGET ?? '30'
const KILL_EVERY_MS = 5000
const KILLS = inLong(10)
const MOMENTUM = pathOf('strategies/momentum.ts')
const CONFIG = pathOf('bots.config.ts')

const hasPostgres = postgresPrograms() !== undefined && poolerProgram() !== undefined
if (!hasPostgres && process.env.CI === undefined)
  console.warn('test/fleet is left out: PostgreSQL or PgBouncer is not installed (apt-get install postgresql pgbouncer)')

interface Found {
  readonly id: string
  readonly trials: readonly { readonly state: string }[]
  readonly winner: unknown
  readonly elapsedMs: number
}

const configs = new TestConfigs()
const KEY = newFleetKey()
const hosts = new FleetHosts(KEY)
let cluster: Cluster
let databases = 0
let whole: Omit<Found, 'elapsedMs'>

const search = (dataDir: string, ...more: readonly string[]) => [
  ...['optimize', '--log', 'demo', '--config', CONFIG, '--strategy', MOMENTUM, '--data-dir', dataDir, '--json', '--budget', BUDGET],
  ...more,
]
/** Ended with all tests. */
const poolers: Pooler[] = []
const poolerOf = async (mode: 'transaction' | 'statement', { port }: Cluster): Promise<Pooler> => {
  const pooler = await Pooler.open(mode, port)
  poolers.push(pooler)
  return pooler
}
afterAll(async () => {
  for (const pooler of poolers) await pooler.close()
})
const newDatabase = () => cluster.database(`fleet_${++databases}`)
const nameOf = (url: string) => new URL(url).pathname.slice(1)
const ask = <R extends object>(url: string, text: string) => cluster.query<R & Record<string, unknown>>(nameOf(url), text)

/** What a search comes to, whatever it took. */
function foundOf(run: EndedRun): Omit<Found, 'elapsedMs'> {
  expect(run.code, run.stderr()).toBe(0)
  const { elapsedMs: _, ...found } = jsonOf<Found>(run)
  return found
}

async function blocksPlayed(url: string): Promise<number> {
  const [row] = await ask<{ isThere: boolean }>(url, 'SELECT to_regclass(\'cornerman_fleet.results\') IS NOT NULL AS "isThere"')
  if (row?.isThere !== true) return 0
  const [count] = await ask<{ blocks: string }>(url, 'SELECT count(*) AS blocks FROM cornerman_fleet.results')
  return Number(count?.blocks)
}

/** The blocks that were played, as the database of a search on one machine has them. */
function playedIn(dataDir: string, id: string): [string, string][] {
  const database = new DatabaseSync(join(hosts.folder, dataDir, 'optimize', `${id}.db`), { readOnly: true })
  const rows = database.prepare('SELECT job, body FROM results ORDER BY job').all() as { job: string; body: string }[]
  database.close()
  return rows.map(({ job, body }) => [job, body])
}

describe.runIf(hasPostgres || process.env.CI !== undefined)('a fleet', () => {
  beforeAll(async () => {
    cluster = await Cluster.open()
    expect((await hosts.ended(['logs', 'demo', '--out', 'demo', '--days', '7'])).code).toBe(0)
    whole = foundOf(await hosts.ended(search('one', '--workers', '2')))
  })
  afterEach(() => hosts.stopAll())
  afterAll(async () => {
    await hosts.close()
    await cluster?.close()
    configs.remove()
  })

  test('of three workers, one of which is killed every five seconds, comes to what one machine comes to', async () => {
    const url = await newDatabase()
    const workers: CornermanRun[] = []
    for (const name of ['a', 'b', 'c']) workers.push(await hosts.worker(url, name))
    const run = hosts.start(search('many', '--fleet'), { url })
    let isOver = false
    void run.exited.then(() => {
      isOver = true
    })
    let kills = 0
    while (!isOver) {
      await Promise.race([sleep(KILL_EVERY_MS), run.exited])
      if (isOver) break
      const place = kills % 3
      workers[place]?.child.kill('SIGKILL')
      workers[place] = await hosts.worker(url, ['a', 'b', 'c'][place] ?? '')
      kills += 1
    }
    expect(foundOf({ ...run, code: await run.exited })).toEqual(whole)
    expect(kills).toBeGreaterThan(1)
    const played = await ask<{ job: string; body: string }>(url, 'SELECT job, body FROM cornerman_fleet.results ORDER BY job COLLATE "C"')
    expect(played.map(({ job, body }) => [job, body])).toEqual(playedIn('one', whole.id))
    expect(playedIn('many', whole.id)).toEqual(playedIn('one', whole.id))
    expect(await ask(url, 'SELECT * FROM cornerman_fleet.attempts')).toEqual([])
    // Of deliveries that died with their worker none is a failure, and there were some.
    expect(await ask(url, 'SELECT * FROM cornerman_fleet.faults')).toEqual([])
  })

  test(`whose optimize is killed ${KILLS} times ends with the same winner, with workers or without`, async () => {
    const url = await newDatabase()
    await hosts.worker(url, 'lasting')
    const database = join(hosts.folder, 'killed/optimize', `${whole.id}.db`)
    const blocksBetweenKills = Math.max(1, Math.floor(playedIn('one', whole.id).length / (KILLS + 2)))
    let args = search('killed', '--fleet')
    let kills = 0
    for (; kills < KILLS; kills++) {
      const run = hosts.start(args, { url })
      let isOver = false
      void run.exited.then(() => {
        isOver = true
      })
      // Killed by progress and not by time: however fast the machine, every kill leaves blocks to play.
      const wanted = (await blocksPlayed(url)) + blocksBetweenKills
      while (!isOver && (!existsSync(database) || (await blocksPlayed(url)) < wanted)) await sleep(50)
      if (isOver) break
      run.child.kill('SIGKILL')
      await run.exited
      args = ['optimize', '--resume', whole.id, '--data-dir', 'killed', '--json', '--fleet']
    }
    expect(kills).toBeGreaterThan(3)
    expect(foundOf(await hosts.ended(args, { url }))).toEqual(whole)
    expect(foundOf(await hosts.ended(args.filter((arg) => arg !== '--fleet')))).toEqual(whole)
  })

  test('behind a pooler of transactions comes to the same', async () => {
    const name = nameOf(await newDatabase())
    const url = (await poolerOf('transaction', cluster)).url(name)
    for (const worker of ['here', 'there']) await hosts.worker(url, worker)
    expect(foundOf(await hosts.ended(search('pooled', '--fleet'), { url }))).toEqual(whole)
  })

  test('goes on when its database is restarted', async () => {
    const url = await newDatabase()
    const worker = await hosts.worker(url, 'patient')
    const run = hosts.start(search('restarted', '--fleet'), { url })
    await expect.poll(async () => Number((await ask<{ n: string }>(url, RESULTS).catch(() => []))[0]?.n ?? 0)).toBeGreaterThan(5)
    await cluster.stop()
    await sleep(3000)
    await cluster.start()
    expect(foundOf({ ...run, code: await run.exited })).toEqual(whole)
    expect(run.stderr()).toMatch(/tried again until it does[\s\S]*the database is back/)
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    expect(worker.stderr()).toMatch(/the database is back[\s\S]*stopped; \d+ blocks played/)
  })

  test('waits while the disk of its database is full', async () => {
    const url = await newDatabase()
    const worker = await hosts.worker(url, 'waiting')
    // What PostgreSQL answers where it cannot make a table longer.
    await ask(
      url,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON cornerman_fleet.results FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    )
    const run = hosts.start(search('full', '--fleet', '--budget', '4'), { url })
    await worker.logged(({ msg }) => msg.includes('No space left on device'))
    // Long enough for statements that are taken, beats among them.
    await sleep(5000)
    await ask(url, 'DROP TRIGGER full_disk ON cornerman_fleet.results')
    foundOf({ ...run, code: await run.exited })
    expect(worker.child.exitCode).toBe(null)
    const told = worker.logs().filter(({ msg }) => /does not take it|is back/.test(msg))
    expect(told.map(({ msg }) => msg.replace(/ \(.*/, ''))).toEqual(['the database does not take it', 'the database is back'])
    expect(await ask(url, 'SELECT * FROM cornerman_fleet.attempts')).toEqual([])
  })

  test('gives a block up that ends its thread three times, as one machine does, and no other', async () => {
    const poison = pathOf(
      configs.write(`import { defineDraftPicker } from 'cornerman'
import { z } from 'zod'
export default defineDraftPicker({
  name: 'poison',
  params: z.object({ far: z.number().int().min(1).max(12).default(1) }),
  pick: ({ draft, params }) => (params.far === 7 ? process.exit(3) : draft.available[params.far % draft.available.length]),
})`),
    )
    const args = (dataDir: string, ...more: string[]) => search(dataDir, ...more).map((arg) => (arg === MOMENTUM ? poison : arg))
    const alone = foundOf(await hosts.ended(args('poisoned')))
    expect(alone.trials.map(({ state }) => state)).toContain('failed')
    const url = await newDatabase()
    const worker = await hosts.worker(url, 'sturdy')
    expect(foundOf(await hosts.ended(args('poisoned-many', '--fleet'), { url }))).toEqual(alone)
    expect(worker.child.exitCode).toBe(null)
    const lost = await ask<{ job: string }>(url, "SELECT job FROM cornerman_fleet.results WHERE body LIKE '%lost%'")
    const attempts = await ask<{ n: string }>(url, 'SELECT count(*) AS n FROM cornerman_fleet.attempts GROUP BY job')
    expect(lost.length).toBeGreaterThan(0)
    expect(attempts.map(({ n }) => n)).toEqual(lost.map(() => '3'))
  })

  test('imports nothing that its key has not signed', async () => {
    const url = await newDatabase()
    const run = hosts.start(search('unsigned', '--fleet', '--budget', '4'), { url })
    await put(url)
    await ask(url, "UPDATE cornerman_fleet.sweeps SET spec = replace(spec, 'framework', 'framewerk')")
    const worker = await hosts.worker(url, 'careful')
    expect(await run.exited).toBe(1)
    expect(run.stderr()).toMatch(/was not signed with the key of this fleet: nothing of it was loaded.*BUNDLE_UNSIGNED/)
    expect(worker.child.exitCode).toBe(null)
    expect(existsSync(join(hosts.folder, 'careful/fleet'))).toBe(false)
  })

  test('takes no log that is not what its hash says, and gets the right one with the next optimize', async () => {
    const url = await newDatabase()
    const first = hosts.start(search('lying', '--fleet', '--budget', '4'), { url })
    await put(url)
    await ask(url, 'UPDATE cornerman_fleet.blobs SET bytes = set_byte(bytes, 100, (get_byte(bytes, 100) + 1) % 256)')
    await hosts.worker(url, 'exact')
    expect(await first.exited).toBe(1)
    expect(first.stderr()).toMatch(/it is not what its hash says.*BLOB_DAMAGED/)
    foundOf(await hosts.ended(search('lying', '--fleet', '--budget', '4'), { url }))
    // A file that somebody changed on a worker's disk is what it was before it is imported.
    const [laid = ''] = globSync('exact/fleet/bundles/*/strategies/momentum.ts', { cwd: hosts.folder })
    const file = join(hosts.folder, laid)
    await hosts.stopAll()
    writeFileSync(file, 'throw new Error("changed")\n')
    await hosts.worker(url, 'exact')
    foundOf(await hosts.ended(search('lying-again', '--fleet', '--budget', '4', '--seed', '2'), { url }))
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(MOMENTUM, 'utf8'))
  })

  test('takes no result that no worker has signed: it is played once more, and comes to the same', async () => {
    const url = await newDatabase()
    await ask(url, 'CREATE SCHEMA cornerman_fleet')
    // Tables of before had no signatures.
    await ask(
      url,
      'CREATE TABLE cornerman_fleet.results (sweep text, job text, body text NOT NULL, worker text NOT NULL, PRIMARY KEY (sweep, job))',
    )
    const worker = await hosts.worker(url, 'signing')
    const first = foundOf(await hosts.ended(search('signed', '--fleet', '--budget', '4'), { url }))
    const [before] = await ask<{ n: string }>(url, 'SELECT count(*) AS n FROM cornerman_fleet.results')
    // As if it had won every contest.
    await ask(url, "UPDATE cornerman_fleet.results SET body = replace(body, '-', '')")
    const again = await hosts.ended(search('signed-again', '--fleet', '--budget', '4'), { url })
    expect(foundOf(again).winner).toEqual(first.winner)
    expect(again.stderr()).toMatch(/was not signed by a worker of this fleet/)
    const [after] = await ask<{ n: string }>(url, 'SELECT count(*) AS n FROM cornerman_fleet.results')
    expect(after).toEqual(before)
    expect(worker.child.exitCode).toBeNull()
  })

  test('a block that came to something else the second time ends the search', async () => {
    const url = await newDatabase()
    const worker = await hosts.worker(url, 'second')
    foundOf(await hosts.ended(search('twice', '--fleet', '--budget', '4'), { url }))
    worker.child.kill('SIGSTOP')
    await ask(url, "UPDATE cornerman_queue.job SET state = 'created', retry_count = 0, completed_on = NULL")
    const played = await ask<StatedResult>(url, 'SELECT sweep, job, body FROM cornerman_fleet.results')
    for (const { sweep, job, body: before } of played) {
      const body = before.replaceAll('fingerprint', 'fingerprant')
      const signature = signatureOf(new FleetKey(KEY), { sweep, job, body })
      await ask(url, `UPDATE cornerman_fleet.results SET body = '${body}', signature = '${signature}' WHERE job = '${job}'`)
    }
    worker.child.kill('SIGCONT')
    await expect
      .poll(async () => (await ask<{ code: string }>(url, 'SELECT code FROM cornerman_fleet.faults'))[0]?.code)
      .toBe('TRIAL_NOT_REPEATABLE')
  })

  test('allows a run without a break as much time on a worker as here', async () => {
    const database = await FleetDatabase.connect({ url: await newDatabase(), patienceMs: 0 })
    const key = new FleetKey(newFleetKey())
    await openTables(database, key)
    const queue = await JobQueue.open(database, 'framework')
    const weights: (number | undefined)[] = []
    const worker = new FleetWorker({
      ...{ database, queue, key, host: 'here', framework: 'framework', software: 'framework', threads: 1 },
      open: async () => ({
        play: async (jobs, _, weight) => {
          weights.push(weight)
          return jobs.map(() => ({ fingerprint: '', contests: [], warnings: [] }))
        },
        close: async () => {},
      }),
    })
    const stop = new AbortController()
    const working = worker.run(stop.signal)
    const pool = new FleetPool({ database, queue, key, sweep: 'a sweep' })
    const jobFrom = (from: number) => ({ values: {}, from, until: from + 1, tailMs: 0, seed: 1 })
    await pool.play([jobFrom(0)])
    await pool.play([jobFrom(1)], undefined, 13)
    stop.abort()
    await working
    await pool.close()
    expect(weights).toEqual([1, 13])
  })

  test('forgets the searches of a month ago, and what was theirs', async () => {
    const url = await newDatabase()
    const database = await FleetDatabase.connect({ url, patienceMs: 0 })
    await openTables(database, new FleetKey(newFleetKey()))
    for (const [name, age] of [
      ['old', '31 days'],
      ['new', '29 days'],
    ])
      await database.query(`
        INSERT INTO cornerman_fleet.sweeps VALUES ('${name}', '', '', now() - interval '${age}');
        INSERT INTO cornerman_fleet.blobs VALUES ('${name}', 0, 1, '', now() - interval '${age}');
        INSERT INTO cornerman_fleet.results VALUES ('${name}', 'a job', '{}', 'a worker');
        INSERT INTO cornerman_fleet.attempts VALUES ('${name}', 'a job', '1', 'hung');
        INSERT INTO cornerman_fleet.faults VALUES ('${name}', 'a job', 'CODE', '');
        INSERT INTO cornerman_fleet.workers VALUES ('${name}', '${name}', 1, '', '', 1, 0, 0, now(), now() - interval '${age}')`)
    await dropOld(database)
    await database.close()
    for (const [table, column] of Object.entries({
      sweeps: 'sweep',
      blobs: 'hash',
      results: 'sweep',
      attempts: 'sweep',
      faults: 'sweep',
      workers: 'worker',
    }))
      expect([table, await ask(url, `SELECT ${column} AS of FROM cornerman_fleet.${table}`)]).toEqual([table, [{ of: 'new' }]])
  })

  test('names its workers, and those of another version, which take nothing', async () => {
    const url = await newDatabase()
    await hosts.worker(url, 'here', 2)
    await ask(
      url,
      "INSERT INTO cornerman_fleet.workers (worker, host, pid, framework, software, threads, playing, played) VALUES ('x', 'elsewhere', 1, 'beef', '0.0.9 on Node 24', 4, 0, 0)",
    )
    const listed = await hosts.ended(['workers', '--fleet', '--json'], { url })
    expect(jsonOf(listed)).toMatchObject({
      workers: [
        { host: 'elsewhere', isOurVersion: false, isPresent: true },
        { host: 'here', threads: 2, playing: 0, isOurVersion: true, isPresent: true },
      ],
    })
    const run = await hosts.ended(search('told', '--fleet', '--budget', '4'), { url })
    expect(run.stderr()).toMatch(/1 worker of [0-9a-f]{8}, 2 threads; of another version, which take nothing: elsewhere \(beef\)/)
  })

  const RESULTS = 'SELECT count(*) AS n FROM cornerman_fleet.results'

  /** Resolves when a search has put its first jobs. */
  const put = (url: string) =>
    expect
      .poll(async () => Number((await ask<{ n: string }>(url, 'SELECT count(*) AS n FROM cornerman_queue.job').catch(() => []))[0]?.n ?? 0))
      .toBeGreaterThan(0)
})

describe.runIf(hasPostgres || process.env.CI !== undefined)('a database is refused', () => {
  const other = new FleetHosts(newFleetKey())
  let server: Cluster
  let liars = 0
  /** A database that answers as another would, by a function that stands before PostgreSQL's own. */
  const lying = async (text: string) => {
    const url = await server.database(`liar_${++liars}`)
    await server.query('postgres', `ALTER DATABASE liar_${liars} SET search_path = public, pg_catalog`)
    await server.query(`liar_${liars}`, text)
    return url
  }
  beforeAll(async () => {
    server = await Cluster.open()
  })
  afterAll(async () => {
    await other.close()
    await server?.close()
  })

  test.each<[name: string, url: () => Promise<string>, code: number, says: RegExp]>([
    [
      'that is not there',
      async () => 'postgres://fleet@127.0.0.1:1/fleet',
      1,
      /see that it runs, and what the URL names.*FLEET_UNREACHABLE/,
    ],
    ['of a name that there is not', async () => server.url('gone'), 1, /"gone" does not exist.*FLEET_UNREACHABLE/],
    [
      'that is read-only',
      async () => {
        const url = await server.database('still')
        await server.query('postgres', 'ALTER DATABASE still SET default_transaction_read_only = on')
        return url
      },
      2,
      /it takes no writes.*FLEET_UNFIT/,
    ],
    [
      'whose role may make nothing',
      async () => {
        await server.database('closed')
        await server.query('postgres', 'CREATE ROLE guest LOGIN')
        return server.url('closed', 'guest')
      },
      2,
      /its role lacks a right \(permission denied for database closed\).*GRANT CREATE.*FLEET_UNFIT/,
    ],
    [
      'that is too old',
      () =>
        lying(
          "CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT CASE $1 WHEN 'server_version_num' THEN '120022' ELSE '12.22' END $$",
        ),
      2,
      /it is PostgreSQL 12.22, and 13 or newer is needed.*FLEET_UNFIT/,
    ],
    [
      'behind a pooler that has no transactions',
      async () => {
        await server.database('pooled')
        return poolerOf('statement', server).then((pooler) => pooler.url('pooled'))
      },
      2,
      /it has no transactions.*set the pooler in front of it to transaction mode.*FLEET_UNFIT/,
    ],
    [
      'of another fleet',
      async () => {
        const url = await server.database('theirs')
        expect((await other.ended(['workers', '--fleet'], { url, key: newFleetKey() })).code).toBe(0)
        return url
      },
      2,
      /the fleet of this database has another key.*FLEET_KEY/,
    ],
    [
      'of another version of the tables',
      async () => {
        const url = await server.database('newer')
        expect((await other.ended(['workers', '--fleet'], { url })).code).toBe(0)
        await server.query('newer', "UPDATE cornerman_fleet.facts SET value = '9' WHERE key = 'version'")
        return url
      },
      2,
      /its tables are of version 9.*FLEET_UNFIT/,
    ],
  ])('%s', async (_name, url, code, says) => {
    const run = await other.ended(['workers', '--fleet'], { url: await url() })
    expect(run.stderr()).toMatch(says)
    expect(run.code).toBe(code)
    expect(run.stderr()).not.toMatch(/\n\s+at /)
  })

  test.each([
    ['without a key', { key: '' }, /CORNERMAN_FLEET_KEY: it is not set.*FLEET_KEY/],
    ['with a key that is none', { key: 'secret-word' }, /CORNERMAN_FLEET_KEY: it is no fleet key.*FLEET_KEY/],
    ['without a URL', {}, /FLEET_DATABASE_URL is not set.*SECRET_MISSING/],
  ])('a command %s', async (_name, options, says) => {
    const run = await other.ended(['worker', '--fleet'], options)
    expect([run.code, run.stderr()]).toEqual([2, expect.stringMatching(says)])
    expect(run.stderr()).not.toContain('secret-word')
  })
})
