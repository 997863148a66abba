import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import shipped from '../../bots.config.ts'
import { auditOf } from '../../src/cli/runs/fleet/demo/audit.ts'
import { copyFile } from '../../src/cli/runs/fleet/journalFiles.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FAILOVER_SEED, Failover } from '../support/fleet/failover.ts'

// What a person does with a fleet while it plays.

const BOTS = ['bot-0', 'bot-1', 'bot-2']
const [BEFORE, NEXT] = ['ab'.repeat(32), 'cd'.repeat(32)]

interface Status {
  readonly hosts: readonly { readonly host: string; readonly isAlive: boolean; readonly isDraining: boolean }[]
  readonly bots: readonly { readonly bot: string; readonly host: string | null; readonly run: string | null }[]
  readonly wrong: readonly string[]
}

describe.skipIf(postgresPrograms() === undefined)('a fleet in the hands of a person', () => {
  let cluster: Cluster
  let opened: Failover | undefined

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    await opened?.close()
  })
  afterAll(() => cluster?.close())

  test('bots are moved, a host is emptied, the key is changed, and nothing is doubled by it', async () => {
    const hosts = await Failover.open({ url: await cluster.database('operated'), key: BEFORE, bots: BOTS })
    opened = hosts
    const said = async (args: readonly string[], key?: string) => {
      const run = await hosts.command(['fleet', ...args, '--json'], key)
      return { code: run.code, document: JSON.parse(run.stdout() || '{}') as unknown, words: run.stderr() }
    }
    const status = async (key?: string) => (await said([], key)).document as Status
    const holders = async () =>
      (
        await cluster.query<{ host: string }>(
          'operated',
          'SELECT host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run) ORDER BY bot',
        )
      ).map(({ host }) => host)
    const played = (by: readonly string[]) =>
      expect
        .poll(async () => (await holders().catch(() => [])).filter((host) => by.includes(host)).length, { timeout: 60_000 })
        .toBe(BOTS.length)
    const h1 = await hosts.start('h1')
    await Promise.race([
      played(['h1']),
      h1.exited.then(() => {
        throw new Error(h1.stderr())
      }),
    ])
    await hosts.start('h2')
    await expect.poll(async () => (await status()).hosts.map(({ isAlive }) => isAlive), { timeout: 60_000 }).toEqual([true, true])

    const moved = await said(['move', 'bot-0', '--to', 'h2'])
    expect(moved).toMatchObject({ code: 0, document: { bot: 'bot-0', from: 'h1', to: 'h2', isMoved: true } })
    expect(await holders()).toEqual(['h2', 'h1', 'h1'])
    await sleep(5000)
    const drained = await said(['drain', 'h1'])
    expect(drained).toMatchObject({ code: 0, document: { host: 'h1', isDrained: true } })
    await played(['h2'])
    const after = await status()
    expect(after.hosts.map(({ host, isDraining }) => ({ host, isDraining }))).toEqual([
      { host: 'h1', isDraining: true },
      { host: 'h2', isDraining: false },
    ])
    expect(after.wrong).toEqual([])
    expect((await said(['drain', 'h2'])).words).toMatch(/no other host that is alive could play/)

    const both = `${NEXT},${BEFORE}`
    expect((await said(['rekey'], NEXT)).words).toMatch(/FLEET_KEY/)
    await hosts.kill('h1')
    await hosts.start('h1', { key: both })
    await hosts.kill('h2')
    await played(['h1'])
    const rekeyed = await said(['rekey', '--for', '60s'], both)
    expect(rekeyed, JSON.stringify(rekeyed)).toMatchObject({ code: 0, document: { isDone: true, left: [] } })
    const late = await hosts.start('h2', { key: BEFORE })
    expect(await late.exited, late.stderr().slice(-2000)).toBe(2)
    expect(late.stderr()).toMatch(/FLEET_KEY/)
    await hosts.start('h2', { key: NEXT })
    await hosts.kill('h1')
    await played(['h2'])
    await sleep(5000)

    // A newer Cornerman has made its tables.
    await cluster.query('operated', "UPDATE cornerman_fleet.facts SET value = '2' WHERE key = 'bots'")
    const before = hosts.host('h2')
    expect(await before.exited, before.stderr().slice(-2000)).toBe(2)
    expect(before.stderr()).toMatch(/its bots were let go.*FLEET_NEWER/)
    expect(await holders()).toEqual([])
    await cluster.query('operated', "UPDATE cornerman_fleet.facts SET value = '1' WHERE key = 'bots'")
    const last = await hosts.start('h2', { key: NEXT, args: ['--for', '15s'] })
    expect(await last.exited, last.stderr().slice(-3000)).toBe(0)
    await hosts.sandbox.kill()
    const guards = readConfig(shipped, 'bots.config.ts').bots.map(({ guard }) => guard)
    const { disagreeing, unresolved, overCap, missedReveals, effects } = await auditOf({
      ...{ sandboxFile: hosts.sandboxFile, seed: FAILOVER_SEED, agents: hosts.sandbox.agents },
      guardOf: (name) => guards[BOTS.indexOf(name) % guards.length],
      journalOf: (name) => copyFile(hosts.dataDirOf('h2'), name),
    })
    const wrong = { disagreeing, unresolved, overCap, missedReveals }
    expect(wrong).toEqual({ disagreeing: [], unresolved: [], overCap: [], missedReveals: [] })
    expect(effects).toBeGreaterThan(0)
  })
})
