import { Configuration, SwapApi, type SwapRequest } from '@jup-ag/api'
import { defer } from 'rxjs'
import { z } from 'zod'
import { messageOf } from '../../../core/error.ts'
import type { BuildResult, Landing, QuoteRequest, QuoteResult, SentSwap, SwapTrouble } from '../../../pipeline/index.ts'
import { Endpoint, readJson, wordsOf } from '../../endpoint.ts'
import { ChainRpc, type RpcTrouble } from '../chainRpc.ts'
import type { Dex, DexOptions, SwapFees } from '../dex.ts'
import { LandingFinder } from '../landing.ts'
import { readLookupTables } from '../lookupTables.ts'
import { SharedChecks } from '../sharedChecks.ts'
import { simulateSwap } from '../simulate.ts'
import { readWireTransaction } from '../wireTransaction.ts'
import { readQuote } from './readQuote.ts'

const swapSchema = z.looseObject({
  swapTransaction: z.base64().min(1),
  lastValidBlockHeight: z.number().int().nonnegative(),
  simulationError: z.unknown().optional(),
})
const simulationErrorSchema = z.looseObject({ error: z.string() })

/** Carries a trouble through the client of the API, which knows only what is thrown. */
class Refused extends Error {
  readonly trouble: SwapTrouble

  constructor(trouble: SwapTrouble) {
    super(trouble.reason)
    this.trouble = trouble
  }
}

/** Swaps through Jupiter, and the chain they land on. Nothing here rejects, and nothing is asked twice. */
export class JupiterSwapper implements Dex {
  readonly #options: DexOptions
  readonly #endpoint: Endpoint
  readonly #basePath: string
  readonly #api: SwapApi
  readonly #rpc: ChainRpc | undefined
  readonly #landings: LandingFinder | undefined
  readonly #checks = new Map<string, SharedChecks>()

  constructor(options: DexOptions) {
    this.#options = options
    const { swapUrl, apiKey, rpcUrl, timeoutMs, clock, steady = clock } = options
    const { origin, pathname } = new URL(swapUrl)
    this.#basePath = pathname.replace(/\/+$/, '')
    this.#endpoint = new Endpoint({ name: 'Jupiter', url: swapUrl, apiKey, timeoutMs, clock: steady })
    this.#api = new SwapApi(new Configuration({ basePath: origin + this.#basePath, fetchApi: (url: string) => this.#fetch(url) }))
    this.#rpc = rpcUrl === undefined ? undefined : new ChainRpc({ url: rpcUrl, timeoutMs, clock: steady })
    this.#landings = this.#rpc && new LandingFinder(this.#rpc)
  }

  swapperFor(fees: SwapFees): ReturnType<Dex['swapperFor']> {
    return {
      hasChain: this.#rpc !== undefined,
      quote: (request) => defer(() => this.quote(request)),
      build: (request) => defer(() => this.build(request, fees)),
      landing: (sent) => defer(() => this.landing(sent)),
      check: (request) => defer(() => this.#checksFor(fees).check(request)),
    }
  }

  /** Bots that pay the same fees share what they see. */
  #checksFor(fees: SwapFees): SharedChecks {
    const key = `${fees.priorityLevel} ${fees.maxPriorityFeeLamports}`
    const known = this.#checks.get(key)
    if (known !== undefined) return known
    const { clock } = this.#options
    const quote = (request: QuoteRequest) => this.quote(request)
    const checks = new SharedChecks({ clock, quote, build: (raw, wallet) => this.build({ raw, wallet }, fees) })
    this.#checks.set(key, checks)
    return checks
  }

