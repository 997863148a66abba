import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import type { AlertChannel, Occurrence } from '../../pipeline/index.ts'
import { SEVERITIES } from '../../strategy/alertConfig.ts'

/** What happens together is told together. */
const GATHER_MS = 1500
/** Between two messages: Telegram takes 20 a minute in a group, Discord 30 by a webhook. */
const PAUSE_MS = 3500
const FIRST_RETRY_MS = 2000
const LAST_RETRY_MS = 300_000
/** Told in one message, where there is room for so many. */
const MOST_TOLD = 15
/** Waiting for a receiver that is down. Past that the mildest goes, the oldest of them first. */
const MOST_WAITING = 200

export interface AlertCounts {
  readonly sent: number
  readonly waiting: number
  /** Given up because too many waited. */
  readonly dropped: number
  /** Given up because the receiver refused them for good. */
  readonly refused: number
  /** Attempts that failed. */
  readonly failed: number
}

export interface AlertQueueOptions {
  readonly channel: AlertChannel
  readonly clock: Clock
  /** Told once when the channel fails, and once when it is well again (`undefined`). */
  readonly onTrouble: (reason: string | undefined) => void
  /** Told of each that the receiver refuses for good. */
  readonly onRefused: (occurrence: Occurrence, reason: string) => void
}

/** The alerts of one channel: gathered, paced, kept while the receiver is down. Whoever puts one in never waits. */
export class AlertQueue {
  readonly channel: AlertChannel
  readonly #clock: Clock
  readonly #onTrouble: (reason: string | undefined) => void
  readonly #onRefused: AlertQueueOptions['onRefused']
  #waiting: Occurrence[] = []
  #cancelTimer: (() => void) | undefined
  /** The message under way. */
  #sending: Promise<unknown> | undefined
  #failures = 0
  /** A message that was refused for good is told again by halves, until the one that is refused stands alone. */
  #most = MOST_TOLD
  #notBefore = 0
  #isClosed = false
  #counts = { sent: 0, dropped: 0, refused: 0, failed: 0 }

  constructor({ channel, clock, onTrouble, onRefused }: AlertQueueOptions) {
    this.channel = channel
    this.#clock = clock
    this.#onTrouble = onTrouble
    this.#onRefused = onRefused
  }

  get counts(): AlertCounts {
    return { ...this.#counts, waiting: this.#waiting.length }
  }

  put(occurrence: Occurrence): void {
    if (this.#isClosed) return
    this.#waiting.push(occurrence)
    if (this.#waiting.length > MOST_WAITING) this.#dropMildest()
    this.#plan(this.#clock.now() + GATHER_MS)
  }

  /** Sends what waits as long as it is taken, whatever the pace: the run is over. Alarms go first, and where that fails once more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    await this.#sending
    const [alarms, others] = [this.#waiting.filter(isAlarm), this.#waiting.filter((one) => !isAlarm(one))]
    this.#waiting = [...alarms, ...others]
    if (!(await this.#drain()) && alarms.length > 0) {
      this.#waiting = this.#waiting.filter(isAlarm)
      await this.#drain()
    }
    await this.channel.close()
  }

  /** @returns whether nothing waits any more */
  async #drain(): Promise<boolean> {
    while (this.#waiting.length > 0) if (!(await this.#send())) return false
    return true
  }

  #plan(atMs: number): void {
    if (this.#sending !== undefined || this.#cancelTimer !== undefined || this.#isClosed) return
    this.#cancelTimer = this.#clock.at(Math.max(atMs, this.#notBefore), () => {
      this.#cancelTimer = undefined
      this.#sending = this.#send().finally(() => {
        this.#sending = undefined
        if (this.#waiting.length > 0) this.#plan(this.#clock.now())
      })
    })
  }

  /** @returns whether it is of use to send the next */
  async #send(): Promise<boolean> {
    const told = this.#waiting.slice(0, this.#most)
    const delivery = await this.channel.send(told)
    const now = this.#clock.now()
    if (delivery.ok) {
      if (this.#failures > 0) this.#onTrouble(undefined)
      this.#failures = 0
      this.#most = MOST_TOLD
      const gone = new Set(told.slice(0, delivery.taken))
      this.#waiting = this.#waiting.filter((one) => !gone.has(one))
      this.#counts.sent += gone.size
      this.#notBefore = now + PAUSE_MS
      return true
    }
    this.#counts.failed += 1
    if (delivery.isFinal) {
      this.#refuse(told, delivery.reason)
      this.#notBefore = now + PAUSE_MS
      return true
    }
    if (this.#failures === 0) this.#onTrouble(delivery.reason)
    this.#failures += 1
    const backOffMs = backoffMs(this.#failures - 1, FIRST_RETRY_MS, LAST_RETRY_MS)
    this.#notBefore = now + Math.max(backOffMs, delivery.retryAfterMs ?? 0)
    return false
  }

  #refuse(told: readonly Occurrence[], reason: string): void {
    const [first] = told
    this.#most = Math.ceil(told.length / 2)
    if (first === undefined || told.length > 1) return
    this.#waiting = this.#waiting.filter((one) => one !== first)
    this.#counts.refused += 1
    this.#onRefused(first, reason)
  }

  #dropMildest(): void {
    for (const severity of SEVERITIES) {
      const index = this.#waiting.findIndex((one) => one.severity === severity)
      if (index < 0) continue
      this.#waiting.splice(index, 1)
      this.#counts.dropped += 1
      return
    }
  }
}

const isAlarm = ({ severity }: Occurrence): boolean => severity === 'alarm'
