import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AgentEvent, Command } from '../../contests/index.ts'
import { diskRemedy } from '../../core/diskRemedy.ts'
import { CornermanError, invariant, messageOf } from '../../core/error.ts'
import { decodeExact, encodeExact } from '../../core/exactJson.ts'
import { ChainStore } from './chainStore.ts'
import { EventPage } from './eventPage.ts'
import { inArrays } from './inArrays.ts'
import { openDatabase } from './openDatabase.ts'
import { WebhookStore } from './webhookStore.ts'

/** What a stored sandbox was made with: another seed or other prices would contradict its log. */
export interface SandboxIdentity {
  readonly seed: number
  readonly rakeBps: number
  /** `PriceFile.fingerprint`. */
  readonly prices: string
}

export interface AppendExtras {
  /** When an event is due at its agent's webhook endpoint, by event id: Unix milliseconds. */
  readonly deliverAt?: ReadonlyMap<string, number> | undefined
  /** Writes what belongs to the command beside the log, through another store of the same database. */
  readonly also?: (() => void) | undefined
}

export interface Wallet {
  readonly agentId: string
  /** Base58. */
  readonly address: string
  /** The 64 bytes that Solana tools call the secret key: seed, then public key. */
  readonly secretKey: Uint8Array
}

/**
 * The sandbox's memory in one SQLite file: the log of the commands that were obeyed, the events they
 * caused, and what the log does not hold (keys, wallets). State is never stored but as a snapshot of the log.
 */
export class SandboxStore {
  /** Unix milliseconds the sandbox began: the time of the first row of prices. */
  readonly epochMs: number
  readonly identity: SandboxIdentity
  readonly webhooks: WebhookStore
  readonly chain: ChainStore
  readonly #file: string
  readonly #database: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>
  /** Keys that were looked up and found: every call looks its own up. */
  readonly #agentsByKey = new Map<string, string>()
  #lastSeq: number

  /**
   * @param startMs when a new sandbox begins; a stored one keeps its own beginning
   * @throws CornermanError as `openDatabase`, and `SANDBOX_DB_OTHER` where the file was made with another seed, rake or prices
   */
  constructor(file: string, identity: SandboxIdentity, startMs: number) {
    this.#file = file
    this.#database = openDatabase(file)
    try {
      this.#statements = prepare(this.#database)
      this.identity = identity
      this.epochMs = this.#agree(file, startMs)
      this.#lastSeq = Number(this.#statements.lastSeq.get()?.seq ?? 0)
      this.chain = new ChainStore(this.#database)
      this.webhooks = new WebhookStore(this.#database, (write) => this.#transaction(write))
    } catch (thrown) {
      this.#database.close()
      throw thrown
    }
  }

  /** The number of the last command in the log; commands count from 1. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /**
   * Writes a command that was obeyed and every event it caused, or nothing at all. Durable on return.
   *
   * @param extras what else goes into the same transaction
   */
  append(command: Command, events: readonly AgentEvent[], { deliverAt, also }: AppendExtras = {}): void {
    const seq = this.#lastSeq + 1
    this.#transaction(() => {
      this.#statements.addCommand.run(seq, encodeExact(command))
      for (const event of events) {
        const { lastInsertRowid } = this.#statements.addEvent.run(seq, event.agentId, event.id, eventBody(event))
        const dueAtMs = deliverAt?.get(event.id)
        if (dueAtMs !== undefined) this.webhooks.add(lastInsertRowid, event.agentId, dueAtMs)
      }
      also?.()
    })
    this.#lastSeq = seq
  }

  /** The log after a command, in order. */
  *commands(afterSeq = 0): Generator<{ readonly seq: number; readonly command: Command }> {
    for (const row of this.#statements.commands.iterate(afterSeq)) {
      // Written by `append` alone, under a schema version that is checked at opening.
      yield { seq: Number(row.seq), command: decodeExact(String(row.body)) as Command }
    }
  }

