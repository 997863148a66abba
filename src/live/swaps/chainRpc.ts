import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { BuildResult, SwapTrouble } from '../../pipeline/index.ts'
import { Endpoint, readJson } from '../endpoint.ts'
import { failureWords } from './wireTransaction.ts'

/** A call the node took for wrong: it is what was asked that is at fault, and not the node. */
const INVALID_PARAMS = -32602

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
}

/**
 * Solana's JSON-RPC, one call a request. Not web3.js's `Connection`: that one waits and asks again by itself on a 429, has
 * neither a time limit nor a bound on what it reads, and puts the address, which may hold a key, into its errors.
 */
export class ChainRpc {
  readonly #endpoint: Endpoint
  readonly #path: string
  #id = 0

  constructor({ url, timeoutMs, clock }: ChainRpcOptions) {
    const { pathname, search } = new URL(url)
    this.#path = pathname + search
    this.#endpoint = new Endpoint({ name: 'the RPC', url, apiKey: undefined, timeoutMs, clock })
  }

  async call<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<RpcAnswer<T>> {
    this.#id += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params })
    const answer = await this.#endpoint.send({ method: 'POST', path: this.#path, body })
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
