import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CornermanRun, runCornerman } from '../runCornerman.ts'
import { type SandboxProcess, startSandboxProcess } from '../sandboxProcess.ts'

const CONFIG = fileURLToPath(new URL('./bots.config.ts', import.meta.url))
export const FAILOVER_SEED = 11

export interface FailoverOptions {
  /** Of the fleet's database. */
  readonly url: string
  /** 64 hexadecimal digits. */
  readonly key: string
  readonly bots: readonly string[]
  /** Further arguments of the sandbox. */
  readonly sandbox?: readonly string[]
}

/** Hosts of one fleet, each a process with a data directory of its own, against one sandbox; all of them end with the test. */
export class Failover {
  readonly folder: string
  readonly sandbox: SandboxProcess
  readonly bots: readonly string[]
  /** Every process that is or was a host. */
  readonly runs: CornermanRun[] = []
  readonly #hosts = new Map<string, CornermanRun>()
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

  get sandboxFile(): string {
    return filesIn(this.folder).sandboxFile
  }

  get callsFile(): string {
    return filesIn(this.folder).callsFile
  }

  dataDirOf(host: string): string {
    return join(this.folder, host)
  }

  /** @param url of the database, where this host reaches it another way */
  start(host: string, { url = this.#options.url, args = [] }: { readonly url?: string; readonly args?: readonly string[] } = {}): CornermanRun {
    const keys = this.sandbox.agents.map(({ name, key }) => [`${name.toUpperCase().replaceAll('-', '_')}_KEY`, key] as const)
    const env = {
      ...Object.fromEntries(keys),
      ...{ FAILOVER_URL: this.sandbox.url, FAILOVER_BOTS: this.bots.join() },
      ...{ CORNERMAN_FLEET_KEY: this.#options.key, FLEET_DATABASE_URL: url },
    }
    const own = ['--config', CONFIG, '--data-dir', this.dataDirOf(host), '--host-name', host, '--port', '0', '--json']
    const run = runCornerman(['start', '--fleet', ...own, ...args], { env })
    this.runs.push(run)
    this.#hosts.set(host, run)
    return run
  }

  host(name: string): CornermanRun {
    const run = this.#hosts.get(name)
    if (run === undefined) throw new Error(`there is no host ${name}`)
    return run
  }

  /** As by a power cut, of the process alone. */
  async kill(host: string): Promise<void> {
    const run = this.host(host)
    run.child.kill('SIGKILL')
    await run.exited
  }

  async close(): Promise<void> {
    for (const { child } of this.runs) child.kill('SIGKILL')
    await Promise.all(this.runs.map(({ exited }) => exited))
    await this.sandbox.kill()
    if (process.env.FAILOVER_KEEP === undefined) rmSync(this.folder, { recursive: true, force: true })
    else console.info(`kept in ${this.folder}`)
  }
}

const filesIn = (folder: string) => ({ sandboxFile: join(folder, 'sandbox.db'), callsFile: join(folder, 'calls.ndjson') })
