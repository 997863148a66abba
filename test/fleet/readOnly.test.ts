import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// The database of a fleet takes no writes any more, while the bots play.

describe.skipIf(postgresPrograms() === undefined)('a fleet on a database that is set to read-only', () => {
  let cluster: Cluster
  let fleet: Failover

  const set = async (value: 'on' | 'off') => {
    await cluster.query('postgres', `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await cluster.query('postgres', 'SELECT pg_reload_conf()')
  }

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
    fleet = await Failover.open({ url: await cluster.database('fleet'), key: 'ab'.repeat(32), bots: ['alice', 'bob'] })
    await fleet.start('h1')
  })
  afterAll(async () => {
    await fleet?.close()
    await cluster?.close()
  })

  test('says what the database says, with its code, in the log and in health; and plays on once it takes writes', async () => {
    await expect.poll(() => fleet.entries(0).length, { timeout: 60_000 }).toBeGreaterThan(1)
    await set('on')
    const message = expect.stringMatching(/takes no writes.*cannot execute .* in a read-only transaction \[25006\]/) as string
    await expect
      .poll(async () => (await fleet.health('h1')).problems, { timeout: 20_000 })
      .toContainEqual({ kind: 'fleetDatabase', message })
    expect(fleet.host('h1').logs()).toContainEqual(expect.objectContaining({ level: 'error', msg: message }))
    await set('off')
    await expect.poll(async () => (await fleet.health('h1')).problems, { timeout: 20_000 }).toEqual([])
    const since = Date.now()
    await expect.poll(() => fleet.entries(since).length, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(
      fleet
        .host('h1')
        .logs()
        .map(({ msg }) => msg),
    ).toContainEqual(expect.stringMatching(/takes writes again/))
  })
})
