import { createReadStream } from 'node:fs'
import { createZstdCompress } from 'node:zlib'
import { messageOf } from '../../../core/error.ts'
import { inTime } from '../../../core/inTime.ts'
import { steadyClock } from '../../../core/systemClock.ts'
import { FleetConnection, type FleetConnectionOptions } from '../database/fleetConnection.ts'
import type { Holding } from './fencedCommits.ts'
import type { FleetCopy } from './fleetCopy.ts'
import type { JournalPlace } from './journalPlace.ts'
import type { RecordSeal } from './recordSeal.ts'
import { placeOfPart } from './takenBase.ts'

const EVERY = 5000
/** With fewer behind its base a bot is let go of as it is: whoever takes it over reads them in no time. */
const LEAST_AT_RELEASE = 500
/** Who lets go of a bot waits no longer for its base. */
const RELEASE_MS = 1000
const PART_BYTES = 1024 * 1024
const PIECE = 500
/** After one that failed. */
const AGAIN_MS = 60_000
/** A part is a thousand times as long as a record. */
const ANSWER_MS = 10_000

const NEWEST = `
  SELECT (SELECT max(upto) FROM cornerman_fleet.bases WHERE bot = $1)::text AS upto,
    (SELECT substring(bytes FOR 4) FROM cornerman_fleet.base_parts WHERE bot = $1 AND part = 0 ORDER BY upto DESC LIMIT 1) AS base,
    (SELECT substring(body FOR 4) FROM cornerman_fleet.records WHERE bot = $1 ORDER BY records.seq LIMIT 1) AS record`

// The row of the bot is not locked: a part is nothing before its base is stated.
const PUT_PART = `
  INSERT INTO cornerman_fleet.base_parts (bot, upto, part, epoch, bytes)
    SELECT $1, $2, $3, $4, $6 FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $4 AND run = $5
      AND NOT EXISTS (SELECT FROM cornerman_fleet.bases WHERE bot = $1 AND upto = $2)
    ON CONFLICT (bot, upto, part) DO UPDATE SET epoch = excluded.epoch, bytes = excluded.bytes RETURNING 1`

// Under the fence: whoever does not hold the bot any more states none, and a part that another host has put is none of this one's.
const STATE = `
  WITH held AS (SELECT 1 FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $4 AND run = $5 FOR KEY SHARE)
  INSERT INTO cornerman_fleet.bases (bot, upto, epoch, chain, parts)
    SELECT $1, $2, $4, $3, $6 FROM held
      WHERE (SELECT count(*) FROM cornerman_fleet.base_parts WHERE bot = $1 AND upto = $2 AND epoch = $4 AND part < $6) = $6
    ON CONFLICT DO NOTHING RETURNING 1`

const TRIM = `
  DELETE FROM cornerman_fleet.records WHERE bot = $1 AND seq <= $2
    AND seq < (SELECT min(seq) FROM cornerman_fleet.records WHERE bot = $1) + ${PIECE}
    AND EXISTS (SELECT FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $3 AND run = $4) RETURNING 1`

const TRIM_BASES = `
  WITH gone AS (DELETE FROM cornerman_fleet.bases WHERE bot = $1 AND upto < $2
         AND EXISTS (SELECT FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $3 AND run = $4) RETURNING 1)
  DELETE FROM cornerman_fleet.base_parts WHERE bot = $1 AND upto < $2
    AND EXISTS (SELECT FROM cornerman_fleet.bots WHERE bot = $1 AND epoch = $3 AND run = $4)`

/** A bot that is played here. */
export interface PlayedJournal {
  readonly holding: Holding
  readonly copy: FleetCopy
  readonly seal: RecordSeal
}

export interface JournalBasesOptions extends FleetConnectionOptions {
  /** So many records are behind the newest base when another is put. */
  readonly every?: number
  /** Told of each that failed: it is tried again. */
  readonly onTrouble?: (bot: string, words: string) => void
}

/**
 * Puts copies of the journals that are played here into the database, from which a host that has none begins, and takes away the records that
 * are in the last but one of them. All of it beside the play, on a connection of its own, one bot after another.
 */
