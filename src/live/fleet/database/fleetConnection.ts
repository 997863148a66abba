import { Socket } from 'node:net'
import type pg from 'pg'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { tlsRemedy } from '../../../core/tlsRemedy.ts'
import { FleetServers, type ServerIdentity } from './fleetServers.ts'

/** A statement that has no answer by then is in doubt. */
const ANSWER_MS = 1500
/** PostgreSQL's word that a wait for the standby was cancelled: the statement answers success, and stands on one node. */
const WAIT_CANCELLED = '01000'
/** The connection stands, and nothing of the statement does: no other try would come to more. */
const REFUSED = /^(?:22|23|2F|3D|3F|42|0A|53100|28)/
const DISK_FULL = '53100'

/** What became of a statement cannot be said: its connection broke, it was not answered in time, or its wait was cut short. */
export class InDoubt extends Error {
  override readonly name = 'InDoubt'
}

/** Whether the database has refused something since there is no room for it on its disk. */
export const isDiskFull = (thrown: unknown): boolean => thrown instanceof CornermanError && thrown.details?.code === DISK_FULL

/** Whether it may be otherwise in a moment. */
export const mayPass = (thrown: unknown): boolean => thrown instanceof InDoubt || isDiskFull(thrown)

export interface FleetConnectionOptions {
  /** `postgres://user:password@host:port,host:port/database`: the first of its hosts that takes writes is used. */
  readonly url: string
  readonly answerMs?: number
}

/**
 * One connection to the primary. One statement is on it at a time, and others wait for that: it is made when it is needed, and gone once a statement on it is in doubt. It
 * tries nothing again, and cancels nothing: a cancelled wait for the standby answers success.
 */
