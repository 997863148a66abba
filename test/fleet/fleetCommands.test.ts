import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { journalFile } from '../../src/cli/journals.ts'
import type { CornermanError } from '../../src/core/error.ts'
import { newFleetKey } from '../../src/fleet/fleetKey.ts'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { addBots, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { FleetHost } from '../../src/live/fleet/host/fleetHost.ts'
import { BotCopies } from '../../src/live/fleet/journal/botCopies.ts'
import { FleetCopy } from '../../src/live/fleet/journal/fleetCopy.ts'
import { FleetJournal } from '../../src/live/fleet/journal/fleetJournal.ts'
import { holdBot } from '../../src/live/fleet/journal/heldBots.ts'
import { RecordSeal } from '../../src/live/fleet/journal/recordSeal.ts'
import { SqliteJournal } from '../../src/live/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FleetHosts } from '../support/fleet/fleetHosts.ts'
import { entryIntent, heldPrediction, journalRecord, saltOf, writeJournal } from '../support/journalFiles.ts'
import { rawEvent, START_MS } from '../support/rawEvents.ts'

// The commands of a fleet, as a person types them, on a database of their own.

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const KEY = newFleetKey()

const recordOf = (n: number) =>
  journalRecord({
    n,
    at: START_MS + n,
    event: { raw: rawEvent('contest.settled', {}), problem: undefined },
    intents: [entryIntent(n)],
    custody: [heldPrediction(n)],
  })

function contentsOf(journal: { load(): ReturnType<SqliteJournal['load']> }) {
  const { events, ...contents } = journal.load()
  return { ...contents, events: [...events] }
}

describe.skipIf(postgresPrograms() === undefined)('the commands of a fleet', () => {
  const hosts = new FleetHosts(KEY)
  let cluster: Cluster
  let url: string
  let name: string
  let databases = 0
  const opened: { close(): unknown }[] = []

  const keep = <T extends { close(): unknown }>(one: T): T => {
    opened.push(one)
    return one
  }
  const connect = () => keep(new FleetConnection({ url }))
  const dataDirOf = (host: string) => join(hosts.folder, `${databases}-${host}`)
  const copyFileOf = (host: string, bot: string) => {
    const file = join(dataDirOf(host), 'fleet', `${bot}.db`)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  const query = (text: string) => cluster.query<Record<string, unknown>>(name, text)

  async function command(args: readonly string[], key = KEY) {
    const { code, stdout, stderr } = await hosts.ended(['fleet', ...args], { url, key })
    return { code, stdout: stdout(), stderr: stderr() }
  }

  async function document(args: readonly string[], key = KEY) {
    const { code, stdout, stderr } = await command([...args, '--json'], key)
    if (stdout === '') throw new Error(stderr)
    return { code, ...(JSON.parse(stdout) as Record<string, unknown>) }
  }

  /** A host that beats, and claims; it hands over what it is asked to. */
  function beating(host: string, bots: readonly string[], version = 'v', unheardMs?: number) {
    const run = randomUUID()
    const told = { onClaimed: () => {}, onLost: () => {}, unheardMs: () => unheardMs }
    const one = keep(new FleetHost({ ...{ url, run, host, version, bots, silenceMs: 3500 }, ...told }))
    void one.run()
    return { run, host: one }
  }

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  beforeEach(async () => {
    name = `commands_${++databases}`
    url = await cluster.database(name)
  })
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close()
  })
  afterAll(async () => {
    await hosts.close()
    await cluster?.close()
  })

  test('init makes the tables, and says what the server lacks', async () => {
    expect((await command([])).stderr).toContain('cornerman fleet init')
    const lacking = await document(['init'])
    expect(lacking).toMatchObject({ code: 2, durability: 'standby', lacking: [{ code: 'FLEET_NOT_DURABLE' }] })
    const { code, stdout } = await command(['init'])
    expect(code).toBe(2)
    expect(stdout).toContain("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)';")
    const config = join(hosts.folder, 'given.config.ts')
    writeFileSync(
      config,
      `import { contestService, defineConfig, secret } from '${ROOT}/src/index.ts'
       import shipped from '${ROOT}/bots.config.ts'
       export default defineConfig({
         service: contestService({ url: 'http://127.0.0.1:9' }),
         fleet: { database: secret('FLEET_DATABASE_URL'), key: secret('CORNERMAN_FLEET_KEY'), durability: 'asGiven' },
         bots: [{ ...shipped.bots[0], name: 'alice', agentKey: secret('ALICE_KEY') }],
       })`,
    )
    expect(await document(['init', '--config', config])).toMatchObject({ code: 0, durability: 'asGiven', lacking: [] })
    await query('ALTER ROLE fleet SET synchronous_commit = off')
    // A pooler lends out sessions of before.
    await query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
    try {
      const { stdout: words } = await command(['init', '--config', config])
      expect(words).toContain('ALTER ROLE … SET synchronous_commit = on')
    } finally {
      await query('ALTER ROLE fleet RESET synchronous_commit')
    }
  })

  test('the demo says before it starts anything that its hosts could not import cornerman', async () => {
    // Away from the folder of the bots.
    const dataDir = dataDirOf('h1')
    const args = [
      'demo',
      '--config',
      join(ROOT, 'bots.config.ts'),
      '--data-dir',
      dataDir,
      '--database',
      'postgres://nobody@127.0.0.1:9/nothing',
    ]
    const { code, stdout, stderr } = await command(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`fleet demo: its hosts cannot import cornerman from ${join(dataDir, 'fleet-demo')}: name a --data-dir`)
  })

  test('another key, and tables of a newer version, are refused before anything else', async () => {
    await command(['init'])
    const wrong = await command([], newFleetKey())
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('[FLEET_KEY]')
    expect((await command([], `${newFleetKey()},${KEY}`)).code).toBe(0)
    await query("UPDATE cornerman_fleet.facts SET value = '99' WHERE key = 'bots'")
    const newer = await command([])
    expect(newer.code).toBe(2)
    expect(newer.stderr).toContain('[FLEET_NEWER]')
  })

  test('shows who plays what, and what is wrong', async () => {
    await command(['init'])
    const { run } = beating('h1', ['alice', 'bob'], 'v', 45_000)
    await expect
      .poll(() => document([]), { timeout: 20_000, interval: 500 })
      .toMatchObject({
        hosts: [{ host: 'h1', run, isAlive: true, bots: ['alice', 'bob'], unheardMs: 45_000 }],
        bots: [
          { bot: 'alice', host: 'h1', epoch: 1, seq: 0, held: null },
          { bot: 'bob', host: 'h1' },
        ],
      })
    await query("UPDATE cornerman_fleet.bots SET held = 'rolledBack' WHERE bot = 'bob'")
    const { stdout } = await command(['--data-dir', dataDirOf('h1')])
    expect(stdout).toContain('bob stands still: the database has lost what it had answered for: cornerman fleet mend')
    expect(stdout).toContain('the service has not answered h1 for 45s')
    for (const one of opened.splice(0).toReversed()) await one.close()
    expect(await document([])).toMatchObject({ hosts: [{ isAlive: false }] })
    expect((await command([])).stdout).toContain('no host is alive: nothing is played')
  })

  test('use, move and drain say what the hosts are to do, and refuse what cannot be', async () => {
    await command(['init'])
    const use = ['use', '--config', join(ROOT, 'bots.config.ts')]
    const stated: Readonly<Record<string, unknown>> = await document(use)
    expect(stated).toMatchObject({ code: 0, before: null, having: [], lacking: [] })
    const version = String(stated.version)
    const [first, second] = [beating('h1', ['alice'], version), beating('h2', ['alice'], version)]
    await expect.poll(() => query('SELECT FROM cornerman_fleet.bots WHERE run IS NOT NULL'), { timeout: 20_000 }).toHaveLength(1)
    const [holder, other] = first.host.held.length > 0 ? ['h1', 'h2'] : ['h2', 'h1']
    const of = (host: string) => (host === 'h1' ? first : second)
    expect((await command(use)).stdout).toContain(`version ${version} plays already`)
    await query("UPDATE cornerman_fleet.wanted SET version = 'older'")
    expect(await document(use)).toMatchObject({ code: 0, version, before: 'older', having: ['h1', 'h2'], lacking: [] })
    expect((await command(['use', '--config', 'nowhere.ts'])).stderr).toContain('CONFIG_MISSING')
    expect((await command(['move', 'carol', '--to', other])).stderr).toContain('it has alice')
    expect((await command(['move', 'alice', '--to', 'h9'])).stderr).toContain('those that are: h1, h2')
    const moving = document(['move', 'alice', '--to', other])
    await expect.poll(() => query('SELECT FROM cornerman_fleet.bots WHERE wish IS NOT NULL'), { timeout: 20_000 }).toHaveLength(1)
    await of(holder).host.release('alice', other)
    expect(await moving).toMatchObject({ code: 0, from: holder, to: other, isMoved: true })
    const draining = document(['drain', other])
    await expect.poll(() => query('SELECT FROM cornerman_fleet.hosts WHERE draining'), { timeout: 20_000 }).toHaveLength(1)
    await of(other).host.rest()
    await of(other).host.release('alice', holder)
    expect(await draining).toMatchObject({ code: 0, host: other, isDrained: true, bots: [{ bot: 'alice', isGiven: true }] })
    const alone = await command(['drain', holder])
    expect(alone.code).toBe(2)
    expect(alone.stderr).toContain('no other host that is alive could play alice')
  })

  test('a journal of one host is adopted once, and a second one is not', async () => {
    await command(['init'])
    const folders = ['h1', 'h2'].map((host) => dataDirOf(host)) as [string, string]
    for (const folder of folders) {
      mkdirSync(join(folder, 'bots'), { recursive: true })
      writeJournal(journalFile(folder, 'alice'), 40)
    }
    const [own, second] = folders
    const before = new SqliteJournal(journalFile(own, 'alice'))
    const busy = await command(['adopt', 'alice', own])
    expect(busy.code).toBe(2)
    expect(busy.stderr).toContain('[JOURNAL_IN_USE]')
    const contents = contentsOf(before)
    before.close()
    expect(await document(['adopt', 'alice', own])).toMatchObject({ code: 0, bot: 'alice', agentId: 'agent' })
    expect(existsSync(journalFile(own, 'alice'))).toBe(false)
    expect(existsSync(`${journalFile(own, 'alice')}.adopted`)).toBe(true)
    const again = await command(['adopt', 'alice', second])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain(`the journal of ${own} on`)
    expect(existsSync(journalFile(second, 'alice'))).toBe(true)
    expect((await command(['adopt', 'bob', second])).stderr).toContain('is not there')
    mkdirSync(join(dataDirOf('h3'), 'bots'), { recursive: true })
    writeJournal(journalFile(dataDirOf('h3'), 'bob'), 10)
    expect((await command(['adopt', 'bob', dataDirOf('h3')])).stderr).toContain('was adopted as that of alice')
    const { copy } = await played('alice', 'h4')
    expect(copy.agentId).toBe('agent')
    expect(contentsOf(copy)).toEqual(contents)
    copy.close()
    const file = copyFileOf('h4', 'alice')
    for (let n = 1; n <= 40; n++) expect(readFileSync(file).includes(saltOf(n))).toBe(false)
  })

  async function played(bot: string, host: string, keys = [Buffer.from(KEY, 'hex')]) {
    const connection = connect()
    const fleet = await openBotTables(connection)
    await addBots(connection, [bot])
    const [row] = await query(`SELECT epoch::int FROM cornerman_fleet.bots WHERE bot = '${bot}'`)
    const claimed = await claimBot(connection, { ...{ bot, host, version: 'v', beat: 0, run: randomUUID() }, epoch: Number(row?.epoch) })
    if (claimed === undefined) throw new Error(`${bot} was not claimed`)
    const seal = new RecordSeal({ keys, fleet, bot })
    const copy = new FleetCopy({ file: copyFileOf(host, bot), bot, seal })
    await copy.catchUp(connection, claimed.place)
    return { ...claimed, copy, seal, connection, fleet }
  }

  test('a backup of before: every bot stands still, and is mended by the longest copy', async () => {
    await command(['init'])
    const faults: CornermanError[] = []
    const playing = await Promise.all(
      ['alice', 'bob'].map(async (bot) => {
        const { holding, copy, seal, connection, fleet } = await played(bot, 'h1')
        const journal = keep(new FleetJournal({ connection, holding, seal, copy, onStop: (error) => faults.push(error) }))
        return { bot, journal, copy, seal, fleet }
      }),
    )
    const write = async (from: number, to: number) => {
      for (const { journal } of playing) {
        for (let n = from; n <= to; n++) journal.commit(recordOf(n))
        expect(await journal.kept()).toBe('kept')
      }
    }
    const follower = keep(
      new BotCopies({
        ...{ url, bots: ['alice', 'bob'], fileOf: (bot) => copyFileOf('h2', bot) },
        sealOf: (bot) => new RecordSeal({ keys: [Buffer.from(KEY, 'hex')], fleet: playing[0]?.fleet ?? '', bot }),
        onFault: (_bot, fault) => faults.push(fault),
      }),
    )
    const seen = () => playing.map(({ bot, copy }) => ({ bot, ...copy.place }))
    await write(1, 30)
    await cluster.keepBackup()
    await write(31, 45)
    await follower.follow(seen(), performance.now())
    await write(46, 50)
    const [lost] = playing.map(({ copy }) => contentsOf(copy))
    await cluster.restoreBackup()
    // Each host finds out by itself: the one by what it commits, the other by what it sees.
    for (const { bot, journal, copy } of playing) {
      journal.commit(recordOf(51))
      expect(await journal.kept()).not.toBe('kept')
      await holdBot(connect(), { bot, host: 'h1', copy: copy.place }, faults.at(-1) as CornermanError)
    }
    const rows = (await query('SELECT bot, seq::int, chain FROM cornerman_fleet.bots')) as { bot: string; seq: number; chain: Buffer }[]
    await follower.follow(rows, performance.now())
    expect(faults.map(({ code }) => code)).toEqual(['FLEET_ROLLED_BACK', 'FLEET_ROLLED_BACK', 'FLEET_ROLLED_BACK', 'FLEET_ROLLED_BACK'])
    for (const [bot, copy] of follower.places) await holdBot(connect(), { bot, host: 'h2', copy }, faults.at(-1) as CornermanError)
    await expect(played('alice', 'h3')).rejects.toThrow('was not claimed')
    for (const one of opened.splice(0).toReversed()) await one.close()
    const short = await command(['mend', 'alice', '--data-dir', dataDirOf('h2'), '--host-name', 'h2'])
    expect(short.code).toBe(2)
    expect(short.stderr).toContain('h1 has it up to 50, and this host up to 45: mend it there')
    expect(await document(['mend', 'alice', '--data-dir', dataDirOf('h1'), '--host-name', 'h1'])).toMatchObject({
      code: 0,
      from: 30,
      to: 50,
      appended: 20,
    })
    expect((await command(['mend', 'alice', '--data-dir', dataDirOf('h1')])).stderr).toContain('nothing to mend')
    const { copy, holding } = await played('alice', 'h3')
    expect(contentsOf(copy)).toEqual(lost)
    copy.close()
    expect(holding.epoch).toBeGreaterThan(2)
    const near = await played('alice', 'h2')
    expect(contentsOf(near.copy)).toEqual(lost)
    near.copy.close()
    // The other one was not mended, and still stands still; from here it is mended with less.
    await expect(played('bob', 'h3')).rejects.toThrow('was not claimed')
    await query("UPDATE cornerman_fleet.bots SET chain = 'another' WHERE bot = 'bob'")
    expect((await command(['mend', 'bob', '--data-dir', dataDirOf('h1'), '--host-name', 'h1'])).stderr).toContain(
      'at 30 the database has another past',
    )
    expect(await document(['mend', 'bob', '--from-here', '--data-dir', dataDirOf('h2'), '--host-name', 'h2'])).toMatchObject({
      code: 0,
      to: 45,
    })
    keep((await played('bob', 'h3')).copy)
  })

  test('a key is changed: what nobody plays is sealed anew, and the key before opens nothing any more', async () => {
    await command(['init'])
    const { holding, copy, seal, connection } = await played('alice', 'h1')
    const journal = new FleetJournal({ connection, holding, seal, copy, onStop: () => {} })
    for (let n = 1; n <= 20; n++) journal.commit(recordOf(n))
    expect(await journal.kept()).toBe('kept')
    const before = contentsOf(copy)
    await journal.close()
    await query('UPDATE cornerman_fleet.bots SET run = NULL')
    const next = newFleetKey()
    expect((await command(['rekey'])).stderr).toContain('a key is changed with both of them')
    expect(await document(['rekey'], `${next},${KEY}`)).toMatchObject({ code: 0, isDone: true, done: ['alice'], left: [] })
    expect((await command([])).stderr).toContain('[FLEET_KEY]')
    expect((await command([], next)).code).toBe(0)
    const again = await played('alice', 'h2', [Buffer.from(next, 'hex')])
    expect(contentsOf(again.copy)).toEqual(before)
    again.copy.close()
  })
})
