import { Observable, type Subscriber } from 'rxjs'
import { type EventType, readEvent } from '../../src/contract/events.ts'
import { uuidv7 } from '../../src/core/ids.ts'
import type { EventSource, InputBody } from '../../src/pipeline/index.ts'

// Events as the service writes them, and a stream of them that a test drives.

export interface RawEvent {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

/** 12:00 UTC of the first day: far from the end of the service's day. */
export const START_MS = Date.parse('2025-03-01T12:00:00Z')

let made = 0

/** An event with an id of its own and the data of a plausible one, as far as `data` does not say otherwise. */
export function rawEvent(type: EventType, data: Readonly<Record<string, unknown>>, atMs = START_MS): RawEvent {
  made += 1
  return { id: uuidv7(atMs, made, 'test'), type, data: { ...PLAUSIBLE[type], ...data }, createdAt: new Date(atMs).toISOString() }
}

const MATCH = { opponents: 'ANY', mode: 'up_down', stake: '1000000', error: null }
const PLAUSIBLE: Readonly<Record<EventType, Readonly<Record<string, unknown>>>> = {
  'match.found': MATCH,
  'ticket.expired': {},
  'ticket.failed': { ...MATCH, contestId: null, error: 'INSUFFICIENT_BANKROLL' },
  'contest.joined': { userId: 'someone', side: null, filled: 1, capacity: 2 },
  'contest.live': { mode: 'up_down', chain: 'solana', status: 'live' },
  'contest.settled': {
    mode: 'up_down',
    result: 'WIN',
    stake: '1000000',
    payout: '1900000',
    profit: '900000',
    versus: 'AGENT',
    rpDelta: 5,
    rpAfter: 1005,
  },
  'contest.cancelled': { status: 'cancelled', reason: 'JOIN_WINDOW', refunded: '1000000' },
}

/** An event stream that says what the test tells it to. */
export class ScriptedEvents implements EventSource {
  /** The cursor each subscription asked to start from. */
  readonly askedFrom: (string | undefined)[] = []
  #subscriber: Subscriber<Extract<InputBody, { type: 'event' | 'caughtUp' | 'behind' | 'restored' }>> | undefined

  from(cursor: string | undefined): ReturnType<EventSource['from']> {
    this.askedFrom.push(cursor)
    return new Observable((subscriber) => {
      this.#subscriber = subscriber
    })
  }

  /** Delivers events; anything that is none, too. */
  tell(...raws: readonly unknown[]): void {
    for (const raw of raws) {
      const read = readEvent(raw)
      this.#subscriber?.next({ type: 'event', raw, read, cursor: read.ok ? read.event.id : undefined, recorded: false })
    }
  }

  catchUp(): void {
    this.#subscriber?.next({ type: 'caughtUp' })
  }

  /** @param lacks the field that the answer lacked; undefined: there was no answer */
  fallBehind(reason = 'HTTP 503', lacks?: string): void {
    this.#subscriber?.next({ type: 'behind', reason, ...(lacks === undefined ? {} : { lacks }) })
  }

  /** The service has lost the newest of what it told. */
  restore(reason = 'event 7 was read from it, and it refuses it', cause?: 'retention'): void {
    this.#subscriber?.next({ type: 'restored', reason, ...(cause === undefined ? {} : { cause }) })
  }

  fail(error: Error): void {
    this.#subscriber?.error(error)
  }
}
