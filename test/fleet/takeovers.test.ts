import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Audit } from '../../src/cli/runs/fleet/demo/audit.ts'
import { copyFile } from '../../src/cli/runs/fleet/journalFiles.ts'
import type { CornermanError } from '../../src/core/error.ts'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { RecordSeal } from '../../src/live/fleet/journal/recordSeal.ts'
import { checksumAfter, sealed, sealOf } from '../../src/recording/checksum.ts'
import { gatherLogs } from '../../src/recording/index.ts'
import { clearFormsOf, filesWith } from '../support/fleet/clearText.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'
import { poolerProgram } from '../support/fleet/pooler.ts'
import { raceClaims, raceCommits } from '../support/fleet/races.ts'
import { jsonOf, runCornerman } from '../support/runCornerman.ts'
import { thrownBy } from '../support/thrownBy.ts'

// Bots that go to and fro between hosts, behind a pooler of transactions, and all that is left of it. TAKEOVERS=10 makes it longer;
// FLEET_POOLED=yes sends every other test of fleets through a pooler, too.

const KEY = 'ab'.repeat(32)
const RACES = 100
const BOTS = ['bot-0', 'bot-1', 'bot-2', 'bot-3']
const KILLS = ['h1', 'h2']
const TAKEOVERS = Number(process.env.TAKEOVERS ?? 6)
/** By turns, once the last of those that were killed is back; the first has the bots in the end. */
const MOVES = Array.from({ length: TAKEOVERS - KILLS.length }, (_, n) => ((TAKEOVERS - n) % 2 === 0 ? 'h2' : 'h1'))
/** Whoever takes a bot over reads all of it anew: the service takes 300 reads a minute. */
const STAY_MS = TAKEOVERS > 6 ? 6000 : 2500
/** What the pooler says itself, of every connection that it lends out. */
const OF_THE_POOLER = /statement: SET (?:application_name|client_encoding|datestyle|timezone|standard_conforming_strings)=/i
const OF_A_SESSION =
  /\bexecute (?!<unnamed>)|\b(?:statement|execute <unnamed>): \s*(?:PREPARE|DECLARE|LISTEN|SET|CREATE TEMP)\b|pg_(?:try_)?advisory_lock\(/i

interface Replayed {
  readonly decisions: number
  readonly matched: number
  readonly damage: readonly string[]
}

describe.skipIf(postgresPrograms() === undefined || poolerProgram() === undefined)('hosts behind a pooler of transactions', () => {
  let cluster: Cluster

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on', 'logging_collector=on', 'log_statement=all', 'log_line_prefix=%a '], true)
  })
  afterAll(() => cluster?.close())

  test(`of two claimants one has the bot, and a commit that races a claim is what its answer says, ${RACES} times each`, async () => {
    const url = await cluster.database('races')
    const hosts = Array.from({ length: 2 }, () => new FleetConnection({ url, answerMs: 10_000 }))
    const [one, other] = hosts as [FleetConnection, FleetConnection]
    try {
      await openBotTables(one)
      const won = await raceClaims(hosts, 'alice', RACES)
      expect(won.map((claims) => claims.map(({ holding }) => holding.epoch))).toEqual(Array.from({ length: RACES }, (_, n) => [n + 1]))
      const races = await raceCommits(one, other, 'bob', RACES)
      const rows = await cluster.query<{ body: Buffer }>('races', "SELECT body FROM cornerman_fleet.records WHERE bot = 'bob'")
      expect(races).toHaveLength(RACES)
      for (const { result, body, before, after } of races) {
        const standing = rows.filter((row) => row.body.equals(body)).length
        expect([standing, after - before]).toEqual(result === 'kept' ? [1, 1] : [0, 0])
      }
    } finally {
      for (const host of hosts) host.close()
    }
  })

  describe(`what is left of ${TAKEOVERS} takeovers`, () => {
    let fleet: Failover
    let audit: Audit

    const ask = <R extends object>(text: string, values?: unknown[]) => cluster.query<R & Record<string, unknown>>('taken', text, values)
    const partsOf = (bot: string) => ['h1', 'h2'].map((host) => join(fleet.dataDirOf(host), 'recordings', bot))
    const gatheredInto = (bot: string) => join(fleet.folder, `gathered-${bot}`)

    async function playedBy(...hosts: readonly string[]): Promise<void> {
      const holders = () => ask<{ host: string }>('SELECT host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')
      const held = async () => (await holders().catch(() => [])).filter(({ host }) => hosts.includes(host)).length
      await vi.waitFor(async () => expect(await held()).toBe(BOTS.length), { timeout: 60_000, interval: 100 })
    }

    /** Once more, and beats by then. */
    async function comes(host: string): Promise<void> {
      const runs = async () => (await ask('SELECT FROM cornerman_fleet.hosts WHERE host = $1', [host])).length
      const before = await runs()
      const run = await fleet.start(host)
      const isThere = vi.waitFor(async () => expect(await runs()).toBe(before + 1), { timeout: 60_000, interval: 100 })
      const ended = run.exited.then((code) => Promise.reject(new Error(`${host} ended with ${code}:\n${run.stderr()}`)))
      // It is ended with the test.
      ended.catch(() => {})
      await Promise.race([isThere, ended])
    }

    beforeAll(async () => {
      fleet = await Failover.open({ url: await cluster.database('taken'), key: KEY, bots: BOTS })
      await Promise.all(['h1', 'h2'].map((host) => fleet.start(host)))
      await playedBy('h1', 'h2')
      await sleep(STAY_MS)
      for (const host of KILLS) {
        await fleet.kill(host)
        await playedBy(...KILLS.filter((other) => other !== host))
        await comes(host)
        await sleep(STAY_MS)
      }
      for (const host of MOVES) {
        // As `fleet move` does.
        await ask('UPDATE cornerman_fleet.bots SET wish = $1', [host])
        await playedBy(host)
        await sleep(STAY_MS)
      }
      audit = await fleet.playedOn('h1')
    })
    afterAll(() => fleet?.close())

    test('nothing is doubled, forgotten or missed', () => {
      const { disagreeing, unresolved, overCap, missedReveals, meetings, effects } = audit
      const wrong = { disagreeing, unresolved, overCap, missedReveals, meetings }
      expect(wrong).toEqual({ disagreeing: [], unresolved: [], overCap: [], missedReveals: [], meetings: [] })
      expect(effects).toBeGreaterThan(50)
    })

    test('no session of the server was taken for a host: no statement had a name, nothing was set, listened to or locked', () => {
      const log = globSync(join(cluster.dataDir, 'log', '*')).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      const asked = log.filter((line) => line.startsWith('cornerman '))
      expect(asked.length).toBeGreaterThan(1000)
      expect(asked.filter((line) => OF_A_SESSION.test(line) && !OF_THE_POOLER.test(line))).toEqual([])
    })

    test('the recordings of all turns are one, and each decision in it comes out again', async () => {
      for (const bot of BOTS) {
        const epochs = await ask<{ epoch: number; host: string }>(
          'SELECT epoch::int, host FROM cornerman_fleet.epochs WHERE bot = $1 ORDER BY epochs.epoch',
          [bot],
        )
        const parts = ['h1', 'h2'].map((host) => fleet.dataDirOf(host))
        const gathering = runCornerman(['logs', 'gather', '--bot', bot, '--out', gatheredInto(bot), '--json', ...parts])
        expect(await gathering.exited, gathering.stderr()).toBe(0)
        const { runs, missing } = jsonOf<ReturnType<typeof gatherLogs>>(gathering)
        // A host that has hardly begun with a bot has recorded nothing of it.
        expect(epochs).toEqual(expect.arrayContaining(runs.map(({ epoch, host }) => ({ epoch, host }))))
        expect(runs.length).toBeGreaterThanOrEqual(TAKEOVERS)
        expect(missing).toEqual([])
        const replaying = await fleet.command(['replay', gatheredInto(bot), '--verify', '--json'])
        expect(replaying.code, replaying.stderr() + replaying.stdout()).toBe(0)
        const { decisions, matched, damage } = jsonOf<Replayed>(replaying)
        expect([matched, damage]).toEqual([decisions, []])
        expect(decisions).toBeGreaterThan(20)
      }
    })

    test('a part that says it was another turn is refused, and so is one that was altered', () => {
      const [bot = ''] = BOTS
      const { runs } = gatherLogs(partsOf(bot), join(fleet.folder, 'true'))
      const [, , turn = 0, next = 0] = runs.map(({ epoch }) => epoch)
      const refusalOf = (says: number, isSealed = true) => {
        const parts = partsOf(bot).map((part, place) => {
          const copy = join(fleet.folder, `lied-${says}-${isSealed}-${place}`)
          cpSync(part, copy, { recursive: true })
          for (const file of globSync(`${copy}/*.ndjson*`)) restate(file, turn, says, isSealed)
          return copy
        })
        return thrownBy<CornermanError>(() => gatherLogs(parts, join(fleet.folder, `lie-${says}-${isSealed}`)))
      }
      expect(refusalOf(next)).toMatchObject({ code: 'LOG_PARTS', message: expect.stringContaining('the same turn') })
      expect(refusalOf(99)).toMatchObject({ code: 'LOG_PARTS', message: expect.stringContaining('not in the order') })
      expect(refusalOf(next, false)?.code).toBe('LOG_ALTERED')
    })

    test('no salt stands in clear: not with the hosts, not on the disk of the database, not in what is copied out of it', async () => {
      const [{ value: id } = { value: '' }] = await ask<{ value: string }>("SELECT value FROM cornerman_fleet.facts WHERE key = 'fleet'")
      const sealOf = (bot: string) => new RecordSeal({ keys: [Buffer.from(KEY, 'hex')], fleet: id, bot })
      const salts = BOTS.flatMap((bot) => saltsIn(copyFile(fleet.dataDirOf('h1'), bot), sealOf(bot)))
      const forms = salts.flatMap(clearFormsOf)
      const out = join(fleet.folder, 'out')
      mkdirSync(out)
      const copyOut = () => {
        const dumped = execFileSync(join(postgresPrograms() ?? '', 'pg_dump'), ['--dbname', cluster.url('taken')], { maxBuffer: 2 ** 30 })
        writeFileSync(join(out, 'dump.sql'), dumped)
        for (const [n, run] of fleet.runs.entries()) writeFileSync(join(out, `host-${n}.log`), run.stdout() + run.stderr())
      }
      copyOut()
      await cluster.query('postgres', 'CHECKPOINT')
      const places = [...['h1', 'h2'].map((host) => fleet.dataDirOf(host)), cluster.dataDir, out]
      for (const place of places) {
        const { found, bytes } = filesWith(forms, place)
        expect(found).toEqual([])
        expect(bytes).toBeGreaterThan(50_000)
      }
      console.info(`${salts.length} salts in ${forms.length} forms`)
      expect(salts.length).toBeGreaterThan(1)

      // What it would find, had one been put there.
      const [salt = ''] = salts
      await ask('CREATE TABLE leak AS SELECT $1::text AS text, $2::bytea AS raw', [salt, Buffer.from(salt, 'base64url')])
      copyOut()
      expect(filesWith(forms, out).found).toEqual([join(out, 'dump.sql')])
      expect(filesWith(forms, cluster.dataDir).found.filter((file) => file.includes('/pg_wal/'))).not.toEqual([])
      await cluster.query('postgres', 'CHECKPOINT')
      expect(filesWith(forms, cluster.dataDir).found.filter((file) => file.includes('/base/'))).not.toEqual([])
    })
  })
})

/** Has a part of a turn say that it was another. */
function restate(file: string, turn: number, says: number, isSealed: boolean): void {
  const read = readFileSync(file)
  const [header = '', ...lines] = (file.endsWith('.zst') ? zstdDecompressSync(read) : read).toString().split('\n')
  if (!header.includes(`"epoch":${turn}}`)) return
  const told = [header.replace(`"epoch":${turn}}`, `"epoch":${says}}`), ...lines]
  let checksum = 0
  const anew = (line: string) => {
    const body = sealOf(line)?.body
    if (body === undefined) return line
    checksum = checksumAfter(checksum, body)
    return sealed(body, checksum)
  }
  rmSync(file)
  writeFileSync(file.replace(/\.zst$/, ''), (isSealed ? told.map(anew) : told).join('\n'))
}

/** All that the bot has ever promised by, opened. */
function saltsIn(file: string, seal: RecordSeal): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('SELECT contest_id AS id, salt FROM custody').all() as { id: string; salt: string }[]
  database.close()
  return rows.map(({ id, salt }) => seal.openText(id, salt))
}
