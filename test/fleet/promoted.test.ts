import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalAt } from '../../src/cli/runs/fleet/demo/effects.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// The primary of a fleet's database dies while the bots play, its standby is promoted, and the dead one comes back beside it.

const BOTS = ['alice', 'bob', 'carol', 'dave']
const SETTINGS = ['fsync=on']

describe.skipIf(postgresPrograms() === undefined)('a fleet whose database fails over', () => {
  let primary: Cluster
  let standby: Cluster
  let fleet: Failover

  const bots = (server: Cluster) =>
    server.query<{ bot: string; epoch: string; seq: number }>('fleet', 'SELECT bot, epoch, seq::int FROM cornerman_fleet.bots ORDER BY bot')
  const written = async (server: Cluster) => (await bots(server)).reduce((sum, { seq }) => sum + seq, 0)

  beforeAll(async () => {
    primary = await Cluster.open(SETTINGS)
    await primary.database('fleet')
    standby = await primary.synchronousStandby()
    fleet = await Failover.open({ url: primary.urlBeside('fleet', standby), key: 'ab'.repeat(32), bots: BOTS })
    for (const host of ['h1', 'h2']) await fleet.start(host)
  })
  afterAll(async () => {
    await fleet?.close()
    await primary?.close()
    await standby?.close()
  })

  test('what was answered is there, no bot moves, and the old primary is left alone', async () => {
    await expect.poll(() => written(primary).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(80)
    const before = await bots(primary)
    await primary.kill()
    // As long as nobody has noticed it, nothing can be written, and so nothing is sent.
    await sleep(1500)
    await standby.promote()
    const atPromotion = await bots(standby)
    // On the standby is all that was answered, which is at least what was seen before.
    for (const [index, { seq }] of atPromotion.entries()) expect(seq).toBeGreaterThanOrEqual(before[index]?.seq ?? 0)
    await expect.poll(() => written(standby), { timeout: 30_000 }).toBeGreaterThan(await written(standby))
    await primary.start()
    const old = await bots(primary)
    // Whoever has to connect anew finds both.
    await standby.query('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cornerman'")
    await expect.poll(() => written(standby), { timeout: 30_000 }).toBeGreaterThan((await written(standby)) + 20)
    expect(await bots(primary)).toEqual(old)
    // A pooler keeps its connections, and hands it what a client that was idle meanwhile asks: that waits for a standby that never comes.
    const busy = process.env.FLEET_POOLED === 'yes' ? " AND state <> 'idle' AND wait_event IS DISTINCT FROM 'SyncRep'" : ''
    // A host that connects to it looks which timeline it has, and leaves.
    const clients = () => primary.query('postgres', `SELECT FROM pg_stat_activity WHERE application_name = 'cornerman'${busy}`)
    await expect.poll(clients, { timeout: 10_000 }).toEqual([])
    const said = ['h1', 'h2'].map(
      (host) =>
        fleet
          .host(host)
          .logs()
          .filter(({ msg }) => msg.includes('is left alone: it is a primary of before')).length,
    )
    expect(said).toEqual([1, 1])
    expect((await bots(standby)).map(({ epoch }) => epoch)).toEqual(before.map(({ epoch }) => epoch))
    for (const host of ['h1', 'h2']) await fleet.kill(host)
    const last = await fleet.start('h1', { args: ['--for', '15s'] })
    expect(await last.exited, last.stderr().slice(-2000)).toBe(0)
    for (const bot of BOTS) expect(journalAt(join(fleet.dataDirOf('h1'), 'fleet', `${bot}.db`)).open).toEqual([])
  })
})
