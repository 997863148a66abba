import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import shipped from '../../bots.config.ts'
import { type Audit, auditOf } from '../../src/cli/runs/fleet/demo/audit.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { mostReadsAMinute } from '../support/chaos/audit.ts'
import { callsIn, percentilesOf } from '../support/fleet/calls.ts'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { FAILOVER_SEED, Failover } from '../support/fleet/failover.ts'

// Hosts that die while their bots play. Half a minute, or as many minutes as FAILOVER_MINUTES says, with FAILOVER_BOTS bots.

const hasPostgres = postgresPrograms() !== undefined
const MINUTES = Number(process.env.FAILOVER_MINUTES ?? 0.4)
const BOTS = Array.from({ length: Number(process.env.FAILOVER_BOTS ?? 9) }, (_, n) => `bot-${n}`)
const HOSTS = ['h1', 'h2', 'h3']
const KEY = 'ab'.repeat(32)
const KILL_EVERY_MS = 20_000
const BACK_AFTER_MS = 6000
const STOPS = Number(process.env.FAILOVER_STOPS ?? 2)
const IS_LONG = STOPS > 2
/** A POST may leave so long after its commit was begun; and some for its way. */
const LATEST_MS = 1550
/** The first stop of a host is as long as the longest: others take its bots over meanwhile. */
const LONGEST_STOP_MS = 7000
/** What a host is cut off from, and for how long: longer than a POST waits for its answer. */
const CUTS = [
  ['database', 7000],
  ['service', 5000],
  ...(IS_LONG
    ? ([
        ['database', 5000],
        ['service', 12_000],
        ['database', 12_000],
        ['service', 60_000],
        ['database', 60_000],
      ] as const)
    : []),
] as const
/** Words of the statement that commits what a bot does. */
const OF_A_COMMIT = 'INSERT INTO cornerman_fleet.records'
const COMMITS_WITHIN_MS = 5000
/** Of another checkout, to see what a fault that was planted there comes to. */
const MAIN = process.env.FAILOVER_MAIN
const START = MAIN === undefined ? {} : { main: MAIN }

