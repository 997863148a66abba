import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { invariant } from '../../core/error.ts'
import { decodeExact, encodeExact } from '../../core/exactJson.ts'
import type { Landing } from '../chain/landing.ts'
import type { ChainAccount } from '../chain/vm.ts'

export const CHAIN_TABLES = `
  CREATE TABLE transactions (
    seq INTEGER PRIMARY KEY,
    message_hash TEXT NOT NULL UNIQUE,
    signature TEXT NOT NULL UNIQUE,
    agent_id TEXT NOT NULL,
    contest_id TEXT,
    bytes BLOB NOT NULL,
    due_at INTEGER,
    landing TEXT
  ) STRICT;
  CREATE INDEX transactions_due ON transactions (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE transaction_accounts (
    address TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES transactions (seq),
    PRIMARY KEY (address, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE offers (key TEXT PRIMARY KEY, slot INTEGER NOT NULL, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX offers_of_slot ON offers (slot);
  CREATE TABLE chain_accounts (address TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
`

/** A transaction that was sent, before anything has become of it. */
export interface SentTransaction {
  /** SHA-256 of the message, hexadecimal: the same message is never executed twice. */
  readonly messageHash: string
  /** Base58. */
  readonly signature: string
  readonly agentId: string
  readonly contestId: string | null
  /** Signed, as it goes over the wire. */
  readonly bytes: Uint8Array
}

/** One that was taken in. Until it lands, `dueAt` says when it will; then `landing` says what became of it. */
export interface StoredTransaction extends SentTransaction {
  readonly seq: number
  /** Unix milliseconds. */
  readonly dueAt: number | null
  readonly landing: Landing | null
}

/** What a landed transaction leaves behind. */
export interface Traces {
  readonly landing: Landing
  /** Every account it names. */
  readonly touched: readonly string[]
  /** Accounts of agents as they are now; lamports 0: the account is gone. */
  readonly accounts: readonly ChainAccount[]
}

/**
 * What the chain keeps beyond the ledger: transactions by the hash of their message, the DEX's offers, and
 * the form of the agents' accounts, which the ledger's sums do not tell.
 */
export class ChainStore {
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: DatabaseSync) {
    this.#statements = prepare(database)
  }

  /** Takes in a transaction that lands later, at `dueAt`. */
  submit(sent: SentTransaction, dueAt: number): void {
    this.#insert(sent, dueAt)
  }

  /** Writes what became of a transaction, whether it was taken in before or not. To be called with the ledger's command, in its transaction. */
  land(sent: SentTransaction, { landing, touched, accounts }: Traces): void {
    const known = this.#statements.bySignature.get(sent.signature)
    const seq = known === undefined ? this.#insert(sent, null) : Number(known.seq)
    this.#statements.land.run(encodeExact(landing), seq)
    for (const address of touched) this.#statements.touch.run(address, seq)
    for (const account of accounts) {
      if (account.lamports === 0n) this.#statements.dropAccount.run(account.address)
      else this.#statements.setAccount.run(account.address, encodeExact({ ...account, data: Buffer.from(account.data).toString('base64') }))
    }
  }

  isKnown(messageHash: string): boolean {
    return this.#statements.byHash.get(messageHash) !== undefined
  }

  transaction(signature: string): StoredTransaction | undefined {
    const row = this.#statements.bySignature.get(signature)
    return row === undefined ? undefined : this.#read(row)
  }

  /** Those that have not landed, in order of their time. */
  pending(): StoredTransaction[] {
    return this.#statements.pending.all().map((row) => this.#read(row))
  }

  /** Landed transactions that name an account, newest first, from before `beforeSeq`. */
  transactionsOf(address: string, beforeSeq: number, limit: number): StoredTransaction[] {
    return this.#statements.ofAccount.all(address, beforeSeq, limit).map((row) => this.#read(row))
  }

  /** Keeps an offer of the DEX in place of one with the same key, and forgets those made before `oldestSlot`. */
  addOffer(key: string, offer: unknown, slot: number, oldestSlot: number): void {
    this.#statements.dropOffers.run(oldestSlot)
    this.#statements.addOffer.run(key, slot, encodeExact(offer))
  }

  offer(key: string): unknown {
    const row = this.#statements.offer.get(key)
    return row === undefined ? undefined : decodeExact(String(row.body))
  }

  accounts(): ChainAccount[] {
    return this.#statements.accounts.all().map((row) => {
      // Written by `land` alone, under a schema version that is checked at opening.
      const account = decodeExact(String(row.body)) as Omit<ChainAccount, 'data'> & { readonly data: string }
      return { ...account, data: new Uint8Array(Buffer.from(account.data, 'base64')) }
    })
  }

  #insert({ messageHash, signature, agentId, contestId, bytes }: SentTransaction, dueAt: number | null): number {
    return Number(this.#statements.submit.run(messageHash, signature, agentId, contestId, bytes, dueAt).lastInsertRowid)
  }

  #read(row: Readonly<Record<string, unknown>>): StoredTransaction {
    const { seq, message_hash, signature, agent_id, contest_id, bytes, due_at, landing } = row
    invariant(bytes instanceof Uint8Array, 'a stored transaction is not bytes')
    return {
      seq: Number(seq),
      messageHash: String(message_hash),
      signature: String(signature),
      agentId: String(agent_id),
      contestId: contest_id === null ? null : String(contest_id),
      bytes,
      dueAt: due_at === null ? null : Number(due_at),
      landing: landing === null ? null : (decodeExact(String(landing)) as Landing),
    }
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text)
  return {
    submit: sql('INSERT INTO transactions (message_hash, signature, agent_id, contest_id, bytes, due_at) VALUES (?, ?, ?, ?, ?, ?)'),
    land: sql('UPDATE transactions SET due_at = NULL, landing = ? WHERE seq = ?'),
    touch: sql('INSERT OR IGNORE INTO transaction_accounts (address, seq) VALUES (?, ?)'),
    byHash: sql('SELECT seq FROM transactions WHERE message_hash = ?'),
    bySignature: sql('SELECT * FROM transactions WHERE signature = ?'),
    pending: sql('SELECT * FROM transactions WHERE due_at IS NOT NULL ORDER BY due_at, seq'),
    ofAccount: sql(
      'SELECT t.* FROM transaction_accounts a JOIN transactions t ON t.seq = a.seq WHERE a.address = ? AND t.landing IS NOT NULL AND t.seq < ? ORDER BY t.seq DESC LIMIT ?',
    ),
    addOffer: sql(
      'INSERT INTO offers (key, slot, body) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET slot = excluded.slot, body = excluded.body',
    ),
    dropOffers: sql('DELETE FROM offers WHERE slot < ?'),
    offer: sql('SELECT body FROM offers WHERE key = ?'),
    setAccount: sql('INSERT INTO chain_accounts (address, body) VALUES (?, ?) ON CONFLICT (address) DO UPDATE SET body = excluded.body'),
    dropAccount: sql('DELETE FROM chain_accounts WHERE address = ?'),
    accounts: sql('SELECT body FROM chain_accounts'),
  }
}
