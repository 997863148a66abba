import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../../core/error.ts'
import { newFleetKey } from '../../../../fleet/fleetKey.ts'
import type { BotConfig } from '../../../../strategy/config.ts'
import { EXIT } from '../../../exit.ts'
import { loadConfig } from '../../../loadConfig.ts'
import { print } from '../../../output.ts'
import { type Audit, auditOf } from './audit.ts'
import { HostProcess } from './hostProcess.ts'
import { type LocalPostgres, startPostgres } from './localPostgres.ts'

export interface FleetDemoOptions {
  readonly config: string
  readonly database?: string
  readonly for: number
  readonly dataDir: string
  readonly json?: boolean
}

const HOSTS = ['h1', 'h2', 'h3']
const SEED = 7
const LEAST_BOTS = 6
const KILL_EVERY_MS = 20_000
const BACK_AFTER_MS = 5000
const LOOK_EVERY_MS = 50
const STARTS_WITHIN_MS = 60_000

/** The sandbox, as it says it itself. */
interface Service {
  readonly url: string
  readonly agents: readonly { readonly name: string; readonly agentId: string; readonly key: string }[]
}

/** A bot that another host has gone on with. */
interface Takeover {
  readonly bot: string
  readonly from: string
  readonly to: string
  /** From the kill to the first request of the bot on the other host. */
  readonly ms: number
}

/**
 * Kills hosts of a fleet on this machine, one after another, and says what came of it.
 *
 * @returns the exit code
 * @throws CornermanError `CONFIG_NOT_LOADED` where the hosts could not load a config from the data directory, `FLEET_PROGRAMS`, `FLEET_UNREACHABLE`
 */
export async function fleetDemo(options: FleetDemoOptions): Promise<number> {
  const folder = resolve(options.dataDir, 'fleet-demo')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const say = (text: string) => void (options.json === true || process.stdout.write(`${text}\n`))
  const guards = await writeConfig(folder, options.config)
  const database = options.database === undefined ? await startPostgres() : await given(options.database)
  const demo = new Demo({ folder, database: database.url, guards, say })
  try {
    await demo.open()
    const { takeovers, audit } = await demo.play(options.for)
    const seconds = takeovers.map(({ ms }) => ms / 1000).toSorted((a, b) => a - b)
    const doubled = audit.disagreeing.length
    const caps = audit.overCap.length
    const missed = audit.missedReveals.length
    print(options.json, { hosts: HOSTS.length, takeovers, ...audit }, [
      `${takeovers.length} takeovers: ${seconds[Math.floor(seconds.length / 2)]?.toFixed(1)} s in the middle, ${seconds.at(-1)?.toFixed(1)} s at the most`,
      `${audit.effects} actions took effect; stakes doubled: ${doubled}, caps passed: ${caps}, reveals missed: ${missed}`,
      ...[...audit.disagreeing, ...audit.overCap, ...audit.missedReveals, ...audit.unresolved],
    ])
    return doubled + caps + missed + audit.unresolved.length === 0 ? EXIT.done : EXIT.failed
  } finally {
    await demo.close()
    await database.close()
  }
}

const given = (url: string): Promise<LocalPostgres> => Promise.resolve({ url, close: () => Promise.resolve() })

/**
 * The config of the hosts, which is read here as they will read it.
 *
 * @returns the guards, by bot
 * @throws CornermanError `CONFIG_NOT_LOADED`, or as a config does
 */
async function writeConfig(folder: string, configFile: string): Promise<ReadonlyMap<string, BotConfig['guard']>> {
  const base = await loadConfig(configFile)
  const file = configIn(folder)
  writeFileSync(file, configText(resolve(configFile), Math.ceil(LEAST_BOTS / base.bots.length)))
  try {
    const { bots } = await loadConfig(file)
    return new Map(bots.map(({ name, guard }) => [name, guard]))
  } catch (cause) {
    if (!(cause instanceof CornermanError) || cause.code !== 'CONFIG_NOT_LOADED') throw cause
    throw new CornermanError(
      'CONFIG_NOT_LOADED',
      `fleet demo: its hosts cannot import cornerman from ${folder}: name a --data-dir in the folder of your bots, below which cornerman is installed`,
      { cause },
    )
  }
}

interface DemoOptions {
  readonly folder: string
  /** Its URL. */
  readonly database: string
  /** By bot. */
  readonly guards: ReadonlyMap<string, BotConfig['guard']>
  readonly say: (text: string) => void
}

class Demo {
  readonly #folder: string
  readonly #database: string
  readonly #say: (text: string) => void
  readonly #key = newFleetKey()
  readonly #hosts = new Map<string, HostProcess>()
  /** By bot: the host that plays it, and since when. */
  readonly #holders = new Map<string, { readonly host: string; readonly at: number }>()
  #sandbox: HostProcess | undefined
  #service: Service = { url: '', agents: [] }
  readonly #guards: ReadonlyMap<string, BotConfig['guard']>

  constructor({ folder, database, guards, say }: DemoOptions) {
    this.#folder = folder
    this.#guards = guards
    this.#database = database
    this.#say = say
  }

