import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CornermanError } from '../../src/core/error.ts'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { addBots, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { BotCopies } from '../../src/live/fleet/journal/botCopies.ts'
import { FleetCopy } from '../../src/live/fleet/journal/fleetCopy.ts'
import { FleetJournal } from '../../src/live/fleet/journal/fleetJournal.ts'
import { holdBot } from '../../src/live/fleet/journal/heldBots.ts'
import { JournalBases, trim } from '../../src/live/fleet/journal/journalBases.ts'
import type { JournalPlace } from '../../src/live/fleet/journal/journalPlace.ts'
import { mendBot } from '../../src/live/fleet/journal/mendBot.ts'
import { RecordSeal } from '../../src/live/fleet/journal/recordSeal.ts'
import { SqliteJournal } from '../../src/live/index.ts'
import type { JournalRecord } from '../../src/pipeline/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { entryIntent, heldPrediction, journalRecord, saltOf, swapIntent, swapRecord } from '../support/journalFiles.ts'
import { rawEvent, START_MS } from '../support/rawEvents.ts'

// Copies of journals in the database of a fleet, from which a host that has none begins.

const KEY = new Uint8Array(32).fill(7)
const OTHER_KEY = new Uint8Array(32).fill(8)
const EVERY = 100

const recordOf = (n: number): JournalRecord => {
  const event = rawEvent('contest.settled', {})
  return journalRecord({
    ...{ n, at: START_MS + n, event: { raw: event, problem: undefined }, cursor: event.id },
    ...{ intents: [entryIntent(n), swapIntent(n)], swaps: [swapRecord(n)], custody: [heldPrediction(n)], refusals: ['BANKROLL'] },
  })
}

function contentsOf(journal: { load(): ReturnType<SqliteJournal['load']> }) {
  const { events, ...contents } = journal.load()
  return { ...contents, events: [...events] }
}

describe.skipIf(postgresPrograms() === undefined)('bases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-bases-'))
  let cluster: Cluster
  let url: string
  let name: string
  let fleet: string
  let databases = 0
  const opened: { close(): void | Promise<void> }[] = []

  const keep = <T extends { close(): void | Promise<void> }>(one: T): T => {
    opened.push(one)
    return one
  }
  const connect = () => keep(new FleetConnection({ url }))
  const sealOf = (keys: readonly Uint8Array[] = [KEY]) => new RecordSeal({ keys, fleet, bot: 'alice' })
  const fileOf = (host: string) => join(folder, `${databases}-${host}.db`)
  const query = <R extends object>(text: string) => cluster.query<R & Record<string, unknown>>(name, text)
  const standing = async () =>
    (await query<{ upto: number }>('SELECT upto::int FROM cornerman_fleet.bases ORDER BY upto')).map(({ upto }) => upto)
  const kept = async () => {
    const [row] = await query<{ from: number; to: number; n: number }>(
      'SELECT min(seq)::int AS from, max(seq)::int AS to, count(*)::int AS n FROM cornerman_fleet.records',
    )
    return row
  }

  async function host(of: string, epoch: number, keys?: readonly Uint8Array[]) {
    const connection = connect()
    const claimed = await claimBot(connection, { bot: 'alice', epoch, run: randomUUID(), host: of, version: 'v', beat: 0 })
    if (claimed === undefined) throw new Error('the bot was not claimed')
    const seal = sealOf(keys)
    const copy = new FleetCopy({ file: fileOf(of), bot: 'alice', seal })
    try {
      await copy.catchUp(connection, claimed.place)
    } catch (thrown) {
      copy.close()
      throw thrown
    }
    const { holding } = claimed
    const troubles: string[] = []
    const bases = keep(new JournalBases({ url, every: EVERY, onTrouble: (_bot, words) => troubles.push(words) }))
    const played = { holding, copy, seal }
    const journal = keep(new FleetJournal({ connection, holding, seal, copy, onStop: () => {}, onKept: () => bases.note(played) }))
    return { journal, copy, bases, played, troubles }
  }

  type Host = Awaited<ReturnType<typeof host>>

  /** Each hundred kept before the next, and its base, too. */
  async function write({ journal, bases }: Host, from: number, to: number, others: readonly SqliteJournal[] = []): Promise<void> {
    for (let n = from; n <= to; n++) {
      const record = recordOf(n)
      for (const one of [journal, ...others]) one.commit(record)
      if (n % EVERY !== 0 && n !== to) continue
      expect(await journal.kept()).toBe('kept')
      await bases.done()
    }
  }

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  beforeEach(async () => {
    name = `bases_${++databases}`
    url = await cluster.database(name)
    const connection = connect()
    fleet = await openBotTables(connection)
    await addBots(connection, ['alice'])
  })
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close()
  })
  afterAll(async () => {
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a host without a copy begins with the newest base, and has the whole journal', async () => {
    const alone = keep(new SqliteJournal(':memory:').belongTo('agent', START_MS))
    const first = await host('h1', 0)
    first.journal.belongTo('agent', START_MS)
    await write(first, 1, 430, [alone])
    expect(first.troubles).toEqual([])
    // The record that says whose it is comes first.
    const [older = 0, newest = 0, ...rest] = await standing()
    expect(rest).toEqual([])
    expect(newest - older).toBeGreaterThanOrEqual(EVERY)
    expect(await kept()).toEqual({ from: older + 1, to: 431, n: 431 - older })
    const second = await host('h2', 1)
    expect(contentsOf(second.journal)).toEqual(contentsOf(alone))
    expect(second.copy.place.seq).toBe(431)
    expect(second.journal.load().custody[0]?.salt).toBe(saltOf(1))
    second.journal.commit(recordOf(431))
    expect(await second.journal.kept()).toBe('kept')
    await second.bases.done()
    expect(readdirSync(folder).filter((file) => /\.(?:put|taken)/.test(file))).toEqual([])
  })

  test('a copy that is behind the records that are kept takes the base, too, and one that is not goes on by records', async () => {
    const first = await host('h1', 0)
    await write(first, 1, 50)
    const faults: string[] = []
    const follow = (of: string) =>
      keep(
        new BotCopies({
          url,
          bots: ['alice'],
          fileOf: () => fileOf(of),
          sealOf: () => sealOf(),
          onFault: (_bot, fault) => faults.push(fault.message),
        }),
      )
    const [behind, near] = [follow('h2'), follow('h3')]
    await behind.follow([{ bot: 'alice', ...first.copy.place }], performance.now())
    expect(behind.places.get('alice')?.seq).toBe(50)
    await write(first, 51, 350)
    await near.follow([{ bot: 'alice', ...first.copy.place }], performance.now())
    await write(first, 351, 380)
    for (const copies of [behind, near]) {
      await copies.follow([{ bot: 'alice', ...first.copy.place }], performance.now())
      expect(copies.places.get('alice')).toEqual(first.copy.place)
    }
    expect(faults).toEqual([])
    const taken = await behind.take('alice', first.copy.place)
    expect(contentsOf(keep(taken))).toEqual(contentsOf(first.journal))
  })

  test('a bot stands still where the database is behind a copy, or was altered, and not where a host was wrong', async () => {
    const first = await host('h1', 0)
    await write(first, 1, 30)
    const connection = connect()
    const { place } = first.copy
    const [behind, altered] = ['FLEET_ROLLED_BACK', 'FLEET_RECORD_ALTERED'].map((code) => new CornermanError(code, '')) as [
      CornermanError,
      CornermanError,
    ]
    const find = (copy: JournalPlace, fault = behind) => holdBot(connection, { bot: 'alice', host: 'h1', copy }, fault)
    const why = async () => (await query<{ held: string | null }>('SELECT held FROM cornerman_fleet.bots'))[0]?.held
    expect(await find(place)).toBe(false)
    expect(await find({ seq: 20, chain: first.copy.passed(20)?.chain ?? Buffer.alloc(0) })).toBe(false)
    expect(await find(place, new CornermanError('BOT_MOVED', ''))).toBe(false)
    expect(await why()).toBeNull()
    expect(await query('SELECT FROM cornerman_fleet.copies')).toEqual([])
    for (const copy of [
      { ...place, seq: 31 },
      { ...place, chain: Buffer.from('another') },
      { seq: 20, chain: Buffer.from('another') },
    ]) {
      expect(await find(copy)).toBe(true)
      expect(await why()).toBe('rolledBack')
      await query('UPDATE cornerman_fleet.bots SET held = NULL')
    }
    expect(await find(place, altered)).toBe(true)
    expect(await why()).toBe('altered')
    expect(await find({ ...place, seq: 31 })).toBe(false)
    expect(await why()).toBe('altered')
  })

  test('no turn of a bot is had twice, though the database forgot some', async () => {
    const { copy } = await host('h1', 0)
    const connection = connect()
    await query('UPDATE cornerman_fleet.bots SET epoch = 8')
    const second = await host('h2', 8)
    await write(second, 1, 3)
    expect(second.copy.passed(3)?.epoch).toBe(9)
    await query("UPDATE cornerman_fleet.bots SET epoch = 1, seq = 0, chain = '', held = 'rolledBack'")
    await query('DELETE FROM cornerman_fleet.records')
    copy.close()
    const mended = { bot: 'alice', host: 'h2', copy: second.copy, seal: sealOf(), others: ['h2'], isFromHere: false, file: fileOf('taken') }
    await expect(mendBot(connection, { ...mended, others: ['h2', 'h3'] })).rejects.toThrow('h3 may have a longer copy')
    expect(await mendBot(connection, mended)).toEqual({ from: 0, to: 3 })
    const [row] = await query<{ epoch: number; seq: number; held: string | null }>(
      'SELECT epoch::int, seq::int, held FROM cornerman_fleet.bots',
    )
    expect(row).toEqual({ epoch: 1010, seq: 3, held: null })
  })

  test('only the holder puts one', async () => {
    const first = await host('h1', 0)
    await write(first, 1, 90)
    const second = await host('h2', 1)
    const eager = keep(new JournalBases({ url, every: 50 }))
    await eager.release(first.played)
    expect(await standing()).toEqual([])
    await write(second, 91, 101)
    expect(await standing()).toEqual([100])
    const before = await kept()
    // What is played elsewhere takes no records away either.
    await trim(connect(), first.played.holding, 90)
    expect(await kept()).toEqual(before)
    await eager.release(second.played)
    expect(await standing()).toEqual([100])
  })

  test('nothing is put of what is played on for a moment after it was let go of: its copy is closed then', async () => {
    const first = await host('h1', 0)
    await first.bases.release(first.played)
    first.journal.commit(recordOf(1))
    expect(await first.journal.kept()).toBe('kept')
    await first.journal.close()
    await first.bases.done()
    expect(first.troubles).toEqual([])
  })

  test('one that is not put in time is not put of a copy that is closed by then', async () => {
    const first = await host('h1', 0)
    for (let n = 1; n <= 60; n++) first.journal.commit(recordOf(n))
    expect(await first.journal.kept()).toBe('kept')
    const other = connect()
    await other.ask('BEGIN; LOCK TABLE cornerman_fleet.bases')
    await first.bases.release(first.played)
    await first.journal.close()
    await other.ask('COMMIT')
    await first.bases.done()
    expect(first.troubles).toEqual([])
    expect(await standing()).toEqual([])
  })

  test.each([
    ['a part that is missing', 'DELETE FROM cornerman_fleet.base_parts', 'FLEET_RECORD_ALTERED'],
    [
      'a part that was altered',
      'UPDATE cornerman_fleet.base_parts SET bytes = set_byte(bytes, 100, get_byte(bytes, 100) # 1)',
      'FLEET_RECORD_ALTERED',
    ],
    ['parts of another place', 'UPDATE cornerman_fleet.base_parts SET part = 1 - part', 'FLEET_RECORD_ALTERED'],
    ['one less of them', 'UPDATE cornerman_fleet.bases SET parts = parts + 1', 'FLEET_RECORD_ALTERED'],
  ])('%s is refused', async (_what, damage, code) => {
    const first = await host('h1', 0)
    await write(first, 1, 230)
    await query(damage)
    await expect(host('h2', 1)).rejects.toMatchObject({ code })
    expect(existsSync(`${fileOf('h2')}.taken`)).toBe(false)
    const left = keep(new FleetCopy({ file: fileOf('h2'), bot: 'alice', seal: sealOf() }))
    expect(left.place.seq).toBe(0)
  })

  test('another key opens none, and the next key takes the place of the one before within one base', async () => {
    const first = await host('h1', 0)
    await write(first, 1, 230)
    await expect(host('h2', 1, [OTHER_KEY])).rejects.toMatchObject({ code: 'FLEET_KEY' })
    const changing = await host('h3', 2, [OTHER_KEY, KEY])
    await write(changing, 231, 232)
    expect(changing.troubles).toEqual([])
    expect(await standing()).toHaveLength(1)
    // Nothing is left that the key before would be needed for, the salts of predictions among it.
    const next = await host('h4', 3, [OTHER_KEY])
    expect(next.journal.load().lastInput).toBe(232)
    expect(next.journal.load().custody.map(({ salt }) => salt)).toContain(saltOf(3))
  })
})
