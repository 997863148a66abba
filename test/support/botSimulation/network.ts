import { callTRPCProcedure, getTRPCErrorFromUnknown } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { isProcedureName, procedures } from '../../../src/contract/procedures.ts'
import type { VirtualClock } from '../../../src/core/clock.ts'
import { keyedRandom } from '../../../src/core/random.ts'
import type { Connection } from '../../../src/live/httpService.ts'
import { FaultPlan } from '../../../src/sandbox/faults/faultPlan.ts'
import { NO_FAULTS } from '../../../src/sandbox/faults/faults.ts'
import type { SandboxService } from '../../../src/sandbox/sandboxService.ts'
import { errorBody, readError } from '../../../src/sandbox/server/appError.ts'
import { type RequestContext, sandboxRouter } from '../../../src/sandbox/server/router.ts'
import { SlidingWindow } from '../../../src/sandbox/server/slidingWindow.ts'
import { EventPage } from '../../../src/sandbox/store/eventPage.ts'
import type { SimulatedChain } from './chain.ts'
import { type NetworkFaults, type Span, STALE_MS } from './scenario.ts'

const MINUTE_MS = 60_000

type Request = Parameters<Connection['request']>[0]

/** What becomes of one call. */
interface Fate {
  /** Milliseconds until it arrives; undefined: it never does. */
  readonly thereMs: number | undefined
  /** Milliseconds until its answer is back; undefined: it never is. */
  readonly backMs: number | undefined
  /** Answered by something other than the service, before it or after it was done. */
  readonly instead?: { readonly status: number; readonly isDone: boolean; readonly text: string }
  /** The connection breaks where the answer should have come. */
  readonly breaks?: boolean
  /** It is of a copy that lags behind. */
  readonly isStale?: boolean
}

interface WireAnswer {
  readonly status: number
  readonly text: string
  readonly headers?: Record<string, string>
}

const brokenBy = (code: string): Error => Object.assign(new Error(`simulated: ${code}`), { code })

export interface NetworkOptions {
  readonly seed: number
  readonly clock: VirtualClock
  readonly service: SandboxService
  readonly chain: SimulatedChain
  readonly faults: NetworkFaults
  /** In Unix milliseconds. */
  readonly outages: readonly Span[]
  readonly timeoutMs: number
}

/**
 * The way from the bots to the service, on a virtual clock: requests take their time, come late, once, or not at all. What
 * arrives is answered by the sandbox's own router, its limits included.
 */
export class SimulatedNetwork {
  /** Calls over the service's limits. */
  overLimit = 0
  calls = 0
  readonly #options: NetworkOptions
  readonly #reads = new SlidingWindow(300, MINUTE_MS)
  readonly #actions = new SlidingWindow(120, MINUTE_MS)
  readonly #counts = new Map<string, number>()
  /** What each read last showed, and when. */
  readonly #shown = new Map<string, { readonly at: number; readonly answer: WireAnswer }>()
  readonly #sandboxFaults: FaultPlan
  #isHealed = false

  constructor(options: NetworkOptions) {
    this.#options = options
    const { seed, faults } = options
    this.#sandboxFaults = new FaultPlan(seed, { ...NO_FAULTS, pollDuplicate: faults.repeated })
  }

  /** By the service's clock, in Unix milliseconds. */
  get now(): number {
    return this.#options.clock.now()
  }

  /** From now on nothing goes wrong any more. */
  heal(): void {
    this.#isHealed = true
    this.#sandboxFaults.faults = NO_FAULTS
  }

  /** A connection of one bot. */
  connect(bot: string): Connection {
    return { request: (request) => this.#exchange(bot, request), close: async () => {}, destroy: async () => {} }
  }

  async #exchange(bot: string, request: Request): ReturnType<Connection['request']> {
    const { clock, timeoutMs } = this.#options
    this.calls += 1
    const sentAt = clock.now()
    if (this.#isOut(sentAt)) {
      // Half of the outages refuse connections, the others swallow them.
      await this.#until(sentAt + (sentAt % 2 === 0 ? 5 : timeoutMs))
      throw brokenBy(sentAt % 2 === 0 ? 'ECONNREFUSED' : 'UND_ERR_CONNECT_TIMEOUT')
    }
    const fate = this.#fateOf(bot, request)
    const { thereMs, backMs, breaks } = fate
    const answered = thereMs === undefined ? undefined : this.#arrive(sentAt + thereMs, request, fate)
    // Two ends of one exchange: the answer comes back, or the sender's time is up.
    const givenUpAt = sentAt + timeoutMs
    const backAt = thereMs === undefined || backMs === undefined ? Number.POSITIVE_INFINITY : sentAt + thereMs + backMs
    if (backAt >= givenUpAt) {
      await this.#until(givenUpAt)
      throw brokenBy('UND_ERR_HEADERS_TIMEOUT')
    }
    const answer = await answered
    await this.#until(backAt)
    if (breaks === true || answer === undefined) throw brokenBy('UND_ERR_SOCKET')
    const date = new Date(Math.floor(clock.now() / 1000) * 1000).toUTCString()
    return { statusCode: answer.status, headers: { date, ...answer.headers }, body: { text: () => Promise.resolve(answer.text) } }
  }

