import { defer } from 'rxjs'
import type { Usdc } from '../../../core/usdc.ts'
import type { BuildRequest, BuildResult, Landing, QuoteRequest, QuoteResult, SentSwap, SwapBudget } from '../../../pipeline/index.ts'
import { DEXES, type DexName } from '../../../strategy/dexes.ts'
import type { EndpointRequest } from '../../endpoint.ts'
import { BudgetedEndpoint } from '../../market/budgetedEndpoint.ts'
import type { Asked } from '../../market/requestBudget.ts'
import { ChainRpc } from '../chainRpc.ts'
import type { Dex, DexOptions, SwapFees } from '../dex.ts'
import { LOOK, LOOK_MS, QUOTE, swapBudgetOf, URGENT } from '../dexRequests.ts'
import { LandingFinder } from '../landing.ts'
import { SharedChecks } from '../sharedChecks.ts'
import { walletUsdc } from '../walletUsdc.ts'

export type QuoteAsked = Pick<Asked, 'use' | 'patienceMs'> & Pick<EndpointRequest, 'timeoutMs'>

/** How a transaction is asked for: of which node, and how long each request may take. */
export interface BuildAsked extends Pick<EndpointRequest, 'timeoutMs'> {
  readonly rpc: ChainRpc | undefined
}

/** What both Swap APIs of Jupiter share: where they are asked, the chain that swaps land on, and the looks that bots share. */
export abstract class JupiterDex implements Dex {
  readonly requestsPerSwap: number
  protected readonly options: DexOptions
  protected readonly endpoint: BudgetedEndpoint
  /** Of the API, without a slash at its end. */
  protected readonly basePath: string
  protected readonly rpc: ChainRpc | undefined
  readonly #landings: LandingFinder | undefined
  readonly #checks = new Map<string, SharedChecks>()

  constructor(options: DexOptions, dex: DexName) {
    const { swapUrl, apiKey, rpcUrl, timeoutMs, clock, steady = clock, budget, connect } = options
    this.options = options
    this.requestsPerSwap = DEXES[dex].requestsPerSwap
    this.basePath = new URL(swapUrl).pathname.replace(/\/+$/, '')
    const times = { timeoutMs, clock: steady, timer: options.steady }
    this.endpoint = new BudgetedEndpoint({
      ...{ ...times, name: 'Jupiter', url: swapUrl, apiKey, keyField: 'market.apiKey', budget },
      ...(connect === undefined ? {} : { connect }),
    })
    this.rpc = rpcUrl === undefined ? undefined : new ChainRpc({ ...times, url: rpcUrl })
    this.#landings = this.rpc && new LandingFinder(this.rpc)
  }

  abstract quote(request: QuoteRequest, fees: SwapFees, asked: QuoteAsked): Promise<QuoteResult>
  abstract build(request: BuildRequest, fees: SwapFees, asked?: BuildAsked): Promise<BuildResult>
  /** Bots whose swaps come to the same share what they see: by what of the fees an answer depends on. */
  protected abstract looksBy(fees: SwapFees): string

  swapperFor(fees: SwapFees): ReturnType<Dex['swapperFor']> {
    return {
      hasChain: this.rpc !== undefined,
      quote: (request) => defer(() => this.#quoteWithBudget(request, fees)),
      build: (request) => defer(() => this.build(request, fees)),
      landing: (sent) => defer(() => this.landing(sent)),
      check: (request) => defer(() => this.#checksFor(fees).check(request)),
    }
  }

  async landing(sent: SentSwap): Promise<Landing> {
    if (this.#landings === undefined) return { status: 'unavailable', reason: 'no RPC is configured: set market.rpcUrl' }
    return this.#landings.find(sent)
  }

  async walletUsdc(wallet: string): Promise<Usdc | undefined> {
    const answer = this.rpc && (await walletUsdc(this.rpc, wallet))
    return answer?.ok === true ? answer.value : undefined
  }

  async close(): Promise<void> {
    await Promise.all([this.endpoint.close(), this.rpc?.close()])
  }

  async #quoteWithBudget(request: QuoteRequest, fees: SwapFees): Promise<QuoteResult> {
    const result = await this.quote(request, fees, request.isUrgent === true ? URGENT : QUOTE)
    const budget = this.#budget()
    return budget === undefined ? result : { ...result, budget }
  }

  #budget(): SwapBudget | undefined {
    return swapBudgetOf(this.options.budget, this.requestsPerSwap, this.#checks.size)
  }

  #checksFor(fees: SwapFees): SharedChecks {
    const key = this.looksBy(fees)
    const known = this.#checks.get(key)
    if (known !== undefined) return known
    const checks = new SharedChecks({
      clock: this.options.clock,
      quote: (request) => this.quote(request, fees, LOOK),
      build: (raw, wallet) => this.build({ raw, wallet }, fees, { rpc: this.rpc?.within(LOOK_MS), timeoutMs: LOOK_MS }),
      budget: () => this.#budget(),
    })
    this.#checks.set(key, checks)
    return checks
  }
}
