import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { messageOf } from '../../core/error.ts'
import { type Connections, readRawBody } from '../../http/index.ts'
import type { Place } from '../stream/shown.ts'
import type { Desk } from '../watch/desk.ts'
import type { Operator } from '../watch/watched.ts'
import { answerEmpty, answerMessage, answerUndone, type Refusal, refuse, SECURITY_HEADERS } from './answer.ts'
import type { DashboardLog } from './dashboardLog.ts'
import { isOwnHost, isOwnSite } from './hosts.ts'
import type { Page, PageFile } from './page.ts'
import type { Route } from './route.ts'
import type { Sessions } from './sessions.ts'
import type { Streams } from './streams.ts'

const LARGEST_BODY_BYTES = 4096
/** Wrong tokens of one address within a minute that are worth a line in the log. */
const MANY_FAILURES = 10

const tokenSchema = z.strictObject({ token: z.string().max(1024) })
const commandSchema = z.strictObject({ command: z.enum(['stopEntries', 'stopAll', 'resume']), bot: z.string().max(100).optional() })

const id = z.string().min(1).max(200)
/** JSON has no whole numbers of that size. */
const baseUnits = z
  .string()
  .regex(/^[1-9]\d{0,19}$/)
  .transform(BigInt)
const orderSchema = z.strictObject({
  bot: z.string().max(100),
  order: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('leaveContest'), contestId: id }),
    z.strictObject({ type: z.literal('cancelTicket'), ticketId: id }),
    z.strictObject({ type: z.literal('acknowledge'), amount: baseUnits }),
    z.strictObject({ type: z.literal('closeEntry'), key: id }),
    z.strictObject({
      type: z.literal('sell'),
      contestId: id,
      mint: id,
      amount: baseUnits,
    }),
  ]),
})

/** Where a page posts to. */
const POSTS: ReadonlySet<string> = new Set(['/session', '/operator', '/order'])

export interface AnswersOptions {
  readonly desk: Desk
  readonly operator: Operator
  readonly host: string
  readonly page: () => Promise<Page>
  readonly routes: readonly Route[]
  readonly sessions: Sessions
  readonly streams: Streams
  readonly connections: Connections
  readonly clock: Clock
  readonly log: DashboardLog
}

/** What is answered to each request. */
export class Answers {
  readonly #options: AnswersOptions

  constructor(options: AnswersOptions) {
    this.#options = options
  }

