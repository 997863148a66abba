import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseWatch } from '../../src/live/fleet/database/databaseWatch.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { openBotTables } from '../../src/live/fleet/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// What troubles the database of a fleet, as a host finds it.

const MINUTE_MS = 60_000

describe.skipIf(postgresPrograms() === undefined)('DatabaseWatch', () => {
  let cluster: Cluster
  let standby: Cluster
  let url: string

  beforeAll(async () => {
    cluster = await Cluster.open()
    url = await cluster.database('watched')
    standby = await cluster.synchronousStandby()
    const connection = new FleetConnection({ url })
    await openBotTables(connection)
    connection.close()
  })
  afterAll(async () => {
    await standby?.close()
    await cluster?.close()
  })

  test('commits that hang since no standby has them are told from a database that does not answer', async () => {
    const watch = new DatabaseWatch({ url })
    const connection = new FleetConnection({ url, answerMs: 30_000 })
    const commit = (bot: string) => connection.ask('INSERT INTO cornerman_fleet.bots (bot) VALUES ($1)', [bot])
    try {
      await commit('alice')
      expect(await watch.waitsForStandby()).toBe(false)
      await standby.stop()
      const hanging = commit('bob')
      await expect.poll(() => watch.waitsForStandby(), { timeout: 15_000 }).toBe(true)
      cluster.freeze()
      expect(await watch.waitsForStandby()).toBe(false)
      cluster.thaw()
      await standby.start()
      await hanging
      expect(await watch.waitsForStandby()).toBe(false)
    } finally {
      connection.close()
    }
  })

  test('a transaction of somebody else is told of once it was open for five minutes, also where its role is another', async () => {
    await cluster.query('postgres', 'CREATE ROLE stranger LOGIN SUPERUSER')
    await cluster.query('postgres', 'CREATE ROLE player LOGIN')
    let now = 0
    const watch = new DatabaseWatch({ url: cluster.url('watched', 'player'), now: () => now })
    const stranger = new pg.Client({ connectionString: cluster.url('watched', 'stranger'), application_name: 'report' })
    await stranger.connect()
    const own = new FleetConnection({ url })
    const ids = async () => (await watch.longTransactions()).map(({ role, application, openMs }) => [role, application, openMs])
    try {
      await stranger.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await stranger.query('SELECT FROM cornerman_fleet.bots')
      await own.ask('BEGIN; SELECT txid_current()')
      expect(await ids()).toEqual([])
      now = 5 * MINUTE_MS - 1
      expect(await ids()).toEqual([])
      now = 5 * MINUTE_MS
      expect(await ids()).toEqual([['stranger', 'report', 5 * MINUTE_MS]])
      // Another one of the same process.
      await stranger.query('COMMIT')
      await own.ask('SELECT txid_current()')
      await stranger.query('BEGIN')
      await stranger.query("INSERT INTO cornerman_fleet.bots (bot) VALUES ('carol')")
      expect(await ids()).toEqual([])
      now = 9 * MINUTE_MS
      await stranger.query('SELECT 1')
      expect(await ids()).toEqual([])
      now = 10 * MINUTE_MS
      expect(await ids()).toEqual([['stranger', 'report', 5 * MINUTE_MS]])
      watch.forget()
      expect(await ids()).toEqual([])
    } finally {
      await stranger.end()
      own.close()
    }
  })
})
