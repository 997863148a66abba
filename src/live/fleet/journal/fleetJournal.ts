import { diskRemedy } from '../../../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { inTime } from '../../../core/inTime.ts'
import { steadyClock } from '../../../core/systemClock.ts'
import type { JournalContents, JournalRecord } from '../../../pipeline/index.ts'
import type { BotJournal, Folding, Owed } from '../../journal/botJournal.ts'
import { ofAnother } from '../../journal/owner.ts'
import type { ReadLease } from '../../readBudget.ts'
import { sqlstateOf } from '../database/databaseTrouble.ts'
import { isDiskFull } from '../database/fleetConnection.ts'
import type { Durability } from '../database/fleetFitness.ts'
import type { Statements } from '../database/sharedConnections.ts'
import { FencedCommits, type Holding } from './fencedCommits.ts'
import type { FleetCopy } from './fleetCopy.ts'
import type { FleetFact } from './fleetFact.ts'
import type { JournalPlace } from './journalPlace.ts'
import { type Kept, SEND_WITHIN } from './kept.ts'
import type { FleetRecord, JournalOwner, RecordSeal } from './recordSeal.ts'

const MOST_QUEUED_BYTES = 64 * 1024 * 1024
const BATCH_RECORDS = 256
const BATCH_BYTES = 1024 * 1024
const MOST_LATE = 3
/** Another host's reads may be on their way for so long after it was given up. */
const INHERITED_LATER_MS = 4000

export interface FleetJournalOptions {
  /** Of this bot alone. */
  readonly connection: Statements
  readonly holding: Holding
  readonly seal: RecordSeal
  /** Brought up to the row of the bot: it is written on from there. */
  readonly copy: FleetCopy
  /** Default: `asGiven`. */
  readonly durability?: Durability
  /** Told once, when nothing can be kept any more: `BOT_MOVED` where another host has the bot. */
  readonly onStop: (error: CornermanError) => void
  /** After each batch that was kept, once it is in the copy. */
  readonly onKept?: () => void
  readonly onFact?: (fact: FleetFact) => void
}

interface Queued {
  readonly entry: FleetRecord
  readonly body: Buffer
}

interface Moment {
  readonly steady: number
  readonly wall: number
}

interface Waiting {
  readonly upTo: number
  readonly settle: (result: 'kept' | 'fenced') => void
}

/**
 * The journal of a bot in a fleet. What is committed is in a queue when `commit` returns, and goes to the database a batch at a time; whatever
 * sends waits for it with `kept`. What dies in the queue was not sent, so it is as if its input had not come.
 */
export class FleetJournal implements BotJournal, Kept {
  readonly #options: FleetJournalOptions
  readonly #commits: FencedCommits
  readonly #ending = new AbortController()
  #refusesEntries = false
  #queue: Queued[] = []
  #queuedBytes = 0
  /** The place of the newest record that was taken in, and of the newest that is durable. */
  #taken: number
  #durable: number
  #isWriting = false
  /** Never rejects. */
  #written: Promise<void> = Promise.resolve()
  #stopped: CornermanError | undefined
  /** When the newest batch that was kept was begun. */
  #heldAt: Moment | undefined
  #waiting: Waiting[] = []
  #lateInARow = 0
  /** Said by this host, and maybe not durable yet. */
  #owner: JournalOwner | undefined

  constructor(options: FleetJournalOptions) {
    this.#options = options
    const { connection, holding, copy } = options
    this.#commits = new FencedCommits(connection, holding, copy.place)
    this.#taken = this.#durable = copy.place.seq
  }

  /** How far it was kept. */
  get place(): JournalPlace {
    return this.#commits.place
  }

  get refusesEntries(): boolean {
    return this.#refusesEntries
  }

  get isDurable(): boolean {
    return this.#options.durability !== 'standby' || this.#commits.hasStandby
  }

  get queuedBytes(): number {
    return this.#queuedBytes
  }

