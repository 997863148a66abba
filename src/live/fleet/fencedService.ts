import type { ReadName } from '../../contract/procedures.ts'
import type { Reading } from '../../contract/shapes/reading.ts'
import type { ActionRequest, Outcome, ReadRequest, ReadResult, RemoteService } from '../../pipeline/index.ts'
import type { Kept } from './kept.ts'

/** What puts a stake at risk that was not before. */
const ENTRIES: ReadonlySet<ActionRequest['procedure']> = new Set(['agent.queue.enqueue', 'agent.contests.create', 'agent.contests.join'])

const NOT_SENT = {
  fenced: 'another host has the bot',
  late: 'the database of the fleet has not taken it in time',
} as const

/**
 * The contest service as the holder of a bot asks it: an action, a signed swap among them, leaves once all that was committed before it is
 * durable, and never once that is too long ago. The connections of `service` are to ask `kept.maySend`, too, as late as they can.
 */
export class FencedService implements RemoteService {
  readonly #service: RemoteService
  readonly #kept: Kept

  constructor(service: RemoteService, kept: Kept) {
    this.#service = service
    this.#kept = kept
  }

  get timeoutMs(): number {
    return this.#service.timeoutMs
  }

  get mayArriveForMs(): number | undefined {
    return this.#service.mayArriveForMs
  }

  get figuresHoldMs(): number {
    return this.#service.figuresHoldMs
  }

  get reading(): Reading | undefined {
    return this.#service.reading
  }

  read<N extends ReadName>(request: ReadRequest<N>): Promise<ReadResult<N>> {
    return this.#service.read(request)
  }

  async act(request: ActionRequest): Promise<Outcome> {
    const result = await this.#kept.kept()
    if (result !== 'kept') return { status: 'notSent', reason: NOT_SENT[result] }
    if (this.#kept.refusesEntries && ENTRIES.has(request.procedure))
      return { status: 'notSent', reason: 'the database of the fleet is slow: no entries until it has taken something in time' }
    if (!this.#kept.maySend()) return { status: 'notSent', reason: NOT_SENT.late }
    return this.#service.act(request)
  }
}
