import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { readEvent } from '../../contract/events.ts'
import { DAY_MS } from '../../core/day.ts'
import { decodeExact, encodeExact } from '../../core/exactJson.ts'
import { emptyPastFacts, Past, type PastContest, type PastFacts, pastFactsSchema, strategyOfKey } from '../../pipeline/index.ts'
import { expectSound, rawEventOf } from './rows.ts'
import type { Statements } from './statements.ts'
import { isSound, sumOf, upsertOf } from './sums.ts'
import { type FillRow, fillOf } from './swapRows.ts'

// The past of a journal: what its events, fills and answered intents came to, so that a start need not read all of them, and so
// that the oldest can go (docs/adr/0034-what-a-journal-keeps.md).

const NAME = 'past'
/** A transaction of a swap that is over is of use for a minute: one that is built anew must not be the same. */
const KEPT_SWAPS_MS = 600_000
/** Rows that go at once: a bot waits for it. */
const MOST_DROPPED = 2000

/** What is folded, and how far. Version 1. */
const foldedSchema = z.strictObject({
  version: z.literal(1),
  /** The newest event that is folded in, and the newest fill; 0: none is. */
  position: z.int().nonnegative(),
  fill: z.int().nonnegative(),
  /** Where the events of contests stand that have no end yet. They are folded in, and kept: a start tells them again. */
  open: z.array(z.strictObject({ contestId: z.string(), positions: z.array(z.int()) })),
  /** Of intents and predictions that are over and are gone, how many were of each status; of swaps those that came to nothing. */
  gone: z.strictObject({
    intents: z.record(z.string(), z.int()),
    custody: z.record(z.string(), z.int()),
    rejectedSwaps: z.int(),
  }),
  past: pastFactsSchema,
})
export type Folded = z.output<typeof foldedSchema>

const nothingFolded: Folded = {
  version: 1,
  position: 0,
  fill: 0,
  open: [],
  gone: { intents: {}, custody: {}, rejectedSwaps: 0 },
  past: emptyPastFacts,
}

/**
 * Reads what is folded.
 *
 * @returns undefined where nothing was
 * @throws CornermanError `JOURNAL_ROW_UNREADABLE`, ZodError or SyntaxError where it is not what was written
 */
export function readFolded(db: DatabaseSync): Folded | undefined {
  const row = db.prepare(`SELECT body, ${isSound('facts')} AS sound FROM facts WHERE name = ?`).get(NAME) as
    | { body: string; sound: number }
    | undefined
  if (row === undefined) return undefined
  expectSound(row)
  return foldedSchema.parse(decodeExact(row.body))
}

interface EventRow {
  readonly position: number
  readonly raw: string
}

/** Folds what was written since, a piece at a time, in transactions of whoever calls. */
export class Folder {
  readonly #statements: ReturnType<typeof prepare> & Pick<Statements, 'events' | 'eventsAt' | 'fills' | 'setFacts'>
  readonly #past: Past
  /** By contest without an end, where its events stand. */
  readonly #open = new Map<string, number[]>()
  readonly #gone: { intents: Record<string, number>; custody: Record<string, number>; rejectedSwaps: number }
  #position: number
  #fill: number

  /** @throws as `readFolded` */
  constructor(db: DatabaseSync, statements: Statements) {
    this.#statements = { ...statements, ...prepare(db) }
    const { position, fill, open, gone, past } = readFolded(db) ?? nothingFolded
    this.#position = position
    this.#fill = fill
    this.#past = new Past(past)
    this.#gone = { intents: { ...gone.intents }, custody: { ...gone.custody }, rejectedSwaps: gone.rejectedSwaps }
    // A seat that the facts leave out begins with its own events, which are kept.
    for (const { contestId, positions } of open) this.#open.set(contestId, [...positions])
    for (const row of this.#eventsAt(this.openPositions)) {
      const read = readEvent(rawEventOf(row))
      if (read.ok) this.#past.again(read.event)
    }
  }

  get facts(): PastFacts {
    return this.#past.facts
  }

  get gone(): Folded['gone'] {
    return this.#gone
  }

  /** The newest fill that is folded in. */
  get fill(): number {
    return this.#fill
  }

  /** The newest event that is folded in. */
  get position(): number {
    return this.#position
  }

