import { concat, type Observable, of, Subject } from 'rxjs'
import {
  HOUSE_BALANCE,
  HOUSE_GAS_LAMPORTS,
  House,
  nextTurnOf,
  type PlayedWorld,
  type PriceSource,
  playOn,
} from '../../contests/house/index.ts'
import {
  type AgentEvent,
  type Applied,
  answerAfter,
  answerRead,
  apply,
  bankrollOf,
  type Command,
  type CommandBody,
  type ContestRead,
  type ContestsState,
  commandAt,
  commandOf,
  createContests,
  QuietLooks,
  type Refusal,
} from '../../contests/index.ts'
import type { ActionName, ProcedureInput, ProcedureOutput, ReadName } from '../../contract/procedures.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import type { VirtualClock } from '../../core/clock.ts'
import { CornermanError } from '../../core/error.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { Mint } from '../../core/tokens.ts'
import type { ActionRequest, ContestService, EventSource, InputBody, Outcome, ReadRequest, ReadResult } from '../../pipeline/index.ts'
import type { World } from '../fit/assumptions.ts'
import type { Opportunity } from '../log/opportunity.ts'
import { decoded, decodedEvent } from './decoded.ts'
import { later } from './later.ts'
import { Matchmaker } from './matchmaker.ts'
import type { PollTimes } from './pollTimes.ts'

/** Refusals that are no fault of the request's form: HTTP's word for them. */
const REFUSED = 400

export interface SimulatedServiceOptions {
  readonly bot: string
  readonly clock: VirtualClock
  readonly seed: number
  readonly world: World
  readonly prices: PriceSource
  /** Prices to come, up to what `prices` rounds off; without them contests are looked at as often as in the sandbox. */
  readonly ahead?: (mint: Mint, atMs: number) => number | null
  /** Tokens that the log has prices of. */
  readonly mints: readonly Mint[]
  readonly opportunities: readonly Opportunity[]
  /** When the bot looks at the event stream. */
  readonly polls: PollTimes
}

/**
 * The contest service of one backtested bot: the contest engine in memory, on a virtual clock. Contests of the log happen
 * again with their opponents' recorded scores; whom the log has no opponent for, the house meets.
 */
export class SimulatedService implements ContestService, EventSource {
  readonly timeoutMs = 5000
  /** Nobody else moves the bot's money. The service's day may end: when it does, its limits say. */
  readonly figuresHoldMs = Number.POSITIVE_INFINITY
  readonly agentId: string
  readonly state: ContestsState
  /** Commands of the house, or of the opponents, that the engine refused. */
  refusals = 0
  readonly #options: SimulatedServiceOptions
  readonly #house: House
  readonly #world: PlayedWorld
  readonly #matchmaker: Matchmaker
  readonly #quietLooks: QuietLooks | undefined
  readonly #event$ = new Subject<Extract<InputBody, { type: 'event' }>>()
  #armedFor = Number.POSITIVE_INFINITY
  #cancelTimer: () => void = () => {}