  get isNew(): boolean {
    return (this.#owner?.agentId ?? this.#options.copy.agentId) === undefined
  }

  belongTo(agentId: string, now: number, newsAfter?: string | null): void {
    const { copy, holding } = this.#options
    const owner = this.#owner?.agentId ?? copy.agentId
    if (owner === agentId) return
    if (owner !== undefined) throw ofAnother(`what the fleet has of ${holding.bot}`, owner, agentId)
    this.#owner = { agentId, madeAt: now, ...(newsAfter === undefined ? {} : { newsAfter }) }
    this.#take({ type: 'owner', ...this.#owner })
  }

  /** @throws as `FleetCopy.load` */
  load(): JournalContents {
    const contents = this.#options.copy.load()
    const { madeAt, newsAfter } = { ...this.#owner, ...contents }
    return { ...contents, madeAt: madeAt ?? this.#owner?.madeAt, ...(newsAfter === undefined ? {} : { newsAfter }) }
  }

  owed(): Owed {
    return this.#options.copy.owed()
  }

  folding(): Iterable<Folding> {
    return this.#options.copy.folding()
  }

  eventId(back: number): string | undefined {
    return this.#options.copy.eventId(back)
  }

  /** @throws CornermanError `JOURNAL_WRITE_FAILED` where too much waits for the database, or that with which it has stopped */
  commit(record: JournalRecord): void {
    this.#take({ type: 'record', record })
  }

  /** Those of before are of another host: they count a little longer. */
  leases(sinceMs: number): readonly ReadLease[] {
    return this.#options.copy.leases(sinceMs - INHERITED_LATER_MS).map(({ at, count }) => ({ at: at + INHERITED_LATER_MS, count }))
  }

  /** @throws as `commit` */
  async lease(lease: ReadLease, sinceMs: number): Promise<void> {
    this.#take({ type: 'lease', lease, sinceMs })
    if ((await this.#settled()) === 'fenced') throw this.#stopped
  }

  async kept(): Promise<'kept' | 'fenced' | 'late'> {
    if (this.#stopped !== undefined) return 'fenced'
    // What is sent once more has nothing new to write: that the bot is this host's still has to be known anew.
    if (this.#durable >= this.#taken && !this.maySend()) this.#take({ type: 'mark' })
    if (this.#durable >= this.#taken) return 'kept'
    const result = await inTime(this.#settled(), steadyClock, SEND_WITHIN)
    if (result === undefined) this.#noteLate()
    return result ?? 'late'
  }

  /** Once it is known what became of all that was taken in by now, however long that takes. */
  #settled(): Promise<'kept' | 'fenced'> {
    const upTo = this.#taken
    return new Promise((settle) => this.#waiting.push({ upTo, settle }))
  }

  maySend(): boolean {
    const heldAt = this.#heldAt
    if (heldAt === undefined || this.#stopped !== undefined) return false
    // One of the clocks stands still while a machine sleeps, and the other can be set.
    const [steady, wall] = [performance.now() - heldAt.steady, Date.now() - heldAt.wall]
    return Math.max(steady, wall) <= SEND_WITHIN
  }

  /** Waits for what is under way as long as it could be of use, and writes nothing any more. */
  async close(): Promise<void> {
    if (this.#stopped === undefined && this.#durable < this.#taken) await inTime(this.#settled(), steadyClock, SEND_WITHIN)
    this.#stop(new CornermanError('BOT_MOVED', `${this.#options.holding.bot} is not played by this host any more`))
    this.#ending.abort()
    this.#options.connection.close()
    await this.#written
    this.#options.copy.close()
  }

  #take(entry: FleetRecord): void {
    if (this.#stopped !== undefined) throw this.#stopped
    const body = this.#options.seal.seal(this.#taken + 1, entry)
    if (this.#queuedBytes + body.length > MOST_QUEUED_BYTES) throw this.#stop(tooMuch(this.#options.holding.bot))
    this.#queue.push({ entry, body })
    this.#queuedBytes += body.length
    this.#taken += 1
    if (!this.#isWriting) this.#written = this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    // What one input commits goes together.
    await Promise.resolve()
    try {
      while (this.#queue.length > 0 && this.#stopped === undefined) await this.#writeBatch()
    } catch (thrown) {
      this.#stop(failed(this.#options.holding.bot, thrown))
    } finally {
      this.#isWriting = false
    }
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#queue.slice(0, lengthOfBatch(this.#queue))
    const begun = { steady: performance.now(), wall: Date.now() }
    const bodies = batch.map(({ body }) => body)
    const result = await this.#commits.commit(bodies, this.#ending.signal)
    if (this.#stopped !== undefined) return
    const { bot } = this.#options.holding
    if (result === 'fenced') {
      this.#options.onFact?.({ type: 'fenced', bot })
      this.#stop(new CornermanError('BOT_MOVED', `${bot} is played by another host now: nothing of it is sent from here any more`))
      return
    }
    this.#options.copy.apply(
      batch.map(({ entry }) => entry),
      this.#commits.newest,
    )
    this.#queue = this.#queue.slice(batch.length)
    this.#queuedBytes -= bodies.reduce((sum, { length }) => sum + length, 0)
    this.#durable = this.#commits.place.seq
    this.#heldAt = begun
    this.#options.onFact?.({ type: 'kept', bot, ms: performance.now() - begun.steady })
    this.#lateInARow = 0
    if (this.#refusesEntries) this.#refuseEntries(false)
    this.#options.onKept?.()
    const isOver = ({ upTo }: Waiting) => upTo <= this.#durable
    const over = this.#waiting.filter(isOver)
    this.#waiting = this.#waiting.filter((waiting) => !isOver(waiting))
    for (const { settle } of over) settle('kept')
  }

  #noteLate(): void {
    this.#options.onFact?.({ type: 'late', bot: this.#options.holding.bot })
    this.#lateInARow += 1
    if (this.#lateInARow === MOST_LATE) this.#refuseEntries(true)
  }

  #refuseEntries(waits: boolean): void {
    this.#refusesEntries = waits
    this.#options.onFact?.({ type: 'waits', bot: this.#options.holding.bot, waits })
  }

  #stop(error: CornermanError): CornermanError {
    if (this.#stopped !== undefined) return this.#stopped
    this.#stopped = error
    for (const { settle } of this.#waiting) settle('fenced')
    this.#waiting = []
    this.#options.onStop(error)
    return error
  }
}

/** Of the queue: at least one record, however large it is. */
function lengthOfBatch(queue: readonly Queued[]): number {
  let bytes = 0
  for (const [length, { body }] of queue.entries()) {
    bytes += body.length
    if (length === BATCH_RECORDS || (bytes > BATCH_BYTES && length > 0)) return length
  }
  return queue.length
}

const tooMuch = (bot: string): CornermanError =>
  new CornermanError(
    'JOURNAL_WRITE_FAILED',
    `${bot}: the database of the fleet has taken nothing for so long that ${MOST_QUEUED_BYTES} bytes wait for it, so nothing more is sent: see that it runs, then start again`,
  )

/** With what the database or the copy has refused. */
function failed(bot: string, cause: unknown): CornermanError {
  if (cause instanceof CornermanError && cause.code !== 'FLEET_REFUSED') return cause
  const code = sqlstateOf(cause)
  const remedy = isDiskFull(cause) ? 'make room on the disk of the database' : diskRemedy(cause)
  return new CornermanError(
    'JOURNAL_WRITE_FAILED',
    `the journal of ${bot} could not be written, so nothing of this step is sent (${messageOf(cause)}${code === undefined ? '' : ` [${code}]`}): ${remedy}, then start again`,
    { cause },
  )
}
