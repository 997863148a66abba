import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'
import { inLong } from '../support/suite/long.ts'

// A kill switch of a fleet against whoever writes into its database without the fleet's key, and against a backup of before.

const BOTS = ['bot-0', 'bot-1']
const WATCHED_MS = inLong(15_000, 8000)
const PLAYED_MS = inLong(6000, 4000)

describe.skipIf(postgresPrograms() === undefined)('a stopped fleet', () => {
  let cluster: Cluster
  let fleet: Failover | undefined
  let databases = 0

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    await fleet?.close()
  })
  afterAll(() => cluster?.close())

  const opened = async () => {
    const name = `signed_${++databases}`
    const hosts = await Failover.open({ url: await cluster.database(name), key: 'ab'.repeat(32), bots: BOTS })
    fleet = hosts
    const entries = (since: number) => hosts.entries(since)
    const plays = (since: number) => expect.poll(() => entries(since).length, { timeout: 60_000 }).toBeGreaterThan(0)
    const said = async (...args: string[]) => {
      const run = await hosts.command(args)
      expect(run.code, run.stderr()).toBe(0)
      return run.stdout()
    }
    const query = <R extends object>(text: string) => cluster.query<R & Record<string, unknown>>(name, text)
    return { hosts, entries, plays, said, query }
  }

  const FORGED = `'{"state":"running","since":"2026-11-29T00:00:00.000Z"}'`
  test.each([
    ['changed without the key', `UPDATE cornerman_fleet.control SET n = n + 1, control = ${FORGED}`],
    ['taken out', 'DELETE FROM cornerman_fleet.control'],
  ])('stays stopped when its order is %s, and says so', async (_what, statement) => {
    const { hosts, entries, plays, said, query } = await opened()
    await hosts.start('h1')
    await plays(0)
    await said('stop', '--now', '--fleet')
    await sleep(1000)
    const since = Date.now()
    await query(statement)
    await sleep(WATCHED_MS)
    expect(entries(since)).toEqual([])
    expect((await hosts.health('h1')).problems).toContainEqual(expect.objectContaining({ kind: 'fleetOrder' }))
    expect(hosts.host('h1').logs()).toContainEqual(expect.objectContaining({ level: 'error', code: 'FLEET_ORDER' }))
    await said('stop', '--resume', '--fleet')
    await plays(Date.now())
    // The stop may have cost a stake of a contest that went on meanwhile, which is told as its reason.
    const others = (await hosts.health('h1')).problems.filter(
      ({ kind, message }) => kind !== 'unplayed' || !message.includes('KILL_SWITCH'),
    )
    expect(others).toEqual([])
  })

  test('stays stopped after a backup of before and a mend, on a host that knows nothing of the stop too, until a person resumes', async () => {
    const { hosts, entries, plays, said, query } = await opened()
    for (const host of ['h1', 'h2']) await hosts.start(host)
    await plays(0)
    await sleep(PLAYED_MS)
    await cluster.keepBackup()
    await sleep(PLAYED_MS)
    await said('stop', '--now', '--fleet')
    await cluster.restoreBackup()
    await expect
      .poll(async () => (await query("SELECT FROM cornerman_fleet.bots WHERE held = 'rolledBack'")).length, { timeout: 60_000 })
      .toBe(2)
    for (const host of ['h1', 'h2']) await hosts.kill(host)
    const since = Date.now()
    const copies = await query<{ bot: string; host: string }>(
      'SELECT DISTINCT ON (bot) bot, host FROM cornerman_fleet.copies ORDER BY bot, seq DESC',
    )
    for (const { bot, host } of copies)
      await said('fleet', 'mend', bot, '--data-dir', hosts.dataDirOf(host), '--host-name', host, '--from-here')
    await hosts.start('h3')
    await expect
      .poll(async () => (await query('SELECT FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')).length, {
        timeout: 60_000,
      })
      .toBe(2)
    await sleep(WATCHED_MS)
    expect(entries(since)).toEqual([])
    await said('stop', '--resume', '--fleet')
    await plays(Date.now())
  })
})
