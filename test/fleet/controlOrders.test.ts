import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { controlJson, everythingPlays, withSaid } from '../../src/cli/control.ts'
import { NewestOrder } from '../../src/cli/runs/start/newestOrder.ts'
import { SharedWord, saidTo } from '../../src/cli/runs/start/sharedWord.ts'
import { FleetKey, newFleetKey } from '../../src/fleet/fleetKey.ts'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { addBots, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { giveFirstOrder, readOrder } from '../../src/live/fleet/together/controlOrders.ts'
import { FleetOrders, orderInFleet } from '../../src/live/fleet/together/fleetOrders.ts'
import { OrderSigner } from '../../src/live/fleet/together/orderSigner.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { jsonOf, runCornerman } from '../support/runCornerman.ts'

// Orders to the hosts of a fleet: which of them hold, and which count as a stop.

const KEY = newFleetKey()
const RUNNING = controlJson(everythingPlays, 0)

describe.skipIf(postgresPrograms() === undefined)('an order to all hosts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'))
  let cluster: Cluster
  let name: string
  let url: string
  let connection: FleetConnection
  let signer: OrderSigner
  let databases = 0
  const words: SharedWord[] = []

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  beforeEach(async () => {
    name = `orders_${++databases}`
    url = await cluster.database(name)
    connection = new FleetConnection({ url })
    signer = new OrderSigner(new FleetKey(KEY), await openBotTables(connection))
  })
  afterEach(() => {
    for (const word of words.splice(0)) word.close()
    connection.close()
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await cluster?.close()
  })

  const query = (text: string, values: unknown[] = []) => cluster.query<Record<string, unknown>>(name, text, values)
  const fileOf = (host: string) => join(folder, name, `${host}.json`)
  /** A host as it starts, with what is on its disk. */
  const host = (called = 'h1') => {
    const newest = new NewestOrder(fileOf(called), signer.fleet)
    const word = new SharedWord({ url, host: called, signer, newest })
    words.push(word)
    return word
  }
  const see = async (word: SharedWord) => {
    word.see((await readOrder(connection)).order)
    return { state: word.control.state, refusal: word.refusal?.message }
  }
  const say = (state: 'running' | 'stopped') => saidTo(connection, { signer, by: 'operator', change: (before) => withSaid(before, state) })
  const stopped = async (words: RegExp) => ({ state: 'stopped', refusal: expect.stringMatching(words) as string })
  /** A host that lives says so with its beat. */
  const reports = (obeys: number) =>
    query("INSERT INTO cornerman_fleet.hosts (run, host, version, agents, obeys) VALUES (gen_random_uuid(), 'h1', 'v', '{}', $1)", [obeys])
  const begun = () => giveFirstOrder(connection, signer.signed({ n: 1, control: RUNNING, by: 'h1', said: 0 }))
  const command = async (...args: string[]) => {
    const run = runCornerman([...args, '--json'], { env: { FLEET_DATABASE_URL: url, CORNERMAN_FLEET_KEY: KEY }, cwd: folder })
    return { code: await run.exited, document: run.stdout() === '' ? undefined : jsonOf<object>(run), words: run.stderr() }
  }

  test.each([
    [
      'higher, unsigned',
      `UPDATE cornerman_fleet.control SET n = n + 1, control = $1, signature = NULL`,
      /not signed.*cornerman fleet sign/,
    ],
    [
      'higher, with the signature of the one before',
      'UPDATE cornerman_fleet.control SET n = n + 1, control = $1',
      /not signed with the key/,
    ],
    ['the same number, another order', 'UPDATE cornerman_fleet.control SET control = $1', /not signed with the key/],
    ['the same order, another giver', "UPDATE cornerman_fleet.control SET by = 'x' WHERE $1 <> ''", /not signed with the key/],
    ['the same order, another time', "UPDATE cornerman_fleet.control SET said = said + 1 WHERE $1 <> ''", /not signed with the key/],
    ['no order', "DELETE FROM cornerman_fleet.control WHERE $1 <> ''", /holds no order.*cornerman fleet sign/],
    ['a number beyond all', 'UPDATE cornerman_fleet.control SET n = 9223372036854775807, control = $1', /not signed with the key/],
  ])('counts as a stop where the row was changed without the key: %s; and a resume holds', async (_what, statement, words) => {
    await begun()
    await say('stopped')
    const word = host()
    expect(await see(word)).toEqual({ state: 'stopped', refusal: undefined })
    await reports(2)
    await query(statement, [RUNNING])
    for (const one of [word, host('h1'), host('new')]) expect(await see(one)).toEqual(await stopped(words))
    await say('running')
    for (const one of [word, host('h1'), host('new')]) expect(await see(one)).toEqual({ state: 'running', refusal: undefined })
  })

  test('is refused with a number that this host has passed, also after it was started anew; and a resume passes what hosts report', async () => {
    await begun()
    const word = host()
    await see(word)
    const [old] = await query('SELECT * FROM cornerman_fleet.control')
    for (const state of ['stopped', 'running', 'stopped'] as const) await say(state)
    expect(await see(word)).toEqual({ state: 'stopped', refusal: undefined })
    expect(word.n).toBe(4)
    const { n, control, by, said, signature } = old ?? {}
    await query('UPDATE cornerman_fleet.control SET n = $1, control = $2, by = $3, said = $4, signature = $5', [
      n,
      control,
      by,
      said,
      signature,
    ])
    for (const one of [word, host('h1')])
      expect(await see(one)).toEqual(await stopped(/order 1 of h1 .* is older than order 4 of operator/))
    // A host that never saw a later order cannot know: the repair of a restored fleet stops it, and living hosts report.
    await reports(4)
    expect((await say('running')).order.n).toBe(5)
    for (const one of [word, host('h1')]) expect(await see(one)).toEqual({ state: 'running', refusal: undefined })
  })

  test('is kept on the disk of each host: one that cannot be read is a stop until the next order', async () => {
    await begun()
    await see(host())
    writeFileSync(fileOf('h1'), '{"fleet"')
    const word = host()
    expect(word.control.state).toBe('stopped')
    expect(await see(word)).toEqual(await stopped(/h1\.json cannot be read/))
    expect(await see(word)).toEqual(await stopped(/h1\.json cannot be read/))
    await say('running')
    expect(await see(word)).toEqual({ state: 'running', refusal: undefined })
    expect(host().n).toBe(2)
  })

  test('holds from the disk before the database has answered', async () => {
    await begun()
    await say('stopped')
    await see(host())
    expect(host().control.state).toBe('stopped')
  })

  test('is given first by whoever begins a fleet, and by nobody in one that has played', async () => {
    await addBots(connection, ['alice'])
    await claimBot(connection, { bot: 'alice', epoch: 0, run: crypto.randomUUID(), host: 'h1', version: 'v', beat: 0 })
    await begun()
    expect(await query('SELECT FROM cornerman_fleet.control')).toEqual([])
  })

  test('of before is signed once, by fleet sign; an unsigned one after that is not', async () => {
    await query(`INSERT INTO cornerman_fleet.control (one, n, control, by) VALUES (1, 7, $1, 'desk')`, [
      controlJson({ state: 'entries stopped', bots: { alice: 'stopped' } }, 0),
    ])
    const word = host()
    expect(await see(word)).toEqual(await stopped(/cornerman fleet sign/))
    expect(await command('fleet', 'sign', '--fleet')).toMatchObject({ code: 0, document: { n: 8, isSigned: true, wasSigned: false } })
    expect(await see(word)).toEqual({ state: 'entries stopped', refusal: undefined })
    expect(word.control.bots).toEqual({ alice: 'stopped' })
    expect(await command('fleet', 'sign', '--fleet')).toMatchObject({ code: 0, document: { n: 8, wasSigned: true } })
    await query('UPDATE cornerman_fleet.control SET n = n + 1, control = $1, signature = NULL', [RUNNING])
    const again = await command('fleet', 'sign', '--fleet')
    expect(again).toMatchObject({ code: 1, words: expect.stringMatching(/written without the key.*FLEET_ORDER/) as string })
    expect(await see(word)).toEqual(await stopped(/not signed/))
    expect((await command('fleet', '--fleet')).document).toMatchObject({
      wrong: expect.arrayContaining([expect.stringMatching(/not signed/)]) as string[],
    })
  })

  test('needs the key: who has none is told how to stop everything without it', async () => {
    await begun()
    await addBots(connection, ['alice'])
    const run = runCornerman(['stop', '--now', '--fleet', url], { env: { CORNERMAN_FLEET_KEY: '' }, cwd: folder })
    expect([await run.exited, run.stderr()]).toEqual([2, expect.stringMatching(/DELETE FROM cornerman_fleet\.control/)])
    const other = runCornerman(['stop', '--now', '--fleet', url], { env: { CORNERMAN_FLEET_KEY: KEY }, cwd: folder })
    expect(await other.exited, other.stderr()).toBe(0)
    const wrong = runCornerman(['stop', '--resume', '--fleet', url], { env: { CORNERMAN_FLEET_KEY: newFleetKey() }, cwd: folder })
    expect([await wrong.exited, wrong.stderr()]).toEqual([2, expect.stringMatching(/another key/)])
    expect((await readOrder(connection)).order?.n).toBe(2)
  })

  test.each([
    [
      'put there without the key',
      'INSERT INTO cornerman_fleet.orders (id, bot, ordered, by) SELECT gen_random_uuid(), bot, ordered, by FROM cornerman_fleet.orders',
    ],
    ['put back under its id', 'UPDATE cornerman_fleet.orders SET run = NULL, answer = NULL, at = clock_timestamp()'],
    [
      'copied to another id',
      'INSERT INTO cornerman_fleet.orders SELECT gen_random_uuid(), bot, ordered, by, NULL, NULL, clock_timestamp(), epoch, said, signature FROM cornerman_fleet.orders',
    ],
  ])('of one bot is carried out once: not where it is %s', async (_what, statement) => {
    await addBots(connection, ['alice'])
    const claimed = await claimBot(connection, { bot: 'alice', epoch: 0, run: crypto.randomUUID(), host: 'h1', version: 'v', beat: 0 })
    const carried: string[] = []
    const troubles: unknown[] = []
    const open = () =>
      new FleetOrders({
        ...{ connection, signer, refused: (why) => why },
        carryOut: async (_bot, ordered) => `done ${carried.push(ordered)}`,
        onTrouble: (_bot, thrown) => troubles.push(thrown),
      })
    let orders = open()
    let holding = claimed?.holding
    const look = async () => {
      const seen = (await query('SELECT id, bot FROM cornerman_fleet.orders WHERE run IS NULL')) as unknown as { id: string; bot: string }[]
      orders.see(seen, () => holding)
    }
    const answering = orderInFleet(connection, { bot: 'alice', ordered: 'sell', by: 'operator', signer })
    await expect.poll(async () => (await look().then(() => carried)).length).toBe(1)
    expect(await answering).toEqual({ status: 'answered', answer: 'done 1' })
    await query(statement)
    await look()
    // The host was started anew, and has claimed the bot anew.
    const next = await claimBot(connection, { bot: 'alice', epoch: 1, run: crypto.randomUUID(), host: 'h1', version: 'v', beat: 0 })
    holding = next?.holding
    orders = open()
    await expect
      .poll(async () => (await look().then(() => query('SELECT FROM cornerman_fleet.orders WHERE answer IS NULL'))).length)
      .toBe(0)
    expect(carried).toEqual(['sell'])
    await expect.poll(() => troubles).toHaveLength(1)
  })
})