export class FleetConnection {
  readonly #urls: readonly string[]
  readonly #servers: FleetServers
  readonly #answerMs: number
  #open: OpenConnection | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor({ url, answerMs = ANSWER_MS }: FleetConnectionOptions) {
    this.#urls = eachHostOf(url)
    this.#servers = FleetServers.of(url)
    this.#answerMs = answerMs
  }

  /**
   * @param text one statement, unnamed, so that a pooler may stand in between; or several without values
   * @param within where others before it take longer, in milliseconds, it is not asked at all
   * @throws InDoubt
   * @throws CornermanError `FLEET_REFUSED` where the database says that it does not take it, `FLEET_PACKAGES` where `pg` is not installed
   */
  ask<R extends object>(text: string, values?: readonly unknown[], within = Number.POSITIVE_INFINITY): Promise<R[]> {
    const since = performance.now()
    const asked = this.#turn.then(() => {
      if (performance.now() - since > within) throw new InDoubt(`it was not asked within ${within} ms`)
      return this.#ask<R>(text, values)
    })
    this.#turn = asked.catch(() => {})
    return asked
  }

  async #ask<R extends object>(text: string, values: readonly unknown[] | undefined): Promise<R[]> {
    const open = await this.#opened()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new InDoubt(`no answer within ${this.#answerMs} ms`)), this.#answerMs)
    })
    try {
      const answering = open.client.query<R & pg.QueryResultRow>(text, values === undefined ? undefined : [...values])
      const { rows } = await Promise.race([answering, open.broken, late])
      if (open.waitsCancelled > 0) throw new InDoubt('its wait for the standby was cancelled')
      return rows
    } catch (thrown) {
      this.#drop(open)
      if (thrown instanceof InDoubt) throw thrown
      const code = codeOf(thrown)
      if (REFUSED.test(code))
        throw new CornermanError('FLEET_REFUSED', `the database does not take it: ${messageOf(thrown)}`, {
          cause: thrown,
          details: { code },
        })
      throw new InDoubt(messageOf(thrown), { cause: thrown })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends what is under way: it is in doubt. */
  close(): void {
    this.#isClosed = true
    if (this.#open !== undefined) this.#drop(this.#open)
  }

  async #opened(): Promise<OpenConnection> {
    if (this.#isClosed) throw new InDoubt('it was closed')
    if (this.#open !== undefined) return this.#open
    let last: unknown
    for (const url of await this.#inOrder()) {
      try {
        return this.#keep(await this.#fit(url))
      } catch (thrown) {
        if (thrown instanceof CornermanError) throw thrown
        last = thrown
      }
    }
    const remedy = tlsRemedy(last)
    const words = remedy === undefined ? messageOf(last) : `${messageOf(last)}; ${remedy}`
    throw new InDoubt(`no primary of the fleet's database answers (${words})`, { cause: last })
  }

  /** As they are given; at first the one that was promoted last goes before the others, which may not know of it. */
  async #inOrder(): Promise<readonly string[]> {
    if (this.#urls.length === 1 || this.#servers.knowsTimeline) return this.#urls
    const found = await Promise.all(
      this.#urls.map(async (url) => {
        const open = await connected(url, this.#answerMs).catch(() => undefined)
        open?.destroy()
        return { url, timeline: open?.identity.timeline ?? 0 }
      }),
    )
    return found.toSorted((a, b) => b.timeline - a.timeline).map(({ url }) => url)
  }

  async #fit(url: string): Promise<OpenConnection> {
    const open = await connected(url, this.#answerMs)
    const refusal = this.#servers.refusalOf(open.identity, nameOf(url))
    if (refusal === undefined && !this.#isClosed) return open
    open.destroy()
    throw new InDoubt(refusal ?? 'it was closed')
  }

  #keep(open: OpenConnection): OpenConnection {
    this.#open = open
    // One that breaks while nothing is asked of it puts nothing in doubt.
    open.broken.catch(() => this.#drop(open))
    return open
  }

  #drop(open: OpenConnection): void {
    if (this.#open === open) this.#open = undefined
    open.destroy()
  }
}

interface OpenConnection {
  readonly client: pg.Client
  /** Fails once the connection is lost. */
  readonly broken: Promise<never>
  readonly waitsCancelled: number
  readonly identity: ServerIdentity
  destroy(): void
}

async function connected(url: string, answerMs: number): Promise<OpenConnection> {
  const { default: driver } = await driverOf()
  // Ours, to be reset: what is only closed goes on being sent by the kernel.
  const socket = new Socket()
  const client = new driver.Client({ connectionString: url, stream: () => socket, keepAlive: true, application_name: 'cornerman' })
  const broken = new Promise<never>((_resolve, reject) => {
    client.on('error', (cause) => reject(new InDoubt(`the connection was lost (${messageOf(cause)})`, { cause })))
    client.on('end', () => reject(new InDoubt('the connection was lost')))
  })
  broken.catch(() => {})
  let waitsCancelled = 0
  let identity: ServerIdentity = { system: undefined, timeline: undefined }
  client.on('notice', ({ code }) => {
    if (code === WAIT_CANCELLED) waitsCancelled += 1
  })
  const destroy = () => void (socket.destroyed || socket.resetAndDestroy())
  const timer = setTimeout(destroy, answerMs)
  try {
    await Promise.race([client.connect(), broken])
    const asked = client.query<{ only: boolean }>('SELECT pg_is_in_recovery() AS only')
    const { rows } = await Promise.race([asked, broken])
    if (rows[0]?.only !== false) throw new InDoubt('it is a standby')
    identity = await Promise.race([identityOf(client), broken])
  } catch (thrown) {
    destroy()
    throw thrown
  } finally {
    clearTimeout(timer)
  }
  return {
    ...{ client, broken, destroy, identity },
    get waitsCancelled() {
      return waitsCancelled
    },
  }
}

const IDENTITY = `
  SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
    ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS timeline`

/** Not every server lets everybody ask. */
async function identityOf(client: pg.Client): Promise<ServerIdentity> {
  try {
    const { rows } = await client.query<{ system: string; timeline: number }>(IDENTITY)
    return rows[0] ?? { system: undefined, timeline: undefined }
  } catch (thrown) {
    if (!REFUSED.test(codeOf(thrown))) throw thrown
    return { system: undefined, timeline: undefined }
  }
}

/** Servers and database of a URL, for a person: without user, password and settings. */
export const databaseName = (url: string): string => /^[a-z]+:\/\/(?:[^@/]*@)?([^?]*)/i.exec(url)?.[1] ?? ''

/** Without user and password. */
const nameOf = (url: string): string => /^[a-z]+:\/\/(?:[^@/]*@)?([^/?]*)/i.exec(url)?.[1] ?? ''

async function driverOf(): Promise<typeof import('pg')> {
  try {
    return await import('pg')
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new CornermanError('FLEET_PACKAGES', 'a fleet needs two packages that are not installed: npm install pg pg-boss', { cause })
  }
}

/** `pg` knows one host a URL. */
export function eachHostOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/is.exec(url) ?? [undefined, url]
  return hosts.split(',').map((host) => before + host + after)
}

const codeOf = (thrown: unknown): string => {
  const { code } = (thrown ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
