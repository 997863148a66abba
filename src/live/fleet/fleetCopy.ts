import type { JournalContents, JournalRecord } from '../../pipeline/index.ts'
import type { Folding, Owed } from '../journal/botJournal.ts'
import { SqliteJournal, type SqliteJournalOptions } from '../journal/sqliteJournal.ts'
import type { ReadLease } from '../readBudget.ts'
import { rolledBack } from './fencedCommits.ts'
import type { FleetConnection } from './fleetConnection.ts'
import type { JournalPlace } from './journalPlace.ts'
import { chainAfter, FIRST_CHAIN, type FleetRecord, type RecordSeal } from './recordSeal.ts'

const AT_ONCE = 500

export interface FleetCopyOptions extends SqliteJournalOptions {
  /** A path, or `:memory:`. */
  readonly file: string
  readonly bot: string
  readonly seal: RecordSeal
}

/** A row of the journal, as the database has it. */
export interface RecordRow {
  readonly seq: number
  readonly chain: Uint8Array
  readonly body: Uint8Array
}

/**
 * A bot's journal as this host has seen it acknowledged: a file beside the rows of the database, from which the bot starts, and the memory
 * that notices a database that was set back. Salts are sealed in it.
 */
export class FleetCopy {
  readonly #journal: SqliteJournal
  readonly #bot: string
  readonly #seal: RecordSeal

  /** @throws CornermanError as that of `SqliteJournal` does */
  constructor({ file, bot, seal, ...options }: FleetCopyOptions) {
    this.#bot = bot
    this.#seal = seal
    this.#journal = new SqliteJournal(file, { ...options, isCopy: true })
  }

  get place(): JournalPlace {
    return this.#journal.followed ?? { seq: 0, chain: FIRST_CHAIN }
  }

  /** The agent whose journal it is; undefined before anybody has said so. */
  get agentId(): string | undefined {
    return this.#journal.agentId
  }

  /**
   * Takes over what is missing, up to the row of the bot.
   *
   * @throws InDoubt
   * @throws CornermanError `FLEET_ROLLED_BACK` where the database has another past than the copy, `FLEET_KEY`, `FLEET_RECORD_ALTERED`, or as a journal does
   */
  async catchUp(connection: FleetConnection, upTo: JournalPlace): Promise<void> {
    await this.#expectPast(connection, upTo)
    for (let place = this.place; place.seq < upTo.seq; place = this.place) {
      const rows = await connection.ask<{ seq: string; chain: Buffer; body: Buffer }>(
        'SELECT seq::text, chain, body FROM cornerman_fleet.records WHERE bot = $1 AND seq > $2 AND seq <= $3 ORDER BY records.seq LIMIT $4',
        [this.#bot, place.seq, upTo.seq, AT_ONCE],
      )
      if (rows.length === 0) throw rolledBack(this.#bot, upTo.seq, place.seq)
      this.follow(rows.map((row) => ({ ...row, seq: Number(row.seq) })))
    }
    if (Buffer.compare(this.place.chain, upTo.chain) !== 0) throw rolledBack(this.#bot, this.place.seq, upTo.seq)
  }

  /**
   * The rows behind its place, in their order.
   *
   * @throws CornermanError as `catchUp`
   */
  follow(rows: readonly RecordRow[]): void {
    let { seq, chain } = this.place
    const entries = rows.map((row) => {
      chain = chainAfter(chain, row.body)
      seq += 1
      if (row.seq !== seq || Buffer.compare(chain, row.chain) !== 0) throw rolledBack(this.#bot, seq, row.seq - 1)
      return this.#seal.open(seq, row.body)
    })
    this.apply(entries, { seq, chain })
  }

  /** What was acknowledged. @throws CornermanError as a journal does */
  apply(entries: readonly FleetRecord[], place: JournalPlace): void {
    this.#journal.follow(
      entries.map((entry) => (entry.type === 'record' ? { ...entry, record: this.#withoutSalts(entry.record) } : entry)),
      place,
    )
  }

  /** @throws CornermanError as a journal does, and `FLEET_KEY` or `FLEET_RECORD_ALTERED` for its salts */
  load(): JournalContents {
    return this.#withSalts(this.#journal.load())
  }

  /** @throws as `load` */
  owed(): Owed {
    return this.#withSalts(this.#journal.owed())
  }

  folding(): Iterable<Folding> {
    return this.#journal.folding()
  }

  eventId(back: number): string | undefined {
    return this.#journal.eventId(back)
  }

  leases(sinceMs: number): readonly ReadLease[] {
    return this.#journal.leases(sinceMs)
  }

  close(): void {
    this.#journal.close()
  }

  /** What the copy was told once stands there still. */
  async #expectPast(connection: FleetConnection, upTo: JournalPlace): Promise<void> {
    const { seq, chain } = this.place
    if (upTo.seq < seq) throw rolledBack(this.#bot, seq, upTo.seq)
    if (seq === 0) return
    const [row] = await connection.ask<{ chain: Buffer }>('SELECT chain FROM cornerman_fleet.records WHERE bot = $1 AND seq = $2', [
      this.#bot,
      seq,
    ])
    if (row === undefined || Buffer.compare(row.chain, chain) !== 0) throw rolledBack(this.#bot, seq, upTo.seq)
  }

  #withoutSalts(record: JournalRecord): JournalRecord {
    return { ...record, custody: record.custody.map((held) => ({ ...held, salt: this.#seal.sealText(held.contestId, held.salt) })) }
  }

  #withSalts<C extends Pick<JournalContents, 'custody'>>(contents: C): C {
    return { ...contents, custody: contents.custody.map((held) => ({ ...held, salt: this.#seal.openText(held.contestId, held.salt) })) }
  }
}
