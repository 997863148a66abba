import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { CornermanError } from '../../../core/error.ts'
import { FleetConnection } from '../database/fleetConnection.ts'
import { rolledBack } from './fencedCommits.ts'
import { FleetCopy, type RecordRow } from './fleetCopy.ts'
import type { JournalPlace } from './journalPlace.ts'
import type { RecordSeal } from './recordSeal.ts'

const AT_ONCE = 2000

// Of all bots in one statement: a hundred that play write to all the copies of the other hosts.
const BEHIND = `
  SELECT r.bot, r.seq::text, r.epoch::text, r.chain, r.body
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u(bot, after, upto)
    JOIN cornerman_fleet.records r ON r.bot = u.bot AND r.seq > u.after AND r.seq <= u.upto
    ORDER BY r.bot, r.seq LIMIT $4`

export interface BotCopiesOptions {
  readonly url: string
  /** The bots that this host could play. */
  readonly bots: readonly string[]
  readonly fileOf: (bot: string) => string
  readonly sealOf: (bot: string) => RecordSeal
  /** Of each bot's journal. */
  readonly keptDays?: number
  /** A copy that cannot be followed: nobody is to play the bot before a person has looked at it. Told once. */
  readonly onFault: (bot: string, fault: CornermanError) => void
}

/** How far the journal of a bot is, as a beat that was answered has shown it. */
export interface SeenJournal extends JournalPlace {
  readonly bot: string
}

/** The copies of all bots on one host: those that it does not play follow what others write, so that it can go on from there at once. */
export class BotCopies {
  readonly #options: BotCopiesOptions
  readonly #connection: FleetConnection
  readonly #names: ReadonlySet<string>
  readonly #copies = new Map<string, FleetCopy>()
  /** Played here: the journal itself writes it. */
  readonly #taken = new Set<string>()
  readonly #faulty = new Set<string>()
  readonly #places = new Map<string, JournalPlace>()
  /** When a bot was played here for the last time, by the monotonic clock: a beat of before shows less of it than its copy has. */
  readonly #playedUntil = new Map<string, number>()
  /** One statement at a time on the connection. */
  #queue: Promise<unknown> = Promise.resolve()
  #isFollowing = false

  constructor(options: BotCopiesOptions) {
    this.#options = options
    this.#names = new Set(options.bots)
    this.#connection = new FleetConnection(options)
  }

  /** How far each copy was last known to be, by bot. */
  get places(): ReadonlyMap<string, JournalPlace> {
    return this.#places
  }

  /**
   * Goes as far as was seen, a piece at a time; nothing while it does so still.
   *
   * @param beganMs when the beat that has shown it was begun, by the monotonic clock
   * @throws InDoubt
   */
  async follow(seen: readonly SeenJournal[], beganMs: number): Promise<void> {
    if (this.#isFollowing) return
    this.#isFollowing = true
    try {
      await this.#inTurn(() => this.#followAll(seen.filter(({ bot }) => beganMs > (this.#playedUntil.get(bot) ?? beganMs - 1))))
    } finally {
      this.#isFollowing = false
    }
  }

  /**
   * The copy of a bot that is played here from now on, up to where its journal is.
   *
   * @throws InDoubt, or CornermanError as `FleetCopy.catchUp`
   */
  take(bot: string, upTo: JournalPlace): Promise<FleetCopy> {
    this.#taken.add(bot)
    return this.#inTurn(async () => {
      const copy = this.#copyOf(bot)
      try {
        await copy.catchUp(this.#connection, upTo)
        return copy
      } catch (thrown) {
        if (thrown instanceof CornermanError) this.#drop(bot, copy)
        throw thrown
      } finally {
        this.#places.set(bot, copy.place)
      }
    })
  }

  /**
   * It is not played here any more, and its copy is closed: it is followed again.
   *
   * @param place how far it is; undefined where it was never played
   */
  giveBack(bot: string, place: JournalPlace | undefined): void {
    if (place !== undefined) this.#places.set(bot, place)
    this.#taken.delete(bot)
    this.#copies.delete(bot)
    this.#playedUntil.set(bot, performance.now())
  }

