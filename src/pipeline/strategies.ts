import type { ServiceEvent } from '../contract/events.ts'
import type { ProcedureInput } from '../contract/procedures.ts'
import { CornermanError } from '../core/error.ts'
import { keyedRandom } from '../core/random.ts'
import { type Action, type ActionOf, readAction } from '../strategy/action.ts'
import type { DraftPicker, PredictContext, Predictor, QueuePolicy, StrategyContext, StrategyLog } from '../strategy/define.ts'
import type { Bot } from './bot.ts'
import { Containment } from './containment.ts'
import { CustomRunner, type Emission, periodOf } from './customRunner.ts'
import { isSided } from './guardView.ts'
import type { InputOf, StrategyResult } from './input.ts'
import type { Intents } from './intents.ts'
import type { Reads } from './reads.ts'
import { contestViewOf, isActive, joinableOf, type Seat, viewOf } from './state.ts'
import { StrategyPrices } from './strategyPrices.ts'

const BROWSE_EVERY_MS = 4000
/** An answer that a strategy promised and does not give by then is a fault. */
const CALL_TIMEOUT_MS = 10_000
/** After an action came to nothing, how long its policy waits before it is asked again. */
const AFTER_FAILURE_MS = 1000

/** One question to one strategy, and what its answer is for. */
type Call =
  | { readonly kind: 'decide'; readonly strategy: QueuePolicy }
  | { readonly kind: 'pick'; readonly strategy: DraftPicker; readonly contestId: string }
  | {
      readonly kind: 'predict'
      readonly strategy: Predictor
      readonly contestId: string
      readonly join: ActionOf<'joinContest'> | undefined
    }

/** Calls the bot's strategies, keeps their faults to themselves, and turns answers into actions. */
export class Strategies {
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #reads: Reads
  readonly #containment = new Containment()
  readonly #prices: StrategyPrices
  readonly #policies: readonly QueuePolicy[]
  readonly #pickers: readonly DraftPicker[]
  readonly #predictors: readonly Predictor[]
  readonly #customs: readonly { readonly runner: CustomRunner; readonly prices: StrategyPrices }[]
  /** Promised answers by call id. */
  readonly #pending = new Map<string, Call>()
  readonly #asked = new WeakSet<Seat>()
  #wantsDecision = true

  constructor(bot: Bot, intents: Intents, reads: Reads, onLate: (callId: string, result: StrategyResult) => void) {
    this.#bot = bot
    this.#intents = intents
    this.#reads = reads
    const { book, config } = bot.options
    this.#prices = new StrategyPrices(book)
    const { strategies } = config
    this.#policies = strategies.filter((strategy) => strategy.kind === 'queue')
    this.#pickers = strategies.filter((strategy) => strategy.kind === 'draft')
    this.#predictors = strategies.filter((strategy) => strategy.kind === 'predict')
    this.#customs = strategies
      .filter((strategy) => strategy.kind === 'custom')
      .map((strategy) => {
        const prices = new StrategyPrices(book)
        const world = {
          now: () => bot.now,
          prices: () => prices.asOf(bot.tick, bot.now),
          state: () => viewOf(bot.books),
          log: this.#logOf(strategy.name),
        }
        const late = (emission: Emission) => onLate(`custom:${strategy.name}`, emission)
        return { prices, runner: new CustomRunner(strategy, { seed: config.seed, agenda: bot.agenda, world, onLate: late }) }
      })
  }

  /** A ticket or contest has come to something: policies are asked again in this step. */
  wantDecision(): void {
    this.#wantsDecision = true
  }

