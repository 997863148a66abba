import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// The disk of a fleet's database is full while its hosts play. FLEET_AUDITED=yes plays all to its end, and looks at the books.

const BOTS = ['bot-0', 'bot-1', 'bot-2', 'bot-3']
const HOSTS = ['h1', 'h2']
const IS_AUDITED = process.env.FLEET_AUDITED === 'yes'
/** A folder on a small file system, which is filled; where none is named the database only says that it is full. */
const { FULL_DISK } = process.env
const PLAYED_MS = 4000

describe.skipIf(postgresPrograms() === undefined)('a database whose disk is full', () => {
  let cluster: Cluster
  let databases = 0
  let fleet: Failover | undefined

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    await fleet?.close()
    fleet = undefined
  })
  afterAll(() => cluster?.close())

  async function open() {
    const name = `disk_${++databases}`
    const hosts = await Failover.open({ url: await cluster.database(name), key: 'ab'.repeat(32), bots: BOTS })
    fleet = hosts
    const ask = <R extends object>(text: string) => cluster.query<R & Record<string, unknown>>(name, text)
    for (const host of HOSTS) await hosts.start(host)
    const held = async () => (await ask('SELECT FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)').catch(() => [])).length
    await expect.poll(held, { timeout: 60_000 }).toBe(BOTS.length)
    await sleep(PLAYED_MS)
    const rows = () => ask<{ bot: string; seq: number }>('SELECT bot, seq::int FROM cornerman_fleet.bots ORDER BY bot')
    const furtherThan = async (before: readonly { readonly seq: number }[]) => {
      const played = async () => (await rows()).filter(({ seq }, place) => seq > (before[place]?.seq ?? 0) + 3).length
      await expect.poll(played, { timeout: 30_000 }).toBe(BOTS.length)
    }
    return { hosts, ask, held, rows, furtherThan }
  }

  test('its bots stop on every host, nothing of them is sent any more, and a new start plays on', async () => {
    const { hosts, ask, held, rows, furtherThan } = await open()
    const makeRoom = FULL_DISK === undefined ? await pretend(ask) : await fill(ask, FULL_DISK)
    await expect.poll(held, { timeout: 60_000 }).toBe(0)
    const since = Date.now()
    const standing = await rows()
    expect(stoppedOn(hosts)).toEqual(BOTS)
    await sleep(PLAYED_MS)
    for (const host of HOSTS) {
      const { service } = await hosts.linksOf(host)
      expect(service.posts.filter(({ at, agentKey }) => agentKey !== '' && at > since)).toEqual([])
      expect(hosts.host(host).child.exitCode).toBe(null)
    }
    expect(await rows()).toEqual(standing)
    const message = expect.stringMatching(/no room left on its disk.*No space left on device \[53100\]/) as string
    for (const host of HOSTS) expect((await hosts.health(host)).problems).toContainEqual({ kind: 'fleetDatabase', message })
    await makeRoom()
    for (const host of HOSTS) await hosts.kill(host)
    await hosts.start('h1')
    await expect.poll(held, { timeout: 30_000 }).toBe(BOTS.length)
    await furtherThan(standing)
    if (!IS_AUDITED) return
    const { disagreeing, unresolved, overCap, meetings, effects } = await hosts.playedOn('h1')
    expect({ disagreeing, unresolved, overCap, meetings }).toEqual({ disagreeing: [], unresolved: [], overCap: [], meetings: [] })
    expect(effects).toBeGreaterThan(20)
  })

  test('a host whose beats are not taken either lives on, plays nothing, and all play on when there is room', async () => {
    const { hosts, ask, held, rows, furtherThan } = await open()
    for (const [table, what] of TABLES) await ask(full(table, what))
    await expect.poll(() => stoppedOn(hosts), { timeout: 30_000 }).toEqual(BOTS)
    const since = Date.now()
    const standing = await rows()
    await sleep(PLAYED_MS)
    for (const host of HOSTS) {
      const { service } = await hosts.linksOf(host)
      expect(service.posts.filter(({ at, agentKey }) => agentKey !== '' && at > since)).toEqual([])
      expect(hosts.host(host).child.exitCode, hosts.host(host).stderr().slice(-2000)).toBe(null)
    }
    const message = expect.stringMatching(/no room left on its disk.*No space left on device \[53100\]/) as string
    for (const host of HOSTS) {
      expect((await hosts.health(host)).problems).toContainEqual({ kind: 'fleetDatabase', message })
      expect(hosts.host(host).logs()).toContainEqual(expect.objectContaining({ level: 'error', code: 'FLEET_REFUSED', msg: message }))
    }
    for (const [table] of TABLES) await ask(`DROP TRIGGER full_disk ON cornerman_fleet.${table}`)
    // A host that could not play a bot lets go of it now, and one that has not tried has it.
    await expect.poll(held, { timeout: 30_000 }).toBe(BOTS.length)
    await furtherThan(standing)
  })
})

type Ask = (text: string) => Promise<unknown>

async function pretend(ask: Ask): Promise<() => Promise<unknown>> {
  await ask(full('records', 'INSERT'))
  return () => ask('DROP TRIGGER full_disk ON cornerman_fleet.records')
}

/** Has the journals on the small file system, and leaves no room on it. */
async function fill(ask: Ask, folder: string): Promise<() => Promise<unknown>> {
  const place = mkdtempSync(join(folder, 'cornerman-'))
  const filler = join(folder, 'filler')
  execFileSync('chown', ['postgres', place])
  await ask(`CREATE TABLESPACE small LOCATION '${place}'`)
  await ask('ALTER TABLE cornerman_fleet.records SET TABLESPACE small')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
  return async () => rmSync(filler)
}

/** What PostgreSQL answers where it cannot make a table longer. */
const full = (table: string, what: string) => `
  CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER full_disk BEFORE ${what} ON cornerman_fleet.${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`

const TABLES = [
  ['records', 'INSERT'],
  ['bots', 'UPDATE'],
  ['hosts', 'UPDATE'],
] as const

/** Bots that a host has stopped since the disk of the database is full. */
const stoppedOn = (hosts: Failover): string[] => {
  const said = hosts.runs.flatMap((run) => run.logs()).filter(({ msg }) => /No space left.*make room on the disk of the database/.test(msg))
  return [...new Set(said.map(({ bot = '' }) => bot))].toSorted()
}
