import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { FleetHost } from '../../src/live/fleet/host/fleetHost.ts'
import { Cluster, clockMover, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// Wall clocks that are an hour off: that of a host while it plays, and that of a standby that is promoted. FLEET_AUDITED=yes plays all to its
// end, and looks at the books.

const HOUR_MS = 3_600_000
const BOTS = ['bot-0', 'bot-1', 'bot-2', 'bot-3']
const IS_AUDITED = process.env.FLEET_AUDITED === 'yes'
const PLAYED_MS = 4000
/** Of a clock that was set a moment ago. */
const isAt = (shown: number, expected: number): boolean => shown >= expected && shown < expected + HOUR_MS / 2

describe.skipIf(postgresPrograms() === undefined || clockMover() === undefined)('clocks that are wrong', () => {
  const closers: (() => unknown)[] = []
  let primary: Cluster

  beforeEach(async () => {
    primary = await Cluster.open(['fsync=on'], false)
    closers.push(() => primary.close())
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  test('that of a host jumps by an hour, back and ahead: it plays on, no bot moves, and it takes over from one that dies', async () => {
    const hosts = await Failover.open({ url: await primary.database('jumped'), key: 'ab'.repeat(32), bots: BOTS })
    closers.push(() => hosts.close())
    const ask = <R extends object>(text: string) => primary.query<R & Record<string, unknown>>('jumped', text)
    const epochs = () =>
      ask<{ bot: string; epoch: number }>('SELECT bot, epoch::int FROM cornerman_fleet.epochs ORDER BY bot, epochs.epoch')
    const heldBy = async (...names: readonly string[]) =>
      (await ask<{ host: string }>('SELECT host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)').catch(() => [])).filter(
        ({ host }) => names.includes(host),
      ).length
    await Promise.all(['h1', 'h2'].map((host) => hosts.start(host, { hasOwnClock: true })))
    await expect.poll(() => heldBy('h1', 'h2'), { timeout: 60_000 }).toBe(BOTS.length)
    // Both have some, whoever was first.
    await ask("UPDATE cornerman_fleet.bots SET wish = CASE WHEN bot < 'bot-2' THEN 'h1' ELSE 'h2' END")
    const holders = () => ask('SELECT bot, host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run) ORDER BY bot')
    const [first, second] = [['bot-0', 'bot-1'].map((bot) => ({ bot, host: 'h1' })), ['bot-2', 'bot-3'].map((bot) => ({ bot, host: 'h2' }))]
    await expect.poll(holders, { timeout: 60_000 }).toEqual([...first, ...second])
    const before = await epochs()
    const [moved, other] = ['h1', 'h2']
    const { service } = await hosts.linksOf(moved)
    for (const aheadMs of [-HOUR_MS, HOUR_MS]) {
      await sleep(PLAYED_MS)
      hosts.setClock(moved, aheadMs)
      const [since, sent] = [Date.now(), service.posts.length]
      await expect
        .poll(
          () =>
            hosts
              .host(moved)
              .logs()
              .some(({ time }) => isAt(Date.parse(time), since + aheadMs)),
          { timeout: 30_000 },
        )
        .toBe(true)
      await expect.poll(() => service.posts.length, { timeout: 30_000 }).toBeGreaterThan(sent + 2)
    }
    await sleep(PLAYED_MS)
    expect(await epochs()).toEqual(before)
    await hosts.kill(other)
    // Back by an hour while it waits for a beat of the one that has died.
    await sleep(1000)
    hosts.setClock(moved, 0)
    await expect.poll(() => heldBy(moved), { timeout: 30_000 }).toBe(BOTS.length)
    if (!IS_AUDITED) return
    const { disagreeing, unresolved, overCap, meetings, missedReveals, effects } = await hosts.playedOn(moved)
    expect({ disagreeing, unresolved, overCap, meetings, missedReveals }).toEqual({
      disagreeing: [],
      unresolved: [],
      overCap: [],
      meetings: [],
      missedReveals: [],
    })
    expect(effects).toBeGreaterThan(20)
  })

  test.each([
    ['ahead', '+1h', HOUR_MS],
    ['behind', '-1h', -HOUR_MS],
  ])('that of a promoted standby is an hour %s: no bot moves, and a host that dies then is found as before', async (_how, ahead, aheadMs) => {
    const database = new URL(await primary.database('promoted')).pathname
    const standby = await primary.synchronousStandby(ahead)
    closers.push(() => standby.close())
    const shown = async (server: Cluster) =>
      Number((await server.query<{ ms: number }>('promoted', 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms'))[0]?.ms)
    expect(Math.abs((await shown(standby)) - (await shown(primary)) - aheadMs)).toBeLessThan(60_000)
    const url = `postgres://fleet@127.0.0.1:${primary.port},127.0.0.1:${standby.port}${database}`
    const tables = new FleetConnection({ url })
    await openBotTables(tables)
    tables.close()
    const hosts: FleetHost[] = []
    for (const name of ['h1', 'h2', 'h3']) {
      const options = { url, run: randomUUID(), host: name, version: 'v', bots: BOTS, silenceMs: 3500 }
      const host = new FleetHost({ ...options, onClaimed: () => {}, onLost: () => {} })
      const running = host.run()
      closers.push(async () => {
        host.close()
        await running
      })
      hosts.push(host)
      // Who finds the database again first has seen no beat of the others for long.
      await sleep(125)
    }
    const held = () => hosts.map((host) => host.held.toSorted())
    await expect.poll(() => held().flat().toSorted(), { timeout: 30_000 }).toEqual(BOTS)
    const before = held()
    const claims = () => standby.query('promoted', 'SELECT FROM cornerman_fleet.epochs')
    await primary.kill()
    await standby.promote()
    await expect.poll(() => hosts.every(({ isFresh }) => isFresh), { timeout: 30_000 }).toBe(true)
    await sleep(PLAYED_MS)
    expect([held(), (await claims()).length]).toEqual([before, BOTS.length])
    const [first, ...rest] = hosts.toSorted((a, b) => b.held.length - a.held.length)
    first?.close()
    await expect.poll(() => rest.flatMap((host) => host.held).toSorted(), { timeout: 30_000 }).toEqual(BOTS)
  })
})