  /** An action came to nothing: policies are asked again, a little later. */
  wantDecisionSoon(): void {
    const { agenda, now } = this.#bot
    for (const index of this.#policies.keys()) agenda.soon(`decide:${index}`, now + AFTER_FAILURE_MS)
  }

  onEvent(event: ServiceEvent): void {
    for (const { runner } of this.#started()) this.#take(runner, runner.event(event))
  }

  onPrices(): void {
    const { tick, now } = this.#bot
    this.#prices.emit(tick, now)
    for (const { runner, prices } of this.#started()) {
      const emissions = runner.during(() => prices.emit(tick, now))
      this.#take(runner, emissions)
    }
  }

  onSeatsChanged(): void {
    const contests = [...this.#bot.books.seats.values()].filter(isActive).map(contestViewOf)
    for (const { runner } of this.#started()) this.#take(runner, runner.contests(contests))
  }

  onContestEnded(contestId: string): void {
    this.#containment.forget(contestId)
  }

  onAnswer({ request, result }: InputOf<'answer'>): void {
    if (!request.purpose.startsWith('browse:')) return
    this.#bot.agenda.set(request.purpose, this.#bot.now + BROWSE_EVERY_MS)
    if (result.ok) this.#wantsDecision = true
  }

  onDue(purpose: string): void {
    const [kind = '', rest = ''] = purpose.split(':')
    const { agenda, now } = this.#bot
    if (kind === 'decide') this.#wantsDecision = true
    if (kind === 'browse') this.#browse()
    if (kind === 'call') this.#timeOut(purpose.slice('call:'.length))
    if (kind === 'every') {
      agenda.set(purpose, now + periodOf(purpose))
      for (const { runner } of this.#started()) if (runner.name === rest) this.#take(runner, runner.period(purpose))
    }
  }

  /** A promised answer, or an emission between inputs. */
  onLate({ callId, result }: InputOf<'late'>): void {
    if (callId.startsWith('custom:')) {
      const custom = this.#customs.find(({ runner }) => `custom:${runner.name}` === callId)
      if (custom !== undefined) this.#take(custom.runner, [result])
      return
    }
    const call = this.#pending.get(callId)
    if (call === undefined) {
      this.#bot.step.note('warn', 'a strategy answered after its time was up', { callId })
      return
    }
    this.#end(callId)
    if (result.ok) this.#receive(call, result.value)
    else this.#fault(call, result.thrown)
  }

  /** Asks whoever is to be asked as the books now stand. */
  run(): void {
    const { books, n, now } = this.#bot
    if (!books.caughtUp) return
    for (const { runner } of this.#customs) {
      if (!runner.started && !this.#containment.isSuspended(runner.name, undefined, now)) this.#take(runner, runner.start(n))
    }
    for (const seat of books.seats.values()) if (seat.phase === 'live') this.#askForMove(seat)
    if (books.runMode === 'running' && books.limits !== undefined && books.bankroll !== undefined) this.#decide()
  }

  stop(): void {
    this.#prices.close()
    for (const { runner, prices } of this.#customs) {
      runner.stop()
      prices.close()
    }
  }

  #started() {
    return this.#customs.filter(({ runner }) => runner.started)
  }

  #decide(): void {
    const { agenda, now } = this.#bot
    this.#browse()
    if (!this.#wantsDecision) return
    this.#wantsDecision = false
    this.#policies.forEach((strategy, index) => {
      agenda.set(`decide:${index}`, now + strategy.everySec * 1000)
      this.#call({ kind: 'decide', strategy })
    })
  }

  #browse(): void {
    const { agenda, books } = this.#bot
    this.#policies.forEach(({ browse }, index) => {
      const purpose = `browse:${index}`
      if (browse === undefined || books.runMode !== 'running' || agenda.has(purpose) || this.#reads.isUnderWay(purpose)) return
      // A mode the service does not know is refused by it: what a policy may ask for is the contract's own.
      const filters = browse as Pick<ProcedureInput<'agent.contests.list'>, 'modes' | 'minStake' | 'maxStake'>
      this.#reads.ask(purpose, 'agent.contests.list', { ...filters, status: 'open', limit: 100 })
    })
  }

  /** Once for each time the seat was read or changed, so that a strategy that passes is asked again only then. */
  #askForMove(seat: Seat): void {
    if (this.#asked.has(seat)) return
    this.#asked.add(seat)
    const { contestId, mode } = seat
    if (seat.turn !== undefined && !this.#intents.isUnderWay({ type: 'draftPick', contestId, token: '' })) {
      const [strategy] = this.#pickers
      if (strategy !== undefined) this.#call({ kind: 'pick', strategy, contestId })
    }
    const mayCommit = seat.commitBy !== undefined && this.#bot.now < seat.commitBy && seat.committed !== true && seat.entryId !== undefined
    if (!mayCommit || this.#intents.isUnderWay({ type: 'commitPrediction', contestId, price: '' })) return
    const held = this.#bot.books.custody.get(contestId)
    if (held !== undefined) {
      // Made before a stop or a refusal: commit to the same price with the same salt.
      if (held.status === 'made') this.#intents.submit({ type: 'commitPrediction', contestId, price: held.price }, 'framework')
      return
    }
    const strategy = this.#predictorFor(mode)
    if (strategy !== undefined) this.#call({ kind: 'predict', strategy, contestId, join: undefined })
  }

  #predictorFor(mode: string | undefined): Predictor | undefined {
    return mode === undefined ? undefined : this.#predictors.find(({ modes }) => modes.includes(mode))
  }

  #call(call: Call): void {
    const { step, n, now, agenda } = this.#bot
    const { strategy } = call
    if (this.#containment.isSuspended(strategy.name, contestOf(call), now) || this.#isPending(call)) return
    let answer: unknown
    try {
      answer = this.#ask(call)
    } catch (thrown) {
      this.#fault(call, thrown)
      return
    }
    if (!(answer instanceof Promise)) {
      this.#receive(call, answer)
      return
    }
    const callId = `${n}:${strategy.name}:${this.#pending.size}`
    this.#pending.set(callId, call)
    agenda.set(`call:${callId}`, now + CALL_TIMEOUT_MS)
    step.calls.push({ callId, answer })
  }

  #isPending(call: Call): boolean {
    for (const other of this.#pending.values()) {
      if (other.strategy === call.strategy && contestOf(other) === contestOf(call)) return true
    }
    return false
  }

