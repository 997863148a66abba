import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'
import { inLong } from '../support/suite/long.ts'

// The standby of a fleet's database is promoted, and no standby follows it: each commit is on the disk of one machine alone.

const BOTS = ['alice', 'bob']
const WATCHED_MS = inLong(40_000, 15_000)
/** Entries from before the host saw the new primary have left by then. */
const SEEN_MS = 5000

describe.skipIf(postgresPrograms() === undefined)('a fleet whose primary has no standby any more', () => {
  const servers: Cluster[] = []
  let fleet: Failover

  beforeAll(async () => {
    const primary = await Cluster.open(['fsync=on'])
    servers.push(primary)
    await primary.database('fleet')
    const standby = await primary.synchronousStandby()
    servers.push(standby)
    fleet = await Failover.open({ url: primary.urlBeside('fleet', standby), key: 'ab'.repeat(32), bots: BOTS, durability: 'standby' })
    await fleet.start('h1')
  })
  afterAll(async () => {
    await fleet?.close()
    for (const server of servers) await server.close()
  })

  test('enters nothing, and says so, until a standby follows again', async () => {
    const [primary, standby] = servers
    if (primary === undefined || standby === undefined) throw new Error('two servers were started')
    await expect.poll(() => fleet.entries(0).length, { timeout: 60_000 }).toBeGreaterThan(3)
    await primary.kill()
    await standby.promote()
    await expect
      .poll(() => standby.query('fleet', "SELECT FROM cornerman_fleet.hosts WHERE seen > clock_timestamp() - interval '1 second'"), {
        timeout: 30_000,
      })
      .toHaveLength(1)
    await sleep(SEEN_MS)
    const since = Date.now()
    await sleep(WATCHED_MS)
    expect(fleet.entries(since)).toEqual([])
    const message = expect.stringMatching(/synchronous_standby_names is empty/) as string
    expect((await fleet.health('h1')).problems).toContainEqual({ kind: 'fleetNotDurable', message })
    expect(fleet.host('h1').logs()).toContainEqual(expect.objectContaining({ level: 'error', code: 'FLEET_NOT_DURABLE', msg: message }))
    servers.push(await standby.synchronousStandby())
    const again = Date.now()
    await expect.poll(() => fleet.entries(again).length, { timeout: 60_000 }).toBeGreaterThan(3)
    expect((await fleet.health('h1')).problems).toEqual([])
    expect(
      fleet
        .host('h1')
        .logs()
        .map(({ msg }) => msg),
    ).toContainEqual(expect.stringMatching(/on a second server again/))
  })
})
