import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import shipped from '../../bots.config.ts'
import { journalFile } from '../../src/cli/journals.ts'
import { auditOf } from '../../src/cli/runs/fleet/demo/audit.ts'
import { adoptedFile, copyFile } from '../../src/cli/runs/fleet/journalFiles.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FAILOVER_SEED, Failover } from '../support/fleet/failover.ts'
import { inLong } from '../support/suite/long.ts'

// Bots that have played on one host, and go on in a fleet with all that they have open.

const BOTS = ['bot-0', 'bot-1']
const PLAYED_MS = inLong(12_000, 6000)

describe.skipIf(postgresPrograms() === undefined)('a host that joins a fleet', () => {
  let cluster: Cluster
  let opened: Failover | undefined

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    await opened?.close()
  })
  afterAll(() => cluster?.close())

  test('its bots go on with their journals, on any host, and no other journal is begun', async () => {
    const url = await cluster.database('adopted')
    const hosts = await Failover.open({ url, key: 'ab'.repeat(32), bots: BOTS })
    opened = hosts
    const dataDir = hosts.dataDirOf('h1')
    const first = await hosts.start('h1', { isAlone: true })
    await expect.poll(() => BOTS.every((bot) => existsSync(journalFile(dataDir, bot))), { timeout: 60_000 }).toBe(true)
    await sleep(PLAYED_MS)
    const adopt = (bot: string, from: string) => hosts.command(['fleet', 'adopt', bot, from, '--json'])
    // Tables first: what is in use is refused all the same.
    const [bot = ''] = BOTS
    expect((await adopt(bot, dataDir)).stderr()).toMatch(/FLEET_UNFIT/)
    await hosts.command(['fleet', 'init'])
    const inUse = await adopt(bot, dataDir)
    expect(inUse.code).toBe(2)
    expect(inUse.stderr()).toMatch(/JOURNAL_IN_USE/)
    const eager = await hosts.start('h1')
    expect(await eager.exited, eager.stderr().slice(-2000)).toBe(2)
    expect(eager.stderr()).toMatch(/FLEET_NOT_ADOPTED/)
    first.child.kill('SIGKILL')
    await first.exited
    cpSync(join(dataDir, 'bots'), join(hosts.dataDirOf('h2'), 'bots'), { recursive: true })
    for (const name of BOTS) {
      const adopted = await adopt(name, dataDir)
      expect(adopted.code, adopted.stderr()).toBe(0)
      expect(existsSync(journalFile(dataDir, name))).toBe(false)
      expect(existsSync(adoptedFile(dataDir, name))).toBe(true)
    }
    // On a host that has none of it.
    await hosts.start('h3')
    const twice = await adopt(bot, hosts.dataDirOf('h2'))
    expect(twice.code).toBe(2)
    expect(twice.stderr()).toContain('two pasts cannot be one')
    const alone = await hosts.start('h1', { isAlone: true })
    expect(await alone.exited, alone.stderr().slice(-2000)).toBe(2)
    expect(alone.stderr()).toMatch(/BOT_IN_FLEET/)
    await expect.poll(() => BOTS.every((name) => existsSync(copyFile(hosts.dataDirOf('h3'), name))), { timeout: 60_000 }).toBe(true)
    await sleep(PLAYED_MS)
    await hosts.kill('h3')
    const last = await hosts.start('h1', { args: ['--for', `${inLong(15, 8)}s`] })
    expect(await last.exited, last.stderr().slice(-3000)).toBe(0)
    await hosts.sandbox.kill()
    const guards = readConfig(shipped, 'bots.config.ts').bots.map(({ guard }) => guard)
    const { disagreeing, unresolved, overCap, missedReveals, effects } = await auditOf({
      ...{ sandboxFile: hosts.sandboxFile, seed: FAILOVER_SEED, agents: hosts.sandbox.agents },
      guardOf: (name) => guards[BOTS.indexOf(name) % guards.length],
      journalOf: (name) => copyFile(hosts.dataDirOf('h1'), name),
    })
    expect({ disagreeing, unresolved, overCap }).toEqual({ disagreeing: [], unresolved: [], overCap: [] })
    // Nobody plays while a journal is adopted.
    console.info(`${effects} effects, ${missedReveals.length} reveals missed`)
    expect(effects).toBeGreaterThan(0)
  })
})
