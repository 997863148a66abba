import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { SharedConnections } from '../../src/live/fleet/database/sharedConnections.ts'
import { addBots, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { FencedCommits } from '../../src/live/fleet/journal/fencedCommits.ts'
import type { JournalPlace } from '../../src/live/fleet/journal/journalPlace.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'

// Primaries that die while two dozen bots commit all they can, and standbys that take their place. One round each, or as many as PRIMARIES_ROUNDS says.

const ROUNDS = Number(process.env.PRIMARIES_ROUNDS ?? 1)
const MOST_MORE_ROUNDS = 5
const BOTS = Array.from({ length: 24 }, (_, n) => `bot-${n}`)
const LOAD_MS = 1500
const NOTICED_MS = 500
const NAME = 'fleet'

/** A bot that commits without a pause, until it is told to stop, or cannot go on. */
class Writer {
  readonly acked: JournalPlace[] = []
  /** When each was answered, by the monotonic clock. */
  readonly answeredAt: number[] = []
  failure: unknown
  readonly done: Promise<void>
  readonly #commits: FencedCommits
  readonly #end = new AbortController()

  constructor(commits: FencedCommits) {
    this.#commits = commits
    this.done = this.#write()
  }

  stop(): void {
    this.#end.abort()
  }

  async #write(): Promise<void> {
    try {
      for (let n = 0; !this.#end.signal.aborted; n++) {
        expect(await this.#commits.commit([Buffer.alloc(1024, n)], this.#end.signal)).toBe('kept')
        this.acked.push(this.#commits.place)
        this.answeredAt.push(performance.now())
      }
    } catch (thrown) {
      if (!this.#end.signal.aborted) this.failure = thrown
    }
  }
}

async function writersOf(connection: FleetConnection, shared: SharedConnections): Promise<Writer[]> {
  return await Promise.all(
    BOTS.map(async (bot) => {
      const claimed = await claimBot(connection, { bot, epoch: 0, run: randomUUID(), host: 'h1', version: 'v', beat: 0 })
      if (claimed === undefined) throw new Error(`${bot} was not claimed`)
      return new Writer(new FencedCommits(shared.line(), claimed.holding, claimed.place))
    }),
  )
}

const rowsOf = (server: Cluster) =>
  server.query<{ bot: string; seq: string; chain: Buffer; epoch: string }>(
    NAME,
    'SELECT bot, seq::text, chain, epoch::text FROM cornerman_fleet.records',
  )

/** Of what was answered, how much the server does not have. */
async function lostOf(server: Cluster, writers: readonly Writer[], acked: readonly (readonly JournalPlace[])[]): Promise<number> {
  const standing = new Set((await rowsOf(server)).map(({ bot, seq, chain }) => `${bot} ${seq} ${chain.toString('hex')}`))
  return writers
    .flatMap((_, n) => (acked[n] ?? []).map(({ seq, chain }) => `${BOTS[n]} ${seq} ${Buffer.from(chain).toString('hex')}`))
    .filter((record) => !standing.has(record)).length
}

describe.skipIf(postgresPrograms() === undefined)('a primary that dies under load', () => {
  async function round(isSynchronous: boolean, play: (primary: Cluster, standby: Cluster, writers: readonly Writer[]) => Promise<void>) {
    const primary = await Cluster.open(['fsync=on'])
    let standby: Cluster | undefined
    let shared: SharedConnections | undefined
    let writers: readonly Writer[] = []
    try {
      const url = await primary.database(NAME)
      const connection = new FleetConnection({ url, answerMs: 10_000 })
      await openBotTables(connection)
      await addBots(connection, BOTS)
      standby = await primary.synchronousStandby()
      if (!isSynchronous) {
        await primary.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = ''")
        await primary.query('postgres', 'SELECT pg_reload_conf()')
      }
      shared = new SharedConnections({ url: primary.urlBeside(NAME, standby) })
      writers = await writersOf(connection, shared)
      connection.close()
      await sleep(LOAD_MS)
      await play(primary, standby, writers)
    } finally {
      for (const writer of writers) writer.stop()
      shared?.close()
      await Promise.all(writers.map(({ done }) => done))
      await primary.close()
      await standby?.close()
    }
  }

  test('loses nothing that was answered, and is left alone when it comes back', async () => {
    const told = { acked: 0, lost: 0, firstAfterMs: [] as number[], olderAcks: 0 }
    for (let n = 0; n < ROUNDS; n++) {
      await round(true, async (primary, standby, writers) => {
        await primary.kill()
        const atKill = writers.map(({ acked }) => [...acked])
        await sleep(NOTICED_MS)
        await standby.promote()
        const promotedAt = performance.now()
        await expect
          .poll(() => writers.filter(({ answeredAt }) => (answeredAt.at(-1) ?? 0) > promotedAt).length, { timeout: 20_000 })
          .toBe(BOTS.length)
        for (const { answeredAt } of writers) told.firstAfterMs.push((answeredAt.find((at) => at > promotedAt) ?? Number.NaN) - promotedAt)
        await primary.start()
        const before = (await rowsOf(primary)).length
        await sleep(2000)
        for (const writer of writers) writer.stop()
        await Promise.all(writers.map(({ done }) => done))
        expect(writers.flatMap(({ failure }) => (failure === undefined ? [] : [String(failure)]))).toEqual([])
        told.acked += atKill.flat().length
        told.lost += await lostOf(
          standby,
          writers,
          writers.map(({ acked }) => acked),
        )
        told.olderAcks += (await rowsOf(primary)).length - before
        expect((await rowsOf(standby)).every(({ epoch }) => epoch === '1')).toBe(true)
      })
    }
    const sorted = told.firstAfterMs.toSorted((a, b) => a - b)
    process.stderr.write(
      `${ROUNDS} primaries died with ${told.acked} records answered: ${told.lost} lost; first commit after the promotion p50 ${sorted[sorted.length >> 1]?.toFixed(0)}, max ${sorted.at(-1)?.toFixed(0)} ms\n`,
    )
    expect(told).toMatchObject({ lost: 0, olderAcks: 0 })
    expect(told.acked).toBeGreaterThan(100 * ROUNDS)
  })

  test('with a standby that nobody waits for and that is behind loses some, and every bot of which it does notices', async () => {
    let lost = 0
    // On a busy machine little is written while the standby stands still, and comes to it after all: it is tried again.
    for (let n = 0; n < ROUNDS || (lost === 0 && n < ROUNDS + MOST_MORE_ROUNDS); n++) {
      await round(false, async (primary, standby, writers) => {
        // Nothing comes to it from here on.
        standby.freeze()
        await sleep(500)
        await primary.kill()
        standby.thaw()
        const atKill = writers.map(({ acked }) => [...acked])
        await sleep(NOTICED_MS)
        await standby.promote()
        const standing = new Set((await rowsOf(standby)).map(({ bot, seq }) => `${bot} ${seq}`))
        const behind = writers.filter((_, index) => (atKill[index] ?? []).some(({ seq }) => !standing.has(`${BOTS[index]} ${seq}`)))
        lost += await lostOf(standby, writers, atKill)
        await Promise.all(behind.map(({ done }) => done))
        for (const { failure } of behind) expect(failure).toMatchObject({ code: 'FLEET_ROLLED_BACK' })
      })
    }
    process.stderr.write(`${ROUNDS} primaries died before a standby that was behind: ${lost} answered records lost, each bot has noticed\n`)
    expect(lost).toBeGreaterThan(0)
  })
})
