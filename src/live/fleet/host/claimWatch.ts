import { createHash } from 'node:crypto'

/** A host makes a beat so often, in milliseconds. */
export const BEAT_MS = 500
/** Without an answer to a beat of its own for longer, a host knows nothing of the others. */
const OWN_SILENCE_MS = 1000
/** Each host in the order waits so much longer than the one before. */
const PLACE_MS = 400
/** A host that a bot was let go for has made more than two beats by then: whoever let go of it does not take it back in between. */
const MEANT_MS = 1500
const AT_ONCE = 16
const FIRST_WAIT_MS = 3000
const LONGEST_WAIT_MS = 60_000

/** A host as a beat of one's own showed it. */
export interface SeenHost {
  readonly run: string
  readonly host: string
  readonly beat: number
  /** The bots it could play: it has their keys, and the version that is wanted. */
  readonly bots: ReadonlySet<string>
  /** The service does not answer it: others go before it. */
  readonly isDeaf: boolean
}

export interface SeenBot {
  readonly bot: string
  readonly epoch: number
  /** Of the holder; undefined where nobody holds it. */
  readonly run: string | undefined
  /** The host that it was let go for. */
  readonly movedTo: string | undefined
  /** It is not to be played before a person has looked at it. */
  readonly isHeld: boolean
}

export interface Sight {
  readonly hosts: readonly SeenHost[]
  readonly bots: readonly SeenBot[]
}

/** What is to be asked of the database: it says itself whether it is so still. */
export interface WantedClaim {
  readonly bot: string
  readonly epoch: number
  /** The beat at which its holder has stood still; 0 where nobody holds it. */
  readonly beat: number
}

interface Pulse {
  readonly beat: number
  readonly sinceMs: number
  /** Another beat was seen before this one. The row of a host that died long ago looks like one that has just made a beat. */
  readonly isProven: boolean
}

interface Caution {
  readonly run: string
  readonly beat: number
  readonly waitMs: number
  readonly notBeforeMs: number
}

export interface ClaimWatchOptions {
  readonly run: string
  readonly host: string
  /** A host whose beat has been the same for so long is taken for dead, in milliseconds. */
  readonly silenceMs: number
}

/**
 * Decides which bots a host claims: those that nobody holds, and those of hosts that have stood still for `silenceMs` of time in which this
 * host's own beats were committed. Whoever wakes up, or finds the database again, takes nobody for dead before that time has passed anew. By
 * monotonic time alone. It may be wrong: the fence keeps that from costing more than a takeover.
 */
export class ClaimWatch {
  readonly #options: ClaimWatchOptions
  #pulses: ReadonlyMap<string, Pulse> = new Map()
  /** When bots were first seen without a holder that lives. */
  #freeSince: ReadonlyMap<string, number> = new Map()
  /** By bot: claimed from a host that may yet turn out to be alive. */
  readonly #cautions = new Map<string, Caution>()
  #seenAt = Number.NEGATIVE_INFINITY
  #hosts: readonly SeenHost[] = []

  constructor(options: ClaimWatchOptions) {
    this.#options = options
  }

