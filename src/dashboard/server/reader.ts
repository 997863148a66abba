import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import type { StreamEvents } from '../stream/shown.ts'

/** The browser waits so long before it comes again. */
const RETRY_MS = 2000
/** A reader that takes nothing for so long is gone, though nobody said so. */
const STUCK_MS = 60_000

/** An event as it goes over the wire. */
export const eventText = <Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * One page that reads. What it cannot take is not kept for it: at most one message waits in its socket, and when that
 * is gone it gets the newest view whole.
 */
export class Reader {
  readonly #response: ServerResponse
  readonly #clock: Pick<Clock, 'now'>
  #blockedSince: number | undefined
  #hasMissed = false

  constructor(response: ServerResponse, clock: Pick<Clock, 'now'>, whole: () => string) {
    this.#response = response
    this.#clock = clock
    response.on('drain', () => {
      this.#blockedSince = undefined
      if (!this.#hasMissed) return
      this.#hasMissed = false
      this.send(whole())
    })
    response.write(`retry: ${RETRY_MS}\n\n`)
  }

  send(text: string): void {
    if (this.#blockedSince !== undefined) this.#hasMissed = true
    else if (!this.#response.write(text)) this.#blockedSince = this.#clock.now()
  }

  /** A sign of life for who waits, and the end for who has gone. */
  beat(): void {
    const now = this.#clock.now()
    if (this.#blockedSince === undefined) this.send(eventText('beat', { at: now }))
    else if (now - this.#blockedSince > STUCK_MS) this.#response.destroy()
  }

  end(): void {
    this.#response.end()
  }
}
