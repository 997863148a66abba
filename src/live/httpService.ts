import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { z } from 'zod'
import {
  isEntryProcedure,
  isProcedureName,
  type ProcedureInput,
  type ProcedureKind,
  type ProcedureName,
  procedures,
  type ReadName,
} from '../contract/procedures.ts'
import { inWords, readAnswer } from '../contract/readAnswer.ts'
import type { Departure, Reading } from '../contract/shapes/reading.ts'
import type { Translator } from '../contract/shapes/translator.ts'
import {
  AGENT_KEY_HEADER,
  isFailure,
  leavesOpen,
  readRefusal,
  SANDBOX_HEADER,
  type ServiceRefusal,
  successSchema,
} from '../contract/wire.ts'
import type { Clock } from '../core/clock.ts'
import { CornermanError, invariant, messageOf } from '../core/error.ts'
import { inTime } from '../core/inTime.ts'
import { within } from '../core/systemClock.ts'
import {
  type ActionRequest,
  FIGURES_HOLD_MS,
  type Outcome,
  type ReadRequest,
  type ReadResult,
  type RemoteService,
} from '../pipeline/index.ts'
import { codeOf, type EndpointRequest, readJson } from './endpoint.ts'
import { connectionsTo, PROXIED_LATE_MS } from './outgoing.ts'
import { ReadBudget, type ReadLeases, type ReadPriority, START } from './readBudget.ts'
import { redactor } from './redact.ts'
import { KEPT_BACK } from './resettingConnector.ts'
import { Backoff, MAX_HOLD_MS, type RefusalHead, readRetryAfter, TOO_MANY_REQUESTS } from './retryAfter.ts'
import type { DateSample } from './serviceClock.ts'

const READ_TRIES = 3
/** A read that moves wait for is begun a second time after this, where reads are answered sooner as a rule (ADR 0024). */
const SECOND_READ_MS = 1000
/** So many answers say whether they are. */
const NEWEST_READS = 3
/** The last of `ReadPriority` that moves wait for. */
const URGENT: ReadPriority = 2
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

export interface HttpServiceOptions {
  /** The service's base address; a path in it is kept. */
  readonly url: string
  readonly agentKey: string
  readonly timeoutMs: number
  readonly clock: Clock
  /** Time that no answer moves: for how long something takes. Default: `clock`. */
  readonly steady?: Clock
  /** Times that an answer counts from itself, "12 s left" for one, are of this clock. Default: `clock`. */
  readonly serviceTime?: Pick<Clock, 'now'>
  /** Where the read budget is kept, so that it outlives the process. */
  readonly leases?: ReadLeases
  /** Called with the `Date` header of each answer. */
  readonly onDate?: (sample: DateSample) => void
  /** Called with each success, as the pipeline reads it. */
  readonly onAnswer?: ((answer: TimedAnswer) => void) | undefined
  /** Of every read. Default: as the procedure is urgent. */
  readonly priority?: ReadPriority
  /** Lets nothing but a GET out: an action comes to nothing. */
  readonly isReadOnly?: boolean
  /** Between the service's own shapes and those that the pipeline reads. Default: its answers are read as they come. */
  readonly translator?: Translator | undefined
  /** What requests go out on. Default: undici's pool. */
  readonly connect?: (origin: string) => Connection
  /** Told of each request as it leaves, and of each answer that is the service's own: JSON, and no failure of a server before it. */
  readonly onTraffic?: ((traffic: 'asked' | 'answered') => void) | undefined
  /** As `ResettingOptions` has it. */
  readonly maySend?: (() => boolean) | undefined
}

/** A success, and by the steady clock when its request left and when it had come. */
export interface TimedAnswer {
  readonly procedure: ProcedureName
  readonly input: unknown
  readonly output: unknown
  readonly sentAt: number
  readonly receivedAt: number
}

interface Exchange extends EndpointRequest {
  readonly headers: Record<string, string>
}

/** A request and its answer, without the key. Times are Unix milliseconds by the steady clock. */
export interface WireExchange {
  readonly sentAt: number
  /** When the answer was there. */
  readonly at: number
  readonly procedure: ProcedureName
  /** Inside `json` of the request. */
  readonly input: unknown
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Parsed, or the text where it is no JSON. */
  readonly body: unknown
}