  /**
   * What this host wants after a beat of its own was committed.
   *
   * @param beganMs when that beat was begun, by the monotonic clock; it was answered at `nowMs`
   */
  see(sight: Sight, beganMs: number, nowMs: number): WantedClaim[] {
    if (beganMs - this.#seenAt > OWN_SILENCE_MS || nowMs - beganMs > OWN_SILENCE_MS) this.forget()
    this.#seenAt = nowMs
    this.#pulses = new Map(sight.hosts.map(({ run, beat }) => [run, this.#pulseOf(run, beat, nowMs)]))
    this.#noteAlive(sight.hosts, nowMs)
    this.#hosts = sight.hosts
    const free = sight.bots.filter((bot) => !bot.isHeld && bot.run !== this.#options.run && !this.isAlive(bot.run, nowMs))
    this.#freeSince = new Map(free.map(({ bot }) => [bot, this.#freeSince.get(bot) ?? nowMs]))
    const own = sight.hosts.find(({ run }) => run === this.#options.run)
    const due: WantedClaim[] = []
    for (const one of free) {
      if (due.length === AT_ONCE) break
      if (own?.bots.has(one.bot) !== true || !this.#isDue(one, sight.hosts, nowMs)) continue
      due.push({ bot: one.bot, epoch: one.epoch, beat: this.#beatOf(one.run) })
    }
    return due
  }

  /** The other hosts that could take a bot over now, in the order in which they would: those that were seen to make beats. */
  heirsOf(bot: string, nowMs: number): string[] {
    const able = this.#hosts.filter((one) => one.bots.has(bot) && this.#isOther(one.run, nowMs) && this.#isProven(one.run))
    return orderFor(bot, able, undefined).map(({ host }) => host)
  }

  /** True once each of the other hosts is known to be alive, or known to be dead. */
  knowsAll(nowMs: number): boolean {
    return this.#hosts.every(({ run }) => !this.#isOther(run, nowMs) || this.#isProven(run))
  }

  #isOther(run: string, nowMs: number): boolean {
    return run !== this.#options.run && this.isAlive(run, nowMs)
  }

  #isProven(run: string): boolean {
    return this.#pulses.get(run)?.isProven === true
  }

  /** Nothing is known of the others: this host stood still itself, or the database did not answer. */
  forget(): void {
    this.#pulses = new Map()
    this.#freeSince = new Map()
  }

  /** A claim was taken: were the holder alive after all, the next one waits longer. */
  claimed({ bot, beat }: WantedClaim, from: string | undefined, nowMs: number): void {
    if (from === undefined) return
    const waitMs = this.#cautions.get(bot)?.waitMs ?? 0
    this.#cautions.set(bot, { run: from, beat, waitMs, notBeforeMs: nowMs })
  }

  #pulseOf(run: string, beat: number, nowMs: number): Pulse {
    const before = this.#pulses.get(run)
    return before?.beat === beat ? before : { beat, sinceMs: nowMs, isProven: before !== undefined }
  }

  /** A host that was claimed from has made another beat. */
  #noteAlive(hosts: readonly SeenHost[], nowMs: number): void {
    for (const [bot, caution] of this.#cautions) {
      const seen = hosts.find(({ run }) => run === caution.run)
      if (seen === undefined || seen.beat === caution.beat) continue
      const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, 2 * caution.waitMs))
      this.#cautions.set(bot, { run: '', beat: 0, waitMs, notBeforeMs: nowMs + waitMs })
    }
  }

  /** Of a host by what was seen of it. A run without a row is of one that was taken out. */
  isAlive(run: string | undefined, nowMs: number): boolean {
    const pulse = run === undefined ? undefined : this.#pulses.get(run)
    return pulse !== undefined && nowMs - pulse.sinceMs < this.#options.silenceMs
  }

  #beatOf(run: string | undefined): number {
    return run === undefined ? 0 : (this.#pulses.get(run)?.beat ?? 0)
  }

  #isDue({ bot, movedTo }: SeenBot, hosts: readonly SeenHost[], nowMs: number): boolean {
    if (nowMs < (this.#cautions.get(bot)?.notBeforeMs ?? nowMs)) return false
    const able = hosts.filter((one) => one.bots.has(bot) && this.isAlive(one.run, nowMs))
    const place = Math.max(
      0,
      orderFor(bot, able, movedTo).findIndex(({ run }) => run === this.#options.run),
    )
    const isMeantForOther = place > 0 && able.some(({ host }) => host === movedTo)
    return nowMs - (this.#freeSince.get(bot) ?? nowMs) >= place * PLACE_MS + (isMeantForOther ? MEANT_MS : 0)
  }
}

/**
 * Every host comes to the same order, and the bots of one that dies go to all of the others. The host that a bot was let go for is first, and those
 * that the service does not answer are last.
 */
export function orderFor(bot: string, hosts: readonly SeenHost[], movedTo: string | undefined): SeenHost[] {
  const weightOf = ({ host, run, isDeaf }: SeenHost) => {
    const weight = createHash('sha256')
      .update(JSON.stringify([bot, host, run]))
      .digest('hex')
    return `${isDeaf ? 1 : 0}${host === movedTo ? '' : weight}`
  }
  return hosts
    .map((one) => ({ one, weight: weightOf(one) }))
    .toSorted((a, b) => (a.weight < b.weight ? -1 : 1))
    .map(({ one }) => one)
}
