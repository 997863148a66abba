import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyedUuid } from '../../src/core/ids.ts'
import { addBots, claimBot } from '../../src/live/fleet/botClaims.ts'
import { openBotTables } from '../../src/live/fleet/botTables.ts'
import type { Holding } from '../../src/live/fleet/fencedCommits.ts'
import { FleetConnection } from '../../src/live/fleet/fleetConnection.ts'
import { type Entered, FleetEntries } from '../../src/live/fleet/fleetEntries.ts'
import { FleetSiblings, type SeenEntry } from '../../src/live/fleet/fleetSiblings.ts'
import { writeWord } from '../../src/live/fleet/fleetWords.ts'
import type { ActionRequest, SiblingEntry } from '../../src/pipeline/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// What the hosts of a fleet decide together, on a database of their own.

const hasPostgres = postgresPrograms() !== undefined
const BOTS = 200
const HOSTS = 3
const ROUNDS = 4
const SEEN_EVERY_MS = 100

interface Goal {
  readonly request: ActionRequest
  readonly entry: Omit<SiblingEntry, 'bot'>
}

const queueOf = (stake: bigint, trial?: string): Goal => ({
  request: { procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake, durationSec: 300 } },
  entry: {
    ...{ key: `ticket:up_down:${stake}:300`, ticket: { mode: 'up_down', stake, durationSec: 300 } },
    ...(trial === undefined ? {} : { trial }),
  },
})
const seatIn = (contestId: string, trial?: string): Goal => ({
  request: { procedure: 'agent.contests.join', input: { contestId } },
  entry: { ...{ key: `seat:${contestId}`, contestId }, ...(trial === undefined ? {} : { trial }) },
})

/** Where the bots of all hosts are, as the service would know it. */
class Tables {
  readonly #there = new Map<string, Set<string>>()
  meetings = 0
  entries = 0

  enter(place: string, bot: string): void {
    const there = this.#there.get(place) ?? new Set()
    this.#there.set(place, there.add(bot))
    this.entries += 1
    if (there.size > 1) this.meetings += 1
  }

  leave(place: string, bot: string): void {
    this.#there.get(place)?.delete(bot)
  }
}

