import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANSWERS_FILE, type Exchange } from './exchange.ts'
import { FACTS_FILE, type FactEvent, type FactMove, type Facts } from './facts.ts'

/** An exchange as it is on the wire, before it is numbered. */
export interface WireExchange extends Omit<Exchange, 'n' | 'headers'> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface ProbeRecorderOptions {
  /** Made where it is missing. */
  readonly folder: string
  /** Base address of the service. */
  readonly service: string
  /** Unix milliseconds. */
  readonly startedAt: number
}

const KEPT_HEADERS = ['date', 'content-type', 'content-encoding', 'retry-after'] as const
/** Values under these keys are secrets, and a salt proves a prediction before its time. */
const STRUCK = /^(salt|.*secret|password|api_?key|agent_?key)$/i
/** How the service begins a signing secret (specification, part 6). */
const SIGNING_SECRET = 'whsec_'

/** Writes what a probe hears into its folder: answers as they came, secrets struck out, and the facts. */
export class ProbeRecorder {
  readonly folder: string
  readonly #exchanges: Exchange[] = []
  readonly #events: FactEvent[] = []
  readonly #moves: FactMove[] = []
  readonly #options: ProbeRecorderOptions

  constructor(options: ProbeRecorderOptions) {
    this.#options = options
    this.folder = options.folder
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(this.folder, ANSWERS_FILE), '', { mode: 0o600 })
    this.#writeFacts()
  }

  get exchanges(): readonly Exchange[] {
    return this.#exchanges
  }

  get facts(): Facts {
    const { service, startedAt } = this.#options
    return { version: 1, service, startedAt, events: this.#events, moves: this.#moves }
  }

  /** @returns the exchange as it was written */
  exchange(wire: WireExchange): Exchange {
    const exchange = { n: this.#exchanges.length + 1, ...withoutSecrets(wire) }
    this.#exchanges.push(exchange)
    appendFileSync(join(this.folder, ANSWERS_FILE), `${JSON.stringify(exchange)}\n`)
    return exchange
  }

  /** An event as the service sent it; one that is known already is none. */
  event(event: FactEvent): void {
    if (this.#events.some(({ id }) => id === event.id)) return
    this.#events.push(event)
    this.#writeFacts()
  }

  move(move: FactMove): void {
    this.#moves.push(move)
    this.#writeFacts()
  }

  /** Whole or not at all: a probe may be killed at any moment. */
  #writeFacts(): void {
    const file = join(this.folder, FACTS_FILE)
    writeFileSync(`${file}.new`, `${JSON.stringify(this.facts)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
}

/** An exchange as it may be kept: secrets are struck out, and of headers stay those that say something of the service. */
export function withoutSecrets({ sentAt, at, procedure, input, status, headers, body }: WireExchange): Omit<Exchange, 'n'> {
  const kept = KEPT_HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as const] : []))
  return {
    ...(sentAt === undefined ? {} : { sentAt }),
    at,
    procedure,
    input: struck(input),
    status,
    headers: Object.fromEntries(kept),
    body: struck(body),
  }
}

/** The same without secrets: their places stay. */
function struck(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(struck)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? '…' : struck(item)]))
}

const isSecret = (key: string, value: unknown): boolean =>
  typeof value === 'string' && (STRUCK.test(key) || value.startsWith(SIGNING_SECRET))