  /** A bot whose copy could not be followed was seen to: it is followed again. */
  forgive(bot: string): void {
    this.#faulty.delete(bot)
  }

  /** Those that are played here are closed by whoever plays them. */
  async close(): Promise<void> {
    this.#connection.close()
    await this.#queue.catch(() => {})
    for (const [bot, copy] of this.#copies) if (!this.#taken.has(bot)) copy.close()
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(act)
    this.#queue = done.catch(() => {})
    return done
  }

  #copyOf(bot: string): FleetCopy {
    let copy = this.#copies.get(bot)
    if (copy === undefined) {
      const { fileOf, sealOf, keptDays } = this.#options
      const file = fileOf(bot)
      mkdirSync(dirname(file), { recursive: true })
      copy = new FleetCopy({ file, bot, seal: sealOf(bot), ...(keptDays === undefined ? {} : { keptDays }) })
      this.#copies.set(bot, copy)
    }
    return copy
  }

  async #followAll(seen: readonly SeenJournal[]): Promise<void> {
    const behind = seen.flatMap(({ bot, ...upTo }) => {
      if (this.#taken.has(bot) || this.#faulty.has(bot) || !this.#names.has(bot)) return []
      const place = this.#placeOf(bot, upTo)
      return place === undefined || place.seq === upTo.seq ? [] : [{ bot, after: place.seq, upTo }]
    })
    if (behind.length === 0) return
    const rows = await this.#connection.ask<{ bot: string; seq: string; epoch: string; chain: Buffer; body: Buffer }>(BEHIND, [
      behind.map(({ bot }) => bot),
      behind.map(({ after }) => after),
      behind.map(({ upTo }) => upTo.seq),
      AT_ONCE,
    ])
    const byBot = Map.groupBy(rows, ({ bot }) => bot)
    for (const { bot, after, upTo } of behind) {
      if (this.#taken.has(bot)) continue
      const ofBot = (byBot.get(bot) ?? []).map((row): RecordRow => ({ ...row, seq: Number(row.seq), epoch: Number(row.epoch) }))
      const isGap = ofBot.length === 0 ? rows.length < AT_ONCE : ofBot[0]?.seq !== after + 1
      if (isGap) await this.#catchUp(bot, upTo)
      else this.#guarded(bot, () => this.#copyOf(bot).follow(ofBot))
      const copy = this.#copies.get(bot)
      if (copy !== undefined) this.#places.set(bot, copy.place)
    }
  }

  /** Whoever mends the journal needs the file. */
  #drop(bot: string, copy: FleetCopy): void {
    this.#copies.delete(bot)
    copy.close()
  }

  /** By a base: the records of before it are gone. */
  async #catchUp(bot: string, upTo: JournalPlace): Promise<void> {
    try {
      await this.#copyOf(bot).catchUp(this.#connection, upTo)
    } catch (thrown) {
      this.#guarded(bot, () => {
        throw thrown
      })
    }
  }

  /** Undefined where the copy knows another past than was seen. */
  #placeOf(bot: string, { seq, chain }: JournalPlace): JournalPlace | undefined {
    return this.#guarded(bot, () => {
      const { place } = this.#copyOf(bot)
      this.#places.set(bot, place)
      const isAhead = place.seq > seq
      if (isAhead || (place.seq === seq && Buffer.compare(place.chain, chain) !== 0)) throw rolledBack(bot, place.seq, seq)
      return place
    })
  }

  #guarded<T>(bot: string, act: () => T): T | undefined {
    try {
      return act()
    } catch (thrown) {
      if (!(thrown instanceof CornermanError)) throw thrown
      this.#faulty.add(bot)
      const copy = this.#copies.get(bot)
      if (copy !== undefined) this.#drop(bot, copy)
      this.#options.onFault(bot, thrown)
      return undefined
    }
  }
}