  async open(): Promise<void> {
    const names = [...this.#guards.keys()]
    const flags = ['--db', this.#sandboxFile, '--calls', this.#callsFile, '--seed', String(SEED), '--agents', names.join()]
    this.#sandbox = new HostProcess(['sandbox', '--json', ...flags], {})
    this.#service = JSON.parse(await this.#sandbox.firstLine()) as Service
    this.#say(`a sandbox at ${this.#service.url}, ${names.length} bots, and three hosts: h1, h2, h3`)
    for (const host of HOSTS) this.#start(host)
    const until = performance.now() + STARTS_WITHIN_MS
    while (this.#holders.size < names.length) {
      if (performance.now() > until)
        throw new CornermanError('FLEET_UNREACHABLE', `fleet demo: the hosts do not play: ${this.#hosts.get('h1')?.words}`)
      await sleep(LOOK_EVERY_MS)
    }
    for (const host of HOSTS) this.#say(`${host} plays ${this.#botsOf(host).join(', ') || 'nothing'}`)
  }

  async play(forMs: number): Promise<{ readonly takeovers: readonly Takeover[]; readonly audit: Audit }> {
    const takeovers: Takeover[] = []
    const begunAt = performance.now()
    for (let kills = 0; kills < Math.floor(forMs / KILL_EVERY_MS); kills++) {
      await sleep(begunAt + (kills + 1) * KILL_EVERY_MS - performance.now())
      const host = HOSTS[kills % HOSTS.length] ?? ''
      const bots = this.#botsOf(host)
      const killedAt = Date.now()
      await this.#hosts.get(host)?.end('SIGKILL')
      this.#say(`${host} is killed, which played ${bots.join(', ') || 'nothing'}`)
      const taken = Promise.all(bots.map((bot) => this.#takeover(bot, host, killedAt)))
      await sleep(BACK_AFTER_MS)
      for (const takeover of await taken) {
        takeovers.push(takeover)
        this.#say(`  ${takeover.bot} plays on at ${takeover.to} after ${(takeover.ms / 1000).toFixed(1)} s`)
      }
      this.#start(host)
    }
    this.#say('the hosts are ended: each hands its bots over, and the last plays what is open to its end')
    for (const host of HOSTS) await this.#hosts.get(host)?.end('SIGTERM')
    await this.#sandbox?.end('SIGTERM')
    const audit = await auditOf({
      ...{ sandboxFile: this.#sandboxFile, seed: SEED, agents: this.#service.agents },
      guardOf: (bot) => this.#guards.get(bot),
      journalOf: (bot) => join(this.#folder, HOSTS.at(-1) ?? '', 'fleet', `${bot}.db`),
    })
    return { takeovers, audit }
  }

  async close(): Promise<void> {
    for (const host of [...this.#hosts.values(), ...(this.#sandbox === undefined ? [] : [this.#sandbox])]) await host.end('SIGKILL')
  }

  get #sandboxFile(): string {
    return join(this.#folder, 'sandbox.db')
  }

  get #callsFile(): string {
    return join(this.#folder, 'calls.ndjson')
  }

  #botsOf(host: string): string[] {
    return [...this.#holders].flatMap(([bot, holder]) => (holder.host === host ? [bot] : []))
  }

  #start(host: string): void {
    const keys = this.#service.agents.map(({ key }, index) => [`DEMO_KEY_${index}`, key] as const)
    const env = {
      ...Object.fromEntries(keys),
      DEMO_URL: this.#service.url,
      CORNERMAN_FLEET_KEY: this.#key,
      FLEET_DATABASE_URL: this.#database,
    }
    const own = [
      '--config',
      configIn(this.#folder),
      '--data-dir',
      join(this.#folder, host),
      '--host-name',
      host,
      '--no-dashboard',
      '--json',
    ]
    const run = new HostProcess(['start', '--fleet', ...own], env, ({ bot, msg }) => {
      if (bot !== undefined && msg.endsWith('is played here')) this.#holders.set(bot, { host, at: Date.now() })
    })
    this.#hosts.set(host, run)
  }

  /** Until another host has asked the service something for the bot. */
  async #takeover(bot: string, from: string, killedAt: number): Promise<Takeover> {
    const agentId = this.#service.agents.find(({ name }) => name === bot)?.agentId ?? ''
    for (;;) {
      const holder = this.#holders.get(bot)
      const heard = holder === undefined || holder.host === from || holder.at < killedAt ? undefined : this.#firstCall(agentId, holder.at)
      if (holder !== undefined && heard !== undefined) return { bot, from, to: holder.host, ms: heard - killedAt }
      await sleep(LOOK_EVERY_MS)
    }
  }

  #firstCall(agentId: string, after: number): number | undefined {
    const lines = readFileSync(this.#callsFile, 'utf8').split('\n')
    for (const line of lines) {
      if (!line.endsWith('}')) continue
      const call = JSON.parse(line) as { readonly at: number; readonly agentId: string }
      if (call.agentId === agentId && call.at >= after) return call.at
    }
    return undefined
  }
}

const configIn = (folder: string): string => join(folder, 'bots.config.ts')

/** The bots of a config, each as often as is wanted, on the sandbox of the demo. */
const configText = (file: string, copies: number): string => `import { contestService, secret } from 'cornerman'
import config from ${JSON.stringify(file)}

const url = process.env.DEMO_URL ?? 'http://127.0.0.1:9'
const { alerts: _, webhooks: _own, ...rest } = config

export default {
  ...rest,
  fleet: { durability: 'asGiven' },
  service: contestService({ url, timeoutMs: 3000, sandbox: true }),
  market: { url: \`\${url}/jup/price/v3\`, swapUrl: \`\${url}/jup/swap/v1\`, rpcUrl: \`\${url}/rpc\` },
  bots: Array.from({ length: ${copies} }, (_copy, copy) =>
    config.bots.map(({ webhookSecret: _secret, ...bot }, index) => ({
      ...bot,
      name: copy === 0 ? bot.name : \`\${bot.name.slice(0, 28)}-\${copy + 1}\`,
      agentKey: secret(\`DEMO_KEY_\${copy * config.bots.length + index}\`),
      seed: copy * config.bots.length + index,
    })),
  ).flat(),
}
`
