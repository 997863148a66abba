import { defer } from 'rxjs'
import type { BuildRequest, BuildResult, Landing, QuoteRequest, QuoteResult, SentSwap } from '../../../pipeline/index.ts'
import { DEXES, type DexName } from '../../../strategy/dexes.ts'
import { BudgetedEndpoint } from '../../market/budgetedEndpoint.ts'
import type { Asked } from '../../market/requestBudget.ts'
import { ChainRpc } from '../chainRpc.ts'
import type { Dex, DexOptions, SwapFees } from '../dex.ts'
import { LOOK, QUOTE, swapBudgetOf } from '../dexRequests.ts'
import { LandingFinder } from '../landing.ts'
import { SharedChecks } from '../sharedChecks.ts'

export type QuoteAsked = Pick<Asked, 'use' | 'patienceMs'>

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
    this.endpoint = new BudgetedEndpoint({
      ...{ name: 'Jupiter', url: swapUrl, apiKey, timeoutMs, clock: steady, keyField: 'market.apiKey', budget },
      ...(connect === undefined ? {} : { connect }),
    })
    this.rpc = rpcUrl === undefined ? undefined : new ChainRpc({ url: rpcUrl, timeoutMs, clock: steady })
    this.#landings = this.rpc && new LandingFinder(this.rpc)
  }

  abstract quote(request: QuoteRequest, fees: SwapFees, asked: QuoteAsked): Promise<QuoteResult>
  abstract build(request: BuildRequest, fees: SwapFees): Promise<BuildResult>
  /** Bots whose swaps come to the same share what they see: by what of the fees an answer depends on. */
  protected abstract looksBy(fees: SwapFees): string

  swapperFor(fees: SwapFees): ReturnType<Dex['swapperFor']> {
    return {
      hasChain: this.rpc !== undefined,
      quote: (request) => defer(() => this.quote(request, fees, QUOTE)),
      build: (request) => defer(() => this.build(request, fees)),
      landing: (sent) => defer(() => this.landing(sent)),
      check: (request) => defer(() => this.#checksFor(fees).check(request)),
    }
  }

  async landing(sent: SentSwap): Promise<Landing> {
    if (this.#landings === undefined) return { status: 'unavailable', reason: 'no RPC is configured: set market.rpcUrl' }
    return this.#landings.find(sent)
  }

  async close(): Promise<void> {
    await Promise.all([this.endpoint.close(), this.rpc?.close()])
  }

  #checksFor(fees: SwapFees): SharedChecks {
    const key = this.looksBy(fees)
    const known = this.#checks.get(key)
    if (known !== undefined) return known
    const checks = new SharedChecks({
      clock: this.options.clock,
      quote: (request) => this.quote(request, fees, LOOK),
      build: (raw, wallet) => this.build({ raw, wallet }, fees),
      budget: () => swapBudgetOf(this.options.budget, this.requestsPerSwap, this.#checks.size),
    })
    this.#checks.set(key, checks)
    return checks
  }
}
