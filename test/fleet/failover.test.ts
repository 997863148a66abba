import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditOf, callsIn, percentilesOf } from '../support/fleet/audit.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// Hosts that die while their bots play. Half a minute, or as many minutes as FAILOVER_MINUTES says, with FAILOVER_BOTS bots.

const hasPostgres = postgresPrograms() !== undefined
const MINUTES = Number(process.env.FAILOVER_MINUTES ?? 0.75)
const BOTS = Array.from({ length: Number(process.env.FAILOVER_BOTS ?? 9) }, (_, n) => `bot-${n}`)
const HOSTS = ['h1', 'h2', 'h3']
const KEY = 'ab'.repeat(32)
const KILL_EVERY_MS = 20_000
const BACK_AFTER_MS = 6000

describe.skipIf(!hasPostgres)('bots that outlive their host', () => {
  let cluster: Cluster
  let databases = 0
  let failover: Failover | undefined

  beforeAll(async () => {
    cluster = await Cluster.open()
  })
  afterEach(async () => {
    await failover?.close()
    failover = undefined
  })
  afterAll(() => cluster?.close())

  test('hosts are killed again and again: the others play on within seconds, and nothing is doubled', async () => {
    const name = `failover_${++databases}`
    const fleet = await Failover.open({ url: await cluster.database(name), key: KEY, bots: BOTS })
    failover = fleet
    const holders = () =>
      cluster.query<{ bot: string; host: string }>(name, 'SELECT bot, host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')
    for (const host of HOSTS) fleet.start(host)
    await expect.poll(async () => (await holders().catch(() => [])).length, { timeout: 60_000 }).toBe(BOTS.length)
    await sleep(8000)
    const deaths: { readonly at: number; readonly bots: readonly string[] }[] = []
    const endAt = Date.now() + MINUTES * 60_000
    for (let kills = 0; Date.now() < endAt; kills++) {
      const host = HOSTS[kills % HOSTS.length] ?? ''
      const bots = (await holders()).filter((one) => one.host === host).map(({ bot }) => bot)
      deaths.push({ at: Date.now(), bots })
      await fleet.kill(host)
      await sleep(BACK_AFTER_MS)
      fleet.start(host)
      await sleep(KILL_EVERY_MS - BACK_AFTER_MS)
    }
    for (const host of HOSTS) await fleet.kill(host)
    // One host plays all to their end.
    const last = fleet.start('h1', { args: ['--for', '20s'] })
    expect(await last.exited, last.stderr().slice(-3000)).toBe(0)
    const agents = fleet.sandbox.agents
    const idOf = new Map(agents.map((agent) => [agent.name, agent.agentId]))
    await fleet.sandbox.kill()

    const calls = callsIn(fleet.callsFile)
    const firstAfter = (isWanted: (procedure: string) => boolean) =>
      deaths.flatMap(({ at, bots }) =>
        bots.flatMap((bot) => {
          const call = calls.find((one) => one.at > at + 100 && one.agentId === idOf.get(bot) && isWanted(one.procedure))
          return call === undefined ? [] : [call.at - at]
        }),
      )
    const played = percentilesOf(firstAfter(() => true))
    const posted = percentilesOf(firstAfter((procedure) => ACTIONS.test(procedure)))
    const audit = auditOf({
      ...{ sandboxFile: fleet.sandboxFile, callsFile: fleet.callsFile, agents },
      journalOf: (bot) => join(fleet.dataDirOf('h1'), 'fleet', `${bot}.db`),
    })
    const { disagreeing, unresolved, overCap, missedReveals, meetings, effects, mostReads } = audit
    console.info(`${BOTS.length} bots, ${deaths.length} deaths, ${deaths.flatMap(({ bots }) => bots).length} takeovers, ${effects} effects, at most ${mostReads} reads a minute`)
    console.info(`playing again after ms: ${JSON.stringify(played)}; first POST: ${JSON.stringify(posted)}`)
    expect({ disagreeing, unresolved, overCap, missedReveals, meetings }).toEqual({ disagreeing: [], unresolved: [], overCap: [], missedReveals: [], meetings: [] })
    expect(mostReads).toBeLessThanOrEqual(300)
    expect(effects).toBeGreaterThan(100)
    expect(existsSync(join(fleet.dataDirOf('h1'), 'bots'))).toBe(true)
  })
})

const ACTIONS = /^agent\.(?:queue\.(?:enqueue|cancel)|contests\.(?:create|join|leave|ready)|modes\.(?!state)\w+|trade\.signAndSend)$/
