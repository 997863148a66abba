import { randomBytes } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type Observable, Subject } from 'rxjs'
import { webhookPayloadSchema } from '../../contract/webhook.ts'
import type { Clock } from '../../core/clock.ts'
import { CornermanError } from '../../core/error.ts'
import { steadyClock } from '../../core/systemClock.ts'
import { Connections, closeServer, listen, listenProblem, readRawBody, serverOf, urlOf } from '../../http/index.ts'
import { readJson } from '../endpoint.ts'
import { SeenIds } from './seenIds.ts'
import { isSignedBy, readProof } from './verifyDelivery.ts'

const LARGEST_BODY_BYTES = 64 * 1024
const LARGEST_HEADER_BYTES = 8 * 1024
/** The service waits so long for its answer: what takes longer to arrive is lost anyway. */
const REQUEST_TIMEOUT_MS = 5000
/** Longer than reverse proxies keep an idle connection: of the two, it is the proxy that must know when it ends. */
const KEEP_ALIVE_MS = 75_000
/** With a body each, 64 MiB: the most that strangers can make this process hold. */
const MOST_CONNECTIONS = 1000
/**
 * Of each bot, some 100 bytes each. Who has overheard a delivery can send it again for ten minutes, from five before its time to
 * five after: so many ids are known for longer, at six events a second. One that is forgotten costs a read when it comes again.
 */
const IDS_KEPT = 4000

const PATH = /^\/webhooks\/([a-z][a-z0-9-]{0,31})$/

/** How a request ends. */
const ANSWERS = {
  accepted: [204, ''],
  repeated: [204, ''],
  unreadable: [400, 'the body is not a webhook of the interface'],
  unsigned: [401, 'not a delivery that this receiver takes'],
  stale: [401, 'not a delivery that this receiver takes'],
  forged: [401, 'not a delivery that this receiver takes'],
  otherAgent: [401, 'not a delivery that this receiver takes'],
  notFound: [404, 'nothing is here'],
  notPosted: [405, 'deliveries are sent by POST'],
  tooLarge: [413, `a delivery may have up to ${LARGEST_BODY_BYTES} bytes`],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>
type Verdict = keyof typeof ANSWERS

/** A delivery that was not taken, for a log: nothing in it comes from the wire. */
export interface RefusedDelivery {
  readonly reason: Exclude<Verdict, 'accepted' | 'repeated'>
  /** The bot it was for, where there is one. */
  readonly bot: string | undefined
}

export interface WebhookReceiverOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The service's time: a delivery is good for five minutes before and after it. */
  readonly clock: Pick<Clock, 'now'>
  readonly onRefused?: (refused: RefusedDelivery) => void
  /** How long a delivery may take to arrive. Default 5 s. */
  readonly requestTimeoutMs?: number
  /** Default 1,000. */
  readonly mostConnections?: number
}

/** One bot's part of the receiver. */
export interface WebhookEndpoint {
  /** One, or while they are changed two: a delivery is signed with either. */
  readonly secrets: readonly string[]
  /** The agent that deliveries are for; undefined while it is not known, and any will do. */
  readonly agentId: () => string | undefined
}

interface Admitted extends WebhookEndpoint {
  readonly seen: SeenIds
  readonly wake$: Subject<void>
}

/**
 * Takes the service's webhooks for any number of bots, at `POST /webhooks/<bot>` (specification, part 6). A good delivery wakes its
 * bot once, and is no more than that: what has happened is read from the service. The read goes out first, and the answer a moment
 * later, before anything can have come of the read.
 *
 * Whoever has no secret learns nothing: of a bot that is not here, deliveries are refused in the words and the time of a wrong signature.
 */
export class WebhookReceiver {
  readonly #options: WebhookReceiverOptions
  readonly #server: Server
  readonly #connections: Connections
  readonly #endpoints = new Map<string, Admitted>()
  /** What deliveries for nobody are held against. */
  readonly #decoy = [randomBytes(32).toString('hex')]