  #ask(call: Call): unknown {
    const { books } = this.#bot
    switch (call.kind) {
      case 'decide': {
        const state = viewOf(books)
        const { limits, bankroll, tickets, contests, openContests, stats } = state
        return call.strategy.decide({
          ...this.#contextOf(call.strategy.name),
          params: call.strategy.params,
          state,
          limits,
          bankroll,
          tickets,
          contests,
          openContests,
          stats,
        })
      }
      case 'pick': {
        const seat = books.seats.get(call.contestId)
        if (seat?.turn === undefined) return undefined
        return call.strategy.pick({
          ...this.#contextOf(call.strategy.name),
          params: call.strategy.params,
          contest: contestViewOf(seat),
          draft: seat.turn,
        })
      }
      case 'predict': {
        const contest = this.#contestToPredict(call.contestId)
        if (contest === undefined) return undefined
        return call.strategy.predict({ ...this.#contextOf(call.strategy.name), params: call.strategy.params, contest })
      }
    }
  }

  #contextOf(name: string): Omit<StrategyContext<unknown>, 'params'> {
    const { n, now, tick, options } = this.#bot
    return {
      prices: this.#prices.asOf(tick, now),
      clock: { now: () => now },
      random: keyedRandom(options.config.seed, name, n),
      log: this.#logOf(name),
    }
  }

