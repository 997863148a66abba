import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { controlJson, everythingPlays, withSaid } from '../../src/cli/control.ts'
import { sayToFleet } from '../../src/cli/runs/fleet/fleetWord.ts'
import { NewestOrder } from '../../src/cli/runs/start/newestOrder.ts'
import { SharedWord } from '../../src/cli/runs/start/sharedWord.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { FleetKey } from '../../src/fleet/fleetKey.ts'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { addBots, type ClaimedBot, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { FleetChores } from '../../src/live/fleet/host/fleetChores.ts'
import { FleetHost } from '../../src/live/fleet/host/fleetHost.ts'
import { FencedCommits, type Holding } from '../../src/live/fleet/journal/fencedCommits.ts'
import { giveFirstOrder, writeOrder } from '../../src/live/fleet/together/controlOrders.ts'
import { type Entered, FleetEntries } from '../../src/live/fleet/together/fleetEntries.ts'
import { FleetOrders, orderInFleet, type SeenOrder } from '../../src/live/fleet/together/fleetOrders.ts'
import { FleetSiblings, type SeenEntry } from '../../src/live/fleet/together/fleetSiblings.ts'
import { FleetWakes } from '../../src/live/fleet/together/fleetWakes.ts'
import { OrderSigner } from '../../src/live/fleet/together/orderSigner.ts'
import type { ActionRequest, SiblingEntry, Siblings } from '../../src/pipeline/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { jsonOf, runCornerman } from '../support/runCornerman.ts'

// What the hosts of a fleet decide together, on a database of their own.

const hasPostgres = postgresPrograms() !== undefined
const BOTS = 200
const HOSTS = 3
const ROUNDS = 4
const SEEN_EVERY_MS = 100
const KEY_TEXT = 'ab'.repeat(32)
const KEY = new FleetKey(KEY_TEXT)

interface Goal {
  readonly request: ActionRequest
  readonly entry: Omit<SiblingEntry, 'bot'>
}

const queueOf = (stake: bigint, trial?: string): Goal => ({
  request: { procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake, durationSec: 300 } },
  entry: {
    ...{ key: `ticket:up_down:${stake}:300`, ticket: { mode: 'up_down', stake, durationSec: 300 }, meant: true },
    ...(trial === undefined ? {} : { trial }),
  },
})
const seatIn = (contestId: string, trial?: string): Goal => ({
  request: { procedure: 'agent.contests.join', input: { contestId } },
  entry: { ...{ key: `seat:${contestId}`, contestId, meant: true }, ...(trial === undefined ? {} : { trial }) },
})
/** What was meant has come about. */
const had = ({ entry: { meant: _, ...entry } }: Goal) => entry

