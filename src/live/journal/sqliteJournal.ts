import { backup, type DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../core/error.ts'
import { decodeExact, encodeExact } from '../../core/exactJson.ts'
import { type LedgerFacts, ledgerFactsSchema } from '../../guard/index.ts'
import type { Claim, Custody, Intent, IntentStatus, JournalContents, JournalRecord, SentTransaction } from '../../pipeline/index.ts'
import type { ActionType } from '../../strategy/action.ts'
import type { JournalPlace } from '../fleet/journal/journalPlace.ts'
import type { FleetRecord, JournalOwner } from '../fleet/journal/recordSeal.ts'
import type { ReadLease } from '../readBudget.ts'
import { idOf } from '../streamPlace.ts'
import type { BotJournal, Folding, Owed } from './botJournal.ts'
import { FilePlace } from './filePlace.ts'
import { Folder, KEPT_DAYS, keptSince } from './folder.ts'
import { noteModes, removeHolderNote } from './holder.ts'
import { corrupt, gone, isOfSqlite, repairWith, unread, unwritten } from './journalError.ts'
import { type ModeRow, modeFault, modeOf, modeOrClosed, rowOfMode } from './modeRows.ts'
import { openJournal } from './openJournal.ts'
import { ofAnother } from './owner.ts'
import { custodyFault, isCustodyStatus } from './rowFaults.ts'
import { ALTERED, type CustodyRow, custodyOf, expectSound, type IntentRow, intentOf, rawEventOf, type SummedRow } from './rows.ts'
import { prepareStatements, type Statements } from './statements.ts'
import { isSound, sumOf } from './sums.ts'
import { type FillRow, fillOf, rowOfFill, rowOfSwap, type SwapRow, swapOf } from './swapRows.ts'

const EVENTS_AT_ONCE = 1000
const FOLD_EVERY = 500
/** A start has all of them to fold. */
const FOLDED_AT_START = 10_000
/** Of so many records that were followed it is known which past they have. */
const PASSED_KEPT = 10_000

const PASSED = 'CREATE TABLE IF NOT EXISTS passed (seq INTEGER PRIMARY KEY, chain BLOB NOT NULL, epoch INTEGER NOT NULL)'

/** A record that was followed: how far the journal was then, and in which epoch of its bot. */
export interface Passed extends JournalPlace {
  readonly epoch: number
}

export interface SqliteJournalOptions {
  /** Events, intents and predictions that are over are kept for so many days; 0: for ever. */
  readonly keptDays?: number
  /** So many events are folded at once while a bot runs, some tens of milliseconds of work; fewer are told at a start as they are. */
  readonly foldEvery?: number
  /** Of a copy: what the newest commits wrote may be gone after a power cut, and is had again from where it is written. */
  readonly isCopy?: boolean
}

/** Of contests that are over nothing comes of it: the newest do. */
const OWN_READIES = 100

/**
 * One bot's journal: what it was told, asked for, promised and owes. Everything one input changes is
 * one transaction, on disk (`synchronous = FULL`) before anything of it is sent (law 4).
 */
export class SqliteJournal implements BotJournal {
  readonly #file: string
  readonly #db: DatabaseSync
  /** Undefined of one in memory. */
  readonly #place: FilePlace | undefined
  readonly #options: SqliteJournalOptions
  /** Made once it is needed: what it reads may not be what was written. */
  #folder: Folder | undefined
  /** Events that were written since the last were folded. */
  #unfolded = 0
  readonly #statements: Statements

  /**
   * @param file a path, or `:memory:`
   * @throws CornermanError `JOURNAL_IN_USE`, `JOURNAL_UNREADABLE`, `JOURNAL_CORRUPT`, `JOURNAL_NEWER` or `JOURNAL_UNDER_REPAIR`
   */
  constructor(file: string, options: SqliteJournalOptions = {}) {
    this.#file = file
    this.#options = options
    this.#db = openJournal(file, options.isCopy === true ? 'NORMAL' : 'FULL')
    try {
      if (options.isCopy === true) this.#db.exec(PASSED)
      this.#statements = prepareStatements(this.#db)
      this.#place = file === ':memory:' ? undefined : new FilePlace(file)
    } catch (thrown) {
      this.close()
      throw unread(file, thrown)
    }
    this.#noteModes()
  }

  /**
   * Makes a new journal that of an agent; an older one has to be of this agent, or it is closed.
   *
   * @param now of a new one: when it was made, in Unix milliseconds of the bots' time
   * @param newsAfter of a new one, as `JournalContents` has it
   * @throws CornermanError `JOURNAL_OF_ANOTHER_AGENT`, or as `lease` does
   */
  belongTo(agentId: string, now?: number, newsAfter?: string | null): this {
    const owner = this.agentId
    if (owner === undefined) {
      this.#writing(() => this.#putOwner({ agentId, madeAt: now, newsAfter }))
    } else if (owner !== agentId) {
      this.close()
      throw ofAnother(this.#file, owner, agentId)
    }
    return this
  }

  get isNew(): boolean {
    return this.agentId === undefined
  }

  /** Whose it is; undefined before it is anybody's. */
  get agentId(): string | undefined {
    return this.#reading(() => this.#meta('agentId'))
  }

  /** @throws CornermanError `JOURNAL_CORRUPT` or `JOURNAL_UNREADABLE` */
  leases(sinceMs: number): readonly ReadLease[] {
    return this.#reading(() => rows<ReadLease>(this.#statements.leases.all(sinceMs)))
  }

  /** @throws CornermanError `JOURNAL_WRITE_FAILED`, `JOURNAL_CORRUPT` or `JOURNAL_GONE` */
  lease(lease: ReadLease, sinceMs: number, unspent = 0): void {
    const { dropLeases, addLease, giveBack } = this.#statements
    this.#writing(() => {
      if (unspent > 0) giveBack.run(unspent)
      dropLeases.run(sinceMs)
      addLease.run(lease.at, lease.count)
    })
  }

  /**
   * What an earlier run left. What is not folded of it yet is folded. The events are read as they are asked for: `JOURNAL_CORRUPT` may
   * come then, too.
   *
   * @throws CornermanError `JOURNAL_CORRUPT`, `JOURNAL_UNREADABLE` or `JOURNAL_WRITE_FAILED`
   */
  load(): JournalContents {
    const folder = this.#foldAll()
    return this.#reading(() => this.#contents(folder))
  }

  /**
   * Folds what has grown for long, a piece at a time, and says before each how far it is: nothing where there is little, which `load`
   * does in no time.
   *
   * @throws as `load`
   */
  *folding(): Generator<Folding> {
    const events = this.#newest()
    for (let folder = this.#folded(); events - folder.position > FOLDED_AT_START; folder = this.#folded()) {
      yield { folded: folder.position, events }
      this.#fold(folder, FOLDED_AT_START)
    }
  }

  /** Predictions that may have to be shown, and what is under way: all that is needed of a journal that is not folded yet. */
  owed(): Owed {
    return this.#reading(() => {
      const { custody } = this.#custody(rows(this.#statements.openCustody.all()))
      return { custody, pending: this.#pending(), lastInput: this.#lastInput() }
    })
  }

  #pending(): Intent[] {
    return this.#each('intents', rows<IntentRow & SummedRow>(this.#statements.pendingIntents.all()), intentOf)
  }

  #lastInput(): number {
    return rows<{ n: number | null }>(this.#statements.lastInput.all())[0]?.n ?? 0
  }

  #newest(): number {
    return this.#reading(() => rows<{ position: number }>(this.#statements.newestEvent.all())[0]?.position ?? 0)
  }

  #foldAll(): Folder {
    const folder = this.#folded()
    const events = this.#newest()
    // A few are told as they are: what is folded is no shorter than they are.
    while (events - folder.position >= this.#foldEvery) this.#fold(folder, FOLDED_AT_START)
    this.#unfolded = Math.max(0, events - folder.position)
    return folder
  }

  get #foldEvery(): number {
    return this.#options.foldEvery ?? FOLD_EVERY
  }

  #folded(): Folder {
    this.#folder ??= this.#reading(() => this.#row('facts', 'past', () => new Folder(this.#db, this.#statements)))
    return this.#folder
  }

  #fold(folder: Folder, most: number): void {
    try {
      this.#writing(() => {
        const at = rows<{ at: number }>(this.#statements.newestEvent.all())[0]?.at ?? 0
        const before = keptSince(at, this.#options.keptDays ?? KEPT_DAYS)
        this.#row('events', `after ${folder.position}`, () => folder.fold(most, before))
      })
    } catch (thrown) {
      // It is ahead of what is written.
      this.#folder = undefined
      throw thrown
    }
  }

  #contents(folder: Folder): JournalContents {
    const {
      openCustody,
      claimed,
      openTickets,
      seats,
      sentSwaps,
      openSwaps,
      fills,
      counts,
      rejectedSwaps,
      revealCounts,
      refusalCount,
      revealed,
      picked,
      modes,
    } = this.#statements
    const past = folder.gone
    const tally = tallyOf(rows(counts.all()), past.intents)
    const reveals = tallyOf(rows(revealCounts.all()), past.custody)
    const seatRows = rows<{ id: string; type: string }>(seats.all())
    const seatsOf = (type: ActionType) => seatRows.filter((row) => row.type === type).map(({ id }) => id)
    const of = (...statuses: (IntentStatus | 'pending')[]) => statuses.reduce((sum, status) => sum + (tally.get(status) ?? 0), 0)
    const failed = of('rejected', 'notSent', 'absent')
    const swapsFilled = of('filled')
    const missed = of('reverted', 'expired')
    const pending = this.#pending()
    // They are found by an index of their own: were it broken, an intent that may have been sent would be forgotten.
    if (pending.length !== of('pending', 'unknown')) throw corrupt(this.#file, 'table intents and its index do not agree on what is open')
    const { custody, faults } = this.#custody(rows(openCustody.all()))
    const modeRows = rows<ModeRow>(modes.all())
    const ledger = this.#ledger()
    const unreadModes = modeRows.filter((row) => modeOf(row) === undefined).map((row) => `${this.#file}: ${modeFault(row)}`)
    const allFaults = [...faults, ...unreadModes, ...ledger.faults]
    return {
      cursor: this.#meta('cursor'),
      events: this.#events(folder.position, folder.openPositions),
      ...(folder.position === 0 ? {} : { facts: folder.facts }),
      ...(ledger.facts === undefined ? {} : { ledger: ledger.facts }),
      ...(allFaults.length === 0 ? {} : { faults: allFaults }),
      pending,
      custody,
      claimed: rows<Claim>(claimed.all(JSON.stringify(folder.openIds))),
      tickets: rows<{ id: string }>(openTickets.all()).map(({ id }) => id),
      left: seatsOf('leaveContest'),
      ownReadies: seatsOf('joinContest').slice(-OWN_READIES),
      picked: rows<{ id: string }>(picked.all()).map(({ id }) => id),
      modes: modeRows.map(modeOrClosed),
      revealed: rows<{ id: string }>(revealed.all()).map(({ id }) => id),
      madeAt: numberOf(this.#meta('madeAt')),
      ...newsAfterIn(this.#meta('newsAfter')),
      sent: ofTheLastMinute(rows<SentTransaction>(sentSwaps.all())),
      swaps: this.#each('swaps', rows<SwapRow & SummedRow>(openSwaps.all()), swapOf),
      fills: this.#each('fills', rows<FillRow & SummedRow>(fills.all(folder.fill)), fillOf),
      counts: {
        sent: of('accepted', 'lostRace') + failed + swapsFilled + missed,
        failed,
        swapsFilled,
        swapsFailed: missed + of('unfilled') + (rows<{ count: number }>(rejectedSwaps.all())[0]?.count ?? 0) + past.rejectedSwaps,
        refused: rows<{ count: number }>(refusalCount.all())[0]?.count ?? 0,
        revealed: reveals.get('revealed') ?? 0,
        missed: reveals.get('missed') ?? 0,
      },
      lastInput: this.#lastInput(),
    }
  }

  /** Without it the guard counts what the events say, by their dates. */
  #ledger(): { readonly facts: LedgerFacts | undefined; readonly faults: readonly string[] } {
    const row = this.#statements.ledger.get() as unknown as ({ readonly body: string } & SummedRow) | undefined
    if (row === undefined) return { facts: undefined, faults: [] }
    try {
      expectSound(row)
      return { facts: ledgerFactsSchema.parse(decodeExact(row.body)), faults: [] }
    } catch {
      return { facts: undefined, faults: [`${this.#file}: table facts, row ledger: ${ALTERED}; losses count by the dates of their events`] }
    }
  }

  /** One that does not fit keeps the others from nothing. It is not shown to be what was committed to, so that it is shown to nobody. */
  #custody(found: readonly (CustodyRow & SummedRow)[]): { custody: Custody[]; faults: string[] } {
    const altered = found.filter(({ sound }) => sound !== 1)
    const isFit = (row: CustodyRow) => custodyFault(row) === undefined && isCustodyStatus(row.status)
    return {
      custody: found.filter((row) => row.sound === 1 || isFit(row)).map(custodyOf),
      faults: altered.map((row) => {
        const then = isFit(row) ? 'price, salt and entry give the commitment, so it is revealed' : 'its prediction is not revealed'
        return `${this.#file}: table custody, row ${row.contest_id}: ${ALTERED}; ${then}: ${repairWith(this.#file)}`
      }),
    }
  }

  /**
   * The id of a known event, for a service that does not know the newest any more.
   *
   * @param back how many events before the newest
   * @returns undefined where there is none so far back that has an id
   * @throws CornermanError `JOURNAL_CORRUPT`
   */
  eventId(back: number): string | undefined {
    const row = this.#reading(() => this.#statements.eventBack.get(back) as unknown as EventRow | undefined)
    return row === undefined ? undefined : idOf(this.#row('events', row.position, () => rawEventOf(row)))
  }

  /** A page at a time: no more of it is in memory, and row by row takes several times as long. */
  *#events(folded: number, open: readonly number[]): Generator<unknown> {
    const kept = this.#reading(() => rows<EventRow>(this.#statements.eventsAt.all(JSON.stringify(open))))
    for (const event of kept) yield this.#row('events', event.position, () => rawEventOf(event))
    for (let last = folded; ; ) {
      const page = this.#reading(() => rows<EventRow>(this.#statements.events.all(last, EVENTS_AT_ONCE)))
      for (const event of page) yield this.#row('events', event.position, () => rawEventOf(event))
      if (page.length < EVENTS_AT_ONCE) return
      last = page.at(-1)?.position ?? last
    }
  }

  /**
   * @throws CornermanError `JOURNAL_WRITE_FAILED` or `JOURNAL_CORRUPT`: nothing of the record stands then; `JOURNAL_GONE`: it stands in a
   * file that is not at its path any more
   */
  commit(record: JournalRecord): void {
    this.#writing(() => this.#put(record))
    this.#written([record])
  }

  /**
   * Of a journal that is written elsewhere: what was added to it, and how far it is followed then. All of it, or nothing.
   *
   * @throws as `commit`
   */
  follow(entries: readonly FleetRecord[], { seq, chain }: JournalPlace, passed: readonly Passed[] = []): void {
    const { dropLeases, addLease, setMeta } = this.#statements
    this.#writing(() => {
      for (const one of passed) this.#putPassed(one)
      if (passed.length > 0) this.#db.prepare('DELETE FROM passed WHERE seq <= ?').run(seq - PASSED_KEPT)
      for (const entry of entries) {
        if (entry.type === 'record') this.#put(entry.record)
        else if (entry.type === 'owner') this.#putOwner(entry)
        else if (entry.type === 'lease') {
          dropLeases.run(entry.sinceMs)
          addLease.run(entry.lease.at, entry.lease.count)
        }
      }
      setMeta.run('followed', `${seq} ${Buffer.from(chain).toString('hex')}`)
    })
    this.#written(entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : [])))
  }

  /** How far the journal that it follows is in it; undefined where it follows none. */
  get followed(): JournalPlace | undefined {
    const [seq, chain = ''] = this.#reading(() => this.#meta('followed'))?.split(' ') ?? []
    return seq === undefined ? undefined : { seq: Number(seq), chain: Buffer.from(chain, 'hex') }
  }

  /** Of the newest records that were followed; undefined of one of before. */
  passed(seq: number): Passed | undefined {
    return this.#reading(() => rows<Passed>(this.#db.prepare('SELECT seq, chain, epoch FROM passed WHERE seq = ?').all(seq))[0])
  }

  /** Puts a journal that was written here in the place of one that is followed from there on. @throws as `commit` */
  followFrom({ seq, chain }: JournalPlace): void {
    this.#writing(() => this.#statements.setMeta.run('followed', `${seq} ${Buffer.from(chain).toString('hex')}`))
  }

  /** Writes every salt anew; what was altered stays so. @throws as `commit` */
  resalt(salted: (contestId: string, salt: string) => string): void {
    // Nothing of what was there is left in the file.
    this.#db.exec('PRAGMA secure_delete = ON')
    this.#writing(() => {
      const held = rows<{ id: string; salt: string; sound: number }>(
        this.#db.prepare(`SELECT contest_id AS id, salt, ${isSound('custody')} AS sound FROM custody`).all(),
      )
      const set = this.#db.prepare('UPDATE custody SET salt = ? WHERE contest_id = ?')
      const sum = this.#db.prepare(`UPDATE custody SET sum = ${sumOf('custody')} WHERE contest_id = ?`)
      for (const { id, salt, sound } of held) {
        const text = salted(id, salt)
        if (text === salt) continue
        set.run(text, id)
        if (sound === 1) sum.run(id)
      }
    })
  }

  /** All of it in another file, a piece at a time beside what is written: how far it is then, that file says. */
  async copyInto(file: string): Promise<void> {
    await backup(this.#db, file)
  }

  /** As `copyInto`, at once, with nothing in it of what was deleted. */
  vacuumInto(file: string): void {
    this.#db.prepare('VACUUM INTO ?').run(file)
  }

  #putPassed({ seq, chain, epoch }: Passed): void {
    this.#db.prepare('INSERT OR REPLACE INTO passed VALUES (?, ?, ?)').run(seq, chain, epoch)
  }

  #putOwner({ agentId, madeAt, newsAfter }: Owner): void {
    const { setMeta } = this.#statements
    setMeta.run('agentId', agentId)
    if (madeAt !== undefined) setMeta.run('madeAt', String(madeAt))
    if (newsAfter !== undefined) setMeta.run('newsAfter', JSON.stringify(newsAfter))
  }

  #put({ n, at, event, cursor, intents, outcomes, custody, swaps, fills, refusals, modes = [], ledger }: JournalRecord): void {
    const { addEvent, setMeta, addIntent, settleIntent, setCustody, setSwap, addFill, addRefusal, setMode, setFacts } = this.#statements
    if (event !== undefined) addEvent.run(n, at, JSON.stringify(event.raw) ?? 'null', event.problem ?? null)
    if (cursor !== undefined) setMeta.run('cursor', cursor)
    for (const { key, action, stake, risk } of intents) addIntent.run(key, n, at, encodeExact(action), stake.toString(), risk.toString())
    for (const { key, status, made, detail } of outcomes) {
      const { changes } = settleIntent.run(status, made ?? null, detail ?? null, at, key)
      // An index that has lost the intent would lose its outcome with it.
      if (changes !== 1) throw corrupt(this.#file, `table intents, row ${key}: it has an outcome now, and is not there as it was written`)
    }
    for (const { contestId, entryId, price, salt, commitment, status } of custody) {
      setCustody.run(contestId, entryId, price, salt, commitment, status, at)
    }
    for (const swap of swaps) setSwap.run(...rowOfSwap(swap))
    for (const fill of fills) addFill.run(...rowOfFill(fill))
    for (const code of refusals) addRefusal.run(code)
    for (const mode of modes) setMode.run(...rowOfMode(mode, at))
    if (ledger !== undefined) setFacts.run('ledger', encodeExact(ledger))
  }

  /** What is left to do once records are on the disk. */
  #written(records: readonly JournalRecord[]): void {
    if (records.some(({ modes = [] }) => modes.length > 0)) this.#noteModes()
    this.#unfolded += records.filter(({ event }) => event !== undefined).length
    // Where nothing waits to be sent.
    const sends = records.some(({ intents, swaps, custody }) => intents.length > 0 || swaps.length > 0 || custody.length > 0)
    if (this.#unfolded < this.#foldEvery || sends) return
    this.#fold(this.#folded(), this.#unfolded)
    this.#unfolded = 0
  }

  /** Lets go of the file; once more does nothing. */
  close(): void {
    if (!this.#db.isOpen) return
    // Before the lock: after it the note may be that of the next process.
    if (this.#file !== ':memory:') removeHolderNote(this.#file)
    this.#db.close()
  }

  /** Others cannot read the table while the journal is held. A note that does not come about stops no bot. */
  #noteModes(): void {
    if (this.#file === ':memory:') return
    try {
      noteModes(this.#file, rows<ModeRow>(this.#statements.modes.all()))
    } catch {
      // What cannot be read is said by `load`.
    }
  }

  /** One transaction, on the disk and where the next start looks for it. */
  #writing(task: () => void): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      task()
      this.#db.exec('COMMIT')
    } catch (thrown) {
      // A full disk, for one, has ended the transaction already.
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw unwritten(this.#file, thrown)
    }
    // Only now: what is deleted while it is being written is as lost.
    if (this.#place?.isLost() === true) throw gone(this.#file)
  }

  #reading<T>(task: () => T): T {
    try {
      return task()
    } catch (thrown) {
      throw unread(this.#file, thrown)
    }
  }

  #each<Row extends SummedRow & { readonly key: string }, T>(table: string, found: readonly Row[], read: (row: Row) => T): T[] {
    return found.map((row) =>
      this.#row(table, row.key, () => {
        const value = read(row)
        expectSound(row)
        return value
      }),
    )
  }

  #row<T>(table: string, name: string | number, read: () => T): T {
    try {
      return read()
    } catch (thrown) {
      // A full disk is none of the row's.
      if (isOfSqlite(thrown)) throw thrown
      throw corrupt(this.#file, `table ${table}, row ${name}: ${messageOf(thrown)}`)
    }
  }

  #meta(key: string): string | undefined {
    return rows<{ value: string }>(this.#statements.getMeta.all(key))[0]?.value
  }
}