  /** Every event with the command it came of, in order. */
  *eventBodies(): Generator<{ readonly commandSeq: number; readonly body: string }> {
    for (const row of this.#statements.events.iterate()) yield { commandSeq: Number(row.command_seq), body: String(row.body) }
  }

  /** Keeps a state as of the last command, in place of the one before. */
  saveSnapshot(state: string): void {
    this.#transaction(() => {
      this.#statements.dropSnapshots.run()
      this.#statements.addSnapshot.run(this.#lastSeq, state)
    })
  }

  snapshot(): { readonly seq: number; readonly state: string } | undefined {
    const row = this.#statements.snapshot.get()
    return row === undefined ? undefined : { seq: Number(row.command_seq), state: String(row.state) }
  }

  /** The newest event id of an agent; `null` before its first. */
  newestEventId(agentId: string): string | null {
    const row = this.#statements.newestEvent.get(agentId)
    return row === undefined ? null : String(row.id)
  }

  /**
   * An agent's events after one of its own, oldest first.
   *
   * @param after an event id, or `null` for the first events of all
   * @returns the page and the id to ask after next; `undefined` when the agent has no such event
   */
  eventsAfter(agentId: string, after: string | null, limit: number): EventPage | undefined {
    let afterSeq = 0
    if (after !== null) {
      const found = this.#statements.eventSeq.get(after, agentId)
      if (found === undefined) return undefined
      afterSeq = Number(found.seq)
    }
    const bodies = this.#statements.eventPage.all(agentId, afterSeq, limit).map(String)
    const newest = bodies.at(-1)
    return new EventPage(bodies.join(','), newest === undefined ? after : idOf(newest))
  }

  /** Gives an agent a key in place of the one it had. Only the hash is kept. */
  setKey(agentId: string, key: { readonly hash: string; readonly prefix: string }): void {
    this.#agentsByKey.clear()
    this.#transaction(() => {
      this.#statements.dropKey.run(agentId)
      this.#statements.addKey.run(key.hash, key.prefix, agentId)
    })
  }

  agentOfKey(hash: string): string | undefined {
    const known = this.#agentsByKey.get(hash)
    if (known !== undefined) return known
    const row = this.#statements.agentOfKey.get(hash)
    if (row === undefined) return undefined
    const agentId = String(row.agent_id)
    this.#agentsByKey.set(hash, agentId)
    return agentId
  }

  keyPrefix(agentId: string): string | null {
    const row = this.#statements.keyPrefix.get(agentId)
    return row === undefined ? null : String(row.prefix)
  }

  addWallet(wallet: Wallet): void {
    this.#statements.addWallet.run(wallet.agentId, wallet.address, wallet.secretKey)
  }

  wallet(agentId: string): Wallet | undefined {
    const row = this.#statements.wallet.get(agentId)
    if (row === undefined) return undefined
    invariant(row.secret_key instanceof Uint8Array, 'a stored secret key is not bytes')
    return { agentId, address: String(row.address), secretKey: row.secret_key }
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  close(): void {
    if (this.isOpen) this.#database.close()
  }

  #agree(file: string, startMs: number): number {
    const asked: Record<string, string> = {
      seed: String(this.identity.seed),
      'rake-bps': String(this.identity.rakeBps),
      prices: this.identity.prices,
    }
    const stored = new Map(this.#statements.meta.all().map((row) => [String(row.key), String(row.value)]))
    if (stored.size === 0) {
      this.#transaction(() => {
        for (const [key, value] of Object.entries({ ...asked, epochMs: String(startMs) })) this.#statements.addMeta.run(key, value)
      })
      return startMs
    }
    for (const [key, value] of Object.entries(asked)) {
      const kept = stored.get(key)
      if (kept === value) continue
      throw new CornermanError(
        'SANDBOX_DB_OTHER',
        `sandbox database ${file} was made with ${key} ${kept} and is asked for with ${value}: use the same ${key}, or name another file`,
        { details: { file, field: key, stored: kept, asked: value } },
      )
    }
    return Number(stored.get('epochMs'))
  }

  #unwritten(cause: unknown): CornermanError {
    return new CornermanError(
      'SANDBOX_DB_WRITE_FAILED',
      `sandbox database ${this.#file} could not be written (${messageOf(cause)}): ${diskRemedy(cause)}, then start again`,
      { cause, details: { file: this.#file } },
    )
  }

  #transaction(write: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      write()
      this.#database.exec('COMMIT')
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw thrown instanceof CornermanError ? thrown : this.#unwritten(thrown)
    }
  }
}

/** An event as the log holds it and as the wire sends it, to the byte. */
export function eventBody({ id, type, data, createdAt }: AgentEvent): string {
  return JSON.stringify({ id, type, data, createdAt })
}

function prepare(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text)
  return {
    meta: sql('SELECT key, value FROM meta'),
    addMeta: sql('INSERT INTO meta (key, value) VALUES (?, ?)'),
    lastSeq: sql('SELECT max(seq) AS seq FROM commands'),
    commands: sql('SELECT seq, body FROM commands WHERE seq > ? ORDER BY seq'),
    addCommand: sql('INSERT INTO commands (seq, body) VALUES (?, ?)'),
    addEvent: sql('INSERT INTO events (command_seq, agent_id, id, body) VALUES (?, ?, ?, ?)'),
    events: sql('SELECT command_seq, body FROM events ORDER BY seq'),
    newestEvent: sql('SELECT id FROM events WHERE agent_id = ? ORDER BY seq DESC LIMIT 1'),
    eventSeq: sql('SELECT seq FROM events WHERE id = ? AND agent_id = ?'),
    eventPage: inArrays(sql('SELECT body FROM events WHERE agent_id = ? AND seq > ? ORDER BY seq LIMIT ?')),
    snapshot: sql('SELECT command_seq, state FROM snapshots ORDER BY command_seq DESC LIMIT 1'),
    dropSnapshots: sql('DELETE FROM snapshots'),
    addSnapshot: sql('INSERT INTO snapshots (command_seq, state) VALUES (?, ?)'),
    dropKey: sql('DELETE FROM keys WHERE agent_id = ?'),
    addKey: sql('INSERT INTO keys (hash, prefix, agent_id) VALUES (?, ?, ?)'),
    agentOfKey: sql('SELECT agent_id FROM keys WHERE hash = ?'),
    keyPrefix: sql('SELECT prefix FROM keys WHERE agent_id = ?'),
    addWallet: sql('INSERT INTO wallets (agent_id, address, secret_key) VALUES (?, ?, ?)'),
    wallet: sql('SELECT address, secret_key FROM wallets WHERE agent_id = ?'),
  }
}

const idOf = (body: string): string => (JSON.parse(body) as { readonly id: string }).id