  /** Where the events stand that a start tells again. */
  get openPositions(): readonly number[] {
    return [...this.#open.values()].flat().toSorted((a, b) => a - b)
  }

  /** Contests without an end, and the tickets that led to them. */
  get openIds(): readonly string[] {
    return [...this.#past.open].flatMap(([contestId, { ticketId }]) => [contestId, ...(ticketId === undefined ? [] : [ticketId])])
  }

  /**
   * Folds the next events, and drops the oldest of what is folded and was written before that time.
   *
   * @throws CornermanError `JOURNAL_ROW_UNREADABLE`
   */
  fold(most: number, before: number): void {
    const rows = this.#statements.events.all(this.#position, most) as unknown as EventRow[]
    for (const row of rows) {
      this.#take(row)
      this.#position = row.position
    }
    this.#statements.dropOldSwaps.run(KEPT_SWAPS_MS)
    this.#drop(before)
    this.#write()
  }

  /** Of events, intents and predictions, the newest of each apart. */
  #drop(before: number): void {
    const { dropEvents, oldIntents, dropIntent, dropFill, dropSwap, oldCustody, dropCustody } = this.#statements
    dropEvents.run(this.#position, before, JSON.stringify(this.openPositions), MOST_DROPPED)
    const openIds = JSON.stringify(this.openIds)
    const intents = oldIntents.all(before, this.#fill, openIds, MOST_DROPPED) as unknown as {
      key: string
      status: string
      type: string
    }[]
    for (const { key, status, type } of intents) {
      for (const drop of [dropFill, dropSwap, dropIntent]) drop.run(key)
      this.#gone.intents[status] = (this.#gone.intents[status] ?? 0) + 1
      if (SWAPS.has(type) && CAME_TO_NOTHING.has(status)) this.#gone.rejectedSwaps += 1
    }
    const custody = oldCustody.all(before, openIds, MOST_DROPPED) as unknown as {
      contest_id: string
      status: string
    }[]
    for (const { contest_id, status } of custody) {
      dropCustody.run(contest_id)
      this.#gone.custody[status] = (this.#gone.custody[status] ?? 0) + 1
    }
  }

  #take(row: EventRow): void {
    const read = readEvent(rawEventOf(row))
    if (!read.ok) return
    const { event } = read
    this.#takeFills(event.createdAt)
    const ended = this.#past.event(event, (id) => this.#strategyOf(id))
    const contestId = 'contestId' in event.data ? event.data.contestId : undefined
    if (typeof contestId !== 'string') return
    if (this.#past.open.has(contestId)) this.#open.set(contestId, [...(this.#open.get(contestId) ?? []), row.position])
    else this.#open.delete(contestId)
    if (ended !== undefined) this.#keep(ended)
    for (const [closedId, cash] of this.#past.takeClosed()) this.#statements.setSwapProfit.run(closedId, cash.toString())
  }

  /** Swaps go in between the events, as a start tells them. */
  #takeFills(until: number): void {
    for (const row of this.#statements.fills.iterate(this.#fill) as unknown as Iterable<FillRow & { position: number; sound: number }>) {
      expectSound(row)
      const fill = fillOf(row)
      if (fill.at > until) return
      this.#past.fill(fill)
      this.#fill = row.position
    }
  }

  #keep({ contestId, endedAt, mode, strategy, versus, chain, stake, result, profit }: PastContest): void {
    const texts = [mode ?? null, strategy ?? null, versus ?? null, chain ?? null, stake?.toString() ?? null]
    this.#statements.addContest.run(contestId, endedAt, ...texts, result, profit.toString(), null)
  }

  #strategyOf(id: string): string | undefined {
    const found = this.#statements.keyOf.get(id) as { key: string } | undefined
    return found === undefined ? undefined : strategyOfKey(found.key)
  }

  #eventsAt(positions: readonly number[]): EventRow[] {
    return this.#statements.eventsAt.all(JSON.stringify(positions)) as unknown as EventRow[]
  }

  #write(): void {
    const folded: Folded = {
      version: 1,
      position: this.#position,
      fill: this.#fill,
      open: [...this.#open].map(([contestId, positions]) => ({ contestId, positions })),
      gone: this.#gone,
      past: this.#past.facts,
    }
    this.#statements.setFacts.run(NAME, encodeExact(folded))
  }
}

const SWAPS: ReadonlySet<string> = new Set(['swap', 'sweep'])
const CAME_TO_NOTHING: ReadonlySet<string> = new Set(['rejected', 'notSent', 'absent'])
/** Days of events that are kept where the config says nothing else. */
export const KEPT_DAYS = 30
export const keptSince = (now: number, days: number): number => (days === 0 ? Number.NEGATIVE_INFINITY : now - days * DAY_MS)

function prepare(db: DatabaseSync) {
  return {
    keyOf: db.prepare('SELECT key FROM intents WHERE made IS NOT NULL AND made = ? LIMIT 1'),
    setSwapProfit: db.prepare(
      `UPDATE contests SET swap_profit = ?2, sum = ${sumOf('contests', { swap_profit: '?2' })} WHERE contest_id = ?1`,
    ),
    addContest: db.prepare(upsertOf('contests')),
    dropOldSwaps: db.prepare(
      `DELETE FROM swaps WHERE sent_at < (SELECT max(sent_at) FROM (SELECT sent_at FROM swaps ORDER BY rowid DESC LIMIT 600)) - ?
         AND key NOT IN (SELECT key FROM intents WHERE status IN ('pending', 'unknown'))`,
    ),
    // Rows are in the order of time but for a few, so that the oldest say whether there is anything to drop.
    dropEvents: db.prepare(
      `DELETE FROM events WHERE position IN (SELECT position FROM
           (SELECT position, at FROM events WHERE position < ?1 ORDER BY position LIMIT ?4 + json_array_length(?3))
         WHERE at < ?2 AND position NOT IN (SELECT value FROM json_each(?3)))`,
    ),
    oldIntents: db.prepare(
      `SELECT key, status, json_extract(action, '$.type') AS type FROM
           (SELECT * FROM intents WHERE rowid < (SELECT max(rowid) FROM intents) ORDER BY rowid LIMIT ?4 + json_array_length(?3)) AS old
         WHERE at < ?1 AND settled_at < ?1 AND status NOT IN ('pending', 'unknown')
         AND (made IS NULL OR made NOT IN (SELECT value FROM json_each(?3)))
         AND NOT EXISTS (SELECT 1 FROM fills WHERE fills.key = old.key AND position > ?2)`,
    ),
    dropIntent: db.prepare('DELETE FROM intents WHERE key = ?'),
    dropFill: db.prepare('DELETE FROM fills WHERE key = ?'),
    dropSwap: db.prepare('DELETE FROM swaps WHERE key = ?'),
    oldCustody: db.prepare(
      `SELECT contest_id, status FROM (SELECT * FROM custody ORDER BY rowid LIMIT ?3 + json_array_length(?2))
         WHERE at < ?1 AND status IN ('revealed', 'missed', 'dropped') AND contest_id NOT IN (SELECT value FROM json_each(?2))`,
    ),
    dropCustody: db.prepare('DELETE FROM custody WHERE contest_id = ?'),
  }
}
