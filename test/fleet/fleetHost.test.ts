import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection, InDoubt } from '../../src/live/fleet/database/fleetConnection.ts'
import { FleetHost, type FleetSight } from '../../src/live/fleet/host/fleetHost.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// Hosts that beat on one database, and take over from one another.

const hasPostgres = postgresPrograms() !== undefined
const BOTS = Array.from({ length: 12 }, (_, n) => `bot ${n}`)

describe.skipIf(!hasPostgres)('FleetHost', () => {
  let cluster: Cluster
  let url: string
  let databases = 0
  const sights = new Map<string, FleetSight>()
  const hosts: { readonly host: FleetHost; readonly running: Promise<void> }[] = []

  function start(name: string, version = 'v', unheardMs?: number): FleetHost {
    const options = {
      url,
      unheardMs: () => unheardMs,
      run: randomUUID(),
      host: name,
      version,
      bots: BOTS,
      silenceMs: 3500,
      onClaimed: () => {},
    }
    const host = new FleetHost({ ...options, onLost: () => {}, onSight: (sight) => sights.set(name, sight) })
    hosts.push({ host, running: host.run() })
    return host
  }
  const claimsOf = () => cluster.query(new URL(url).pathname.slice(1), 'SELECT bot FROM cornerman_fleet.epochs')

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  beforeEach(async () => {
    url = await cluster.database(`hosts_${++databases}`)
    const connection = new FleetConnection({ url })
    await openBotTables(connection)
    connection.close()
  })
  afterEach(async () => {
    for (const { host } of hosts) host.close()
    sights.clear()
    await Promise.all(hosts.splice(0).map(({ running }) => running))
  })
  afterAll(() => cluster?.close())

  test('every bot has one host; those of a host that dies go to the others, and one that is let go to whom it is meant for', async () => {
    const [first, second, third] = [start('h1'), start('h2'), start('h3')]
    const all = [first, second, third]
    await expect.poll(() => all.flatMap(({ held }) => held).toSorted(), { timeout: 15_000 }).toEqual(BOTS.toSorted())
    expect(await claimsOf()).toHaveLength(BOTS.length)
    const lost = first.held
    first.close()
    const rest = () => [...second.held, ...third.held].toSorted()
    await expect.poll(rest, { timeout: 15_000 }).toEqual(BOTS.toSorted())
    expect(await claimsOf()).toHaveLength(BOTS.length + lost.length)
    const [moved] = second.held
    if (moved === undefined) throw new Error('the second host has no bot')
    await second.release(moved, 'h3')
    await expect.poll(() => third.held, { timeout: 15_000 }).toContain(moved)
    expect(second.held).not.toContain(moved)
  })

  test('a bot whose release was lost on its way is let go of once more', async () => {
    const [first, second] = [start('h1'), start('h2')]
    await expect.poll(() => [...first.held, ...second.held].toSorted(), { timeout: 15_000 }).toEqual(BOTS.toSorted())
    const [bot] = first.held
    if (bot === undefined) throw new Error('the first host has no bot')
    const name = new URL(url).pathname.slice(1)
    // Whoever holds its row ends with the connection that waits for it.
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM cornerman_fleet.bots WHERE bot = $1 FOR UPDATE', [bot])
    const released = first.release(bot, 'h2').catch((thrown: unknown) => thrown)
    const waiting = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%run = NULL%' AND wait_event_type = 'Lock'"
    await expect.poll(() => cluster.query(name, waiting)).toHaveLength(1)
    await cluster.query(name, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waits`)
    expect(await released).toBeInstanceOf(InDoubt)
    await client.query('ROLLBACK')
    await client.end()
    expect(first.held).toContain(bot)
    await first.release(bot, 'h2')
    await expect.poll(() => second.held, { timeout: 15_000 }).toContain(bot)
  })

  test('a database that was away for long moves no bot', async () => {
    const all: FleetHost[] = []
    for (const name of ['h1', 'h2', 'h3', 'h4']) {
      const host = start(name)
      all.push(host)
      // Whoever finds it again first has seen no beat of some of the others for all that time.
      await sleep(125)
    }
    await expect.poll(() => all.flatMap(({ held }) => held), { timeout: 15_000 }).toHaveLength(BOTS.length)
    const before = all.map(({ held }) => held)
    await cluster.stop()
    await sleep(5000)
    await cluster.start()
    await sleep(6000)
    expect(await claimsOf()).toHaveLength(BOTS.length)
    expect(all.map(({ held }) => held)).toEqual(before)
  })

  test('a host whose version is not wanted, or that is to be empty, claims nothing and keeps nobody waiting', async () => {
    const first = start('h1')
    await expect.poll(() => first.held, { timeout: 15_000 }).toHaveLength(BOTS.length)
    const [other, second] = [start('h2', 'w'), start('h3')]
    await expect.poll(() => sights.get('h3')?.hosts.length, { timeout: 15_000 }).toBe(3)
    await cluster.query(new URL(url).pathname.slice(1), "UPDATE cornerman_fleet.hosts SET draining = true WHERE host = 'h3'")
    first.close()
    await sleep(7000)
    expect([other.held, second.held]).toEqual([[], []])
    expect(
      sights
        .get('h2')
        ?.hosts.map(({ host, isAlive }) => [host, isAlive])
        .toSorted(),
    ).toEqual([
      ['h1', false],
      ['h2', true],
      ['h3', true],
    ])
    await cluster.query(new URL(url).pathname.slice(1), "UPDATE cornerman_fleet.wanted SET version = 'w', n = n + 1")
    await expect.poll(() => other.held, { timeout: 15_000 }).toHaveLength(BOTS.length)
    expect(second.held).toEqual([])
  })

  test('a host that ends finds no heir in one that has begun to end just before it', async () => {
    const [first, second] = [start('h1'), start('h2')]
    await expect.poll(() => [...first.held, ...second.held], { timeout: 15_000 }).toHaveLength(BOTS.length)
    const [bot = ''] = first.held
    await expect.poll(() => first.heirsOf(bot), { timeout: 15_000 }).toEqual(['h2'])
    await second.rest()
    await first.rest()
    expect(first.heirsOf(bot)).toEqual([])
  })

  test('a host that ends has first what was let go for it a moment ago, and what nobody else could take', async () => {
    const [first, second] = [start('h1'), start('h2')]
    await expect.poll(() => [...first.held, ...second.held], { timeout: 15_000 }).toHaveLength(BOTS.length)
    const [moved = '', other = ''] = first.held
    await first.release(moved, 'h2')
    await second.takeAwaited()
    await second.rest()
    expect(second.held).toContain(moved)
    // The first one ends, too, and has let go of another one for nobody.
    await first.rest()
    const third = start('h3')
    await expect.poll(() => first.heirsOf(other), { timeout: 15_000 }).toEqual(['h3'])
    await first.release(other, 'h2')
    await third.takeAwaited()
    await third.rest()
    expect(third.held).toContain(other)
  })

  test('two hosts of one name do not play beside one another; the name of one that has died is free', async () => {
    const first = start('h1')
    await expect.poll(() => first.held, { timeout: 15_000 }).toHaveLength(BOTS.length)
    const options = { url, host: 'h1', version: 'v', bots: BOTS, silenceMs: 3500, onClaimed: () => {}, onLost: () => {} }
    const namesake = new FleetHost({ ...options, run: randomUUID() })
    await expect(namesake.run()).rejects.toMatchObject({ code: 'HOST_NAME_TAKEN' })
    namesake.close()
    expect(await cluster.query(new URL(url).pathname.slice(1), 'SELECT FROM cornerman_fleet.hosts')).toHaveLength(1)
    first.close()
    await sleep(700)
    const again = start('h1')
    await expect.poll(() => again.held, { timeout: 20_000 }).toHaveLength(BOTS.length)
  })

  test('it is seen whether the service answers a host, and one that it does not answer claims nothing beside others', async () => {
    const [deaf, well, idle] = [start('h1', 'v', 30_000), start('h2', 'v', 0), start('h3')]
    const unheard = () => new Map(sights.get('h2')?.hosts.map((host) => [host.host, host.unheard]))
    const expected = new Map<string, number | null>([
      ['h1', 30_000],
      ['h2', 0],
      ['h3', null],
    ])
    await expect.poll(unheard, { timeout: 15_000 }).toEqual(expected)
    await expect.poll(() => [...deaf.held, ...well.held, ...idle.held], { timeout: 15_000 }).toHaveLength(BOTS.length)
    well.close()
    await expect.poll(() => idle.held.length + deaf.held.length, { timeout: 15_000 }).toBe(BOTS.length)
    // On a machine that is busy it may be the quicker one all the same, as long as nobody else has them.
    const left = async () => {
      for (const bot of deaf.held) await deaf.release(bot)
      return idle.held.length
    }
    await expect.poll(left, { timeout: 15_000, interval: 2000 }).toBe(BOTS.length)
  })

  test('entries are seen while they stand, whether or not others come', async () => {
    const database = new URL(url).pathname.slice(1)
    const put = (bot: string) =>
      cluster.query(database, "INSERT INTO cornerman_fleet.entries (bot, key, epoch, entry) VALUES ($1, 'seat:a', 1, '{}')", [bot])
    start('h1')
    const seen = () => sights.get('h1')?.entries.map(({ bot }) => bot)
    await put('alice')
    await expect.poll(seen, { timeout: 15_000 }).toEqual(['alice'])
    await sleep(1500)
    expect(seen()).toEqual(['alice'])
    await put('bob')
    await expect.poll(seen, { timeout: 15_000 }).toEqual(['alice', 'bob'])
    await cluster.query(database, 'DELETE FROM cornerman_fleet.entries')
    await expect.poll(seen, { timeout: 15_000 }).toEqual([])
    await sleep(1500)
    expect(seen()).toEqual([])
  })
})