  #contestToPredict(contestId: string): PredictContext<unknown>['contest'] | undefined {
    const { books } = this.#bot
    const seat = books.seats.get(contestId)
    if (seat !== undefined) {
      const { startsAt, endsAt } = seat
      const durationSec = startsAt === undefined || endsAt === undefined ? undefined : (endsAt - startsAt) / 1000
      return { ...contestViewOf(seat), durationSec }
    }
    const listed = joinableOf(books, contestId)
    return listed === undefined ? undefined : { ...listed, startsAt: undefined, endsAt: undefined }
  }

  #receive(call: Call, answer: unknown): void {
    if (answer === null || answer === undefined) return
    try {
      switch (call.kind) {
        case 'decide':
          this.#enter(actionsOf(answer), call.strategy.name)
          return
        case 'pick':
          if (typeof answer !== 'string') throw nonsense('a mint from draft.available', answer)
          this.#intents.submit({ type: 'draftPick', contestId: call.contestId, token: answer }, call.strategy.name)
          return
        case 'predict':
          this.#predict(call, answer)
          return
      }
    } catch (thrown) {
      this.#fault(call, thrown)
    }
  }

  #enter(actions: readonly Action[], by: string): void {
    for (const action of actions) {
      if (action.type === 'joinContest') this.#join(action, by)
      else this.#intents.submit(action, by)
    }
  }

  /** Joins the first of the contests named in which the side is free, after asking for the side where one is needed. */
  #join(action: ActionOf<'joinContest'>, by: string): void {
    const listed = joinableOf(this.#bot.books, action.contestId)
    if (action.side === undefined && listed !== undefined && isSided(listed.mode)) {
      const strategy = this.#predictorFor(listed.mode)
      if (strategy !== undefined) {
        this.#call({ kind: 'predict', strategy, contestId: action.contestId, join: action })
        return
      }
    }
    const { orElse = [], ...first } = action
    const candidates = [first, ...orElse.map((contestId) => ({ ...first, contestId }))]
    const free = candidates.find(({ contestId, side }) => this.#isFree(contestId, side))
    this.#intents.submit(free ?? first, by)
  }

  #isFree(contestId: string, side: string | undefined): boolean {
    const listed = joinableOf(this.#bot.books, contestId)
    return listed !== undefined && (side === undefined || !listed.sidesTaken.includes(side))
  }

  #predict(call: Extract<Call, { kind: 'predict' }>, answer: unknown): void {
    const { side, price } = typeof answer === 'object' && answer !== null ? (answer as { side?: unknown; price?: unknown }) : {}
    if (call.join !== undefined) {
      if (typeof side !== 'string') throw nonsense("{ side: 'UP' } or { side: 'DOWN' } for up_down", answer)
      this.#join({ ...call.join, side }, call.strategy.name)
      return
    }
    if (typeof price !== 'string') throw nonsense("{ price: '187.25' } for price_prediction", answer)
    this.#intents.submit(readAction({ type: 'commitPrediction', contestId: call.contestId, price }), call.strategy.name)
  }

  #take(runner: CustomRunner, emissions: readonly Emission[]): void {
    const { step, n, now } = this.#bot
    for (const emission of emissions) {
      if (this.#containment.isSuspended(runner.name, undefined, now)) return
      try {
        if (!emission.ok) throw emission.thrown
        this.#enter([readAction(emission.value)], runner.name)
      } catch (thrown) {
        step.notes.push(this.#containment.fault(runner.name, undefined, thrown, { n, now }))
      }
    }
  }

  #timeOut(callId: string): void {
    const call = this.#pending.get(callId)
    if (call === undefined) return
    this.#end(callId)
    this.#fault(call, new CornermanError('STRATEGY_TIMED_OUT', `it did not answer within ${CALL_TIMEOUT_MS} ms`))
  }

  #end(callId: string): void {
    this.#pending.delete(callId)
    this.#bot.agenda.drop(`call:${callId}`)
  }

  #fault(call: Call, thrown: unknown): void {
    const { step, n, now } = this.#bot
    step.notes.push(this.#containment.fault(call.strategy.name, contestOf(call), thrown, { n, now }))
  }

  #logOf(strategy: string): StrategyLog {
    const write = (level: 'debug' | 'info' | 'warn') => (message: string, fields?: Readonly<Record<string, unknown>>) => {
      this.#bot.step.note(level, message, { ...fields, strategy })
    }
    return { debug: write('debug'), info: write('info'), warn: write('warn') }
  }
}

/** The contest a call is about; a contest that is only about to be joined is none yet. */
function contestOf(call: Call): string | undefined {
  if (call.kind === 'decide' || (call.kind === 'predict' && call.join !== undefined)) return undefined
  return call.contestId
}

function actionsOf(answer: unknown): Action[] {
  if (!Array.isArray(answer)) throw nonsense('a list of actions', answer)
  return answer.map(readAction)
}

function nonsense(wanted: string, got: unknown): CornermanError {
  const shown =
    typeof got === 'object' ? JSON.stringify(got, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)) : String(got)
  return new CornermanError('ANSWER_INVALID', `it should return ${wanted}, and returned ${shown}`)
}