  constructor(options: SimulatedServiceOptions) {
    this.#options = options
    const { bot, clock, seed, world, prices, ahead, mints, opportunities } = options
    this.agentId = keyedUuid(seed, 'backtested', bot)
    this.state = createContests({ seed, rakeBps: world.rakeBps, startMs: clock.now(), mints })
    this.#house = new House(seed, world.waitMs, prices, world.venue)
    this.#world = {
      state: () => this.state,
      house: this.#house,
      priceAt: (mint, atMs) => prices.at(mint, atMs),
      run: (command) => this.#apply(command),
    }
    this.#quietLooks = ahead === undefined ? undefined : new QuietLooks(this.state, ahead)
    const ghosts = { clock, seed, prices, venue: world.venue, state: () => this.state, run: (body: CommandBody) => this.run(body) }
    this.#matchmaker = new Matchmaker({ ...ghosts, members: this.#house.members, opportunities })
    this.#admit()
  }

  get replayed(): Matchmaker['replayed'] {
    return this.#matchmaker.replayed
  }

  get waitsMs(): Matchmaker['waitsMs'] {
    return this.#matchmaker.waitsMs
  }

  from(): ReturnType<EventSource['from']> {
    return concat(of({ type: 'caughtUp' } as const), this.#event$)
  }

  read<N extends ReadName>({ procedure, input }: ReadRequest<N>): Observable<ReadResult<N>> {
    return later(this.#options.clock, this.#options.world.actionMs, () => this.#answer(procedure, input))
  }

  act(request: ActionRequest): Observable<Outcome> {
    return later(this.#options.clock, this.#options.world.actionMs, () => this.#obey(request))
  }

  /** What `agent.bankroll` shows, now. */
  bankroll(): ProcedureOutput<'agent.bankroll'> {
    return bankrollOf(this.state, this.agentId)
  }

  /** Whether something of the bot's is at stake, or held in tokens: money that may yet come. */
  hasMore(): boolean {
    const { tokens } = this.state.agents.get(this.agentId) ?? {}
    return (this.bankroll().inPlay ?? 0n) > 0n || [...(tokens?.values() ?? [])].some((amount) => amount > 0n)
  }

  /** Gives a command to the engine, now, after all that has fallen due. */
  run(body: CommandBody): Applied {
    const { clock, prices } = this.#options
    this.#catchUp()
    const applied = this.#apply(commandAt(this.state, body, { now: clock.now(), priceAt: (mint, atMs) => prices.at(mint, atMs) }))
    playOn(this.#world, clock.now())
    this.#arm()
    return applied
  }

  #answer<N extends ReadName>(procedure: N, input: ProcedureInput<N>): ReadResult<N> {
    const { clock } = this.#options
    this.#catchUp()
    this.#arm()
    if (!isEngineRead(procedure)) {
      const reason = `${procedure} is not part of a backtest`
      return { ok: false, refusal: undefined, reason }
    }
    const reader = { agentId: this.agentId, now: clock.now(), input: input as ProcedureInput<typeof procedure> }
    const answer = answerRead(this.state, procedure, reader as never)
    if (!answer.ok) return { ok: false, refusal: refusalOf(answer.refusal), reason: `${answer.refusal.code}: ${answer.refusal.message}` }
    return { ok: true, output: decoded<N>(procedure, answer.value) }
  }

  #obey({ procedure, input }: ActionRequest): Outcome {
    if (procedure === 'agent.trade.signAndSend') throw new CornermanError('INVARIANT', 'a backtest has no chain to send a transaction to')
    const command = commandOf(procedure as Exclude<ActionName, 'agent.trade.signAndSend'>, this.agentId, input as never)
    const applied = this.run(command)
    if (!applied.ok) return { status: 'rejected', refusal: refusalOf(applied.refusal) }
    const answer = answerAfter(this.state, procedure, this.agentId, applied)
    return { status: 'accepted', output: answer.ok ? decoded(procedure, answer.value) : undefined }
  }

  #apply(command: Command): Applied {
    const applied = apply(this.state, command)
    if (!applied.ok) {
      if ('agentId' in command && command.agentId !== this.agentId) this.refusals += 1
      return applied
    }
    if (command.type === 'fill' && command.contestId !== null) this.#quietLooks?.onFill(command.contestId)
    if (command.type === 'giveScore') this.#quietLooks?.onFill(command.contestId)
    for (const event of applied.events) if (event.agentId === this.agentId) this.#tell(event)
    const ticket = command.type === 'enqueue' ? this.state.tickets.get(applied.ticketId ?? '') : undefined
    // A ticket that an opponent of the log will meet is not the house's to answer.
    const isAwaited = ticket?.agentId === this.agentId && ticket.status === 'queued' && this.#matchmaker.onTicket(ticket)
    const contestId = applied.contestId ?? ('contestId' in command ? (command.contestId ?? undefined) : undefined)
    const isHeld = contestId !== undefined && this.#matchmaker.holds(contestId)
    // A swap of the bot's own that decides nothing gives nobody anything to do.
    const isOwnSwap = command.type === 'fill' && command.agentId === this.agentId && applied.events.length === 0
    if (!isAwaited && !isHeld && !isOwnSwap) this.#house.notice(this.state, command, applied)
    // Once this command is done with: what opponents do about it are commands of their own.
    if (isHeld) this.#options.clock.at(this.#options.clock.now(), () => this.#matchmaker.look(contestId))
    return applied
  }

  #tell({ agentId: _, ...raw }: AgentEvent): void {
    const { clock, polls } = this.#options
    clock.at(polls.from(Date.parse(raw.createdAt)), () => {
      this.#event$.next({ type: 'event', raw, read: { ok: true, event: decodedEvent(raw) }, cursor: raw.id, recorded: false })
    })
  }

  /** Does all that has fallen due by now. */
  #catchUp(): void {
    const now = this.#options.clock.now()
    this.#quietLooks?.wake(now)
    playOn(this.#world, now)
  }

  /** Sets the timer for what falls due next. */
  #arm(): void {
    this.#quietLooks?.sleep()
    const nextAt = nextTurnOf(this.#world)
    if (nextAt === this.#armedFor) return
    this.#cancelTimer()
    this.#armedFor = nextAt
    if (nextAt === Number.POSITIVE_INFINITY) return
    this.#cancelTimer = this.#options.clock.at(nextAt, () => {
      this.#armedFor = Number.POSITIVE_INFINITY
      this.#catchUp()
      this.#arm()
    })
  }

  #admit(): void {
    const { bot, clock, world } = this.#options
    const { bankroll: balance, gasLamports, maxStake, dailyLossCap } = world
    const own = { agentId: this.agentId, handle: bot, house: false, walletAddress: this.agentId, caps: { maxStake, dailyLossCap } }
    const now = clock.now()
    apply(this.state, { type: 'createAgent', ...own, kind: 'AGENT', balance, gasLamports, now })
    for (const [agentId, { handle, kind }] of this.#house.members) {
      const house = { agentId, handle, kind, house: true, walletAddress: agentId, caps: null }
      apply(this.state, { type: 'createAgent', ...house, balance: HOUSE_BALANCE, gasLamports: HOUSE_GAS_LAMPORTS, now })
    }
    this.#house.resume(this.state)
  }
}

function isEngineRead(procedure: ReadName): procedure is ContestRead {
  return procedure !== 'agent.events' && procedure !== 'agent.profile' && procedure !== 'agent.tx.status'
}

const refusalOf = ({ code, message, details }: Refusal): ServiceRefusal => ({ code, message, status: REFUSED, details })
