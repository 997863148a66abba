import type { ServerResponse } from 'node:http'
import type { Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import { messageOf } from '../../core/error.ts'
import { BEAT_MS, type Place } from '../stream/shown.ts'
import type { Desk } from '../watch/desk.ts'
import { Channel } from './channel.ts'
import type { DashboardLog } from './dashboardLog.ts'
import { shownOf } from './shownOf.ts'

const FLEET_EVERY_MS = 500
const ONE_EVERY_MS = 1000
/** A browser opens six to a host; more than this is no owner with many windows. */
const MOST_READERS = 50

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' } as const

export interface StreamsOptions {
  readonly desk: Desk
  readonly clock: Clock
  readonly log: DashboardLog
}

/** Every page that is open, by what it looks at. Nothing is asked of the desk while there is none. */
export class Streams {
  readonly #options: StreamsOptions
  readonly #channels = new Map<string, Channel>()
  readonly #subscription: Subscription
  #readers = 0
  #cancelBeat: (() => void) | undefined

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#subscription = options.desk.changed$.subscribe(() => {
      for (const channel of this.#channels.values()) channel.touch()
    })
  }

  get isFull(): boolean {
    return this.#readers >= MOST_READERS
  }

  /**
   * @param build names the page that the server has
   * @throws what the desk throws; nothing was answered then
   */
  open(place: Place, response: ServerResponse, build: string): void {
    const key = JSON.stringify(place)
    const channel = this.#channels.get(key) ?? this.#channelOf(key, place, build)
    channel.look()
    response.on('error', () => response.destroy())
    response.writeHead(200, HEADERS)
    const reader = channel.open(response)
    this.#channels.set(key, channel)
    this.#readers += 1
    this.#beatLater()
    response.on('close', () => {
      this.#readers -= 1
      channel.readers.delete(reader)
      if (channel.readers.size > 0) return
      channel.close()
      if (this.#channels.get(key) === channel) this.#channels.delete(key)
    })
  }

  /** The owner has said something, and waits to see it done. */
  hurry(): void {
    for (const channel of this.#channels.values()) channel.hurry()
  }

  close(): void {
    this.#subscription.unsubscribe()
    this.#cancelBeat?.()
    for (const channel of this.#channels.values()) channel.close()
    this.#channels.clear()
  }

  #channelOf(key: string, place: Place, build: string): Channel {
    const { desk, clock, log } = this.#options
    return new Channel({
      shown: () => shownOf(desk, place),
      everyMs: place.kind === 'fleet' ? FLEET_EVERY_MS : ONE_EVERY_MS,
      clock,
      build,
      onFailure: (thrown) => {
        this.#channels.delete(key)
        log.warn(`dashboard: the view of ${place.kind} could not be made: ${messageOf(thrown)}`)
      },
    })
  }

  #beatLater(): void {
    if (this.#cancelBeat !== undefined) return
    const { clock } = this.#options
    this.#cancelBeat = clock.at(clock.now() + BEAT_MS, () => {
      this.#cancelBeat = undefined
      if (this.#readers === 0) return
      for (const { readers } of this.#channels.values()) for (const reader of readers) reader.beat()
      this.#beatLater()
    })
  }
}
