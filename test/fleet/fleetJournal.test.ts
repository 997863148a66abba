import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CornermanError } from '../../src/core/error.ts'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { addBots, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { FleetCopy } from '../../src/live/fleet/journal/fleetCopy.ts'
import type { FleetFact } from '../../src/live/fleet/journal/fleetFact.ts'
import { FleetJournal } from '../../src/live/fleet/journal/fleetJournal.ts'
import { SEND_WITHIN } from '../../src/live/fleet/journal/kept.ts'
import { RecordSeal } from '../../src/live/fleet/journal/recordSeal.ts'
import { SqliteJournal } from '../../src/live/index.ts'
import type { JournalContents, JournalRecord } from '../../src/pipeline/index.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { entryIntent, heldPrediction, journalRecord, saltOf, swapIntent, swapRecord } from '../support/journalFiles.ts'
import { rawEvent, START_MS } from '../support/rawEvents.ts'

// The journal of a bot in a fleet, on a database of its own.

const hasPostgres = postgresPrograms() !== undefined

const recordOf = (n: number): JournalRecord => {
  const event = rawEvent('contest.settled', {})
  return journalRecord({
    ...{ n, at: START_MS + n, event: { raw: event, problem: undefined }, cursor: event.id },
    ...{ intents: [entryIntent(n), swapIntent(n)], swaps: [swapRecord(n)], custody: [heldPrediction(n)], refusals: ['BANKROLL'] },
  })
}

/** All that a bot starts from. */
function contentsOf(journal: { load(): JournalContents }) {
  const { events, ...contents } = journal.load()
  return { ...contents, events: [...events] }
}

describe.skipIf(!hasPostgres)('FleetJournal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-journal-'))
  let cluster: Cluster
  let url: string
  let fleet: string
  let databases = 0
  const opened: { close(): void | Promise<void> }[] = []

  const keep = <T extends { close(): void | Promise<void> }>(one: T): T => {
    opened.push(one)
    return one
  }
  const connect = () => keep(new FleetConnection({ url }))
  const sealOf = () => new RecordSeal({ keys: [new Uint8Array(32).fill(7)], fleet, bot: 'alice' })
  const fileOf = (host: string) => join(folder, `${databases}-${host}.db`)
  const copyOf = (host: string) => new FleetCopy({ file: fileOf(host), bot: 'alice', seal: sealOf() })

  /** A host that claims the bot, whoever has it, and plays it from its copy. */
  async function host(name: string, epoch: number) {
    const connection = connect()
    const claimed = await claimBot(connection, { bot: 'alice', epoch, run: randomUUID(), host: name, version: 'v', beat: 0 })
    if (claimed === undefined) throw new Error('the bot was not claimed')
    const copy = copyOf(name)
    await copy.catchUp(connection, claimed.place)
    const stops: CornermanError[] = []
    const { holding } = claimed
    const facts: FleetFact[] = []
    const told = { onStop: (error: CornermanError) => stops.push(error), onFact: (fact: FleetFact) => facts.push(fact) }
    const journal = keep(new FleetJournal({ connection, holding, seal: sealOf(), copy, ...told }))
    return { journal, stops, copy, facts }
  }

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  beforeEach(async () => {
    url = await cluster.database(`journal_${++databases}`)
    const connection = connect()
    fleet = await openBotTables(connection)
    await addBots(connection, ['alice'])
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  afterAll(async () => {
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('another host finds all that was kept, as a journal of one host has it', async () => {
    const alone = keep(new SqliteJournal(':memory:').belongTo('agent', START_MS))
    const first = await host('h1', 0)
    first.journal.belongTo('agent', START_MS)
    expect(first.journal.load().madeAt).toBe(START_MS)
    for (let n = 1; n <= 600; n++) {
      const record = recordOf(n)
      first.journal.commit(record)
      alone.commit(record)
    }
    await first.journal.lease({ at: START_MS, count: 10 }, START_MS - 60_000)
    expect(await first.journal.kept()).toBe('kept')
    const second = await host('h2', 1)
    expect(contentsOf(second.journal)).toEqual(contentsOf(alone))
    // What another host read may still be on its way.
    expect(second.journal.leases(START_MS)).toEqual([{ at: START_MS + 4000, count: 10 }])
    second.journal.commit(recordOf(601))
    alone.commit(recordOf(601))
    expect(await second.journal.kept()).toBe('kept')
    expect(second.journal.load().lastInput).toBe(601)
    // The copy of the first host goes on from where it was.
    await first.journal.close()
    const again = await host('h1', 2)
    expect(again.journal.load().lastInput).toBe(601)
    expect(again.journal.load().custody).toHaveLength(601)
  })

  test('is the journal of one agent, on every host, and was made when the first one said so', async () => {
    const first = await host('h1', 0)
    first.journal.belongTo('agent', START_MS)
    first.journal.belongTo('agent', START_MS + 1)
    expect(() => first.journal.belongTo('other', START_MS)).toThrow(expect.objectContaining({ code: 'JOURNAL_OF_ANOTHER_AGENT' }))
    expect(await first.journal.kept()).toBe('kept')
    const { journal } = await host('h2', 1)
    journal.belongTo('agent', START_MS + 60_000)
    expect(journal.load().madeAt).toBe(START_MS)
    expect(() => journal.belongTo('other', START_MS)).toThrow(expect.objectContaining({ code: 'JOURNAL_OF_ANOTHER_AGENT' }))
  })

  test('what is sent once more, long after the last commit, is known to be of the holder first', async () => {
    const { journal } = await host('h1', 0)
    journal.commit(recordOf(1))
    expect(await journal.kept()).toBe('kept')
    await sleep(SEND_WITHIN + 50)
    expect(journal.maySend()).toBe(false)
    expect(await journal.kept()).toBe('kept')
    expect(journal.maySend()).toBe(true)
    expect(journal.load().lastInput).toBe(1)
    await sleep(SEND_WITHIN + 50)
    await host('h2', 1)
    expect(await journal.kept()).toBe('fenced')
  })

  test('a wall clock that is set keeps back what could leave, and lets nothing leave later', async () => {
    const { journal } = await host('h1', 0)
    journal.commit(recordOf(1))
    expect(await journal.kept()).toBe('kept')
    const clock = vi.spyOn(Date, 'now')
    try {
      const now = Date.now()
      clock.mockReturnValue(now + 3_600_000)
      expect(journal.maySend()).toBe(false)
      clock.mockReturnValue(now - 3_600_000)
      expect(journal.maySend()).toBe(true)
      await sleep(SEND_WITHIN + 50)
      expect(journal.maySend()).toBe(false)
    } finally {
      clock.mockRestore()
    }
  })

  test('closed, it waits for what is under way', async () => {
    const first = await host('h1', 0)
    for (let n = 1; n <= 50; n++) first.journal.commit(recordOf(n))
    await first.journal.close()
    const { journal } = await host('h2', 1)
    expect(journal.load().lastInput).toBe(50)
  })

  test('a host that another one has claimed from is fenced, is told once, and takes nothing more', async () => {
    const first = await host('h1', 0)
    first.journal.commit(recordOf(1))
    expect(await first.journal.kept()).toBe('kept')
    expect(first.journal.maySend()).toBe(true)
    await host('h2', 1)
    first.journal.commit(recordOf(2))
    expect(await first.journal.kept()).toBe('fenced')
    expect(first.journal.maySend()).toBe(false)
    expect(first.stops.map(({ code }) => code)).toEqual(['BOT_MOVED'])
    expect(() => first.journal.commit(recordOf(3))).toThrow(expect.objectContaining({ code: 'BOT_MOVED' }))
    expect(first.copy.place.seq).toBe(1)
    expect(first.facts.map(({ type }) => type)).toEqual(['kept', 'fenced'])
  })

  test('a database without an answer makes commits late, entries wait, and all of it is kept once it answers', async () => {
    const { journal, stops, facts } = await host('h1', 0)
    cluster.freeze()
    try {
      for (let n = 1; n <= 3; n++) {
        journal.commit(recordOf(n))
        expect(journal.refusesEntries).toBe(false)
        expect(await journal.kept()).toBe('late')
      }
      expect(journal.refusesEntries).toBe(true)
      expect(journal.maySend()).toBe(false)
    } finally {
      cluster.thaw()
    }
    await expect.poll(() => journal.kept(), { timeout: 20_000 }).toBe('kept')
    expect(journal.refusesEntries).toBe(false)
    expect(journal.load().lastInput).toBe(3)
    expect(journal.queuedBytes).toBe(0)
    expect(stops).toEqual([])
    expect(facts.slice(0, 4).map(({ type }) => type)).toEqual(['late', 'late', 'late', 'waits'])
    expect(facts.flatMap((fact) => (fact.type === 'waits' ? [fact.waits] : []))).toEqual([true, false])
    expect(facts.find(({ type }) => type === 'kept')).toMatchObject({ bot: 'alice', ms: expect.toSatisfy((ms) => ms > 3 * 1500) })
  })

  test('a database that was set back, or has another past than the copy, is not written to', async () => {
    const first = await host('h1', 0)
    for (let n = 1; n <= 3; n++) first.journal.commit(recordOf(n))
    expect(await first.journal.kept()).toBe('kept')
    const name = new URL(url).pathname.slice(1)
    await cluster.query(name, 'DELETE FROM cornerman_fleet.records WHERE seq = 3')
    await cluster.query(name, 'UPDATE cornerman_fleet.bots SET seq = 2, chain = (SELECT chain FROM cornerman_fleet.records WHERE seq = 2)')
    first.journal.commit(recordOf(4))
    expect(await first.journal.kept()).not.toBe('kept')
    expect(first.stops.map(({ code }) => code)).toEqual(['FLEET_ROLLED_BACK'])
    await first.journal.close()
    await expect(host('h1', 1)).rejects.toMatchObject({ code: 'FLEET_ROLLED_BACK' })
  })

  test('a database that answers before a commit is safe is not believed', async () => {
    const name = new URL(url).pathname.slice(1)
    await cluster.query('postgres', `ALTER DATABASE ${name} SET synchronous_commit = local`)
    // A pooler lends out sessions of before.
    await cluster.query('postgres', 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
    const { journal, stops } = await host('h1', 0)
    journal.commit(recordOf(1))
    expect(await journal.kept()).not.toBe('kept')
    expect(stops.map(({ code }) => code)).toEqual(['FLEET_NOT_DURABLE'])
  })

  test('too much that waits stops the bot', async () => {
    const { journal, stops } = await host('h1', 0)
    cluster.freeze()
    try {
      const large = journalRecord({ event: { raw: 'x'.repeat(1_000_000), problem: undefined } })
      expect(() => {
        for (let n = 0; n < 70; n++) journal.commit(large)
      }).toThrow(expect.objectContaining({ code: 'JOURNAL_WRITE_FAILED' }))
      expect(stops).toHaveLength(1)
      expect(await journal.kept()).not.toBe('kept')
    } finally {
      cluster.thaw()
    }
  })

  test('salts stand in clear neither in the database nor in a copy', async () => {
    const { journal } = await host('h1', 0)
    journal.commit(recordOf(1))
    expect(await journal.kept()).toBe('kept')
    expect(journal.load().custody[0]?.salt).toBe(saltOf(1))
    const rows = await cluster.query<{ body: Buffer }>(new URL(url).pathname.slice(1), 'SELECT body FROM cornerman_fleet.records')
    for (const { body } of rows) expect(body.includes(saltOf(1))).toBe(false)
    for (const file of [fileOf('h1'), `${fileOf('h1')}-wal`]) expect(readFileSync(file).includes(saltOf(1))).toBe(false)
  })
})