  async #arrive(at: number, request: Request, { instead, isStale }: Fate): Promise<WireAnswer> {
    await this.#until(at)
    if (instead === undefined) return request.method === 'GET' ? this.#show(at, request, isStale === true) : this.#answer(request)
    if (instead.isDone) await this.#answer(request)
    return { status: instead.status, text: instead.text }
  }

  async #show(at: number, request: Request, isStale: boolean): Promise<WireAnswer> {
    const key = `${request.headers['x-agent-key']} ${request.path}`
    const before = this.#shown.get(key)
    if (isStale && before !== undefined && at - before.at <= STALE_MS) return before.answer
    const answer = await this.#answer(request)
    this.#shown.set(key, { at, answer })
    return answer
  }

  /** As the sandbox answers over HTTP. */
  async #answer({ path, body, headers }: Request): Promise<WireAnswer> {
    const { service, chain } = this.#options
    const [name = '', query = ''] = path.slice(1).split('?')
    if (!isProcedureName(name)) throw new Error(`no procedure: ${path}`)
    const input = (JSON.parse(body ?? new URLSearchParams(query).get('input') ?? '{}') as { json?: unknown }).json
    const key = headers['x-agent-key']
    const context = { key, service, reads: this.#reads, actions: this.#actions, faults: this.#sandboxFaults, calls: undefined }
    const call = { router: sandboxRouter, path: name, type: procedures[name].kind === 'read' ? 'query' : 'mutation' } as const
    try {
      const traded = chain.answer(name, key ?? '', input)
      if (traded !== undefined) return { status: traded.status, text: JSON.stringify(traded.body) }
      const json: unknown = await callTRPCProcedure({
        ...call,
        // Nothing of the request itself is looked at where no fault is asked of the sandbox.
        ctx: context as unknown as RequestContext,
        getRawInput: () => Promise.resolve(input),
        signal: undefined,
        batchIndex: 0,
      })
      return { status: 200, text: `{"result":{"data":{"json":${json instanceof EventPage ? json.toText() : JSON.stringify(json)}}}}` }
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown)
      const { appCode, message, details } = readError(error)
      if (appCode === 'INTERNAL') throw error
      const isLimited = appCode === 'RATE_LIMITED'
      if (isLimited) this.overLimit += 1
      const retryAfterMs = (details as { retryAfterMs?: number } | undefined)?.retryAfterMs ?? 0
      return {
        status: getHTTPStatusCodeFromError(error),
        text: JSON.stringify(errorBody(appCode, message, details)),
        headers: isLimited ? { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } : {},
      }
    }
  }

  /** Each call of a bot has its own, whatever else is going on. */
  #fateOf(bot: string, { path, method }: Request): Fate {
    const { seed, faults, timeoutMs } = this.#options
    const name = path.split('?')[0] ?? ''
    const key = `${bot} ${method} ${name}`
    const count = this.#counts.get(key) ?? 0
    this.#counts.set(key, count + 1)
    const random = keyedRandom('network', seed, key, count)
    const takes = () => random.integer(...faults.latencyMs)
    const plain = { thereMs: takes(), backMs: takes() }
    if (this.#isHealed) return plain
    let place = random.next()
    const is = (share: number): boolean => {
      place -= share
      return place < 0 && place >= -share
    }
    if (is(faults.slow)) return { thereMs: random.integer(500, timeoutMs), backMs: random.integer(0, 500) }
    if (is(faults.lost)) return { thereMs: undefined, backMs: undefined }
    if (is(faults.late)) return { thereMs: random.integer(timeoutMs, 2 * timeoutMs - STALE_MS), backMs: undefined }
    if (is(faults.answerLost)) return random.next() < 0.5 ? { ...plain, backMs: undefined } : { ...plain, breaks: true }
    if (is(faults.failed)) return { ...plain, instead: { status: 500, isDone: false, text: '{"error":"boom"}' } }
    if (is(faults.failedAfter)) return { ...plain, instead: { status: 500, isDone: true, text: 'Internal Server Error' } }
    if (is(faults.gateway)) return { ...plain, instead: { status: 502, isDone: false, text: '<html>Bad Gateway</html>' } }
    // Figures of money are current: without an RPC nothing else says what became of a swap.
    return is(faults.stale) && !name.endsWith('agent.bankroll') ? { ...plain, isStale: true } : plain
  }

  #isOut(at: number): boolean {
    return !this.#isHealed && this.#options.outages.some(({ from, to }) => at >= from && at < to)
  }

  #until(at: number): Promise<void> {
    const { clock } = this.#options
    return new Promise((resolve) => void clock.at(at, resolve))
  }
}
