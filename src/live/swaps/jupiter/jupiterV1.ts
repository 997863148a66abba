import { Configuration, SwapApi, type SwapRequest } from '@jup-ag/api'
import { z } from 'zod'
import { messageOf } from '../../../core/error.ts'
import type { BuildRequest, BuildResult, QuoteRequest, QuoteResult, SwapTrouble } from '../../../pipeline/index.ts'
import { readJson, wordsOf } from '../../endpoint.ts'
import type { Asked } from '../../market/requestBudget.ts'
import { troubleOf } from '../chainRpc.ts'
import type { DexOptions, SwapFees } from '../dex.ts'
import { QUOTE } from '../dexRequests.ts'
import { readLookupTables } from '../lookupTables.ts'
import { simulateSwap } from '../simulate.ts'
import { readWireTransaction } from '../wireTransaction.ts'
import { type BuildAsked, JupiterDex, type QuoteAsked } from './jupiterDex.ts'
import { readQuote } from './readQuote.ts'
import { wrongVersion } from './wrongVersion.ts'

const swapSchema = z.looseObject({
  swapTransaction: z.base64().min(1),
  lastValidBlockHeight: z.number().int().nonnegative(),
  simulationError: z.unknown().optional(),
})
/** Where nobody says how long the quote holds. */
const BUILD_PATIENCE_MS = 3000
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
export class JupiterV1 extends JupiterDex {
  constructor(options: DexOptions) {
    super(options, 'jupiterV1')
  }

  protected looksBy({ priorityLevel, maxPriorityFeeLamports }: SwapFees): string {
    return `${priorityLevel} ${maxPriorityFeeLamports}`
  }

