import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// A host is started while the database of its fleet takes no commit.

/** Longer than a command waits for a database. */
const WAITED_MS = 15_000

describe.skipIf(postgresPrograms() === undefined)('a host that starts while no commit is answered', () => {
  let primary: Cluster
  let standby: Cluster
  let fleet: Failover | undefined
  let databases = 0

  beforeAll(async () => {
    primary = await Cluster.open(['fsync=on'])
    standby = await primary.synchronousStandby()
  })
  afterEach(async () => {
    await fleet?.close()
  })
  afterAll(async () => {
    await primary?.close()
    await standby?.close()
  })

  const readOnly = async (value: 'on' | 'off') => {
    await primary.query('postgres', `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await primary.query('postgres', 'SELECT pg_reload_conf()')
  }

  test.each([
    [
      'no standby answers',
      () => standby.freeze(),
      () => standby.thaw(),
      /no standby says that it has what is committed.*synchronous_standby_names/,
    ],
    ['the database is read-only', () => readOnly('on'), () => readOnly('off'), /takes no writes.*\[25006\]/],
  ])('waits, says which database, how long and what to do, and plays once it can: %s', async (_what, hinder, heal, words) => {
    const name = `awaited_${++databases}`
    const hosts = await Failover.open({ url: await primary.database(name), key: 'ab'.repeat(32), bots: ['alice'], durability: 'standby' })
    fleet = hosts
    await hinder()
    try {
      const run = await hosts.start('h1')
      await sleep(WAITED_MS)
      expect(run.child.exitCode, run.stderr()).toBeNull()
      const said = run.logs().filter(({ msg }) => msg.includes('waits to start'))
      expect(said.map(({ level }) => level)).toEqual(['warn'])
      expect(said[0]?.msg).toMatch(new RegExp(`127\\.0\\.0\\.1:\\d+/${name}`))
      expect(said[0]?.msg).toMatch(words)
      const [stuck] = await primary.query<{ n: number }>(
        'postgres',
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      )
      expect(stuck?.n).toBeLessThan(3)
    } finally {
      await heal()
    }
    await expect.poll(() => hosts.entries(0).length, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(
      hosts
        .host('h1')
        .logs()
        .map(({ msg }) => msg),
    ).toContainEqual(expect.stringMatching(/takes commits, after \d+s: this host starts/))
  })
})