/** As much of a pool of connections as is needed here. What fails is thrown with undici's or Node's `code`. */
export interface Connection {
  /** Whether a request that was given up may lie in a proxy. Default: not. */
  readonly isProxied?: boolean
  request(request: Exchange & { readonly signal: AbortSignal }): Promise<{
    readonly statusCode: number
    readonly headers: IncomingHttpHeaders
    readonly body: { text(): Promise<string> }
  }>
  /** Ends once what is under way has its answer. */
  close(): Promise<void>
  destroy(): Promise<void>
}

/** Of a page that is no answer, for a person. */
const MOST_SAID = 300

interface Answer {
  readonly status: number
  /** Undefined where it is no JSON. */
  readonly body: unknown
  readonly text: string
  readonly dateMs: number | undefined
  /** When it was there, in Unix milliseconds. */
  readonly at: number
  /** Times of the steady clock. */
  readonly took: { readonly sentAt: number; readonly receivedAt: number }
  readonly headers: IncomingHttpHeaders
  /** Whether the project's sandbox says that it is as it sent it. */
  readonly isSandboxs: boolean
}

/** What was answered, as a person would look at it. */
export type RawAnswer = { readonly status: number; readonly dateMs: number | undefined } & (
  | { readonly ok: true; readonly json: unknown }
  /** It is no success of the wire's form; `said` is what it is instead, in part where it is no JSON. */
  | { readonly ok: false; readonly refusal: ServiceRefusal; readonly said: string }
)

/** The contest service over HTTP: typed by the contract, one connection pool, one read budget. */
export class HttpService implements RemoteService {
  readonly timeoutMs: number
  readonly figuresHoldMs = FIGURES_HOLD_MS
  /** How the answers are read, as the bot begins; undefined where nothing of them is unknown. */
  reading: Reading | undefined
  /** Whether every answer has to be the sandbox's own, as it has sent it: it is read by the sandbox's mapping for that. */
  expectsSandbox = false
  readonly #path: string
  readonly #agentKey: string
  /** The service may repeat the key, in an error's words for one, and answers go to logs, journals and recordings. */
  readonly #redact: (text: string) => string
  readonly #clock: Clock
  readonly #steady: Clock
  readonly #serviceTime: Pick<Clock, 'now'>
  readonly #budget: ReadBudget
  readonly #priority: ReadPriority | undefined
  readonly #onDate: (sample: DateSample) => void
  readonly #onAnswer: (answer: TimedAnswer) => void
  readonly #isFenced: boolean
  readonly #onTraffic: (traffic: 'asked' | 'answered') => void
  /** Fulfilled once the newest action is on the wire, which undici sends it to at the end of a turn of the loop. */
  #leaving: Promise<unknown> = Promise.resolve()
  #actionsHeldUntil = Number.NEGATIVE_INFINITY
  readonly #readBackoff = new Backoff()
  /** No wait of ours is longer than an action waits: a reveal is late after it, and not given up. */
  readonly #actionBackoff: Backoff
  /** How long the newest answers to reads took. */
  readonly #readMs: number[] = []
  readonly #connect: () => Connection
  #pool: Connection
  /** Answers that were the sandbox's own, and others. */
  readonly #answers = { sandboxs: 0, others: 0 }
  /** Contests of which something is read for the sake of another answer. */
  readonly #readsBeside = new Set<string>()
  readonly #observers = new Set<(exchange: WireExchange) => void>()
  #translator: Translator | undefined
  /** The newest answer to `agent.me`: a mapping that comes later has to know who the bot is. */
  #me: { readonly json: unknown; readonly at: number } | undefined