/** A bot that knows all that it has open. */
function playing(siblings: FleetSiblings, holding: Holding): Siblings {
  const port = siblings.portOf(holding)
  siblings.restored(holding)
  return port
}

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
  const folder = mkdtempSync(join(tmpdir(), 'together-'))
  let cluster: Cluster
  let url: string
  let connection: FleetConnection
  let databases = 0
  let n = 0
  let fleet = ''
  let signer: OrderSigner
  const entriesOpen: FleetEntries[] = []

  const nameOf = () => new URL(url).pathname.slice(1)
  const open = () => {
    const entries = new FleetEntries({ url, obeys: () => n })
    entriesOpen.push(entries)
    return { entries, siblings: new FleetSiblings(entries) }
  }
  const claimed = async (bot: string, epoch = 0): Promise<ClaimedBot> => {
    const one = await claimBot(connection, { bot, epoch, run: randomUUID(), host: 'h1', version: 'v', beat: 0 })
    if (one === undefined) throw new Error(`${bot} was not claimed`)
    return one
  }
  const claim = async (bot: string, epoch = 0): Promise<Holding> => (await claimed(bot, epoch)).holding
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
    fleet = await openBotTables(connection)
    signer = new OrderSigner(KEY, fleet)
  })
  afterEach(async () => {
    for (const entries of entriesOpen.splice(0)) await entries.close()
    connection.close()
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await cluster?.close()
  })

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
    const look = async () => {
      const seen = await rows().catch(() => undefined)
      if (seen !== undefined) for (const { siblings } of hosts) siblings.see(seen)
    }
    const beats = setInterval(() => void look(), SEEN_EVERY_MS)
    const play = async (bot: string, place: number) => {
      const host = hosts[place % HOSTS]
      if (host === undefined) return
      const holding = await claim(bot)
      const port = playing(host.siblings, holding)
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
    const port = playing(here.siblings, alice)
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

  test('a place that was taken while the database stood still is free again once it goes on', async () => {
    await addBots(connection, ['alice', 'bob'])
    const [alice, bob] = [await claim('alice'), await claim('bob')]
    const { siblings } = open()
    const { request, entry } = queueOf(5n)
    const port = playing(siblings, alice)
    await expect.poll(() => siblings.enter(alice, queueOf(6n).request)).toEqual({ status: 'entered' })
    port.entered({ bot: 'alice', ...queueOf(6n).entry })
    const waitsFor = async (standby: string) => {
      await cluster.query('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`)
      await cluster.query('postgres', 'SELECT pg_reload_conf()')
    }
    const writes = new pg.Client({ connectionString: url })
    writes.on('error', () => {})
    await writes.connect()
    const isWritten = () =>
      writes.query("INSERT INTO cornerman_fleet.facts VALUES (gen_random_uuid()::text, '')").then(
        () => true,
        () => false,
      )
    await waitsFor('nobody')
    try {
      // The server takes its time to be told.
      while (await Promise.race([isWritten(), sleep(300, false)]));
      port.entered({ bot: 'alice', ...entry })
      expect(await siblings.enter(alice, request)).toEqual({ status: 'late' })
      // It sees nothing of what waits for the standby, and has nothing to wait for.
      port.left('alice', entry.key)
      await sleep(500)
    } finally {
      await waitsFor('')
      await writes.end()
    }
    const keys = async () => (await rows()).map(({ key }) => key)
    await expect.poll(keys).toContain(entry.key)
    await expect
      .poll(
        async () => {
          siblings.see(await rows())
          return await keys()
        },
        { timeout: 10_000 },
      )
      .toEqual([queueOf(6n).entry.key])
    expect(await open().siblings.enter(bob, request)).toEqual({ status: 'entered' })
  })

  test('a commit does not wait for an entry that is under way, and a claim does', async () => {
    await addBots(connection, ['alice'])
    const { holding, place } = await claimed('alice')
    const { request } = queueOf(5n)
    const between = await locking(
      "INSERT INTO cornerman_fleet.entries (bot, key, epoch, place, entry) VALUES ('bob', 'of bob', 1, 'terms:up_down:5:300', '{}')",
    )
    const entering = open().siblings.enter(holding, request)
    await sleep(300)
    await new FencedCommits(connection, holding, place).commit([Buffer.from('a record')])
    const claiming = claim('alice', holding.epoch)
    expect(await Promise.race([claiming, sleep(300)])).toBeUndefined()
    await between.release()
    expect(await claiming).toMatchObject({ epoch: holding.epoch + 1 })
    // It asks once more, before the claim or behind it.
    const entered = await entering
    expect(['taken', 'fenced']).toContain(entered?.status)
  })

  test('an entry waits for a claim that is under way, and is the successor’s no more than the holder’s', async () => {
    await addBots(connection, ['alice'])
    const alice = await claim('alice')
    const claiming = await locking("UPDATE cornerman_fleet.bots SET epoch = epoch + 1 WHERE bot = 'alice'")
    const entering = open().siblings.enter(alice, queueOf(5n).request)
    expect(await Promise.race([entering, sleep(300)])).toBeUndefined()
    await claiming.release()
    expect(await entering).toEqual({ status: 'fenced' })
    expect(await rows()).toEqual([])
  })

  const making = (stake: bigint, trial?: string): Goal => {
    const terms = { mode: 'up_down', stake, durationSec: 300 } as const
    return {
      request: { procedure: 'agent.contests.create', input: { ...terms, chain: 'solana', format: 'duel' } },
      entry: { key: `create:up_down:${stake}:300`, making: terms, meant: true, ...(trial === undefined ? {} : { trial }) },
    }
  }
  const joining = (name: string, stake: bigint, durationSec: number): Goal => {
    const seat = seatIn(keyedUuid(name))
    return { ...seat, entry: { ...seat.entry, joining: { mode: 'up_down', stake, durationSec } } }
  }

  test('no bot joins the contest that another one makes on another host, before and after that knows which it is', async () => {
    await addBots(connection, ['alice', 'bob'])
    const [alice, bob] = [await claim('alice'), await claim('bob')]
    const [here, there] = [open(), open()]
    const [ofAlice, ofBob] = [playing(here.siblings, alice), playing(there.siblings, bob)]
    const asks = (goal: Goal) => {
      ofBob.entered({ bot: 'bob', ...goal.entry })
      return there.siblings.enter(bob, goal.request)
    }
    const made = making(5n)
    ofAlice.entered({ bot: 'alice', ...made.entry })
    expect(await here.siblings.enter(alice, made.request)).toEqual({ status: 'entered' })
    // It is in the lobby, and its maker has no answer yet.
    const taken = { status: 'taken', by: 'alice' }
    expect(await asks(joining('made', 5n, 300))).toEqual(taken)
    expect(await asks(joining('made and its duration not said', 5n, 0))).toEqual(taken)
    expect(await asks(joining('another stake', 6n, 300))).toEqual({ status: 'entered' })
    ofBob.left('bob', `seat:${keyedUuid('made')}`)
    ofAlice.entered({ bot: 'alice', ...had(seatIn(keyedUuid('made'))) })
    ofAlice.left('alice', made.entry.key)
    await expect.poll(async () => (await rows()).map(({ key }) => key), { timeout: 10_000 }).not.toContain(made.entry.key)
    expect(await asks(joining('made', 5n, 300))).toEqual(taken)
    expect(await asks(joining('of somebody else', 5n, 300))).toEqual({ status: 'entered' })
    // Making such a contest oneself is no hindrance to joining one.
    ofBob.entered({ bot: 'bob', ...making(7n).entry })
    expect(await there.siblings.enter(bob, making(7n).request)).toEqual({ status: 'entered' })
    expect(await asks(joining('beside the own', 7n, 300))).toEqual({ status: 'entered' })
  })

  test('the seat in a contest that a bot has made is its own, also where another one has meant to join it before that seat is known', async () => {
    await addBots(connection, ['alice', 'bob'])
    const [alice, bob] = [await claim('alice'), await claim('bob')]
    const [here, there] = [open(), open()]
    // What bob means to join was asked for by the host before.
    const [ofAlice, ofBob] = [playing(here.siblings, alice), there.siblings.portOf(bob)]
    const made = making(5n)
    ofAlice.entered({ bot: 'alice', ...made.entry })
    expect(await here.siblings.enter(alice, made.request)).toEqual({ status: 'entered' })
    const goal = joining('made', 5n, 300)
    ofBob.entered({ bot: 'bob', ...goal.entry })
    await expect.poll(async () => (await rows()).map(({ bot: who }) => who), { timeout: 10_000 }).toContain('bob')
    ofAlice.entered({ bot: 'alice', ...had(seatIn(keyedUuid('made'))) })
    ofAlice.left('alice', made.entry.key)
    await expect.poll(async () => (await rows()).map(({ key }) => key), { timeout: 10_000 }).not.toContain(made.entry.key)
    const taken = { status: 'taken', by: 'alice' }
    expect(await there.siblings.enter(bob, goal.request)).toEqual(taken)
    ofBob.left('bob', goal.entry.key)
    ofBob.entered({ bot: 'bob', ...goal.entry })
    expect(await there.siblings.enter(bob, goal.request)).toEqual(taken)
  })

  test('a mode that is closed is put to the trial by one bot, also where that makes a contest for it, until the seat of it is left', async () => {
    await addBots(connection, ['alice', 'bob'])
    const [alice, bob] = [await claim('alice'), await claim('bob')]
    const [here, there] = [open(), open()]
    const [ofAlice, ofBob] = [playing(here.siblings, alice), playing(there.siblings, bob)]
    const tries = (goal: Goal) => {
      ofBob.entered({ bot: 'bob', ...goal.entry })
      return there.siblings.enter(bob, goal.request)
    }
    const made = making(5n, 'up_down')
    const seat = seatIn(keyedUuid('made'), 'up_down')
    ofAlice.entered({ bot: 'alice', ...made.entry })
    expect(await here.siblings.enter(alice, made.request)).toEqual({ status: 'entered' })
    const taken = { status: 'taken', by: 'alice' }
    expect(await tries(making(6n, 'up_down'))).toEqual(taken)
    ofAlice.entered({ bot: 'alice', ...had(seat) })
    ofAlice.left('alice', made.entry.key)
    await expect.poll(async () => (await rows()).map(({ key }) => key), { timeout: 10_000 }).not.toContain(made.entry.key)
    expect(await tries(queueOf(7n, 'up_down'))).toEqual(taken)
    ofAlice.left('alice', seat.entry.key)
    await expect.poll(async () => (await rows()).map(({ bot: of }) => of), { timeout: 10_000 }).not.toContain('alice')
    expect(await tries(queueOf(8n, 'up_down'))).toEqual({ status: 'entered' })
  })

  test('an entry is not sent by a host that has lost the bot, nor by one that has not heard the newest word', async () => {
    await addBots(connection, ['alice'])
    const { siblings } = open()
    const alice = await claim('alice')
    const { request } = queueOf(7n)
    expect(await writeOrder(connection, undefined, signer.signed({ n: 1, control: '{}', by: 'operator', said: 0 }))).toBe(true)
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

  const untaken = () =>
    cluster.query<SeenOrder & Record<string, unknown>>(nameOf(), 'SELECT id, bot FROM cornerman_fleet.orders WHERE run IS NULL')
  const ended: (() => void)[] = []
  afterEach(() => {
    for (const end of ended.splice(0)) end()
  })
  /** A holder that is shown what a beat shows, again and again. */
  const holder = (holding: Holding, carryOut: (ordered: string) => Promise<string>) => {
    const own = new FleetConnection({ url })
    const troubles: unknown[] = []
    const orders = new FleetOrders({
      ...{ connection: own, signer, refused: (why) => why },
      carryOut: (_bot, ordered) => carryOut(ordered),
      onTrouble: (_bot, thrown) => troubles.push(thrown),
    })
    const look = async () => {
      const seen = await untaken().catch(() => [])
      orders.see(seen, (bot) => (bot === holding.bot ? holding : undefined))
      orders.see(seen, (bot) => (bot === holding.bot ? holding : undefined))
    }
    const beats = setInterval(() => void look(), 50)
    ended.push(() => {
      clearInterval(beats)
      orders.close()
      own.close()
    })
    return troubles
  }

  test('what is ordered of a bot is carried out once, by its holder, whose answer comes back', async () => {
    await addBots(connection, ['alice'])
    const before = await claim('alice')
    const alice = await claim('alice', before.epoch)
    const carried: string[] = []
    const carryOut = (who: string) => async (ordered: string) => {
      carried.push(`${who} ${ordered}`)
      if (ordered === 'fails') throw new Error('no such contest')
      return `${ordered} done`
    }
    const asks = Array.from({ length: 8 }, (_, place) => `order ${place}`)
    const answering = Promise.all(
      [...asks, 'fails'].map((ordered) => orderInFleet(connection, { bot: 'alice', ordered, by: 'operator', signer })),
    )
    await expect.poll(untaken, { timeout: 10_000 }).toHaveLength(asks.length + 1)
    // The holder before does not know yet that it is none.
    const troubles = [holder(before, carryOut('before'))]
    await sleep(300)
    expect(carried).toEqual([])
    troubles.push(holder(alice, carryOut('now')))
    const answers = await answering
    expect(answers).toEqual([
      ...asks.map((ordered) => ({ status: 'answered', answer: `${ordered} done` })),
      { status: 'answered', answer: 'no such contest' },
    ])
    expect(carried.toSorted()).toEqual([...asks.map((ordered) => `now ${ordered}`), 'now fails'].toSorted())
    expect(troubles).toEqual([[], []])
  })

  test('an order that nobody takes is taken back, and one that was taken and has no answer says who has it', async () => {
    await addBots(connection, ['alice'])
    const alice = await claim('alice')
    expect(await orderInFleet(connection, { bot: 'alice', ordered: 'leave', by: 'operator', signer }, 500)).toEqual({ status: 'untaken' })
    let carried = 0
    holder(alice, async () => {
      carried += 1
      return await new Promise<string>(() => {})
    })
    await sleep(300)
    expect(carried).toBe(0)
    await cluster.query(nameOf(), "INSERT INTO cornerman_fleet.hosts (run, host, version, agents) VALUES ($1, 'h1', 'v', '{}')", [
      alice.run,
    ])
    expect(await orderInFleet(connection, { bot: 'alice', ordered: 'leave', by: 'operator', signer }, 1000)).toEqual({
      status: 'silent',
      host: 'h1',
    })
    expect(carried).toBe(1)
  })

  test('a bot is woken wherever it is played, and by no host that has just started', async () => {
    await addBots(connection, ['alice', 'bob'])
    const [here, there] = [new FleetWakes(connection), new FleetWakes(connection)]
    const woken: string[] = []
    for (const bot of ['alice', 'bob']) there.of(bot).subscribe(() => woken.push(bot))
    const beat = async () => {
      const wakes = await cluster.query<{ bot: string; n: string }>(nameOf(), 'SELECT bot, n FROM cornerman_fleet.wakes')
      there.see(new Map(wakes.map(({ bot, n: count }) => [bot, Number(count)])))
    }
    const count = async () => Number((await cluster.query(nameOf(), 'SELECT sum(n) AS n FROM cornerman_fleet.wakes'))[0]?.n ?? 0)
    here.wake('alice')
    await expect.poll(count, { timeout: 10_000 }).toBe(1)
    await beat()
    expect(woken).toEqual([])
    for (let times = 0; times < 50; times++) here.wake('alice')
    here.wake('of no bot')
    // One at work, and one more for all that came meanwhile.
    await expect.poll(count, { timeout: 10_000 }).toBe(3)
    await beat()
    await beat()
    expect(woken).toEqual(['alice'])
  })

  test('what one host does once, a fleet does once', async () => {
    const hosts = Array.from({ length: HOSTS }, () => new FleetChores(connection, randomUUID()))
    for (let day = 0; day < 20; day++) {
      const ours = await Promise.all(hosts.flatMap((host) => [host.once(`summary:${day}`), host.once(`summary:${day}`)]))
      expect(ours.filter((isOurs) => isOurs)).toHaveLength(1)
    }
    const after = (lost: string, back: string) => Promise.all(hosts.map((host) => host.once(back, lost)))
    expect(await after('never lost', 'back')).toEqual([false, false, false])
    expect((await after('summary:3', 'back of 3')).filter((isOurs) => isOurs)).toHaveLength(1)
  })

  const begun = () => giveFirstOrder(connection, signer.signed({ n: 1, control: controlJson(everythingPlays, 0), by: 'h1', said: 0 }))

  /** A host that plays nothing, as far as it hears of the operator. */
  const hear = (name: string, obeys?: () => number) => {
    const newest = new NewestOrder(join(folder, `${name}-${randomUUID()}.json`), fleet)
    const word = new SharedWord({ url, host: name, signer, newest })
    const host = new FleetHost({
      ...{ url, run: randomUUID(), host: name, version: 'v', bots: [], silenceMs: 3500, obeys: obeys ?? (() => word.obeyed) },
      ...{ onClaimed: () => {}, onLost: () => {}, onSight: ({ control }) => word.see(control) },
    })
    const running = host.run()
    const close = async () => {
      host.close()
      word.close()
      await running
    }
    ended.push(() => void close())
    return { word, host, close }
  }
  const run = async (...args: string[]) => {
    const command = runCornerman([...args, '--fleet', 'env:OF_THE_TEST', '--json'], {
      env: { OF_THE_TEST: url, CORNERMAN_FLEET_KEY: KEY_TEXT },
    })
    const code = await command.exited
    return { code, document: command.stdout() === '' ? undefined : jsonOf<Record<string, unknown>>(command), stderr: command.stderr() }
  }
  const areThere = (count: number) =>
    expect.poll(() => cluster.query(nameOf(), 'SELECT FROM cornerman_fleet.hosts WHERE beat > 0'), { timeout: 20_000 }).toHaveLength(count)

  test('no entry leaves any host once a stop of the fleet has returned, those included that make no beat', async () => {
    const bots = Array.from({ length: 12 }, (_, place) => `bot ${place}`)
    await begun()
    await addBots(connection, bots)
    const hosts = ['h1', 'h2', 'h3'].map((name) => hear(name))
    await areThere(3)
    const sent: number[] = []
    let isOver = false
    const played = bots.map(async (bot, place) => {
      const heard = hosts[place % HOSTS]
      if (heard === undefined) return
      const entries = new FleetEntries({ url, obeys: () => heard.word.n })
      entriesOpen.push(entries)
      const siblings = new FleetSiblings(entries)
      const holding = await claim(bot)
      const port = playing(siblings, holding)
      for (let stake = 1n; !isOver; stake++) {
        const goal = queueOf(BigInt(place) * 1_000_000n + stake)
        const { n: obeyed } = heard.word
        port.entered({ bot, ...goal.entry })
        const entered = heard.host.isFresh ? await siblings.enter(holding, goal.request) : undefined
        if (entered?.status === 'entered' && heard.word.n === obeyed && heard.word.control.state === 'running') sent.push(performance.now())
        port.left(bot, goal.entry.key)
        await sleep(5)
      }
    })
    try {
      await expect.poll(() => sent.length, { timeout: 20_000 }).toBeGreaterThan(100)
      // It stands still for the others, and its bots go on for a while.
      await hosts[2]?.close()
      const stopped = await sayToFleet({ command: 'stop', nothing: 'Nothing was stopped', fleet: url, key: KEY }, [], (before) =>
        withSaid(before, 'stopped'),
      )
      const returnedAt = performance.now()
      expect(stopped).toMatchObject({ n: 2, obeying: ['h1', 'h2'], silent: ['h3'], untold: [] })
      await sleep(1000)
      expect(sent.filter((at) => at > returnedAt)).toEqual([])
      const before = sent.length
      expect(await run('stop', '--resume')).toMatchObject({ code: 0, document: { state: 'running', n: 3, obeying: ['h1', 'h2'] } })
      await expect.poll(() => sent.length, { timeout: 20_000 }).toBeGreaterThan(before + 20)
    } finally {
      isOver = true
      await Promise.all(played)
    }
  })

  test('what is said of modes and single bots is heard by all; a host that lives and does not obey is named', async () => {
    await begun()
    await addBots(connection, ['alice', 'bob'])
    const heard = hear('h1')
    await areThere(1)
    expect(await run('modes', 'close', 'up_down', '--bot', 'alice')).toMatchObject({
      code: 0,
      document: { mode: 'up_down', command: 'close', bots: ['alice'], n: 2, obeying: ['h1'] },
    })
    expect(await run('stop', '--entries', '--bot', 'bob')).toMatchObject({ code: 0, document: { bots: ['bob'], n: 3 } })
    expect(heard.word.control).toMatchObject({
      ...{ state: 'running', bots: { bob: 'entries stopped' } },
      modes: [{ bot: 'alice', mode: 'up_down', command: 'close' }],
    })
    hear('h2', () => 0)
    await areThere(2)
    expect(await run('stop', '--now')).toMatchObject({ code: 1, document: { n: 4, obeying: ['h1'], silent: [], untold: ['h2'] } })
  })

  test('a bot that the fleet does not have, and a database without a fleet, are said in words', async () => {
    await addBots(connection, ['alice', 'bob'])
    const stranger = await run('stop', '--now', '--bot', 'carol')
    expect(stranger.code).toBe(2)
    expect(stranger.stderr).toContain('the fleet has no bot carol: there is alice, bob. Nothing was stopped')
    expect(await cluster.query(nameOf(), 'SELECT FROM cornerman_fleet.control')).toEqual([])
    url = await cluster.database(`together_${++databases}`)
    const elsewhere = await run('stop', '--now')
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.stderr).toContain('no fleet has played on this database. Nothing was stopped')
    expect((await run('modes')).code).toBe(2)
  })
})