  async quote({ from, to, amount, slippageBps }: QuoteRequest, _fees?: SwapFees, asked: QuoteAsked = QUOTE): Promise<QuoteResult> {
    // The client's amounts are numbers, and a larger one would be rounded.
    if (amount < 1n || amount > BigInt(Number.MAX_SAFE_INTEGER)) {
      const reason = `Jupiter is asked for 1 to ${Number.MAX_SAFE_INTEGER} base units, not ${amount}: swap less at a time`
      return { ok: false, reason, retryable: false }
    }
    let askedAt = this.options.clock.now()
    const onSend = () => {
      askedAt = this.options.clock.now()
    }
    try {
      const { raw: response } = await this.#api({ ...asked, keeps: this.requestsPerSwap - 1, onSend }).quoteGetRaw({
        inputMint: from,
        outputMint: to,
        amount: Number(amount),
        slippageBps,
        swapMode: 'ExactIn',
        restrictIntermediateTokens: true,
        // Its amounts come before its route, so that venues newer than the guard's table of them do not hide them.
        instructionVersion: 'V2',
        asLegacyTransaction: this.#isLegacy,
      })
      const text = await response.text()
      // The client's own model of a quote drops the fields it does not know, and `/swap` wants them.
      const raw = readJson(text)
      const quote = readQuote(raw, askedAt)
      return typeof quote === 'string' ? this.#misread('quote', quote, text) : { ok: true, quote, raw }
    } catch (thrown) {
      const cause = thrown instanceof Error ? thrown.cause : undefined
      return cause instanceof Refused
        ? this.#orOtherVersion(cause.trouble, 'GET', 'quote')
        : this.endpoint.trouble(`could not be asked: ${messageOf(thrown)}`)
    }
  }

  /** Without an RPC nobody reads a lookup table: a legacy transaction names every account itself, and fits or is refused. */
  get #isLegacy(): boolean {
    return this.rpc === undefined
  }

  /** The client of the API turns what it is handed into fields it knows, so that the raw quote goes past it. */
  async build(
    { raw, wallet, by }: BuildRequest,
    { priorityLevel, maxPriorityFeeLamports }: SwapFees,
    { rpc, timeoutMs }: BuildAsked = { rpc: this.rpc },
  ): Promise<BuildResult> {
    const swapRequest: Omit<SwapRequest, 'quoteResponse'> & { readonly quoteResponse: unknown } = {
      userPublicKey: wallet,
      quoteResponse: raw,
      wrapAndUnwrapSol: true,
      asLegacyTransaction: this.#isLegacy,
      dynamicComputeUnitLimit: true,
      prioritizationFeeLamports: { priorityLevelWithMaxLamports: { priorityLevel, maxLamports: Number(maxPriorityFeeLamports) } },
    }
    const body = bodyOf(swapRequest)
    if (body === undefined) return this.endpoint.trouble('gave a quote that cannot be sent back')
    const patienceMs = by === undefined ? BUILD_PATIENCE_MS : Math.max(0, by - this.options.clock.now())
    const request = { method: 'POST', path: `${this.basePath}/swap`, body, timeoutMs } as const
    const answer = await this.endpoint.ask(request, { use: 'build', patienceMs })
    if (!answer.ok) return this.#orOtherVersion(answer, 'POST', 'swap')
    const read = swapSchema.safeParse(readJson(answer.text))
    if (!read.success)
      return this.#misread('swap', `${read.error.issues[0]?.path.join('.')}: ${read.error.issues[0]?.message}`, answer.text)
    const { swapTransaction: transaction, lastValidBlockHeight, simulationError } = read.data
    if (simulationError !== null && simulationError !== undefined) {
      const said = simulationErrorSchema.safeParse(simulationError)
      const what = said.success ? said.data.error : JSON.stringify(simulationError)
      return { ...this.endpoint.trouble(`simulated the swap, and it failed: ${what}`), isOfMarket: true }
    }
    const wire = readWireTransaction(transaction)
    if (wire === undefined) return this.endpoint.trouble('built what reads as no transaction')
    const built = { transaction, lastValidBlockHeight }
    if (rpc === undefined) return { ok: true, built: { ...built, tables: undefined, simulated: undefined } }
    const tables = await readLookupTables(rpc, wire)
    if (!tables.ok) return troubleOf(tables)
    const simulated = await simulateSwap(rpc, { wallet, transaction, wire, tables: tables.value })
    if (!simulated.ok) return troubleOf(simulated)
    return { ok: true, built: { ...built, tables: tables.value, simulated: simulated.value } }
  }

  /** The client of the API for one request: bounded, in its turn, and held back when Jupiter asks for it. */
  #api({ timeoutMs, ...asked }: Asked & Pick<QuoteAsked, 'timeoutMs'> & { readonly onSend: () => void }): SwapApi {
    const fetchApi = async (url: string): Promise<Response> => {
      const { pathname, search } = new URL(url)
      const answer = await this.endpoint.ask({ method: 'GET', path: pathname + search, timeoutMs }, asked)
      if (!answer.ok) throw new Refused(answer)
      return new Response(answer.text)
    }
    return new SwapApi(new Configuration({ basePath: new URL(this.options.swapUrl).origin + this.basePath, fetchApi }))
  }

  #misread(what: 'quote' | 'swap', issue: string, text: string): SwapTrouble {
    const json = readJson(text)
    const words = json === undefined ? '' : wordsOf(text)
    const trouble = this.endpoint.trouble(`answered with no ${what} (${words === '' ? issue : words})`)
    return this.#orOtherVersion(trouble, what === 'quote' ? 'GET' : 'POST', what, json)
  }

  /** The trouble, or what speaks for a Swap API of another version behind it. */
  #orOtherVersion(trouble: SwapTrouble, method: string, what: string, came: unknown = trouble.reason): SwapTrouble {
    const reason = wrongVersion({ dex: 'jupiterV1', request: `${method} ${this.basePath}/${what}` }, came)
    return reason === undefined ? trouble : { ...trouble, reason }
  }
}

/** What is nested too deep can be read out of JSON, and not be written back: undefined then. */
function bodyOf(request: object): string | undefined {
  try {
    return JSON.stringify(request)
  } catch {
    return undefined
  }
}