describe.skipIf(!hasPostgres)('what hosts decide together', () => {
  let cluster: Cluster
  let url: string
  let connection: FleetConnection
  let databases = 0
  let n = 0
  const entriesOpen: FleetEntries[] = []

  const nameOf = () => new URL(url).pathname.slice(1)
  const open = () => {
    const entries = new FleetEntries({ url, obeys: () => n })
    entriesOpen.push(entries)
    return { entries, siblings: new FleetSiblings(entries) }
  }
  const claim = async (bot: string, epoch = 0): Promise<Holding> => {
    const claimed = await claimBot(connection, { bot, epoch, run: randomUUID(), host: 'h1', version: 'v', beat: 0 })
    if (claimed === undefined) throw new Error(`${bot} was not claimed`)
    return claimed.holding
  }
  const rows = () =>
    cluster.query<SeenEntry & { place: string | null } & Record<string, unknown>>(
      nameOf(),
      'SELECT bot, key, place, entry FROM cornerman_fleet.entries ORDER BY bot, key',
    )

  /** Somebody else's transaction, which stands still. */
  const locking = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('BEGIN')
    await client.query(text)
    return {
      release: async () => {
        await client.query('COMMIT')
        await client.end()
      },
    }
  }

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  beforeEach(async () => {
    n = 0
    url = await cluster.database(`together_${++databases}`)
    connection = new FleetConnection({ url, answerMs: 10_000 })
    await openBotTables(connection)
  })
  afterEach(async () => {
    for (const entries of entriesOpen.splice(0)) await entries.close()
    connection.close()
  })
  afterAll(() => cluster?.close())

  /** The same policy for all bots: each wants to be everywhere, at once. */
  async function playAll(enter: (siblings: FleetSiblings, holding: Holding, goal: Goal) => Promise<Entered | undefined>): Promise<Tables> {
    const bots = Array.from({ length: BOTS }, (_, place) => `bot ${place}`)
    await addBots(connection, bots)
    const hosts = Array.from({ length: HOSTS }, open)
    const goals = [
      queueOf(1n),
      queueOf(2n),
      seatIn(keyedUuid('a')),
      seatIn(keyedUuid('b')),
      queueOf(3n, 'target'),
      seatIn(keyedUuid('c'), 'target'),
    ]
    const tables = new Tables()
    const own = bots.map((_, place) => bots.filter((__, other) => other % HOSTS === place % HOSTS))
    const beats = setInterval(async () => {
      const seen = await rows().catch(() => undefined)
      if (seen !== undefined)
        for (const [host, { siblings }] of hosts.entries()) siblings.see(seen, (bot) => own[host]?.includes(bot) === true)
    }, SEEN_EVERY_MS)
    const play = async (bot: string, place: number) => {
      const host = hosts[place % HOSTS]
      if (host === undefined) return
      const holding = await claim(bot)
      const port = host.siblings.portOf(holding)
      for (let round = 0; round < ROUNDS; round++) {
        const goal = goals[(place + round) % goals.length]
        if (goal === undefined) return
        const { key, trial } = goal.entry
        port.entered({ bot, ...goal.entry })
        const entered = await enter(host.siblings, holding, goal)
        if (entered?.status === 'entered') {
          tables.enter(key, bot)
          if (trial !== undefined) tables.enter(trial, bot)
          await sleep(2)
          tables.leave(key, bot)
          if (trial !== undefined) tables.leave(trial, bot)
        }
        port.left(bot, key)
      }
    }
    try {
      await Promise.all(bots.map(play))
    } finally {
      clearInterval(beats)
    }
    return tables
  }

  test(`of ${BOTS} bots with one policy on ${HOSTS} hosts no two are in one place`, async () => {
    const tables = await playAll((siblings, holding, { request }) => siblings.enter(holding, request))
    expect(tables.meetings).toBe(0)
    expect(tables.entries).toBeGreaterThan(20)
    await expect.poll(rows, { timeout: 30_000 }).toEqual([])
  })

  test('a bus of each host alone would have let them meet', async () => {
    const taken = new Map<FleetSiblings, Map<string, string>>()
    const tables = await playAll(async (siblings, { bot }, { entry }) => {
      const here = taken.get(siblings) ?? new Map<string, string>()
      taken.set(siblings, here)
      const by = here.get(entry.key)
      if (by !== undefined) return { status: 'taken', by }
      here.set(entry.key, bot)
      setTimeout(() => here.delete(entry.key), 5)
      return { status: 'entered' }
    })
    expect(tables.meetings).toBeGreaterThan(0)
  })

  test('what a bot has left is not taken back behind its next entry in the same place', async () => {
    await addBots(connection, ['alice', 'bob'])
    const [alice, bob] = [await claim('alice'), await claim('bob')]
    const here = open()
    const { request, entry } = queueOf(5n)
    const port = here.siblings.portOf(alice)
    port.entered({ bot: 'alice', ...entry })
    expect(await here.siblings.enter(alice, request)).toEqual({ status: 'entered' })
    // Its leave is on its way while it enters again, and what comes after it is slower still.
    const leaving = await locking('SELECT FROM cornerman_fleet.entries FOR UPDATE')
    port.left('alice', entry.key)
    port.entered({ bot: 'alice', ...entry })
    const again = here.siblings.enter(alice, request)
    await Promise.race([again, sleep(300)])
    const publishing = await locking("SELECT FROM cornerman_fleet.bots WHERE bot = 'alice' FOR UPDATE")
    await leaving.release()
    await sleep(300)
    const other = await open().siblings.enter(bob, request)
    await publishing.release()
    expect([await again, other]).toEqual([{ status: 'taken', by: 'bob' }, { status: 'entered' }])
  })

  test('an entry is not sent by a host that has lost the bot, nor by one that has not heard the newest word', async () => {
    await addBots(connection, ['alice'])
    const { siblings } = open()
    const alice = await claim('alice')
    const { request } = queueOf(7n)
    expect(await writeWord(connection, { n: 0, control: '{}' }, 'operator')).toBe(1)
    expect(await siblings.enter(alice, request)).toEqual({ status: 'superseded' })
    expect(await rows()).toEqual([])
    n = 1
    expect(await siblings.enter(alice, request)).toEqual({ status: 'entered' })
    const next = await claim('alice', alice.epoch)
    expect(await siblings.enter(alice, seatIn(keyedUuid('d')).request)).toEqual({ status: 'fenced' })
    expect(await open().siblings.enter(next, seatIn(keyedUuid('d')).request)).toEqual({ status: 'entered' })
  })

  test('whoever takes a bot over keeps its places that stand, and frees the others', async () => {
    await addBots(connection, ['alice', 'bob'])
    const alice = await claim('alice')
    const [first, second] = [open(), open()]
    const [stands, over, late] = [queueOf(1n), queueOf(2n), queueOf(3n)]
    const before = first.siblings.portOf(alice)
    for (const { entry } of [stands, over]) before.entered({ bot: 'alice', ...entry })
    await expect.poll(rows, { timeout: 10_000 }).toHaveLength(2)
    const next = await claim('alice', alice.epoch)
    second.siblings.portOf(next).entered({ bot: 'alice', ...stands.entry })
    second.siblings.restored(next)
    await expect.poll(async () => (await rows()).map(({ key }) => key), { timeout: 10_000 }).toEqual([stands.entry.key])
    // The holder before has not heard yet that it is none.
    before.entered({ bot: 'alice', ...late.entry })
    before.left('alice', stands.entry.key)
    await sleep(300)
    const bob = await claim('bob')
    expect(await first.siblings.enter(bob, late.request)).toEqual({ status: 'entered' })
    expect(await first.siblings.enter(bob, stands.request)).toEqual({ status: 'taken', by: 'alice' })
  })
})
