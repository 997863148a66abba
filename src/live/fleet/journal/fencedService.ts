import { isEntryProcedure, type ReadName } from '../../../contract/procedures.ts'
import type { Reading } from '../../../contract/shapes/reading.ts'
import type { ActionRequest, Outcome, ReadRequest, ReadResult, RemoteService } from '../../../pipeline/index.ts'
import type { Kept } from './kept.ts'

/** Why an entry is not to be sent, for a person; undefined where it may be. Asked in the moment in which it would be sent. */
export type EntryVerdict = () => string | undefined

/** Asks for the place of an entry. */
export type EntryGate = (request: ActionRequest) => Promise<EntryVerdict>

/** What another host sent before it was gone may arrive for so long: the kernel of a process that was killed goes on sending for it. */
const INHERITED_MS = 60_000

const NOT_SENT = {
  fenced: 'another host has the bot',
  late: 'the database of the fleet has not taken it in time',
  alone: 'no second server of the fleet has what its database answers for: no entries until one does',
} as const

/**
 * The contest service as the holder of a bot asks it: an action, a signed swap among them, leaves once all that was committed before it is
 * durable, and never once that is too long ago. The connections of `service` are to ask `kept.maySend`, too, as late as they can.
 */
export class FencedService implements RemoteService {
  readonly #service: RemoteService
  readonly #kept: Kept
  readonly #gate: EntryGate
  readonly #underWay = new Set<Promise<Outcome>>()
  #isHeld = false

  constructor(service: RemoteService, kept: Kept, gate: EntryGate) {
    this.#service = service
    this.#kept = kept
    this.#gate = gate
  }

  get timeoutMs(): number {
    return this.#service.timeoutMs
  }

  /** Of what the bot has taken over. */
  get mayArriveForMs(): number {
    return Math.max(INHERITED_MS, this.#service.mayArriveForMs ?? 0)
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

  /** Nothing is sent from now on. @returns once what is under way has its answer */
  async hold(): Promise<void> {
    this.#isHeld = true
    await Promise.all(this.#underWay)
  }

  act(request: ActionRequest): Promise<Outcome> {
    const acting = this.#act(request)
    const done = acting.finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
    return acting
  }

  async #act(request: ActionRequest): Promise<Outcome> {
    if (this.#isHeld) return { status: 'notSent', reason: 'the bot is being handed to another host' }
    const enters = isEntryProcedure(request.procedure)
    if (enters && this.#kept.refusesEntries)
      return { status: 'notSent', reason: 'the database of the fleet is slow: no entries until it has taken something in time' }
    // Record and place are written beside one another. A place whose entry is not sent is left again with the entry, or by the next holder.
    const [result, refusal] = await Promise.all([this.#kept.kept(), enters ? this.#gate(request) : undefined])
    if (result !== 'kept') return { status: 'notSent', reason: NOT_SENT[result] }
    if (enters && !this.#kept.isDurable) return { status: 'notSent', reason: NOT_SENT.alone }
    const reason = refusal?.()
    if (reason !== undefined) return { status: 'notSent', reason }
    if (!this.#kept.maySend()) return { status: 'notSent', reason: NOT_SENT.late }
    return this.#service.act(request)
  }
}
