import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { BuildResult, SwapTrouble } from '../../pipeline/index.ts'
import { Endpoint, readJson } from '../endpoint.ts'
import { retried } from '../retried.ts'
import { failureWords } from './wireTransaction.ts'

/** A call the node took for wrong: it is what was asked that is at fault, and not the node. */
const INVALID_PARAMS = -32602
/** A node that was asked too often is asked once more within this time. */
const PATIENCE_MS = 2500
const MOST_TRIES = 2

const answerSchema = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).nullish(),
})

/** `isRefused`: the node says the call itself is wrong. `isSpent`: what was to be executed has been before. */
export type RpcTrouble = SwapTrouble & { readonly isRefused: boolean; readonly isSpent?: boolean }
export type RpcAnswer<T> = { readonly ok: true; readonly value: T } | RpcTrouble

export interface ChainRpcOptions {
  readonly url: string
  readonly timeoutMs: number
  readonly clock: Clock
  /** Time of its timeouts. Default: this machine's. */
  readonly timer?: Clock | undefined
}

/**
 * Solana's JSON-RPC, one call a request. Not web3.js's `Connection`: that one asks again without end on a 429, has
 * neither a time limit nor a bound on what it reads, and puts the address, which may hold a key, into its errors.
 */
export class ChainRpc {
  readonly #endpoint: Endpoint
  readonly #path: string
  readonly #options: ChainRpcOptions
  #id = 0

  /** @param endpoint of another one, to share its connections and its waits */
  constructor(options: ChainRpcOptions, endpoint?: Endpoint) {
    const { pathname, search } = new URL(options.url)
    this.#path = pathname + search
    this.#options = options
    this.#endpoint = endpoint ?? new Endpoint({ ...options, name: 'the RPC', apiKey: undefined })
  }

  /** The same node, for calls that are to be answered sooner. */
  within(timeoutMs: number): ChainRpc {
    return new ChainRpc({ ...this.#options, timeoutMs: Math.min(timeoutMs, this.#options.timeoutMs) }, this.#endpoint)
  }

  async call<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<RpcAnswer<T>> {
    this.#id += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params })
    const { clock, timeoutMs } = this.#options
    const bounds = { clock, until: clock.now() + PATIENCE_MS, most: MOST_TRIES }
    const ask = () => this.#endpoint.send({ method: 'POST', path: this.#path, body, timeoutMs })
    const answer = await retried(bounds, ask, (given) => (!given.ok && given.isHeldBack === true ? this.#endpoint.heldUntil : undefined))
    if (!answer.ok) return { ...answer, isRefused: false }
    const read = answerSchema.safeParse(readJson(answer.text))
    if (!read.success || (!read.data.error && read.data.result === undefined)) return this.#trouble(`answered ${method} with no JSON-RPC`)
    if (read.data.error) {
      const { code, message } = read.data.error
      return this.#trouble(`refused ${method}: ${message} (${code})`, code === INVALID_PARAMS)
    }
    const result = schema.safeParse(read.data.result)
    if (result.success) return { ok: true, value: result.data }
    const [issue] = result.error.issues
    return this.#trouble(`answered ${method} in another form: ${issue?.path.join('.')}: ${issue?.message}`)
  }

  /** Why a transaction failed, in words: they come from the node, and are shown. */
  words(error: unknown): string {
    return this.#endpoint.shown(failureWords(error))
  }

  close(): Promise<void> {
    return this.#endpoint.close()
  }

  #trouble(what: string, isRefused = false): RpcTrouble {
    return { ...this.#endpoint.trouble(what, !isRefused), isRefused }
  }
}

/** The same as why nothing was built. */
export const troubleOf = ({ isRefused: _isRefused, ...trouble }: RpcTrouble): BuildResult => ({ ...trouble, part: 'rpc' })
