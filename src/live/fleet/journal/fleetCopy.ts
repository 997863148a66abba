import { renameSync, rmSync } from 'node:fs'
import type { JournalContents, JournalRecord } from '../../../pipeline/index.ts'
import type { Folding, Owed } from '../../journal/botJournal.ts'
import { type Passed, SqliteJournal, type SqliteJournalOptions } from '../../journal/sqliteJournal.ts'
import type { ReadLease } from '../../readBudget.ts'
import type { FleetConnection } from '../database/fleetConnection.ts'
import { rolledBack } from './fencedCommits.ts'
import type { JournalPlace } from './journalPlace.ts'
import { chainAfter, FIRST_CHAIN, type FleetRecord, type RecordSeal } from './recordSeal.ts'
import { placeIn, takeBase } from './takenBase.ts'

const AT_ONCE = 500
const PAST = `
  SELECT coalesce((SELECT chain FROM cornerman_fleet.records WHERE bot = $1 AND seq = $2),
      (SELECT chain FROM cornerman_fleet.bases WHERE bot = $1 AND upto = $2)) AS chain,
    EXISTS (SELECT FROM cornerman_fleet.bases WHERE bot = $1 AND upto > $2)
      AND NOT EXISTS (SELECT FROM cornerman_fleet.records WHERE bot = $1 AND seq <= $2) AS "isTrimmed"`
/** With more of them a host that has no copy takes a base first. */
const MANY = 2000

export interface FleetCopyOptions extends SqliteJournalOptions {
  /** A path, or `:memory:`. */
  readonly file: string
  readonly bot: string
  readonly seal: RecordSeal
}

/** A row of the journal, as the database has it. */
export interface RecordRow {
  readonly seq: number
  readonly epoch: number
  readonly chain: Uint8Array
  readonly body: Uint8Array
}

/**
 * A bot's journal as this host has seen it acknowledged: a file beside the rows of the database, from which the bot starts, and the memory
 * that notices a database that was set back. Salts are sealed in it.
 */
export class FleetCopy {
  readonly #options: FleetCopyOptions
  #journal: SqliteJournal
  readonly #bot: string
  readonly #seal: RecordSeal

  /** @throws CornermanError as that of `SqliteJournal` does */
  constructor(options: FleetCopyOptions) {
    this.#options = options
    this.#bot = options.bot
    this.#seal = options.seal
    this.#journal = this.#opened()
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
    if (await this.#needsBase(connection, upTo)) await this.#takeBase(connection, upTo)
    for (let place = this.place; place.seq < upTo.seq; place = this.place) {
      const rows = await connection.ask<{ seq: string; epoch: string; chain: Buffer; body: Buffer }>(
        'SELECT seq::text, epoch::text, chain, body FROM cornerman_fleet.records WHERE bot = $1 AND seq > $2 AND seq <= $3 ORDER BY records.seq LIMIT $4',
        [this.#bot, place.seq, upTo.seq, AT_ONCE],
      )
      if (rows.length === 0) throw rolledBack(this.#bot, upTo.seq, place.seq)
      this.follow(rows.map((row) => ({ ...row, seq: Number(row.seq), epoch: Number(row.epoch) })))
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
    this.apply(entries, rows)
  }

  /** What was acknowledged, and the rows of it. @throws CornermanError as a journal does */
  apply(entries: readonly FleetRecord[], rows: readonly Passed[]): void {
    this.#journal.follow(
      entries.map((entry) => (entry.type === 'record' ? { ...entry, record: this.#withoutSalts(entry.record) } : entry)),
      rows.at(-1) ?? this.place,
      rows,
    )
  }

  /** Of the newest records; undefined of one of before. */
  passed(seq: number): Passed | undefined {
    return this.#journal.passed(seq)
  }

  /** Begins with a journal that was written on one host, up to `place`. Its salts are sealed from now on. */
  begin(place: JournalPlace): void {
    this.#journal.resalt((contestId, salt) => this.#seal.sealText(contestId, salt))
    this.#journal.followFrom(place)
  }

  /**
   * Gives the copy as a file, which is gone again once `use` is done.
   *
   * @param use is told how far that is
   */
  async asFile<T>(use: (file: string, place: JournalPlace) => Promise<T>): Promise<T> {
    const file = `${this.#options.file}.put`
    const files = ['', '-journal', '-wal', '-shm'].map((end) => file + end)
    for (const one of files) rmSync(one, { force: true })
    try {
      await this.#journal.copyInto(file)
      return await use(file, placeIn(file) ?? { seq: 0, chain: FIRST_CHAIN })
    } finally {
      for (const one of files) rmSync(one, { force: true })
    }
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

  #opened(): SqliteJournal {
    const { file, bot, seal, ...options } = this.#options
    const journal = new SqliteJournal(file, { ...options, isCopy: true })
    if (seal.hasSeveralKeys) journal.resalt((contestId, salt) => this.#resealed(contestId, salt))
    return journal
  }

  /** What a key of before has sealed is sealed with the present one. What was altered stays so, and is found where it is needed. */
  #resealed(contestId: string, salt: string): string {
    if (this.#seal.isOfFirstKey(Buffer.from(salt, 'base64'))) return salt
    try {
      return this.#seal.sealText(contestId, this.#seal.openText(contestId, salt))
    } catch {
      return salt
    }
  }

  /** Where the row behind its place is gone, or there are many and it has none. */
  async #needsBase(connection: FleetConnection, upTo: JournalPlace): Promise<boolean> {
    const { seq } = this.place
    if (seq >= upTo.seq) return false
    if (seq === 0 && upTo.seq > MANY) return true
    const next = await connection.ask('SELECT FROM cornerman_fleet.records WHERE bot = $1 AND seq = $2', [this.#bot, seq + 1])
    return next.length === 0
  }

  /** Puts the newest base in its place, where there is one. */
  async #takeBase(connection: FleetConnection, upTo: JournalPlace): Promise<void> {
    const { file } = this.#options
    const taken = `${file}.taken`
    try {
      const request = { bot: this.#bot, seal: this.#seal, after: this.place.seq, upTo, file: taken }
      if ((await takeBase(connection, request)) === undefined) return
      this.#journal.close()
      for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true })
      renameSync(taken, file)
      this.#journal = this.#opened()
    } finally {
      for (const end of ['', '-wal', '-shm']) rmSync(taken + end, { force: true })
    }
  }

  /** What the copy was told once stands there still. */
  async #expectPast(connection: FleetConnection, upTo: JournalPlace): Promise<void> {
    const { seq, chain } = this.place
    if (upTo.seq < seq) throw rolledBack(this.#bot, seq, upTo.seq)
    if (seq === 0) return
    const [row] = await connection.ask<{ chain: Buffer | null; isTrimmed: boolean }>(PAST, [this.#bot, seq])
    // What a base has taken the place of is not there any more, and what comes behind it says whether it fits.
    if (row?.isTrimmed === true && row.chain === null) return
    if (row === undefined || row.chain === null || Buffer.compare(row.chain, chain) !== 0) throw rolledBack(this.#bot, seq, upTo.seq)
  }

  #withoutSalts(record: JournalRecord): JournalRecord {
    return { ...record, custody: record.custody.map((held) => ({ ...held, salt: this.#seal.sealText(held.contestId, held.salt) })) }
  }

  #withSalts<C extends Pick<JournalContents, 'custody'>>(contents: C): C {
    return { ...contents, custody: contents.custody.map((held) => ({ ...held, salt: this.#seal.openText(held.contestId, held.salt) })) }
  }
}
