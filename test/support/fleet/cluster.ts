import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { folderOf, freePort } from '../../../src/cli/runs/fleet/demo/localPostgres.ts'
import { Pooler } from './pooler.ts'
import { asServant, runAsServant, servantsFolder } from './servant.ts'

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
export const postgresPrograms = (): string | undefined => folderOf('initdb', 'postgres', 'pg_basebackup')

/** What shows a program another wall clock, and the true monotonic one; undefined where it is not installed. */
export const clockMover = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/** FLEET_POOLED=yes puts a pooler of transactions before every database of every test. */
const IS_POOLED = process.env.FLEET_POOLED === 'yes'

interface ClusterOptions {
  readonly programs: string
  readonly folder: string
  readonly port: number
  readonly settings: readonly string[]
  readonly env?: readonly string[]
}

/** A server of PostgreSQL in a folder of its own, which is ended with the test. */
export class Cluster {
  readonly #programs: string
  readonly #folder: string
  readonly #settings: readonly string[]
  readonly #env: readonly string[]
  readonly port: number
  #server: ChildProcess | undefined
  #pooler: Pooler | undefined

  private constructor({ programs, folder, port, settings, env = [] }: ClusterOptions) {
    this.#programs = programs
    this.#folder = folder
    this.#settings = settings
    this.#env = env
    this.port = port
  }

  /** @param isPooled whoever asks for a new database is sent to a pooler of transactions that stands before it */
  static async open(settings: readonly string[] = [], isPooled = IS_POOLED): Promise<Cluster> {
    const programs = postgresPrograms()
    if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
    const folder = servantsFolder()
    const cluster = new Cluster({ programs, folder, port: await freePort(), settings })
    runAsServant(join(programs, 'initdb'), [
      '-D',
      join(folder, 'data'),
      '-U',
      'fleet',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ])
    await cluster.start()
    if (isPooled) cluster.#pooler = await Pooler.open('transaction', cluster.port)
    return cluster
  }

  /**
   * Another server, which follows this one: no commit here is answered from now on before it is on the disk there.
   *
   * @param ahead by how much its wall clock is: `+1h`
   */
  async synchronousStandby(ahead?: string): Promise<Cluster> {
    const env = ahead === undefined ? [] : movedBy(ahead)
    const port = await freePort()
    const standby = new Cluster({ programs: this.#programs, folder: servantsFolder(), port, settings: this.#settings, env })
    runAsServant(join(this.#programs, 'pg_basebackup'), [
      ...['-h', '127.0.0.1', '-p', String(this.port), '-U', 'fleet', '-D', join(standby.#folder, 'data'), '-R', '-c', 'fast', '--no-sync'],
    ])
    await standby.start()
    await this.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await this.query('postgres', 'SELECT pg_reload_conf()')
    for (;;) {
      const followers = await this.query('postgres', "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")
      if (followers.length === 1) break
      await sleep(50)
    }
    if (this.#pooler !== undefined) standby.#pooler = await Pooler.open('transaction', port)
    return standby
  }

  /** Where clients go. */
  get #clientPort(): number {
    return this.#pooler?.port ?? this.port
  }

  /** Of a database here: the URL of this server and of another one, which takes its place. */
  urlBeside(database: string, other: Cluster): string {
    return `postgres://fleet@127.0.0.1:${this.#clientPort},127.0.0.1:${other.#clientPort}/${database}`
  }

  url(database: string, user = 'fleet'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  /** All that it has on its disk. */
  get dataDir(): string {
    return join(this.#folder, 'data')
  }

  /** A new database. @returns its URL */
  async database(name: string): Promise<string> {
    await this.query('postgres', `CREATE DATABASE ${name}`)
    return this.#pooler?.url(name) ?? this.url(name)
  }

  async query<R extends pg.QueryResultRow>(database: string, text: string, values: unknown[] = []): Promise<R[]> {
    const client = new pg.Client({ connectionString: this.url(database) })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<R>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async start(): Promise<void> {
    const settings = ['fsync=off', 'shared_buffers=16MB', 'listen_addresses=127.0.0.1', ...this.#settings].flatMap((one) => ['-c', one])
    const [command = '', ...args] = asServant('env', [
      ...this.#env,
      join(this.#programs, 'postgres'),
      ...['-D', this.dataDir, '-p', String(this.port), '-k', this.#folder, ...settings],
    ])
    let words = ''
    this.#server = spawn(command, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    this.#server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4000)
    })
    for (;;) {
      if (this.#server.exitCode !== null) throw new Error(`PostgreSQL ended:\n${words}`)
      const isThere = await this.query('postgres', 'SELECT 1').then(
        () => true,
        () => false,
      )
      if (isThere) return
      await sleep(100)
    }
  }

  /** At once, as by a power cut. */
  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  }

  /** All of its processes, at once: nothing is written any more. */
  async kill(): Promise<void> {
    const server = this.#server
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    this.#signal('SIGKILL')
    await ended
    // What it shared with its children is in use until the last is gone.
    rmSync(join(this.#folder, 'data', 'postmaster.pid'), { force: true })
  }

  /** Of a standby: it takes writes from now on. */
  async promote(): Promise<void> {
    await this.query('postgres', 'SELECT pg_promote()')
  }

  /** What its disk has, as a backup that is taken while it stands still. */
  async keepBackup(): Promise<void> {
    await this.kill()
    runAsServant('cp', ['-a', this.dataDir, join(this.#folder, 'backup')])
    await this.start()
  }

  /** Puts the backup in the place of what its disk has. */
  async restoreBackup(): Promise<void> {
    await this.kill()
    rmSync(this.dataDir, { recursive: true })
    runAsServant('cp', ['-a', join(this.#folder, 'backup'), this.dataDir])
    await this.start()
  }

  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  #signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#server?.pid
    if (pid === undefined || this.#server?.exitCode !== null || this.#server.signalCode !== null) return
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((child) => child !== '')
    for (const one of [pid, ...children.map(Number)]) {
      try {
        process.kill(one, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  async close(): Promise<void> {
    this.thaw()
    await this.#pooler?.close()
    await this.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function movedBy(ahead: string): string[] {
  const mover = clockMover()
  if (mover === undefined) throw new Error('libfaketime is not installed: apt-get install faketime')
  // By both of the names that its versions know.
  return [`LD_PRELOAD=${mover}`, `FAKETIME=${ahead}`, 'FAKETIME_DONT_FAKE_MONOTONIC=1', 'DONT_FAKE_MONOTONIC=1']
}
