import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { plainJson } from '../../core/plainJson.ts'
import type { Json } from '../stream/patch.ts'
import { patchOf } from '../stream/patchOf.ts'
import type { Shown } from '../stream/shown.ts'
import { eventText, Reader } from './reader.ts'

export interface ChannelOptions {
  readonly shown: () => Shown
  /** So much time is between two looks, however much changes. */
  readonly everyMs: number
  readonly clock: Clock
  /** Names the page that reads. */
  readonly build: string
  /** The view could not be made: nobody reads here any more. */
  readonly onFailure: (thrown: unknown) => void
}

/** All pages that look at the same thing: what is new is found and written down once for them all. */
export class Channel {
  readonly #options: ChannelOptions
  readonly readers = new Set<Reader>()
  #last: Json = null
  #lookedAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | undefined

  constructor(options: ChannelOptions) {
    this.#options = options
  }

  /** After a look. */
  open(response: ServerResponse): Reader {
    const reader = new Reader(response, this.#options.clock, () => this.#whole())
    this.readers.add(reader)
    reader.send(this.#whole())
    return reader
  }

  /** Something may have changed. Cheap: bots say it at every step. */
  touch(): void {
    if (this.#cancel !== undefined) return
    const { clock, everyMs } = this.#options
    this.#cancel = clock.at(Math.max(clock.now(), this.#lookedAt + everyMs), () => this.#tell())
  }

  /** Something has changed that the owner waits to see. */
  hurry(): void {
    this.#cancel?.()
    this.#cancel = this.#options.clock.at(this.#options.clock.now(), () => this.#tell())
  }

  close(): void {
    this.#cancel?.()
    for (const reader of this.readers) reader.end()
    this.readers.clear()
  }

  #tell(): void {
    this.#cancel = undefined
    try {
      this.look()
    } catch (thrown) {
      this.close()
      this.#options.onFailure(thrown)
    }
  }

  /** Readers get what is new since the last look. @throws what the desk throws */
  look(): void {
    const { clock, shown } = this.#options
    // A copy, as the wire has it: a list that the desk goes on writing to would never differ from itself.
    const next = plainJson(shown()) as Json
    const at = clock.now()
    this.#lookedAt = at
    const patch = patchOf(this.#last, next)
    this.#last = next
    if (patch === undefined || this.readers.size === 0) return
    const text = eventText('patch', { at, patch })
    for (const reader of this.readers) reader.send(text)
  }

  #whole(): string {
    const { clock, build } = this.#options
    return eventText('whole', { at: clock.now(), build, shown: this.#last as unknown as Shown })
  }
}