export class JournalBases {
  readonly #connection: FleetConnection
  readonly #every: number
  readonly #onTrouble: (bot: string, words: string) => void
  /** Where the newest base of a bot stands. */
  readonly #newest = new Map<string, number>()
  readonly #notBefore = new Map<string, number>()
  readonly #busy = new Map<string, Promise<void>>()
  /** Their copies are closed once what is under way has come in. */
  readonly #released = new WeakSet<PlayedJournal>()
  /** Nobody waits for their bases any more: their copies may be closed. */
  readonly #gone = new WeakSet<PlayedJournal>()
  #queue: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor({ every = EVERY, onTrouble = () => {}, ...options }: JournalBasesOptions) {
    this.#connection = new FleetConnection({ answerMs: ANSWER_MS, ...options })
    this.#every = every
    this.#onTrouble = onTrouble
  }

  /** After something was added to a journal: nothing where little was, or one is being put already. */
  note(played: PlayedJournal): void {
    const { bot } = played.holding
    if (this.#released.has(played)) return
    const behind = played.copy.place.seq - (this.#newest.get(bot) ?? Number.NEGATIVE_INFINITY)
    if (behind < this.#every || performance.now() < (this.#notBefore.get(bot) ?? 0)) return
    void this.#inTurn(played, this.#every)
  }

  /** Before a bot is let go of, while its copy is open. It waits no longer than a second. */
  async release(played: PlayedJournal): Promise<void> {
    this.#released.add(played)
    await inTime(this.#inTurn(played, Math.min(LEAST_AT_RELEASE, this.#every)), steadyClock, RELEASE_MS)
    this.#gone.add(played)
    this.#newest.delete(played.holding.bot)
  }

  /** All that was begun. */
  async done(): Promise<void> {
    await Promise.all(this.#busy.values())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#connection.close()
    await this.done()
  }

  #isOver(played: PlayedJournal): boolean {
    return this.#isClosed || this.#gone.has(played)
  }

  /** Never rejects. */
  #inTurn(played: PlayedJournal, least: number): Promise<void> {
    const { bot } = played.holding
    const busy = this.#busy.get(bot)
    if (busy !== undefined) return busy
    const done = this.#queue.then(async () => {
      try {
        if (!this.#isOver(played)) await this.#look(played, least)
      } catch (thrown) {
        this.#notBefore.set(bot, performance.now() + AGAIN_MS)
        if (!this.#isOver(played)) this.#onTrouble(bot, messageOf(thrown))
      } finally {
        this.#busy.delete(bot)
      }
    })
    this.#busy.set(bot, done)
    this.#queue = done
    return done
  }

  /** Another host may have put one since. */
  async #look(played: PlayedJournal, least: number): Promise<void> {
    const { copy, holding, seal } = played
    const [row] = await this.#connection.ask<NewestRow>(NEWEST, [holding.bot])
    const isOfFirst = (sealed: Buffer | null | undefined) => sealed === null || sealed === undefined || seal.isOfFirstKey(sealed)
    const newest = Number(row?.upto ?? 0)
    this.#newest.set(holding.bot, newest)
    const { seq } = copy.place
    if (seq === newest) return
    // What a key of before has sealed goes as soon as there is a base of the present one.
    const isOfKey = isOfFirst(row?.base) && isOfFirst(row?.record)
    if (seq - newest < least && isOfKey) return
    const base = await putBase(this.#connection, played)
    if (base === undefined) return
    this.#newest.set(holding.bot, base.seq)
    await trim(this.#connection, holding, isOfKey ? newest : base.seq)
  }
}

interface NewestRow {
  readonly upto: string | null
  readonly base: Buffer | null
  readonly record: Buffer | null
}

/**
 * The copy as it is now.
 *
 * @returns where it stands; undefined where the bot is another host's, or there is one already
 * @throws InDoubt, or CornermanError as a connection does
 */
export async function putBase(connection: FleetConnection, { holding, copy, seal }: PlayedJournal): Promise<JournalPlace | undefined> {
  const { bot, epoch, run } = holding
  return copy.asFile(async (file, place) => {
    let parts = 0
    const put = async (bytes: Buffer, isLast: boolean) => {
      const sealed = seal.sealPart(placeOfPart(place.seq, epoch, parts, isLast), bytes)
      const [row] = await connection.ask(PUT_PART, [bot, place.seq, parts, epoch, run, sealed])
      parts += 1
      return row !== undefined
    }
    let rest = Buffer.alloc(0)
    for await (const chunk of createReadStream(file).pipe(createZstdCompress())) {
      rest = Buffer.concat([rest, chunk as Buffer])
      for (; rest.length > PART_BYTES; rest = rest.subarray(PART_BYTES))
        if (!(await put(rest.subarray(0, PART_BYTES), false))) return undefined
    }
    if (!(await put(rest, true))) return undefined
    const [row] = await connection.ask(STATE, [bot, place.seq, place.chain, epoch, run, parts])
    return row === undefined ? undefined : place
  })
}

/** Takes away what is in a base, a piece at a time, and the bases of before it. @throws as `putBase` */
export async function trim(connection: FleetConnection, { bot, epoch, run }: Holding, upTo: number): Promise<void> {
  if (upTo === 0) return
  for (;;) {
    const gone = await connection.ask(TRIM, [bot, upTo, epoch, run])
    if (gone.length === 0) break
  }
  await connection.ask(TRIM_BASES, [bot, upTo, epoch, run])
}
