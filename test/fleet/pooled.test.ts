import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/fleetConnection.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'
import { poolerProgram } from '../support/fleet/pooler.ts'
import { raceClaims, raceCommits } from '../support/fleet/races.ts'

// Hosts of a fleet behind a pooler of transactions. FLEET_POOLED=yes sends every other test of fleets through one, too.

const RACES = 100
const BOTS = ['bot-0', 'bot-1', 'bot-2', 'bot-3', 'bot-4', 'bot-5']
const HOSTS = ['h1', 'h2']
const PLAYED_MS = 6000
/** What the pooler says itself, of every connection that it lends out. */
const OF_THE_POOLER = /statement: SET (?:application_name|client_encoding|datestyle|timezone|standard_conforming_strings)=[^;]*;?$/i
const NAMED = /\bexecute (?!<unnamed>)|\b(?:statement|execute <unnamed>): (?:PREPARE|DECLARE|LISTEN|SET|CREATE TEMP)\b|pg_(?:try_)?advisory_lock\(/i

describe.skipIf(postgresPrograms() === undefined || poolerProgram() === undefined)('hosts behind a pooler of transactions', () => {
  let cluster: Cluster
  let url: string
  let databases = 0
  let fleet: Failover | undefined
  const connections: FleetConnection[] = []
  const connect = () => {
    const connection = new FleetConnection({ url, answerMs: 10_000 })
    connections.push(connection)
    return connection
  }
  const ask = <R extends object>(text: string) => cluster.query<R & Record<string, unknown>>(new URL(url).pathname.slice(1), text)
  /** What the server was asked for by now. */
  const asked = () => globSync(join(cluster.dataDir, 'log', '*')).flatMap((file) => readFileSync(file, 'utf8').split('\n'))

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on', 'logging_collector=on', 'log_statement=all', 'log_line_prefix=%a '], true)
  })
  beforeEach(async () => {
    url = await cluster.database(`pooled_${++databases}`)
  })
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close()
    await fleet?.close()
    fleet = undefined
  })
  afterAll(() => cluster?.close())

  test(`of two claimants one has the bot, and a commit that races a claim is what its answer says, ${RACES} times each`, async () => {
    await openBotTables(connect())
    const won = await raceClaims([connect(), connect()], 'alice', RACES)
    expect(won.map((claims) => claims.map(({ holding }) => holding.epoch))).toEqual(Array.from({ length: RACES }, (_, n) => [n + 1]))
    const races = await raceCommits(connect(), connect(), 'bob', RACES)
    const rows = await ask<{ body: Buffer }>("SELECT body FROM cornerman_fleet.records WHERE bot = 'bob'")
    expect(races).toHaveLength(RACES)
    for (const { result, body, before, after } of races) {
      const standing = rows.filter((row) => row.body.equals(body)).length
      expect([standing, after - before]).toEqual(result === 'kept' ? [1, 1] : [0, 0])
    }
  })

  test('a host is killed and the other plays on, a bot is moved, and no session of the server is taken for a host', async () => {
    const hosts = await Failover.open({ url, key: 'ab'.repeat(32), bots: BOTS })
    fleet = hosts
    for (const host of HOSTS) await hosts.start(host)
    const holders = () => ask<{ bot: string; host: string }>('SELECT bot, host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')
    const playedBy = (...names: readonly string[]) =>
      expect
        .poll(async () => (await holders().catch(() => [])).filter(({ host }) => names.includes(host)).length, { timeout: 60_000 })
        .toBe(BOTS.length)
    await playedBy(...HOSTS)
    await sleep(PLAYED_MS)
    await hosts.kill('h1')
    await playedBy('h2')
    await hosts.start('h1')
    await sleep(PLAYED_MS)
    const moved = await hosts.command(['fleet', 'move', 'bot-0', '--to', 'h1', '--json'])
    expect(moved.code, moved.stderr()).toBe(0)
    const { disagreeing, unresolved, overCap, missedReveals, meetings, effects } = await hosts.playedOn('h1', '8s')
    const wrong = { disagreeing, unresolved, overCap, missedReveals, meetings }
    expect(wrong).toEqual({ disagreeing: [], unresolved: [], overCap: [], missedReveals: [], meetings: [] })
    expect(effects).toBeGreaterThan(20)
    const statements = asked().filter((line) => line.includes('cornerman'))
    expect(statements.length).toBeGreaterThan(500)
    expect(statements.filter((line) => NAMED.test(line) && !OF_THE_POOLER.test(line))).toEqual([])
  })
})