  constructor(options: HttpServiceOptions) {
    const {
      url,
      agentKey,
      timeoutMs,
      clock,
      steady = clock,
      serviceTime = clock,
      leases,
      onDate = () => {},
      onAnswer = () => {},
      onTraffic = () => {},
      translator,
      connect,
      maySend,
      isReadOnly = false,
    } = options
    const { origin, pathname } = new URL(url)
    this.timeoutMs = timeoutMs
    this.#actionBackoff = new Backoff(timeoutMs)
    this.#path = pathname.replace(/\/+$/, '')
    this.#agentKey = agentKey
    this.#redact = redactor([agentKey])
    this.#clock = clock
    this.#steady = steady
    this.#serviceTime = serviceTime
    this.#budget = new ReadBudget({ clock, steady, leases })
    this.#priority = options.priority
    this.#onDate = onDate
    this.#onAnswer = onAnswer
    this.#onTraffic = onTraffic
    this.#isFenced = maySend !== undefined
    this.#translator = translator
    this.#connect = () => {
      const made = connect?.(origin) ?? connectionsTo(origin, { timeoutMs, connections: 8, maxResponseSize: MAX_ANSWER_BYTES, maySend })
      return isReadOnly ? getsAlone(made) : made
    }
    this.#pool = this.#connect()
  }

  read<N extends ReadName>(request: ReadRequest<N>): Promise<ReadResult<N>> {
    return this.#read(request, this.#priority ?? priorityOf(request.procedure))
  }

  /** The same, of what a bot must know before it plays: however much an earlier run has read in this minute, a prediction may be due. */
  readAtStart<N extends ReadName>(request: ReadRequest<N>): Promise<ReadResult<N>> {
    return this.#read(request, this.#priority ?? START)
  }

  async #read<N extends ReadName>({ procedure, input }: ReadRequest<N>, priority: ReadPriority): Promise<ReadResult<N>> {
    // Money goes first: a read that comes with an action is begun once that has left.
    await this.#leaving
    const body = encodeInput(procedure, input)
    if (!body.ok) return { ok: false, refusal: undefined, reason: body.reason }
    const path = `${this.#path}/${procedure}?input=${encodeURIComponent(body.text)}`
    const request = { method: 'GET', path, headers: { [AGENT_KEY_HEADER]: this.#agentKey } } as const
    let reason = ''
    for (let tries = 0; tries < READ_TRIES; tries++) {
      await this.#budget.take(priority)
      let answer: Answer
      try {
        answer = await (priority > URGENT ? this.#exchange(request) : this.#readUrgently(request, priority))
      } catch (thrown) {
        reason = describe(thrown)
        continue
      }
      if (!isSuccess(answer)) {
        const refusal = this.#refusalIn(answer)
        return { ok: false, refusal, reason: `${refusal.code}: ${refusal.message}` }
      }
      return this.#decoded(procedure, input, answer)
    }
    return { ok: false, refusal: undefined, reason }
  }

  /** What a success says, in the form that the pipeline reads. */
  async #decoded<N extends ReadName>(procedure: N, input: ProcedureInput<N>, answer: Answer): Promise<ReadResult<N>> {
    const { body, at } = answer
    const success = successSchema.safeParse(body)
    if (!success.success) return { ok: false, refusal: undefined, reason: notOfTheForm(procedure), lacks: 'result.data.json' }
    const { json } = success.data.result.data
    await this.#readBeside(procedure, input, json)
    const foreign = this.expectsSandbox && !answer.isSandboxs ? foreignPieces(procedure) : []
    if (procedure === 'agent.me') this.#me = { json, at }
    const translated = this.#translator?.answer(procedure, input, json, at) ?? { ok: true, json, departures: [] }
    if (!translated.ok)
      return { ok: false, refusal: undefined, reason: `${procedure}: ${translated.reason}`, departures: translated.departures }
    const read = readAnswer(procedure, { input, json: translated.json, isMapped: this.#translator !== undefined })
    if (!read.ok)
      return { ok: false, refusal: undefined, reason: `${procedure}: the answer cannot be read: ${read.words}`, lacks: read.lacks }
    this.#onAnswer({ procedure, input, output: read.output, ...answer.took })
    const departures = [...foreign, ...translated.departures]
    return departures.length === 0 ? read : { ...read, departures }
  }

  /** What an answer does not say by itself is read as it is now; what is read for that reads nothing beside it. */
  async #readBeside(procedure: ProcedureName, input: unknown, json: unknown): Promise<void> {
    const beside = this.#translator?.besideOf(procedure, input, json)
    if (beside === undefined) return
    const { contestId } = input as ProcedureInput<'agent.contests.get'>
    if (this.#readsBeside.has(contestId)) return
    this.#readsBeside.add(contestId)
    await this.read({ procedure: beside, input: { contestId } }).finally(() => this.#readsBeside.delete(contestId))
  }

  async act(request: ActionRequest): Promise<Outcome> {
    const { procedure, input: asked } = request
    const input = (this.#translator?.request(procedure, asked) ?? asked) as typeof asked
    const body = encodeInput(procedure, input)
    if (!body.ok) return { status: 'notSent', reason: body.reason }
    const heldMs = this.#actionsHeldUntil - this.#steady.now()
    // What was approved now may be wrong by then. In a fleet an entry waits for nothing: its operator is told that none leaves any more.
    if (heldMs > (this.#isFenced && isEntryProcedure(request.procedure) ? 0 : this.timeoutMs))
      return { status: 'notSent', reason: `the service asked this key to wait ${Math.ceil(heldMs / 1000)} s` }
    if (heldMs > 0) await new Promise<void>((resolve) => this.#steady.at(this.#steady.now() + heldMs, resolve))
    const headers = { [AGENT_KEY_HEADER]: this.#agentKey, 'content-type': 'application/json' }
    const answering = this.#exchange({ method: 'POST', path: `${this.#path}/${procedure}`, headers, body: body.text })
    this.#leaving = turnOfTheLoop()
    let answer: Answer
    try {
      answer = await answering
    } catch (thrown) {
      const reason = describe(thrown)
      return neverLeft(thrown) ? { status: 'notSent', reason } : { status: 'unknown', reason, ...this.#late }
    }
    if (!isSuccess(answer)) {
      const refusal = this.#refusalIn(answer)
      // A server error can come after the change was made: only a refusal says that it was not.
      if (!leavesOpen(answer.status, answer.body)) return { status: 'rejected', refusal }
      return {
        status: 'unknown',
        reason:
          answer.status >= 500 || answer.status < 400 ? `HTTP ${answer.status}` : `HTTP ${answer.status}, failed inside: ${refusal.code}`,
      }
    }
    const success = successSchema.safeParse(answer.body)
    if (!success.success) return { status: 'unknown', reason: notOfTheForm(procedure) }
    // What an action answers with is not documented: an answer of the form of a success is one, whatever is in it.
    const json = this.#translator?.acted(procedure, success.data.result.data.json, answer.at) ?? success.data.result.data.json
    const decoded = procedures[procedure].output.safeParse(json)
    const output = decoded.success ? decoded.data : json
    this.#onAnswer({ procedure, input, output, ...answer.took })
    return { status: 'accepted', output }
  }

  /**
   * One exchange as it stands on the wire, for a person to look at. `dateMs`: when the service says it answered.
   *
   * @throws CornermanError `SERVICE_UNREACHABLE`
   */
  async raw(kind: ProcedureKind, procedure: ProcedureName, json: unknown): Promise<RawAnswer> {
    const body = JSON.stringify({ json })
    const path = `${this.#path}/${procedure}`
    const key = { [AGENT_KEY_HEADER]: this.#agentKey }
    const answer = await this.#exchange(
      kind === 'read'
        ? { method: 'GET', path: `${path}?input=${encodeURIComponent(body)}`, headers: key }
        : { method: 'POST', path, headers: { ...key, 'content-type': 'application/json' }, body },
    ).catch((cause: unknown) => {
      throw new CornermanError('SERVICE_UNREACHABLE', describe(cause), { cause, retryable: true })
    })
    const { status, dateMs } = answer
    const success = successSchema.safeParse(answer.body)
    if (isSuccess(answer) && success.success) return { ok: true, status, dateMs, json: success.data.result.data.json }
    return { ok: false, status, dateMs, refusal: readRefusal(status, answer.body), said: saidIn(answer) }
  }

  /** How long what was given up may still arrive, besides the timeout. */
  get mayArriveForMs(): number | undefined {
    return this.#pool.isProxied === true ? PROXIED_LATE_MS : undefined
  }

  get #late(): { readonly mayArriveForMs?: number } {
    const { mayArriveForMs } = this
    return mayArriveForMs === undefined ? {} : { mayArriveForMs }
  }

  /** Reads by another mapping from now on; undefined: as the answers come. */
  set translator(translator: Translator | undefined) {
    this.#translator = translator
    if (this.#me !== undefined) translator?.answer('agent.me', null, this.#me.json, this.#me.at)
  }

  /**
   * Tells of every exchange as it stands on the wire, from now on.
   *
   * @returns ends that
   */
  observe(observer: (exchange: WireExchange) => void): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  /** True while every answer says that it is as the project's sandbox sent it. Anyone can say so: the config decides whom to believe. */
  get isSandbox(): boolean {
    return this.#answers.sandboxs > 0 && this.#answers.others === 0
  }

  /** Reads this key may still send in the current minute. */
  get readsLeft(): number {
    return this.#budget.left
  }

  /** Leaves every connection behind and begins anew: one may have gone quiet without being closed. */
  rebuild(): void {
    const old = this.#pool
    this.#pool = this.#connect()
    // What is under way still gets its answer, or its time-out.
    void old.close()
  }

  close(): Promise<void> {
    this.#budget.close()
    return this.#pool.destroy()
  }

  /**
   * A connection can hang where the next one does not, and a turn be over before that is noticed: whichever of two reads
   * is answered first counts. A service that is slow throughout is not asked twice for everything.
   */
  async #readUrgently(request: Exchange, priority: ReadPriority): Promise<Answer> {
    const first = this.#exchange(request)
    if (this.#isSlow) return first
    const soon = await inTime(first, this.#steady, SECOND_READ_MS)
    if (soon !== undefined) return soon
    const second = this.#budget.take(priority).then(() => this.#exchange(request))
    // Where both fail, it is of the first that is told.
    return Promise.any([first, second]).catch(() => first)
  }

  /** Not one answer among the newest was quick: a single one that was late says nothing of the next. */
  get #isSlow(): boolean {
    return this.#readMs.length > 0 && this.#readMs.every((ms) => ms >= SECOND_READ_MS)
  }

  #refusalIn({ status, body }: Answer): ServiceRefusal {
    const refusal = readRefusal(status, body)
    return this.#translator?.refusal(refusal) ?? refusal
  }

  #noteRead(ms: number): void {
    this.#readMs.push(ms)
    if (this.#readMs.length > NEWEST_READS) this.#readMs.shift()
  }

  #exchange(request: Exchange): Promise<Answer> {
    return within(this.timeoutMs, (signal) => this.#request({ ...request, signal }))
  }

  async #request(request: Exchange & { readonly signal: AbortSignal }): Promise<Answer> {
    const [sentAt, steadySentAt] = [this.#clock.now(), this.#steady.now()]
    this.#onTraffic('asked')
    const { statusCode, headers, body } = await this.#pool.request(request)
    const took = { sentAt: steadySentAt, receivedAt: this.#steady.now() }
    if (request.method === 'GET') this.#noteRead(took.receivedAt - took.sentAt)
    const dateMs = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
    if (!Number.isNaN(dateMs)) this.#onDate({ ...took, dateMs })
    this.#hold({ statusCode, headers }, { isRead: request.method === 'GET', sentAt })
    const sent = await body.text()
    const isSandboxs = headers[SANDBOX_HEADER] !== undefined && headers[SANDBOX_HEADER] === createHash('sha256').update(sent).digest('hex')
    const text = this.#redact(sent)
    const answer = {
      status: statusCode,
      body: readJson(text),
      text,
      dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
      at: this.#serviceTime.now(),
      took,
      headers,
      isSandboxs,
    }
    if (statusCode < 500 && answer.body !== undefined) this.#onTraffic('answered')
    if (isSuccess(answer)) this.#answers[isSandboxs ? 'sandboxs' : 'others'] += 1
    if (this.#observers.size > 0) this.#tell(request, answer)
    return answer
  }

  #tell({ method, path, body: sent }: Exchange, { took, status, headers, body, text }: Answer): void {
    const { pathname, searchParams } = new URL(path, 'http://service')
    const procedure = pathname.slice(this.#path.length + 1)
    if (!isProcedureName(procedure)) return
    const asked = readJson((method === 'GET' ? searchParams.get('input') : sent) ?? '') as { readonly json?: unknown } | undefined
    for (const observe of this.#observers)
      observe({ sentAt: took.sentAt, at: took.receivedAt, procedure, input: asked?.json, status, headers, body: body ?? text })
  }

  /** A 429 to a read is of the read limit, which is of reads alone (specification, part 8): a reveal has its own time. */
  #hold(answer: RefusalHead, { isRead, sentAt }: { readonly isRead: boolean; readonly sentAt: number }): void {
    // By the clock as it stands now: what the answer says of the time may have set it back by hours.
    const now = this.#clock.now()
    const ownUntil = (isRead ? this.#readBackoff : this.#actionBackoff).after(answer.statusCode, sentAt, now)
    const toldUntil = readRetryAfter(answer, now)
    const until = toldUntil ?? ownUntil
    if (until === undefined) return
    const isOfReads = isRead && answer.statusCode === TOO_MANY_REQUESTS
    // An action's 429 that names no time is of some limit of actions, of which the specification says nothing.
    const holdMs = Math.min(until - now, MAX_HOLD_MS)
    if (isRead || toldUntil !== undefined) this.#budget.hold(holdMs)
    if (!isOfReads) this.#actionsHeldUntil = Math.max(this.#actionsHeldUntil, this.#steady.now() + holdMs)
  }
}

/**
 * Reveals and picks wait on `agent.modes.state`. Next come the stream, who the agent is, and what it has: until that is read the bot decides nothing;
 * and a contest may say alone what the bot's entry is, without which no turn is known for its own, and no commitment made. Then money, then the rest.
 */
const PRIORITIES: Partial<Record<ReadName, ReadPriority>> = {
  'agent.modes.state': 1,
  'agent.events': 2,
  'agent.me': 2,
  'agent.queue.list': 2,
  'agent.queue.get': 2,
  'agent.contests.mine': 2,
  'agent.contests.get': 2,
  'agent.tx.status': 2,
  'agent.limits': 3,
  'agent.bankroll': 3,
}
const priorityOf = (procedure: ReadName): ReadPriority => PRIORITIES[procedure] ?? 4

/** A connection that nothing which changes anything can go out on. */
const getsAlone = (connection: Connection): Connection => ({
  ...(connection.isProxied === undefined ? {} : { isProxied: connection.isProxied }),
  request: (request) => {
    invariant(request.method === 'GET', 'only reads go out on this connection', { method: request.method })
    return connection.request(request)
  },
  close: () => connection.close(),
  destroy: () => connection.destroy(),
})

/** The wire's form of an input. One that the contract does not allow, a strategy's say, never leaves. */
function encodeInput<N extends ProcedureName>(
  procedure: N,
  input: ProcedureInput<N>,
): { ok: true; text: string } | { ok: false; reason: string } {
  const encoded = z.safeEncode(procedures[procedure].input as z.ZodType, input)
  if (!encoded.success) return { ok: false, reason: `${procedure}: the input is not allowed: ${inWords(encoded.error)}` }
  return { ok: true, text: JSON.stringify({ json: encoded.data }) }
}

const notOfTheForm = (procedure: ProcedureName) => `${procedure}: the answer is not of the form {"result":{"data":{"json":…}}}`

/** What an answer has of the pieces, where one that is not the sandbox's own says nothing for certain. */
const PIECES_IN: Partial<Record<ReadName, readonly Departure['piece'][]>> = {
  'agent.queue.list': ['lists.tickets'],
  'agent.queue.get': ['ticketId'],
  'agent.contests.mine': ['lists.mine'],
  'agent.contests.list': ['lists.open'],
  'agent.contests.get': ['contestId'],
  'agent.modes.state': ['entryId', 'token', 'phase', 'commitBy', 'revealFrom', 'turn', 'pool'],
}
const foreignPieces = (procedure: ReadName): readonly Departure[] =>
  (PIECES_IN[procedure] ?? []).map((piece) => ({
    piece,
    place: `${SOURCE_OF[procedure] ?? ''}:`,
    expected: "the sandbox's own answer",
    got: 'one that something has changed',
  }))
const SOURCE_OF: Partial<Record<ReadName, string>> = {
  'agent.queue.get': 'ticket',
  'agent.contests.get': 'contest',
  'agent.contests.list': 'listed',
  'agent.modes.state': 'state',
}

function saidIn({ body, text }: Answer): string {
  if (body !== undefined) return JSON.stringify(body, null, 2)
  return text.trim().slice(0, MOST_SAID) || 'an empty body'
}

const isSuccess = ({ status, body }: Answer): boolean => status >= 200 && status < 300 && !isFailure(body)

/** Failures before a connection stood, or before anything was written on it: nothing can have arrived. */
const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', KEPT_BACK])

function neverLeft(thrown: unknown): boolean {
  return NEVER_LEFT.has(codeOf(thrown))
}

function describe(thrown: unknown): string {
  const code = codeOf(thrown)
  return code === '' ? messageOf(thrown) : `${code}: ${messageOf(thrown) || 'the connection failed'}`
}
