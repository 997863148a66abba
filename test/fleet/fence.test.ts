import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { addBots, type ClaimedBot, claimBot } from '../../src/live/fleet/host/botClaims.ts'
import { FencedCommits } from '../../src/live/fleet/journal/fencedCommits.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { raceClaims, raceCommits } from '../support/fleet/races.ts'

// The one row in which claim, fence and journal of a bot meet: on clusters of their own, with a standby that every commit waits for.

const hasPostgres = postgresPrograms() !== undefined
const RACES = 500

interface Row {
  readonly seq: string
  readonly epoch: string
  readonly body: Buffer
}

describe.skipIf(!hasPostgres)('the fence of a bot', () => {
  let primary: Cluster
  let standby: Cluster
  let url: string
  let databases = 0
  const connections: FleetConnection[] = []
  const connect = (answerMs?: number) => {
    const connection = new FleetConnection({ url, ...(answerMs === undefined ? {} : { answerMs }) })
    connections.push(connection)
    return connection
  }
  const rowsOf = (bot: string) =>
    primary.query<Row & Record<string, unknown>>(
      nameOf(url),
      'SELECT seq::text, epoch::text, body FROM cornerman_fleet.records WHERE bot = $1 ORDER BY records.seq',
      [bot],
    )
  const claimOf = async (bot: string, epoch = 0): Promise<ClaimedBot> => {
    const claimed = await claimBot(connect(), { bot, epoch, run: randomUUID(), host: 'h1', version: 'v', beat: 0 })
    if (claimed === undefined) throw new Error(`${bot} was not claimed`)
    return claimed
  }
  const writerOf = ({ holding, place }: ClaimedBot) => new FencedCommits(connect(), holding, place)

  beforeAll(async () => {
    primary = await Cluster.open()
    standby = await primary.synchronousStandby()
  })
  beforeEach(async () => {
    url = await primary.database(`fence_${++databases}`)
    await openBotTables(connect(10_000))
  })
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close()
  })
  afterAll(async () => {
    await primary?.close()
    await standby?.close()
  })

  test(`of two claimants at one epoch exactly one has the bot, ${RACES} times`, async () => {
    const won = await raceClaims([connect(10_000), connect(10_000)], 'alice', RACES)
    expect(won.map((claims) => claims.map(({ holding }) => holding.epoch))).toEqual(Array.from({ length: RACES }, (_, n) => [n + 1]))
    const [count] = await primary.query(
      nameOf(url),
      'SELECT count(*)::int AS n, count(DISTINCT epoch)::int AS epochs FROM cornerman_fleet.epochs',
    )
    expect(count).toEqual({ n: RACES, epochs: RACES })
  })

  test(`what a commit is answered and what stands agree when it races a claim, ${RACES} times`, async () => {
    const races = await raceCommits(connect(10_000), connect(10_000), 'alice', RACES)
    expect(races).toHaveLength(RACES)
    const rows = await rowsOf('alice')
    for (const { result, body, before, after } of races) {
      const standing = rows.filter((row) => row.body.equals(body))
      expect(standing).toHaveLength(result === 'kept' ? 1 : 0)
      // The successor knows of all that was kept.
      expect(after).toBe(before + standing.length)
    }
  })

  test('a wait for the standby that was cancelled is not kept before a write that came after it is', async () => {
    const connection = connect()
    await addBots(connection, ['alice'])
    const writer = writerOf(await claimOf('alice'))
    standby.freeze()
    let kept = false
    try {
      const committing = writer.commit([Buffer.from('waits')]).then((result) => {
        kept = true
        return result
      })
      await expect
        .poll(() => primary.query('postgres', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"), {
          timeout: 10_000,
          interval: 20,
        })
        .not.toHaveLength(0)
      // It can be read, and it is on one node.
      await expect.poll(() => rowsOf('alice'), { timeout: 10_000 }).toHaveLength(1)
      await sleep(500)
      expect(kept).toBe(false)
      standby.thaw()
      expect(await committing).toBe('kept')
      expect(await rowsOf('alice')).toHaveLength(1)
    } finally {
      standby.thaw()
    }
  })

  test('a primary that is killed and started again: what can be read and is on no standby is not kept', async () => {
    const connection = connect()
    await addBots(connection, ['alice'])
    const writer = writerOf(await claimOf('alice'))
    standby.freeze()
    let kept = false
    try {
      const committing = writer.commit([Buffer.from('in doubt')]).then((result) => {
        kept = true
        return result
      })
      await expect
        .poll(() => primary.query('postgres', "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"), {
          timeout: 10_000,
          interval: 20,
        })
        .not.toHaveLength(0)
      await primary.kill()
      await primary.start()
      expect(await rowsOf('alice')).toHaveLength(1)
      await sleep(500)
      expect(kept).toBe(false)
      standby.thaw()
      expect(await committing).toBe('kept')
      expect((await rowsOf('alice')).map(({ body }) => body.toString())).toEqual(['in doubt'])
    } finally {
      standby.thaw()
    }
  })

  test('a primary that stands still for 6 s: acknowledgements and rows agree', async () => {
    const bots = Array.from({ length: 40 }, (_, n) => `bot ${n}`)
    await addBots(connect(10_000), bots)
    const acked = new Map<string, string[]>()
    let isOver = false
    const claims = []
    for (const bot of bots) claims.push(await claimOf(bot))
    const writing = claims.map(async (claim) => {
      const { bot } = claim.holding
      const writer = writerOf(claim)
      const own: string[] = []
      acked.set(bot, own)
      for (let n = 0; !isOver; n++) {
        const texts = [`${bot} ${n} a`, `${bot} ${n} b`]
        expect(await writer.commit(texts.map((text) => Buffer.from(text)))).toBe('kept')
        own.push(...texts)
        await sleep(5)
      }
    })
    await sleep(500)
    primary.freeze()
    await sleep(6000)
    primary.thaw()
    await sleep(1000)
    isOver = true
    await Promise.all(writing)
    for (const bot of bots) {
      const rows = await rowsOf(bot)
      expect(rows.map(({ body }) => body.toString())).toEqual(acked.get(bot))
    }
  })
})

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
