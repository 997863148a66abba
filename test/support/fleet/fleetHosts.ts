import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CornermanRun, runCornerman } from '../runCornerman.ts'

/** Commands of the hosts of one fleet, in one folder, which are ended with the test. */
export class FleetHosts {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  readonly #runs = new Set<CornermanRun>()
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  start(args: readonly string[], { url, key = this.#key }: { readonly url?: string; readonly key?: string } = {}): CornermanRun {
    const env = { CORNERMAN_FLEET_KEY: key, ...(url === undefined ? {} : { FLEET_DATABASE_URL: url }) }
    const run = runCornerman(args, { cwd: this.folder, env })
    this.#runs.add(run)
    void run.exited.then(() => this.#runs.delete(run))
    return run
  }

  async ended(args: readonly string[], options: { readonly url?: string; readonly key?: string } = {}): Promise<EndedRun> {
    const run = this.start(args, options)
    return { ...run, code: await run.exited }
  }

  /** A worker that waits for jobs. */
  async worker(url: string, name: string, threads = 1): Promise<CornermanRun> {
    const run = this.start(['worker', '--fleet', '--threads', String(threads), '--data-dir', name, '--name', name], { url })
    await run.logged(({ msg }) => msg.includes('waiting for blocks'))
    return run
  }

  async stopAll(): Promise<void> {
    const runs = [...this.#runs]
    for (const { child } of runs) child.kill('SIGKILL')
    await Promise.all(runs.map(({ exited }) => exited))
  }

  async close(): Promise<void> {
    await this.stopAll()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export type EndedRun = CornermanRun & { readonly code: number | null }
