import { Observable } from 'rxjs'
import { eventEnvelopeSchema, readEvent } from '../contract/events.ts'
import type { Clock } from '../core/clock.ts'
import { CornermanError } from '../core/error.ts'
import { keyedRandom } from '../core/random.ts'
import type { EventSource, InputBody, ReadResult, RemoteService } from '../pipeline/index.ts'

const PAGE = 100
const MAX_BACKOFF_MS = 15_000
/** Between polls, up to a fifth more: bots started together do not poll together. */
const JITTER = 0.2

export interface PollerOptions {
  readonly service: RemoteService
  readonly clock: Clock
  /** How long to wait after a page that ended the stream, in milliseconds. */
  readonly everyMs: () => number
}

/** The event stream by polling `agent.events` (specification, part 6): pages are drained, then it waits. */
export class Poller implements EventSource {
  readonly #options: PollerOptions

  constructor(options: PollerOptions) {
    this.#options = options
  }

  from(cursor: string | undefined): ReturnType<EventSource['from']> {
    return new Observable((subscriber) => {
      const { service, clock, everyMs } = this.#options
      const random = keyedRandom('poller', cursor ?? '')
      let after = cursor ?? null
      let isBehind = true
      let failures = 0
      let cancel: () => void = () => {}

      const poll = async () => {
        const result = await service.read({ procedure: 'agent.events', input: { after, limit: PAGE }, purpose: 'events' })
        if (subscriber.closed) return
        if (result.ok) takePage(result.output)
        else takeFailure(result)
      }
      const next = (delayMs: number) => {
        if (!subscriber.closed) cancel = clock.at(clock.now() + delayMs, () => void poll())
      }
      const takePage = ({ events, cursor: pageCursor }: { events: unknown[]; cursor: string | null }) => {
        failures = 0
        const last = events.length - 1
        events.forEach((raw, index) => {
          subscriber.next(eventInput(raw, index === last ? (pageCursor ?? undefined) : undefined))
        })
        const lastId = last < 0 ? undefined : idOf(events[last])
        const reached = pageCursor ?? lastId ?? after
        // A service may keep its pages shorter than was asked: while it catches up, only an empty page is the end.
        const isEnd = events.length === 0 || reached === after || (!isBehind && events.length < PAGE)
        after = reached
        if (isEnd && isBehind) {
          isBehind = false
          subscriber.next({ type: 'caughtUp' })
        }
        next(isEnd ? Math.round(everyMs() * (1 + JITTER * random.next())) : 0)
      }
      const takeFailure = ({ reason, refusal }: Extract<ReadResult, { ok: false }>) => {
        if (isKeyRefused(refusal)) {
          subscriber.error(
            new CornermanError(
              'AGENT_KEY_REFUSED',
              `the service refuses the agent key (${reason}): check the secret named by agentKey in the config`,
            ),
          )
          return
        }
        failures += 1
        if (!isBehind) {
          isBehind = true
          subscriber.next({ type: 'behind', reason })
        }
        next(Math.min(MAX_BACKOFF_MS, 250 * 2 ** failures))
      }

      void poll()
      return () => cancel()
    })
  }
}

/** An event of a page; its own id is the cursor past it, and the page's cursor is the one past its last. */
function eventInput(raw: unknown, pageCursor: string | undefined): Extract<InputBody, { type: 'event' }> {
  return { type: 'event', raw, read: readEvent(raw), cursor: pageCursor ?? idOf(raw), recorded: false }
}

function idOf(raw: unknown): string | undefined {
  const envelope = eventEnvelopeSchema.safeParse(raw)
  return envelope.success ? envelope.data.id : undefined
}

/** Whether the service does not know this key: nothing will change that but its owner. */
export function isKeyRefused(refusal: { readonly code: string; readonly status: number } | undefined): boolean {
  return refusal !== undefined && (refusal.status === 401 || refusal.status === 403 || refusal.code.startsWith('AGENT_KEY_'))
}
