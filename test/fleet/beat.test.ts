import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { FleetHost, type FleetSight } from '../../src/live/fleet/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// A beat shows what has changed since the one before; with what was known it is all that the database has, whatever was done to that.

const BOTS = Array.from({ length: 40 }, (_, n) => `bot-${n}`)

describe.skipIf(postgresPrograms() === undefined)('what beats show', () => {
  let cluster: Cluster
  let host: FleetHost
  let beating: Promise<void>
  let sight: FleetSight | undefined
  const ask = (text: string, values: unknown[] = []) => cluster.query<Record<string, unknown>>('beats', text, values)

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
    const url = await cluster.database('beats')
    const connection = new FleetConnection({ url })
    await openBotTables(connection)
    connection.close()
    host = new FleetHost({
      ...{ url, run: randomUUID(), host: 'h1', version: 'v', bots: [], silenceMs: 3500, onClaimed: () => {}, onLost: () => {} },
      onSight: (seen) => {
        sight = seen
      },
    })
    beating = host.run()
  })
  afterAll(async () => {
    host?.close()
    await beating
    await cluster?.close()
  })

  const byName = <T>(rows: readonly T[], nameOf: (row: T) => string) => Object.fromEntries(rows.map((row) => [nameOf(row), row]))
  const shown = () => ({
    bots: byName(
      sight?.bots.map(({ bot, seq, epoch, chain, held }) => ({ bot, seq, epoch, chain: chain.toString('hex'), held })) ?? [],
      ({ bot }) => bot,
    ),
    entries: byName(sight?.entries.map(({ bot, key, entry }) => ({ bot, key, entry })) ?? [], ({ bot, key }) => `${bot} ${key}`),
    wakes: Object.fromEntries(sight?.wakes ?? []),
    agents: byName(sight?.hosts.map(({ host: name, agents }) => ({ name, agents: agents.join() })) ?? [], ({ name }) => name),
  })
  const kept = async () => {
    const bots = await ask("SELECT bot, seq::int, epoch::int, encode(chain, 'hex') AS chain, held FROM cornerman_fleet.bots")
    const entries = await ask('SELECT bot, key, entry FROM cornerman_fleet.entries')
    const wakes = await ask('SELECT bot, n::int FROM cornerman_fleet.wakes')
    const hosts = await ask("SELECT host AS name, array_to_string(agents, ',') AS agents FROM cornerman_fleet.hosts")
    return {
      bots: byName(bots, ({ bot }) => String(bot)),
      entries: byName(entries, ({ bot, key }) => `${bot} ${key}`),
      wakes: Object.fromEntries(wakes.map(({ bot, n }) => [bot, n])),
      agents: byName(hosts, ({ name }) => String(name)),
    }
  }

  const some = (from: number, count: number) => BOTS.slice(from, from + count)
  test.each<readonly [string, () => Promise<unknown>]>([
    [
      'bots, entries and wakes come',
      async () => {
        await ask('INSERT INTO cornerman_fleet.bots (bot) SELECT unnest($1::text[])', [BOTS])
        await ask("INSERT INTO cornerman_fleet.entries SELECT unnest($1::text[]), 'a', 1, NULL, NULL, '{}'", [BOTS])
        await ask('INSERT INTO cornerman_fleet.wakes SELECT unnest($1::text[]), 1', [BOTS])
      },
    ],
    [
      'some change',
      async () => {
        await ask("UPDATE cornerman_fleet.bots SET seq = seq + 1, chain = 'x', held = 'altered' WHERE bot = ANY($1)", [some(3, 5)])
        await ask('UPDATE cornerman_fleet.entries SET entry = \'{"a":1}\' WHERE bot = ANY($1)', [some(9, 4)])
        await ask('UPDATE cornerman_fleet.wakes SET n = n + 1 WHERE bot = ANY($1)', [some(7, 2)])
      },
    ],
    [
      'an entry goes and another one comes',
      async () => {
        await ask('DELETE FROM cornerman_fleet.entries WHERE bot = $1', [BOTS[0]])
        await ask("INSERT INTO cornerman_fleet.entries VALUES ($1, 'b', 1, NULL, NULL, '{}')", [BOTS[1]])
      },
    ],
    [
      'an entry takes the place of another in the same transaction',
      () =>
        ask(
          "WITH gone AS (DELETE FROM cornerman_fleet.entries WHERE bot = $1) INSERT INTO cornerman_fleet.entries VALUES ($1, 'c', 1, NULL, NULL, '{}')",
          [BOTS[2]],
        ),
    ],
    ['many entries go', () => ask('DELETE FROM cornerman_fleet.entries WHERE bot = ANY($1)', [some(10, 20)])],
    [
      'a bot is taken out, and another one comes',
      async () => {
        await ask('DELETE FROM cornerman_fleet.bots WHERE bot = $1', [BOTS[5]])
        await ask("INSERT INTO cornerman_fleet.bots (bot) VALUES ('new')")
      },
    ],
    [
      'a host comes, and another one could play other bots',
      async () => {
        await ask("INSERT INTO cornerman_fleet.hosts (run, host, version, agents) VALUES (gen_random_uuid(), 'h2', 'v', $1)", [some(0, 20)])
        await ask("UPDATE cornerman_fleet.hosts SET agents = $1 WHERE host = 'h1'", [some(20, 2)])
      },
    ],
    ['all rows are frozen', () => ask('VACUUM FREEZE')],
    [
      'a transaction that was open for several beats ends',
      async () => {
        const open = cluster.query(
          'beats',
          "BEGIN; UPDATE cornerman_fleet.bots SET seq = 90 WHERE bot = 'bot-7'; SELECT pg_sleep(2); COMMIT",
        )
        for (let n = 0; n < 20; n++) await ask("UPDATE cornerman_fleet.bots SET seq = seq + 1 WHERE bot = 'bot-8'")
        await open
      },
    ],
    [
      'the server is killed and started again',
      async () => {
        await cluster.kill()
        await cluster.start()
      },
    ],
    [
      'a backup of before is put in its place',
      async () => {
        await cluster.keepBackup()
        await ask('UPDATE cornerman_fleet.bots SET seq = seq + 5')
        await expect.poll(async () => shown().bots, { timeout: 20_000 }).toEqual((await kept()).bots)
        await cluster.restoreBackup()
      },
    ],
    ['all of it goes', () => ask('TRUNCATE cornerman_fleet.bots, cornerman_fleet.entries, cornerman_fleet.wakes')],
  ])('with what was known is all that there is: %s', async (_what, act) => {
    await act()
    const { wakes, ...rest } = await kept()
    const seen = () => {
      const { wakes: _, ...others } = shown()
      return others
    }
    await expect.poll(seen, { timeout: 20_000 }).toEqual(rest)
    expect(shown().wakes).toMatchObject(wakes)
  })
})
