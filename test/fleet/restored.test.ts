import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import shipped from '../../bots.config.ts'
import { auditOf } from '../../src/cli/runs/fleet/demo/audit.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FAILOVER_SEED, Failover } from '../support/fleet/failover.ts'
import { inLong } from '../support/suite/long.ts'

// A backup of a fleet's database is restored under it, while its hosts play.

const KEY = 'ab'.repeat(32)
const BOTS = ['bot-0', 'bot-1', 'bot-2', 'bot-3']
const HOSTS = ['h1', 'h2']
const PLAYED_MS = inLong(8000, 5000)
/** A POST whose commit was answered before may leave so much later. */
const SENT_MS = 2000

describe.skipIf(postgresPrograms() === undefined)('a database that is set back', () => {
  let cluster: Cluster
  let fleet: Failover | undefined

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    await fleet?.close()
  })
  afterAll(() => cluster?.close())

  test('nothing is sent before each bot is mended, and then all of it is known as before', async () => {
    const url = await cluster.database('restored')
    const query = <R extends object>(text: string) => cluster.query<R & Record<string, unknown>>('restored', text)
    const hosts = await Failover.open({ url, key: KEY, bots: BOTS })
    fleet = hosts
    for (const host of HOSTS) await hosts.start(host)
    const held = () => query<{ bot: string; seq: number }>("SELECT bot, seq::int FROM cornerman_fleet.bots WHERE held = 'rolledBack'")
    const played = () => query('SELECT FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')
    await expect.poll(async () => (await played().catch(() => [])).length, { timeout: 60_000 }).toBe(BOTS.length)
    await sleep(PLAYED_MS)
    await cluster.keepBackup()
    await sleep(PLAYED_MS)
    const reached = new Map(
      (await query<{ bot: string; seq: number }>('SELECT bot, seq::int FROM cornerman_fleet.bots')).map(({ bot, seq }) => [bot, seq]),
    )
    await cluster.restoreBackup()
    const since = Date.now() + SENT_MS
    await expect.poll(async () => (await held()).length, { timeout: 60_000 }).toBe(BOTS.length)
    await sleep(PLAYED_MS)
    for (const host of HOSTS) {
      const { service } = await hosts.linksOf(host)
      expect(service.posts.filter(({ at, agentKey }) => agentKey !== '' && at > since)).toEqual([])
    }

    const noted = await query<{ bot: string; host: string }>(
      'SELECT DISTINCT ON (bot) bot, host FROM cornerman_fleet.copies ORDER BY bot, seq DESC',
    )
    expect(noted).toHaveLength(BOTS.length)
    for (const { bot, host } of noted) {
      // While its host runs: that has let go of what it cannot follow.
      const mendAt = (at: string) => hosts.command(['fleet', 'mend', bot, '--data-dir', hosts.dataDirOf(at), '--host-name', at, '--json'])
      let mended = await mendAt(host)
      // What was noted of the copies may be older than they are: the refusal names the host that has most.
      const better = /: (\w+) has it up to \d+, and this host/.exec(mended.stderr())?.[1]
      if (mended.code === 2 && better !== undefined) mended = await mendAt(better)
      expect(mended.code, mended.stderr()).toBe(0)
      const { from, to } = JSON.parse(mended.stdout()) as { readonly from: number; readonly to: number }
      expect(to, bot).toBeGreaterThanOrEqual(reached.get(bot) ?? Number.POSITIVE_INFINITY)
      expect(from, bot).toBeLessThan(to)
    }
    await expect.poll(async () => (await played()).length, { timeout: 60_000 }).toBe(BOTS.length)
    const resumed = await hosts.command(['stop', '--resume', '--fleet'])
    expect(resumed.code, resumed.stderr()).toBe(0)
    await sleep(PLAYED_MS)
    const further = await query<{ bot: string; seq: number }>('SELECT bot, seq::int FROM cornerman_fleet.bots')
    for (const { bot, seq } of further) expect(seq, bot).toBeGreaterThan(reached.get(bot) ?? Number.POSITIVE_INFINITY)

    for (const host of HOSTS) await hosts.kill(host)
    const last = await hosts.start('h1', { args: ['--for', `${inLong(20, 10)}s`] })
    expect(await last.exited, last.stderr().slice(-3000)).toBe(0)
    await hosts.sandbox.kill()
    const guards = readConfig(shipped, 'bots.config.ts').bots.map(({ guard }) => guard)
    const { disagreeing, unresolved, overCap, missedReveals, effects } = await auditOf({
      ...{ sandboxFile: hosts.sandboxFile, seed: FAILOVER_SEED, agents: hosts.sandbox.agents },
      guardOf: (bot) => guards[BOTS.indexOf(bot) % guards.length],
      journalOf: (bot) => join(hosts.dataDirOf('h1'), 'fleet', `${bot}.db`),
    })
    expect({ disagreeing, unresolved, overCap }).toEqual({ disagreeing: [], unresolved: [], overCap: [] })
    // What was promised could not be revealed while nothing was sent.
    console.info(`${effects} effects, ${missedReveals.length} reveals missed`)
    expect(effects).toBeGreaterThan(0)
  })
})
