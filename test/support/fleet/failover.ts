import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import shipped from '../../../bots.config.ts'
import { type Audit, auditOf } from '../../../src/cli/runs/fleet/demo/audit.ts'
import { copyFile } from '../../../src/cli/runs/fleet/journalFiles.ts'
import { isEntryProcedure } from '../../../src/contract/procedures.ts'
import type { LoggedCall } from '../../../src/sandbox/server/callLog.ts'
import { readConfig } from '../../../src/strategy/config.ts'
import { type CornermanRun, runCornerman } from '../runCornerman.ts'
import { type SandboxProcess, startSandboxProcess } from '../sandboxProcess.ts'
import { callsIn } from './calls.ts'
import { Link } from './link.ts'

const CONFIG = fileURLToPath(new URL('./bots.config.ts', import.meta.url))
const VIA_LINKS = fileURLToPath(new URL('./viaLinks.js', import.meta.url))
const MOVED_CLOCK = fileURLToPath(new URL('./movedClock.js', import.meta.url))
export const FAILOVER_SEED = 11
const PAGE = /(http:\/\/127\.0\.0\.1:\d+)/

export interface FailoverOptions {
  /** Of the fleet's database. */
  readonly url: string
  /** 64 hexadecimal digits. */
  readonly key: string
  readonly bots: readonly string[]
  /** Durability that hosts ask of the database. Default: none. */
  readonly durability?: 'standby'
  /** Further arguments of the sandbox. */
  readonly sandbox?: readonly string[]
}

export interface ShownHealth {
  readonly status: string
  readonly problems: readonly { readonly kind: string; readonly message: string }[]
}

export interface HostStart {
  readonly args?: readonly string[]
  /** Of the command line; default: the project's own. */
  readonly main?: string
  /** As of one host that is in no fleet. */
  readonly isAlone?: boolean
  /** Of the fleet, where it is to be another. */
  readonly key?: string
  /** Its wall clock can be set by `setClock`. */
  readonly hasOwnClock?: boolean
}

/** Hosts of one fleet, each a process with a data directory of its own, against one sandbox; all of them end with the test. */
export class Failover {
  readonly folder: string
  readonly sandbox: SandboxProcess
  readonly bots: readonly string[]
  /** Every process that is or was a host. */
  readonly runs: CornermanRun[] = []
  readonly #hosts = new Map<string, CornermanRun>()
  /** By host: its ways to the service, and to the database. */
  readonly #links = new Map<string, { readonly service: Link; readonly database: Link }>()
  readonly #options: FailoverOptions

  static async open(options: FailoverOptions): Promise<Failover> {
    const folder = mkdtempSync(join(tmpdir(), 'failover-'))
    const { sandboxFile, callsFile } = filesIn(folder)
    const flags = ['--db', sandboxFile, '--calls', callsFile, '--seed', String(FAILOVER_SEED), '--agents', options.bots.join()]
    return new Failover(options, folder, await startSandboxProcess([...flags, ...(options.sandbox ?? [])]))
  }

  private constructor(options: FailoverOptions, folder: string, sandbox: SandboxProcess) {
    this.#options = options
    this.folder = folder
    this.sandbox = sandbox
    this.bots = options.bots
  }

