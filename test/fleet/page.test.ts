import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openBotTables } from '../../src/live/fleet/database/botTables.ts'
import { FleetConnection } from '../../src/live/fleet/database/fleetConnection.ts'
import { RecordSeal } from '../../src/live/fleet/journal/recordSeal.ts'
import { FleetFrames } from '../../src/live/fleet/together/fleetFrames.ts'
import { lookAt, openBrowser, overflowOf, violationsOf } from '../support/dashboardBrowser.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// What the hosts of a fleet show one another, and the page that has all of it.

const hasPostgres = postgresPrograms() !== undefined
const KEY = 'ab'.repeat(32)
const BOTS = ['bot-0', 'bot-1', 'bot-2', 'bot-3', 'bot-4', 'bot-5']

describe.skipIf(!hasPostgres)('what hosts show one another', () => {
  let cluster: Cluster
  let databases = 0
  const closers: (() => unknown)[] = []

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  afterAll(() => cluster?.close())

  describe('frames', () => {
    let url: string
    const ask = (text: string) => cluster.query<Record<string, unknown>>(new URL(url).pathname.slice(1), text)
    const troubles: unknown[] = []

    async function open(): Promise<void> {
      url = await cluster.database(`frames_${++databases}`)
      const connection = new FleetConnection({ url })
      await openBotTables(connection)
      connection.close()
      troubles.length = 0
    }

    /** A host that plays one bot, and shows what it is given. */
    async function host(name: string, shows: { text: string | undefined }, page?: string, key = 1) {
      const run = randomUUID()
      await ask(`INSERT INTO cornerman_fleet.hosts (run, host, version, agents) VALUES ('${run}', '${name}', 'v', '{}')`)
      await ask(`INSERT INTO cornerman_fleet.bots (bot, epoch, run) VALUES ('bot of ${name}', 1, '${run}')`)
      const frames = new FleetFrames({
        ...{ url, run, seal: new RecordSeal({ keys: [new Uint8Array(32).fill(key)], fleet: 'f', bot: '' }) },
        show: () => (shows.text === undefined ? undefined : Buffer.from(shows.text)),
        page: () => page,
        onTrouble: (thrown) => troubles.push(thrown),
      })
      const running = frames.run()
      closers.push(async () => {
        frames.close()
        await running
      })
      return { run, frames, textOf: (other: string) => frames.of(other)?.bytes.toString() }
    }

    test('reach the others within seconds, sealed, and with the page of whoever shows them', async () => {
      await open()
      const shows = { text: 'equity of alice: 17' }
      const [first, second] = [await host('h1', shows, 'http://h1:8788/'), await host('h2', { text: 'of h2' })]
      await expect
        .poll(() => [second.textOf(first.run), first.textOf(second.run)], { timeout: 5000 })
        .toEqual(['equity of alice: 17', 'of h2'])
      expect(first.textOf(first.run)).toBeUndefined()
      const rows = await ask("SELECT encode(body, 'escape') AS body FROM cornerman_fleet.frames")
      expect(rows).toHaveLength(2)
      expect(JSON.stringify(rows)).not.toMatch(/alice|equity/)
      expect(await ask('SELECT host, page FROM cornerman_fleet.hosts ORDER BY host')).toEqual([
        { host: 'h1', page: 'http://h1:8788/' },
        { host: 'h2', page: null },
      ])
      shows.text = 'equity of alice: 18'
      await expect.poll(() => second.textOf(first.run), { timeout: 5000 }).toBe('equity of alice: 18')
      expect(troubles).toEqual([])
    })

    test('that were changed, or put back, or are of another key are not taken; what was known grows old', async () => {
      await open()
      const shows = { text: 'old' }
      const [first, second] = [await host('h1', shows), await host('h2', { text: undefined })]
      await expect.poll(() => second.textOf(first.run), { timeout: 5000 }).toBe('old')
      await ask('CREATE TABLE kept AS SELECT * FROM cornerman_fleet.frames')
      shows.text = 'new'
      await expect.poll(() => second.textOf(first.run), { timeout: 5000 }).toBe('new')
      first.frames.close()
      await ask('UPDATE cornerman_fleet.frames f SET n = k.n, body = k.body FROM kept k WHERE k.run = f.run')
      await expect.poll(() => performance.now() - (second.frames.of(first.run)?.heardAtMs ?? 0), { timeout: 8000 }).toBeGreaterThan(3000)
      expect(second.textOf(first.run)).toBe('new')
      expect(troubles).toEqual([])
      // The old one is no newer under another number, nor is any other.
      await ask('UPDATE cornerman_fleet.frames SET n = 1000')
      await expect.poll(() => troubles, { timeout: 5000 }).toMatchObject([{ code: 'FLEET_RECORD_ALTERED' }])
      expect(second.textOf(first.run)).toBe('new')
      await host('h3', { text: 'of another key' }, undefined, 2)
      const third = await host('h4', { text: 'well' })
      // One that cannot be read keeps none of the others away.
      await expect.poll(() => second.textOf(third.run), { timeout: 5000 }).toBe('well')
    })

    test('of a host that was silent before anybody looked are as old as its last beat; of one that plays nothing there are none', async () => {
      await open()
      const first = await host('h1', { text: 'of h1' })
      await expect.poll(() => ask('SELECT n FROM cornerman_fleet.frames'), { timeout: 5000 }).toHaveLength(1)
      first.frames.close()
      await ask("UPDATE cornerman_fleet.hosts SET seen = clock_timestamp() - interval '70 seconds'")
      const second = await host('h2', { text: undefined })
      await expect.poll(() => second.textOf(first.run), { timeout: 5000 }).toBe('of h1')
      expect(performance.now() - (second.frames.of(first.run)?.heardAtMs ?? 0)).toBeGreaterThan(69_000)
      await ask("UPDATE cornerman_fleet.bots SET run = NULL WHERE bot = 'bot of h1'")
      await expect.poll(() => second.textOf(first.run), { timeout: 5000 }).toBeUndefined()
    })

    test('are not waited for: while the database is away nothing is new, and afterwards it is again', async () => {
      await open()
      const shows = { text: 'before' }
      const [first, second] = [await host('h1', shows), await host('h2', { text: undefined })]
      await expect.poll(() => second.textOf(first.run), { timeout: 5000 }).toBe('before')
      await cluster.stop()
      shows.text = 'after'
      await expect.poll(() => performance.now() - (second.frames.of(first.run)?.heardAtMs ?? 0), { timeout: 10_000 }).toBeGreaterThan(3000)
      expect(second.textOf(first.run)).toBe('before')
      await cluster.start()
      await expect.poll(() => second.textOf(first.run), { timeout: 15_000 }).toBe('after')
      expect(troubles).toEqual([])
    })
  })

  test('the page of each host has all bots; those of the other with its name and its page, until they are its own', async () => {
    const name = `page_${++databases}`
    const fleet = await Failover.open({ url: await cluster.database(name), key: KEY, bots: BOTS })
    closers.push(() => fleet.close())
    for (const host of ['h1', 'h2']) await fleet.start(host)
    const holders = () =>
      cluster.query<{ bot: string; host: string }>(
        name,
        'SELECT bot, host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run) ORDER BY bot',
      )
    await expect.poll(async () => (await holders().catch(() => [])).length, { timeout: 60_000 }).toBe(BOTS.length)
    const addressOf = (host: string) => readFileSync(join(fleet.dataDirOf(host), 'dashboard.url'), 'utf8').trim()
    // Whoever was there first may have all of them.
    await cluster.query(name, "UPDATE cornerman_fleet.bots SET wish = CASE WHEN bot < 'bot-3' THEN 'h1' ELSE 'h2' END")
    const wished = () => holders().then((all) => all.map(({ bot, host }) => `${bot} ${host}`))
    await expect.poll(wished, { timeout: 40_000 }).toEqual(BOTS.map((bot) => `${bot} ${bot < 'bot-3' ? 'h1' : 'h2'}`))
    const held = await holders()
    const browser: Browser = await openBrowser()
    closers.push(() => browser.close())
    const { page } = await lookAt(browser, addressOf('h1'))
    const rowOf = (bot: string) => page.locator('.bots tbody tr', { has: page.getByRole('rowheader', { name: bot }) })
    const botOf = (host: string) => held.find((one) => one.host === host)?.bot ?? ''
    const [theirs, own] = [botOf('h2'), botOf('h1')] as const
    const other = new URL('/', addressOf('h2')).href
    await expect.poll(() => page.locator('.bots tbody tr').count()).toBe(BOTS.length)
    await expect.poll(() => rowOf(theirs).locator('th').innerText(), { timeout: 20_000 }).toMatch(/on h2/)
    await expect
      .poll(() => rowOf(theirs).getByRole('link', { name: theirs }).getAttribute('href'), { timeout: 20_000 })
      .toBe(`${other}#/bots/${theirs}`)
    // As its own host shows it.
    await expect.poll(() => rowOf(theirs).locator('td').first().innerText(), { timeout: 20_000 }).toMatch(/\d/)
    expect(await rowOf(own).locator('th').innerText()).not.toMatch(/on h/)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    const read = async (path: string) => await (await fetch(new URL(path, addressOf('h1')))).text()
    const metrics = await read('/metrics')
    expect(metrics).toMatch(/^cornerman_fleet_hosts 2$/m)
    expect(metrics).toMatch(/^cornerman_fleet_bots_unheld 0$/m)
    expect(metrics).toMatch(/^cornerman_fleet_commit_seconds_count [1-9]/m)
    expect(metrics).toContain(`cornerman_bot_up{bot="${own}"}`)
    // What it has counted while it had all of them stays counted.
    const ofTheirs = metrics.split('\n').filter((line) => line.includes(`bot="${theirs}"`))
    expect(ofTheirs.filter((line) => !/^cornerman_(\w+_total|reaction_seconds_\w+)\{/.test(line))).toEqual([])
    await fleet.kill('h2')
    await expect.poll(async () => (await holders()).filter(({ host }) => host === 'h1').length, { timeout: 30_000 }).toBe(BOTS.length)
    await expect.poll(() => page.locator('.bots tbody').innerText(), { timeout: 20_000 }).not.toMatch(/on h2|nobody/)
    const after = await read('/metrics')
    expect(after).toMatch(/^cornerman_fleet_hosts 1$/m)
    expect(after).toMatch(/^cornerman_fleet_takeovers_total [1-9]/m)
    expect(JSON.parse(await read('/health'))).toMatchObject({ bots: BOTS.length })
    await cluster.stop()
    closers.push(() => cluster.start())
    await expect.poll(() => read('/health'), { timeout: 20_000 }).toMatch(/fleetDatabase/)
  })
})
