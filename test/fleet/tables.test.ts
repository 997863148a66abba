import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CornermanError } from '../../src/core/error.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { FleetHost } from '../../src/live/fleet/host/fleetHost.ts'
import { type ClaimedBot, FleetJournal, openBotTables, RecordSeal } from '../../src/live/fleet/index.ts'
import { FleetCopy } from '../../src/live/fleet/journal/fleetCopy.ts'
import type { FleetFact } from '../../src/live/fleet/journal/fleetFact.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FleetHosts } from '../support/fleet/fleetHosts.ts'
import { journalRecord } from '../support/journalFiles.ts'
import { START_MS } from '../support/rawEvents.ts'

// The tables of a fleet, made and changed while hosts commit all they can.

const KEY = 'ab'.repeat(32)
const BOTS = Array.from({ length: 24 }, (_, n) => `bot-${n}`)

/** A host that commits records of its bots one after another, for as long as it has them. */
class Writer {
  readonly host: FleetHost
  readonly ended: Promise<unknown>
  readonly facts: FleetFact[] = []
  readonly results = { kept: 0, fenced: 0, late: 0 }
  readonly #writing: Promise<void>[] = []
  readonly #journals: FleetJournal[] = []
  #isOver = false

  constructor(name: string, { url, fleet, folder }: { readonly url: string; readonly fleet: string; readonly folder: string }) {
    const onClaimed = ({ holding, place }: ClaimedBot) => {
      const seal = new RecordSeal({ keys: [new Uint8Array(32).fill(7)], fleet, bot: holding.bot })
      const copy = new FleetCopy({ file: join(folder, `${name}-${holding.bot}.db`), bot: holding.bot, seal })
      const connection = new FleetConnection({ url })
      const write = async () => {
        await copy.catchUp(connection, place)
        const onFact = (fact: FleetFact) => void this.facts.push(fact)
        const journal = new FleetJournal({ connection, holding, seal, copy, onStop: () => {}, onFact })
        this.#journals.push(journal)
        for (let n = 1; !this.#isOver; n++) {
          journal.commit(journalRecord({ n, at: START_MS + n }))
          this.results[await journal.kept()] += 1
        }
      }
      this.#writing.push(write())
    }
    this.host = new FleetHost({
      ...{ url, run: randomUUID(), host: name, version: 'v', bots: BOTS, silenceMs: 3500, onClaimed, onLost: () => {} },
    })
    this.ended = this.host.run().catch((thrown: unknown) => thrown)
  }

  /** Lets all go that it has. */
  async close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await Promise.all(this.#writing)
    for (const journal of this.#journals) await journal.close()
    for (const bot of this.host.held) await this.host.release(bot)
    this.host.close()
  }
}

describe.skipIf(postgresPrograms() === undefined)('the tables of a fleet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'))
  const commands = new FleetHosts(KEY)
  let cluster: Cluster

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterAll(async () => {
    await commands.close()
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('made once more while hosts commit all they can, and then by a newer Cornerman: no commit is late, and hosts of before let all go', async () => {
    const url = await cluster.database('tables')
    const query = (text: string) => cluster.query<{ n: number }>('tables', text)
    const connection = new FleetConnection({ url })
    const fleet = await openBotTables(connection)
    await query('CREATE ROLE player')
    const writers = ['h1', 'h2'].map((name) => new Writer(name, { url, fleet, folder }))
    try {
      const written = () => writers.reduce((sum, { results }) => sum + results.kept, 0)
      await expect.poll(() => writers.flatMap(({ host }) => host.held), { timeout: 20_000 }).toHaveLength(BOTS.length)
      await expect.poll(written, { timeout: 20_000 }).toBeGreaterThan(500)
      const before = written()
      for (const args of [[], ['--role', 'player']]) {
        const { code, stdout } = await commands.ended(['fleet', 'init', '--json', ...args], { url })
        expect([code, stdout()]).toEqual([2, expect.stringContaining(fleet)])
      }
      await Promise.all(Array.from({ length: 8 }, () => openBotTables(connection)))
      expect(written()).toBeGreaterThan(before + 200)

      await query("UPDATE cornerman_fleet.facts SET value = '2' WHERE key = 'bots'")
      for (const { ended } of writers) expect(await ended).toMatchObject({ code: 'FLEET_NEWER' } satisfies Partial<CornermanError>)
      await Promise.all(writers.map((writer) => writer.close()))
      const [held] = await query('SELECT count(run)::int AS n FROM cornerman_fleet.bots')
      const [records] = await query('SELECT count(*)::int AS n FROM cornerman_fleet.records')
      const [claims] = await query('SELECT count(*)::int AS n FROM cornerman_fleet.epochs')
      expect([held?.n, claims?.n]).toEqual([0, BOTS.length])
      expect(records?.n).toBe(written())
      expect(writers.map(({ results: { late, fenced } }) => [late, fenced])).toEqual([
        [0, 0],
        [0, 0],
      ])
      expect(writers.flatMap(({ facts }) => facts).filter(({ type }) => type === 'late')).toEqual([])
    } finally {
      for (const writer of writers) await writer.close()
      connection.close()
    }
  })
})