describe.skipIf(!hasPostgres)('bots that outlive their host', () => {
  let cluster: Cluster
  let databases = 0
  let failover: Failover | undefined

  beforeAll(async () => {
    cluster = await Cluster.open(['fsync=on'])
  })
  afterEach(async () => {
    await failover?.close()
    failover = undefined
  })
  afterAll(() => cluster?.close())

  /** Bots by the host that plays them. */
  const holders = (name: string) =>
    cluster.query<{ bot: string; host: string }>(name, 'SELECT bot, host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')

  /** The host with the most bots. */
  async function busiest(name: string): Promise<string> {
    const hosts = (await holders(name)).map(({ host }) => host)
    const countOf = (host: string) => hosts.filter((one) => one === host).length
    return HOSTS.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? ''
  }

  async function open(): Promise<{ readonly fleet: Failover; readonly name: string }> {
    const name = `failover_${++databases}`
    const fleet = await Failover.open({ url: await cluster.database(name), key: KEY, bots: BOTS })
    failover = fleet
    for (const host of HOSTS) await fleet.start(host, START)
    await expect.poll(async () => (await holders(name).catch(() => [])).length, { timeout: 60_000 }).toBe(BOTS.length)
    await sleep(5000)
    return { fleet, name }
  }

  /** One host plays all to their end; then the sandbox ends, and what came of it is looked at. */
  async function played(fleet: Failover): Promise<Audit> {
    for (const host of HOSTS) await fleet.kill(host)
    const last = await fleet.start('h1', { ...START, args: ['--for', `${Math.round(18 + BOTS.length / 4)}s`] })
    const code = await last.exited
    // Moves that were due while nobody played the bot are missed, and said.
    const unplayed = fleet.runs.map((run) => run.logs().filter((line) => line.code === 'UNPLAYED').length)
    if (unplayed.some((count) => count > 0)) tell(`contests in which no move was made: ${unplayed.reduce((sum, count) => sum + count, 0)}`)
    const errors = last.logs().filter(({ level }) => level === 'error')
    expect(code, errors.map(({ msg }) => msg).join('\n') || last.stderr().slice(-3000)).toBe(0)
    await fleet.sandbox.kill()
    expect(Math.max(...mostReadsAMinute(fleet.callsFile).values())).toBeLessThanOrEqual(300)
    const guards = readConfig(shipped, 'bots.config.ts').bots.map(({ guard }) => guard)
    return await auditOf({
      ...{ sandboxFile: fleet.sandboxFile, seed: FAILOVER_SEED, agents: fleet.sandbox.agents },
      guardOf: (bot) => guards[BOTS.indexOf(bot) % guards.length],
      journalOf: (bot) => join(fleet.dataDirOf('h1'), 'fleet', `${bot}.db`),
    })
  }

  /** POSTs that left a host later than another one had claimed the bot, and 1.5 s. */
  async function latePosts(
    fleet: Failover,
    name: string,
  ): Promise<{ readonly late: readonly string[]; readonly posts: number; readonly claims: number }> {
    const epochs = await cluster.query<{ bot: string; host: string; at: Date }>(
      name,
      'SELECT bot, host, at FROM cornerman_fleet.epochs ORDER BY bot, epoch',
    )
    const late: string[] = []
    let posts = 0
    for (const host of HOSTS) {
      const { service } = await fleet.linksOf(host)
      for (const { at, agentKey, procedure } of service.posts) {
        const bot = fleet.sandbox.agents.find(({ key }) => key === agentKey)?.name
        const ofBot = epochs.filter((one) => one.bot === bot)
        const holder = ofBot.findLast((one) => one.at.getTime() + LATEST_MS < at)
        // Whoever has claimed it since may have given it back.
        const since = ofBot.filter((one) => one.at.getTime() + LATEST_MS >= at)
        posts += 1
        if (holder !== undefined && holder.host !== host && !since.some((one) => one.host === host))
          late.push(`${bot}: ${procedure} from ${host}, ${at - holder.at.getTime()} ms after ${holder.host} had it`)
      }
    }
    return { late, posts, claims: epochs.length }
  }

  /** Cuts a host off from the service alone, for so long that others can do better. */
  async function leaveTheDeaf(fleet: Failover, name: string): Promise<void> {
    const deaf = await busiest(name)
    const { service } = await fleet.linksOf(deaf)
    const cutAt = Date.now()
    service.cut()
    const isLeft = async () => {
      const hosts = new Set((await holders(name)).map(({ host }) => host))
      return !hosts.has(deaf) && hosts.size > 0
    }
    await expect.poll(isLeft, { timeout: 60_000, interval: 250 }).toBe(true)
    const deafMs = Date.now() - cutAt
    service.heal()
    tell(`${deaf} was cut off from the service alone: its bots were elsewhere after ${deafMs} ms`)
    await sleep(3000)
  }

  test('hosts are killed again and again: the others play on within seconds, and nothing is doubled', async () => {
    const { fleet, name } = await open()
    const deaths: { readonly at: number; readonly bots: readonly string[] }[] = []
    const endAt = Date.now() + MINUTES * 60_000
    while (Date.now() < endAt) {
      const host = await busiest(name)
      const bots = (await holders(name)).filter((one) => one.host === host).map(({ bot }) => bot)
      deaths.push({ at: Date.now(), bots })
      await fleet.kill(host)
      await sleep(BACK_AFTER_MS)
      await fleet.start(host, START)
      await sleep(KILL_EVERY_MS - BACK_AFTER_MS)
    }
    const audit = await played(fleet)
    const calls = callsIn(fleet.callsFile)
    const idOf = new Map(fleet.sandbox.agents.map((agent) => [agent.name, agent.agentId]))
    const firstAfter = (isWanted: (procedure: string) => boolean) =>
      deaths.flatMap(({ at, bots }) =>
        bots.flatMap((bot) => {
          const call = calls.find((one) => one.at > at + 100 && one.agentId === idOf.get(bot) && isWanted(one.procedure))
          return call === undefined ? [] : [call.at - at]
        }),
      )
    const again = percentilesOf(firstAfter(() => true))
    const posted = percentilesOf(firstAfter((procedure) => ACTIONS.test(procedure)))
    tell(`${BOTS.length} bots, ${deaths.length} deaths, ${deaths.flatMap(({ bots }) => bots).length} takeovers, ${audit.effects} effects`)
    tell(`playing again after ${JSON.stringify(again)} ms, first POST ${JSON.stringify(posted)} ms`)
    expectNothingWrong(audit)
    expect(again.p50).toBeLessThan(10_000)
  })

  test('hosts stand still, or are cut off from the database or the service: nothing of bots that others have by then is sent', async () => {
    const { fleet, name } = await open()
    // Between what the database has taken and the POST that waits for it; one that plays nothing just stands still.
    const stop = async (host: string) => {
      const { database } = await fleet.linksOf(host)
      const isCommitting = Promise.withResolvers<void>()
      const stand = () => void fleet.host(host).child.kill('SIGSTOP')
      const forget = database.beforeAnswer(OF_A_COMMIT, () => {
        stand()
        isCommitting.resolve()
      })
      await Promise.race([isCommitting.promise, sleep(COMMITS_WITHIN_MS)])
      forget()
      stand()
    }
    // Each host for itself: now and then two of them stand still, or all.
    const stopped = async (host: string, stops: number) => {
      for (let place = 0; place < stops; place++) {
        await sleep(1000 + Math.random() * 3000)
        await stop(host)
        await sleep(place === 0 ? LONGEST_STOP_MS : 500 + Math.random() * (LONGEST_STOP_MS - 500))
        fleet.host(host).child.kill('SIGCONT')
      }
    }
    await Promise.all(HOSTS.map((host, place) => stopped(host, Math.floor((STOPS + HOSTS.length - 1 - place) / HOSTS.length))))
    await sleep(5000)
    for (const [way, forMs] of CUTS) {
      const links = await fleet.linksOf(await busiest(name))
      links[way].cut()
      await sleep(forMs)
      links[way].heal()
      await sleep(5000)
    }
    if (IS_LONG) await leaveTheDeaf(fleet, name)
    const audit = await played(fleet)
    const { late, posts, claims } = await latePosts(fleet, name)
    tell(`${STOPS} stops, ${CUTS.length} cuts, ${claims} claims, ${posts} POSTs, ${late.length} later than a claim and 1.5 s`)
    expect(late).toEqual([])
    // A window that ends while a host can reach nobody is missed.
    expectNothingWrong({ ...audit, missedReveals: [] })
    expect(claims).toBeGreaterThan(BOTS.length)
  })
})

function expectNothingWrong({ disagreeing, unresolved, overCap, missedReveals, meetings, effects }: Audit): void {
  const wrong = { disagreeing, unresolved, overCap, missedReveals, meetings }
  expect(wrong).toEqual({ disagreeing: [], unresolved: [], overCap: [], missedReveals: [], meetings: [] })
  expect(effects).toBeGreaterThan(100)
}

/** The figures of a run, for a person. */
const tell = (figures: string): void => void process.stderr.write(`${figures}\n`)

const ACTIONS = /^agent\.(?:queue\.(?:enqueue|cancel)|contests\.(?:create|join|leave|ready)|modes\.(?!state)\w+|trade\.signAndSend)$/