interface EventRow {
  readonly position: number
  readonly raw: string
}

/** Rows of our own statements on our own tables. */
function rows<T>(found: unknown[]): T[] {
  return found as T[]
}

/** How many there are of each status, and how many are gone. */
function tallyOf(found: readonly { readonly status: string; readonly count: number }[], gone: Readonly<Record<string, number>>) {
  const tally = new Map(Object.entries(gone))
  for (const { status, count } of found) tally.set(status, (tally.get(status) ?? 0) + count)
  return tally
}

/** Undefined where there is none, and where it is no number: then everything is news. */
function numberOf(text: string | undefined): number | undefined {
  const value = Number(text)
  return Number.isNaN(value) ? undefined : value
}

/** Of the newest of them: whoever starts later than that needs none. */
function ofTheLastMinute(sent: readonly SentTransaction[]): SentTransaction[] {
  const newestAt = Math.max(...sent.map(({ at }) => at))
  return sent.filter(({ at }) => at > newestAt - 60_000)
}

type Owner = Omit<JournalOwner, 'madeAt'> & { readonly madeAt: number | undefined }

/** Kept as JSON: null says that the stream was empty. */
const newsAfterIn = (text: string | undefined): { readonly newsAfter?: string | null } =>
  text === undefined ? {} : { newsAfter: JSON.parse(text) as string | null }