  /** Of the first of its servers. */
  get #databasePort(): number {
    return Number(/:(\d+)(?:,|\/)/.exec(this.#options.url)?.[1])
  }

  get sandboxFile(): string {
    return filesIn(this.folder).sandboxFile
  }

  get callsFile(): string {
    return filesIn(this.folder).callsFile
  }

  dataDirOf(host: string): string {
    return join(this.folder, host)
  }

  /** The ways of a host to the service, and to the database. */
  async linksOf(host: string): Promise<{ readonly service: Link; readonly database: Link }> {
    const port = Number(new URL(this.sandbox.url).port)
    const links = this.#links.get(host) ?? { service: await Link.to(port), database: await Link.to(this.#databasePort) }
    this.#links.set(host, links)
    return links
  }

  async start(host: string, options: HostStart = {}): Promise<CornermanRun> {
    const { args = [], main, isAlone = false, key = this.#options.key, hasOwnClock = false } = options
    const links = await this.linksOf(host)
    const ways = { [new URL(this.sandbox.url).port]: links.service.port, [this.#databasePort]: links.database.port }
    const env = {
      ...this.#env(key),
      FAILOVER_LINKS: JSON.stringify(ways),
      NODE_OPTIONS: `--import ${VIA_LINKS}${hasOwnClock ? ` --import ${MOVED_CLOCK}` : ''}`,
      FAILOVER_CLOCK: this.#clockOf(host),
      ...(isAlone ? { FAILOVER_ALONE: 'yes' } : {}),
    }
    const own = ['--config', CONFIG, '--data-dir', this.dataDirOf(host), '--port', '0', '--json']
    const run = runCornerman(['start', ...(isAlone ? [] : ['--fleet', '--host-name', host]), ...own, ...args], {
      env,
      ...(main === undefined ? {} : { main }),
    })
    this.runs.push(run)
    this.#hosts.set(host, run)
    return run
  }

  /** One command of an operator, which begins with its name, to its end. */
  async command(args: readonly string[], key = this.#options.key): Promise<CornermanRun & { readonly code: number | null }> {
    const config = args[0] === 'stop' ? [] : ['--config', CONFIG]
    const run = runCornerman([...args, ...config], { env: this.#env(key) })
    return { ...run, code: await run.exited }
  }

  #env(key: string): Record<string, string> {
    const keys = this.sandbox.agents.map((agent) => [`${agent.name.toUpperCase().replaceAll('-', '_')}_KEY`, agent.key] as const)
    return {
      ...Object.fromEntries(keys),
      ...{ FAILOVER_URL: this.sandbox.url, FAILOVER_BOTS: this.bots.join(), FAILOVER_DURABILITY: this.#options.durability ?? '' },
      ...{ CORNERMAN_FLEET_KEY: key, FLEET_DATABASE_URL: this.#options.url },
    }
  }

  #clockOf(host: string): string {
    return join(this.folder, `${host}.clock`)
  }

  /** The wall clock of a host that was started with one of its own shows so much more than this machine's from now on. */
  setClock(host: string, aheadMs: number): void {
    writeFileSync(`${this.#clockOf(host)}.new`, String(aheadMs))
    renameSync(`${this.#clockOf(host)}.new`, this.#clockOf(host))
  }

  host(name: string): CornermanRun {
    const run = this.#hosts.get(name)
    if (run === undefined) throw new Error(`there is no host ${name}`)
    return run
  }

  /** Answer of a host's `/health`. */
  async health(host: string): Promise<ShownHealth> {
    const { msg } = await this.host(host).logged((line) => PAGE.test(line.msg))
    return (await (await fetch(`${PAGE.exec(msg)?.[1]}/health`)).json()) as ShownHealth
  }

  /** Entries that bots have asked the sandbox for since then, in Unix milliseconds. */
  entries(since: number): readonly LoggedCall[] {
    return callsIn(this.callsFile).filter(({ at, procedure }) => at > since && isEntryProcedure(procedure))
  }

  /** As by a power cut, of the process alone. */
  async kill(host: string): Promise<void> {
    const run = this.host(host)
    run.child.kill('SIGKILL')
    await run.exited
  }

  /** All other hosts hand their bots to this one, which plays them to their end; then the sandbox ends, and what came of it is looked at. */
  async playedOn(host: string): Promise<Audit> {
    const others = [...this.#hosts].filter(([name]) => name !== host)
    await Promise.all(others.map(([, run]) => endedByWord(run)))
    await endedByWord(this.host(host))
    await this.sandbox.kill()
    const guards = readConfig(shipped, 'bots.config.ts').bots.map(({ guard }) => guard)
    return await auditOf({
      ...{ sandboxFile: this.sandboxFile, seed: FAILOVER_SEED, agents: this.sandbox.agents },
      guardOf: (bot) => guards[this.bots.indexOf(bot) % guards.length],
      journalOf: (bot) => copyFile(this.dataDirOf(host), bot),
    })
  }

  async close(): Promise<void> {
    for (const { child } of this.runs) child.kill('SIGKILL')
    await Promise.all(this.runs.map(({ exited }) => exited))
    await this.sandbox.kill()
    for (const { service, database } of this.#links.values()) await Promise.all([service.close(), database.close()])
    if (process.env.FAILOVER_KEEP === undefined) rmSync(this.folder, { recursive: true, force: true })
    else console.info(`kept in ${this.folder}`)
  }
}

async function endedByWord(run: CornermanRun): Promise<void> {
  run.child.kill('SIGTERM')
  const code = await run.exited
  // One that was killed before has ended by that.
  if (code !== 0 && code !== null) throw new Error(`a host ended with ${code}:\n${run.stderr().slice(-3000)}`)
}

const filesIn = (folder: string) => ({ sandboxFile: join(folder, 'sandbox.db'), callsFile: join(folder, 'calls.ndjson') })
