import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../src/cli/runs/fleet/demo/localPostgres.ts'
import { asServant } from './servant.ts'

/** PgBouncer's program, which Debian keeps off the path of most users; undefined where it is not installed. */
export const poolerProgram = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file))

/** PgBouncer before the databases of a server, which is ended with the test. */
export class Pooler {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly port: number

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child
    this.#folder = folder
    this.port = port
  }

  static async open(mode: 'transaction' | 'statement', serverPort: number): Promise<Pooler> {
    const program = poolerProgram()
    if (program === undefined) throw new Error('PgBouncer is not installed: apt-get install pgbouncer')
    const port = await freePort()
    const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'cornerman-pooler-'))
    chmodSync(folder, 0o755)
    const file = join(folder, 'pooler.ini')
    const settings = {
      ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', pool_mode: mode },
      // Of a server that was away it says for 15 s that it is, where nothing else is set.
      ...{ default_pool_size: 4, max_client_conn: 1000, server_login_retry: 1 },
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
    writeFileSync(file, ['[databases]', `* = host=127.0.0.1 port=${serverPort} user=fleet`, '[pgbouncer]', ...lines].join('\n'))
    const [command = '', ...args] = asServant(program, [file])
    const child = spawn(command, args, { cwd: '/', stdio: 'ignore' })
    const pooler = new Pooler(child, folder, port)
    while (!(await pooler.#answers())) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
      await sleep(100)
    }
    return pooler
  }

  url(database: string): string {
    return `postgres://fleet@127.0.0.1:${this.port}/${database}`
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url('postgres') })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
}
