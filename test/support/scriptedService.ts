import { type ActionName, type ProcedureInput, type ProcedureOutput, procedures, type ReadName } from '../../src/contract/procedures.ts'
import type { Reading } from '../../src/contract/shapes/reading.ts'
import type { RefusalMeaning } from '../../src/contract/shapes/shapes.ts'
import type { VirtualClock } from '../../src/core/clock.ts'
import { keyedUuid } from '../../src/core/ids.ts'
import { usdc } from '../../src/core/usdc.ts'
import type { ActionRequest, Outcome, PlannedRead, ReadRequest, ReadResult, RemoteService } from '../../src/pipeline/index.ts'
import { START_MS } from './rawEvents.ts'

type Wire = Readonly<Record<string, unknown>>
type Answer = Outcome | Promise<Outcome>
type ReadAnswer = ReadResult | Promise<ReadResult>

export const accepted = (output: unknown = {}): Outcome => ({ status: 'accepted', output })
export const rejected = (code: string, status = 409, meaning?: RefusalMeaning): Outcome => ({
  status: 'rejected',
  refusal: { code, message: `refused: ${code}`, status, ...(meaning === undefined ? {} : { meaning }) },
})
export const unknown: Outcome = { status: 'unknown', reason: 'UND_ERR_SOCKET: other side closed' }
export const notSent: Outcome = { status: 'notSent', reason: 'ECONNREFUSED' }
export const unreadable = (status = 503): ReadResult => ({
  ok: false,
  refusal: { code: `HTTP_${status}`, message: `the service answered HTTP ${status}`, status },
  reason: `HTTP ${status}`,
})

/**
 * A contest service in memory. Reads answer from what the test puts on the shelves, as the wire would
 * have it; actions are accepted, unless the test says otherwise.
 */
export class ScriptedService implements RemoteService {
  readonly timeoutMs = 5000
  figuresHoldMs = 60_000
  reading: Reading | undefined
  /** Every request in the order it was made. */
  readonly acts: (ActionRequest & { readonly at: number })[] = []
  readonly reads: (PlannedRead & { readonly at: number })[] = []
  /** Told of every action as it is sent. */
  onSend: (request: ActionRequest) => void = () => {}

  limits: Wire = {
    maxStake: '50000000',
    dailyLossCap: '200000000',
    lostToday: '0',
    inPlay: '0',
    remaining: '200000000',
    resetsAt: '2025-03-02T00:00:00Z',
  }
  bankroll: Wire = { available: '1000000000', inPlay: '0' }
  tickets: Wire[] = []
  /** `agent.contests.mine` and `.get`. */
  contests: Wire[] = []
  /** `agent.contests.list`. */
  open: Wire[] = []
  readonly states = new Map<string, Wire>()

  readonly #clock: VirtualClock
  readonly #acts = new Map<ActionName, (input: never) => Answer>()
  readonly #reads = new Map<ReadName, (input: never) => ReadAnswer>()
  #made = 0

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  /** From now on these actions are answered so. */
  onAct<N extends ActionName>(procedure: N, answer: (input: ProcedureInput<N>) => Answer): void {
    this.#acts.set(procedure, answer)
  }

  /** From now on these reads are answered so; `undefined` goes back to the shelves. */
  onRead<N extends ReadName>(procedure: N, answer: ((input: ProcedureInput<N>) => ReadAnswer) | undefined): void {
    if (answer === undefined) this.#reads.delete(procedure)
    else this.#reads.set(procedure, answer)
  }

  /** An answer that takes its time, on the test's clock. */
  after<T>(delayMs: number, value: T): Promise<T> {
    return new Promise((resolve) => {
      this.#clock.at(this.#clock.now() + delayMs, () => resolve(value))
    })
  }

  /** Inputs of the actions of one kind that were sent. */
  sent<N extends ActionName>(procedure: N): ProcedureInput<N>[] {
    return this.acts.flatMap((act) => (act.procedure === procedure ? [act.input as ProcedureInput<N>] : []))
  }

  async act(request: ActionRequest): Promise<Outcome> {
    this.acts.push({ ...request, at: this.#clock.now() })
    this.onSend(request)
    const answer = this.#acts.get(request.procedure)
    return await (answer === undefined ? this.#accept(request.procedure) : answer(request.input as never))
  }

  async read<N extends ReadName>(request: ReadRequest<N>): Promise<ReadResult<N>> {
    this.reads.push({ ...(request as PlannedRead<N>), at: this.#clock.now() })
    const answer = this.#reads.get(request.procedure)
    const result = await (answer === undefined ? this.#fromShelf(request) : answer(request.input as never))
    return result as ReadResult<N>
  }

  #accept(procedure: ActionName): Outcome {
    this.#made += 1
    const id = keyedUuid('made', this.#made)
    if (procedure === 'agent.queue.enqueue') return accepted({ ticketId: id })
    return accepted(procedure === 'agent.contests.create' ? { contestId: id } : {})
  }

  #fromShelf({ procedure, input }: ReadRequest): ReadResult {
    const { contestId } = (input ?? {}) as { contestId?: string }
    const contest = this.contests.find((item) => item.contestId === contestId)
    switch (procedure) {
      case 'agent.limits':
        return decoded(procedure, this.limits)
      case 'agent.bankroll':
        return decoded(procedure, this.bankroll)
      case 'agent.queue.list':
        return decoded(procedure, this.tickets)
      case 'agent.queue.get': {
        const { ticketId } = input as { ticketId: string }
        const ticket = this.tickets.find((item) => item.ticketId === ticketId)
        return ticket === undefined ? unreadable(404) : decoded(procedure, ticket)
      }
      case 'agent.contests.mine':
        return decoded(procedure, this.contests)
      case 'agent.contests.list':
        return decoded(procedure, { items: this.open, nextCursor: null })
      case 'agent.contests.get':
        return contest === undefined ? unreadable(404) : decoded(procedure, contest)
      case 'agent.modes.state': {
        const state = this.states.get(contestId ?? '')
        return state === undefined ? unreadable(404) : decoded(procedure, state)
      }
      case 'agent.contests.counts':
      case 'agent.events':
      case 'agent.history':
      case 'agent.leaderboard':
      case 'agent.me':
      case 'agent.profile':
      case 'agent.rank':
      case 'agent.stats':
      case 'agent.tx.status':
        throw new Error(`nothing is on the shelf of ${procedure}`)
    }
  }
}

/** A good answer, read from the wire's form by the contract. */
export function decoded<N extends ReadName>(procedure: N, wire: unknown): ReadResult<N> {
  return { ok: true, output: procedures[procedure].output.parse(wire) as ProcedureOutput<N> }
}

/** An `up_down` ticket that waits, as `agent.queue.list` has it. */
export const queuedTicket = (ticketId: string) => ({
  ticketId,
  status: 'queued',
  mode: 'up_down',
  stake: '1000000',
  durationSec: 15,
  createdAt: new Date(START_MS).toISOString(),
})

/** A contest of others, as `agent.contests.list` has it. */
export function openContest(contestId: string, fields: Wire = {}): Wire {
  return {
    contestId,
    mode: 'up_down',
    chain: 'solana',
    format: 'duel',
    status: 'open',
    stake: usdc('1').toString(),
    durationSec: 15,
    capacity: 2,
    filled: 1,
    params: {},
    entries: [{ side: 'UP' }],
    ...fields,
  }
}