  async quote({ from, to, amount, slippageBps }: QuoteRequest): Promise<QuoteResult> {
    // The client's amounts are numbers, and a larger one would be rounded.
    if (amount < 1n || amount > BigInt(Number.MAX_SAFE_INTEGER)) {
      const reason = `Jupiter is asked for 1 to ${Number.MAX_SAFE_INTEGER} base units, not ${amount}: swap less at a time`
      return { ok: false, reason, retryable: false }
    }
    const askedAt = this.#options.clock.now()
    try {
      const { raw: response } = await this.#api.quoteGetRaw({
        inputMint: from,
        outputMint: to,
        amount: Number(amount),
        slippageBps,
        swapMode: 'ExactIn',
        restrictIntermediateTokens: true,
      })
      const text = await response.text()
      // The client's own model of a quote drops the fields it does not know, and `/swap` wants them.
      const raw = readJson(text)
      const quote = readQuote(raw, askedAt)
      return typeof quote === 'string' ? this.#misread('quote', quote, text) : { ok: true, quote, raw }
    } catch (thrown) {
      const cause = thrown instanceof Error ? thrown.cause : undefined
      return cause instanceof Refused ? cause.trouble : this.#endpoint.trouble(`could not be asked: ${messageOf(thrown)}`)
    }
  }

  async landing(sent: SentSwap): Promise<Landing> {
    if (this.#landings === undefined) return { status: 'unavailable', reason: 'no RPC is configured: set market.rpcUrl' }
    return this.#landings.find(sent)
  }

  async close(): Promise<void> {
    await Promise.all([this.#endpoint.close(), this.#rpc?.close()])
  }

  /** The client of the API turns what it is handed into fields it knows, so that the raw quote goes past it. */
  async build(
    { raw, wallet }: { readonly raw: unknown; readonly wallet: string },
    { priorityLevel, maxPriorityFeeLamports }: SwapFees,
  ): Promise<BuildResult> {
    const request: Omit<SwapRequest, 'quoteResponse'> & { readonly quoteResponse: unknown } = {
      userPublicKey: wallet,
      quoteResponse: raw,
      wrapAndUnwrapSol: true,
      asLegacyTransaction: false,
      dynamicComputeUnitLimit: true,
      prioritizationFeeLamports: { priorityLevelWithMaxLamports: { priorityLevel, maxLamports: Number(maxPriorityFeeLamports) } },
    }
    const body = bodyOf(request)
    if (body === undefined) return this.#endpoint.trouble('gave a quote that cannot be sent back')
    const answer = await this.#endpoint.send({ method: 'POST', path: `${this.#basePath}/swap`, body })
    if (!answer.ok) return answer
    const read = swapSchema.safeParse(readJson(answer.text))
    if (!read.success)
      return this.#misread('swap', `${read.error.issues[0]?.path.join('.')}: ${read.error.issues[0]?.message}`, answer.text)
    const { swapTransaction: transaction, lastValidBlockHeight, simulationError } = read.data
    if (simulationError !== null && simulationError !== undefined) {
      const said = simulationErrorSchema.safeParse(simulationError)
      const what = said.success ? said.data.error : JSON.stringify(simulationError)
      return { ...this.#endpoint.trouble(`simulated the swap, and it failed: ${what}`), isOfMarket: true }
    }
    const wire = readWireTransaction(transaction)
    if (wire === undefined) return this.#endpoint.trouble('built what reads as no transaction')
    const built = { transaction, lastValidBlockHeight }
    if (this.#rpc === undefined) return { ok: true, built: { ...built, tables: undefined, simulated: undefined } }
    const tables = await readLookupTables(this.#rpc, wire)
    if (!tables.ok) return troubleOf(tables)
    const simulated = await simulateSwap(this.#rpc, { wallet, transaction, wire, tables: tables.value })
    if (!simulated.ok) return troubleOf(simulated)
    return { ok: true, built: { ...built, tables: tables.value, simulated: simulated.value } }
  }

  /** The client's way to the network: bounded, and held back when Jupiter asks for it. */
  async #fetch(url: string): Promise<Response> {
    const { pathname, search } = new URL(url)
    const answer = await this.#endpoint.send({ method: 'GET', path: pathname + search })
    if (!answer.ok) throw new Refused(answer)
    return new Response(answer.text)
  }

  #misread(what: string, issue: string, text: string): SwapTrouble {
    const words = readJson(text) === undefined ? '' : wordsOf(text)
    return this.#endpoint.trouble(`answered with no ${what} (${words === '' ? issue : words})`)
  }
}

const troubleOf = ({ isRefused: _isRefused, ...trouble }: RpcTrouble): BuildResult => ({ ...trouble, part: 'rpc' })

/** What is nested too deep can be read out of JSON, and not be written back: undefined then. */
function bodyOf(request: object): string | undefined {
  try {
    return JSON.stringify(request)
  } catch {
    return undefined
  }
}