  private constructor(options: WebhookReceiverOptions) {
    const { requestTimeoutMs = REQUEST_TIMEOUT_MS, mostConnections = MOST_CONNECTIONS } = options
    this.#options = options
    this.#connections = new Connections(mostConnections)
    const limits = { requestTimeoutMs, keepAliveMs: KEEP_ALIVE_MS, largestHeaderBytes: LARGEST_HEADER_BYTES }
    this.#server = serverOf(limits, (request, response) => void this.#answer(request, response))
    this.#server.on('connection', (socket) => this.#connections.add(socket))
  }

  /**
   * Listens. Until a bot is admitted every delivery is refused; the service sends it again.
   *
   * @throws CornermanError `WEBHOOK_PORT`
   */
  static async open(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
    const { host, port } = options
    const receiver = new WebhookReceiver(options)
    try {
      await listen(receiver.#server, options)
    } catch (cause) {
      const ofPort = 'end what holds the port, or choose another webhooks.port'
      throw new CornermanError('WEBHOOK_PORT', `webhooks: ${listenProblem(cause, { host, port, ofPort })}`, { cause })
    }
    return receiver
  }

  /** Where it listens; a bot's deliveries go to `<url>/webhooks/<bot>`. */
  get url(): string {
    return urlOf(this.#server)
  }

  /** Takes deliveries for a bot from now on. @returns what wakes it */
  admit(bot: string, endpoint: WebhookEndpoint): Observable<void> {
    const wake$ = new Subject<void>()
    this.#endpoints.set(bot, { ...endpoint, seen: new SeenIds(IDS_KEPT), wake$ })
    return wake$
  }

  /** Ends within a second, whoever is connected. */
  close(): Promise<void> {
    return closeServer(this.#server, steadyClock)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bot = PATH.exec(request.url ?? '')?.[1]
    const endpoint = bot === undefined ? undefined : this.#endpoints.get(bot)
    const verdict = bot === undefined ? 'notFound' : await this.#judge(request, endpoint)
    if (verdict === 'cutOff') return
    if (verdict === 'accepted') {
      endpoint?.wake$.next()
      // One turn for the read to go out, which undici sends at the end of it; then nothing of the bot's has been heard yet.
      await turnOfTheLoop()
      await turnOfTheLoop()
    }
    const [status, message] = ANSWERS[verdict]
    // What was not read of a request would be taken for the next one.
    if (!request.complete) response.setHeader('connection', 'close')
    response.writeHead(status, {
      ...(status === 405 ? { allow: 'POST' } : {}),
      ...(message === '' ? {} : { 'content-type': 'text/plain' }),
    })
    response.end(message)
    if (verdict === 'accepted' || verdict === 'repeated') this.#connections.proved(request.socket)
    else this.#options.onRefused?.({ reason: verdict, bot: endpoint === undefined ? undefined : bot })
  }

  async #judge(request: IncomingMessage, endpoint: Admitted | undefined): Promise<Verdict | 'cutOff'> {
    if (request.method !== 'POST') return 'notPosted'
    const proof = readProof(request.headers, this.#options.clock.now())
    if (typeof proof === 'string') return proof
    const rawBody = await readRawBody(request, LARGEST_BODY_BYTES)
    if (typeof rawBody === 'string') return rawBody
    const isSigned = isSignedBy(endpoint?.secrets ?? this.#decoy, proof, rawBody)
    if (!isSigned || endpoint === undefined) return 'forged'
    const payload = webhookPayloadSchema.safeParse(readJson(rawBody.toString()))
    if (!payload.success) return 'unreadable'
    if (payload.data.agentId !== (endpoint.agentId() ?? payload.data.agentId)) return 'otherAgent'
    return endpoint.seen.add(payload.data.id) ? 'accepted' : 'repeated'
  }
}