  /** Never throws: the bots go on whatever is asked. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
      const refusal = await this.#answer(request, response)
      if (refusal === undefined) this.#options.connections.proved(request.socket)
      else refuse(response, refusal)
    } catch (thrown) {
      this.#options.log.warn(`dashboard: a request was not answered: ${messageOf(thrown)}`)
      if (response.headersSent) response.destroy()
      else refuse(response, 'failed')
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const { headers, method, url = '' } = request
    const { host, page, routes, sessions } = this.#options
    if (!isOwnHost(headers.host, host)) return 'otherHost'
    if (!URL.canParse(url, 'http://dashboard')) return 'badRequest'
    const { pathname, searchParams } = new URL(url, 'http://dashboard')
    if (method === 'POST') return this.#answerPost(pathname, request, response)
    if (method !== 'GET') return 'notAllowed'
    const file = pathname === '/' || pathname.startsWith('/assets/') ? (await page()).get(pathname) : undefined
    if (file !== undefined) return sendFile(file, pathname, request, response)
    const route = routes.find(({ path }) => path === pathname)
    if (route !== undefined) {
      if (route.needsSession && !sessions.has(headers.cookie)) {
        const isBearer = sessions.isBearer(headers.authorization)
        if (isBearer === undefined) return 'noSession'
        if (!isBearer) return this.#wrongToken(request, 'noSession')
      }
      const { status, type, body } = await route.handle()
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
      return undefined
    }
    if (pathname === '/session') {
      if (!sessions.has(headers.cookie)) return 'noSession'
      answerEmpty(response)
      return undefined
    }
    return pathname === '/stream' ? this.#openStream(searchParams, request, response) : 'notFound'
  }

  async #openStream(query: URLSearchParams, { headers, socket }: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const { page, sessions, streams, connections } = this.#options
    if (!isOwnSite(headers, { needsOrigin: false })) return 'otherSite'
    if (!sessions.has(headers.cookie)) return 'noSession'
    const place = placeOf(query)
    if (place === undefined) return 'badRequest'
    const build = (await page()).get('/')?.tag ?? ''
    if (streams.isFull) return 'tooManyReaders'
    connections.keep(socket)
    streams.open(place, response, build)
    return undefined
  }

  async #answerPost(path: string, request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const { headers } = request
    if (!POSTS.has(path)) return 'notFound'
    if (!isOwnSite(headers, { needsOrigin: true })) return 'otherSite'
    if (path !== '/session' && !this.#options.sessions.has(headers.cookie)) return 'noSession'
    if (headers['content-type']?.split(';')[0] !== 'application/json') return 'noJson'
    const body = await readRawBody(request, LARGEST_BODY_BYTES)
    // Of one that broke off nobody hears the answer.
    if (typeof body === 'string') return 'tooLarge'
    if (path === '/session') return this.#openSession(body.toString(), request, response)
    return path === '/operator' ? this.#say(body.toString(), response) : this.#order(body.toString(), response)
  }

  async #openSession(body: string, request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const asked = tokenSchema.safeParse(jsonOf(body))
    if (!asked.success) return 'badRequest'
    const cookie = this.#options.sessions.open(asked.data.token)
    if (cookie === undefined) return this.#wrongToken(request, 'wrongToken')
    answerEmpty(response, { 'set-cookie': cookie })
    return undefined
  }

  /** Whoever goes on sending wrong tokens waits for each answer; a connection that waits may be ended for another. */
  async #wrongToken({ socket }: IncomingMessage, refusal: Refusal): Promise<Refusal> {
    const { sessions, clock, log } = this.#options
    const address = socket.remoteAddress ?? ''
    const { count, waitMs } = sessions.failed(address)
    if (count === MANY_FAILURES)
      log.warn(`dashboard: many wrong tokens came from ${address}: whoever sends more waits longer and longer for the answer`)
    if (waitMs === 0) return refusal
    const waited = Promise.withResolvers<void>()
    const wake = () => waited.resolve()
    const cancel = clock.at(clock.now() + waitMs, wake)
    socket.once('close', wake)
    await waited.promise
    cancel()
    socket.off('close', wake)
    return 'tooManyTokens'
  }

  async #say(body: string, response: ServerResponse): Promise<Refusal | undefined> {
    const { desk, operator, streams, log } = this.#options
    const said = commandSchema.safeParse(jsonOf(body))
    if (!said.success) return 'badRequest'
    const { command, bot } = said.data
    if (bot !== undefined && !knows(desk, bot)) return 'noSuchBot'
    const still = await operator.say(command, bot)
    log.info(`dashboard: the owner said ${command} to ${bot ?? 'all bots'}`)
    streams.hurry()
    if (still === undefined) answerEmpty(response)
    else answerMessage(response, still)
    return undefined
  }

  async #order(body: string, response: ServerResponse): Promise<Refusal | undefined> {
    const { desk, operator, streams, log } = this.#options
    const asked = orderSchema.safeParse(jsonOf(body))
    if (!asked.success) return 'badRequest'
    const { bot, order } = asked.data
    if (!knows(desk, bot)) return 'noSuchBot'
    log.info(`dashboard: the owner ordered ${order.type} of ${bot}`)
    const { isDone, message } = await operator.order(bot, order)
    streams.hurry()
    if (!isDone) answerUndone(response, message ?? '')
    else if (message === undefined) answerEmpty(response)
    else answerMessage(response, message)
    return undefined
  }
}

function knows(desk: Desk, bot: string): boolean {
  return desk.fleet().bots.some(({ name }) => name === bot)
}

function sendFile({ type, bytes, compressed, tag }: PageFile, path: string, request: IncomingMessage, response: ServerResponse): undefined {
  // The names of the assets change with what is in them.
  const cache = path === '/' ? 'no-cache' : 'private, max-age=31536000, immutable'
  const shared = { 'cache-control': cache, etag: tag, vary: 'accept-encoding' }
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(304, shared).end()
    return undefined
  }
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const sent = isCompressed ? compressed : bytes
  const encoding = isCompressed ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(200, { ...shared, ...encoding, 'content-type': type, 'content-length': sent.length }).end(sent)
  return undefined
}

function placeOf(query: URLSearchParams): Place | undefined {
  const [kind, bot, contestId] = ['view', 'bot', 'id'].map((name) => query.get(name) ?? undefined)
  if (kind === 'fleet') return { kind }
  if (kind === 'bot' && bot !== undefined) return { kind, bot }
  return kind === 'contest' && bot !== undefined && contestId !== undefined ? { kind, bot, contestId } : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
