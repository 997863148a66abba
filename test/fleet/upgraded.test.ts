import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// Tables that an older Cornerman has made, under the same version.

const OLDER = `
  ALTER TABLE cornerman_fleet.bots DROP CONSTRAINT bots_bot_epoch_key;
  ALTER TABLE cornerman_fleet.control DROP COLUMN said, DROP COLUMN signature;
  ALTER TABLE cornerman_fleet.orders DROP COLUMN epoch, DROP COLUMN said, DROP COLUMN signature`
const NO_RIGHT = '42501'

describe.skipIf(postgresPrograms() === undefined)('the tables of an older Cornerman', () => {
  let cluster: Cluster
  let name: string
  let url: string
  let databases = 0
  const query = (text: string) => cluster.query<Record<string, unknown>>(name, text)
  const open = async (at = url) => {
    const connection = new FleetConnection({ url: at })
    try {
      return await openBotTables(connection)
    } finally {
      connection.close()
    }
  }

  beforeAll(async () => {
    cluster = await Cluster.open()
    await cluster.query('postgres', 'CREATE ROLE player LOGIN')
  })
  beforeEach(async () => {
    name = `upgraded_${++databases}`
    url = await cluster.database(name)
    await open()
    await query("INSERT INTO cornerman_fleet.bots (bot, epoch) VALUES ('alice', 3)")
    await query(`INSERT INTO cornerman_fleet.control (one, n, control, by) VALUES (1, 2, '{"state":"running"}', 'desk')`)
    await query(OLDER)
  })
  afterAll(() => cluster?.close())

  /** True if a claim waits for the writer of an entry to release the bot's row. */
  const claimWaits = async () => {
    const entering = new pg.Client({ connectionString: cluster.url(name) })
    await entering.connect()
    await entering.query("BEGIN; SELECT FROM cornerman_fleet.bots WHERE bot = 'alice' FOR KEY SHARE")
    const claiming = query("SET lock_timeout = 200; UPDATE cornerman_fleet.bots SET epoch = epoch + 1 WHERE bot = 'alice'")
    const waits = await claiming.then(
      () => false,
      ({ code }: { code?: string }) => code === '55P03',
    )
    await entering.end()
    return waits
  }

  test('get UNIQUE (bot, epoch): a claim waits for an entry that is under way, and two rows of one turn are refused', async () => {
    expect(await claimWaits()).toBe(false)
    const fleet = await open()
    expect(await claimWaits()).toBe(true)
    await query('ALTER TABLE cornerman_fleet.bots DROP CONSTRAINT bots_pkey')
    const twice = query('INSERT INTO cornerman_fleet.bots (bot, epoch) SELECT bot, epoch FROM cornerman_fleet.bots')
    await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'bots_bot_epoch_key' })
    expect(await open()).toBe(fleet)
  })

  test('get columns for signatures, keep what is in them, and are changed by one of many hosts that start at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => open()))
    expect(await query('SELECT n::int, by, said, signature FROM cornerman_fleet.control')).toEqual([
      { n: 2, by: 'desk', said: null, signature: null },
    ])
    const [unique] = await query(
      "SELECT count(*)::int AS n FROM pg_constraint WHERE conrelid = 'cornerman_fleet.bots'::regclass AND contype = 'u'",
    )
    expect(unique).toEqual({ n: 1 })
    // A host of before goes on with them.
    await query("UPDATE cornerman_fleet.control SET n = n + 1, control = '{}', by = 'h1'")
  })

  test('are left alone by a role that may not change them, which names the command for their owner', async () => {
    await query(
      'GRANT USAGE ON SCHEMA cornerman_fleet TO player; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA cornerman_fleet TO player',
    )
    await expect(open(cluster.url(name, 'player'))).rejects.toMatchObject({
      code: 'FLEET_UNFIT',
      message: expect.stringMatching(/cornerman fleet init once, as their owner/) as string,
      cause: { details: { code: NO_RIGHT } },
    })
    await open()
    await open(cluster.url(name, 'player'))
  })
})
