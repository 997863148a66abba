import type { Observable } from 'rxjs'
import type { PriceSource } from '../../contests/house/index.ts'
import { rationalNumber, swapAmounts, termsOf } from '../../contests/index.ts'
import type { VirtualClock } from '../../core/clock.ts'
import { broken } from '../../core/error.ts'
import { keyedRandom } from '../../core/random.ts'
import { afterTransferFee, type TokenFacts, type TransferFee } from '../../core/tokenFacts.ts'
import type { Mint } from '../../core/tokens.ts'
import type { PaperSwap } from '../../guard/index.ts'
import type { PaperFill, QuoteRequest, QuoteResult, Swapper } from '../../pipeline/index.ts'
import type { World } from '../fit/assumptions.ts'
import { later } from './later.ts'
import type { SimulatedService } from './simulatedService.ts'

const BPS = 10_000

export interface SimulatedSwapperOptions {
  readonly clock: VirtualClock
  readonly seed: number
  readonly world: World
  readonly prices: PriceSource
  readonly service: SimulatedService
  /** What is known of tokens beside the table: what a mint keeps back of a transfer does not arrive. */
  readonly tokens?: readonly TokenFacts[]
}

/**
 * The DEX of a backtest: quotes of the price model that the sandbox trades at too, as costly as the log's own swaps were,
 * carried out after the latency of an action, if the price is still there by then.
 */
export class SimulatedSwapper implements Swapper {
  readonly hasChain = true
  readonly #options: SimulatedSwapperOptions
  readonly #fees: ReadonlyMap<Mint, TransferFee | undefined>
  #count = 0

  constructor(options: SimulatedSwapperOptions) {
    this.#options = options
    this.#fees = new Map((options.tokens ?? []).map(({ mint, transferFee }) => [mint, transferFee]))
  }

  quote({ from, to, amount, slippageBps }: QuoteRequest): Observable<QuoteResult> {
    const { clock, world, prices } = this.#options
    const askedAt = clock.now()
    return later(clock, world.quoteMs, () => {
      const request = { inputMint: from, outputMint: to, amount, swapMode: 'ExactIn', slippageBps } as const
      const swapped = swapAmounts(request, (mint) => prices.at(mint, clock.now()), world.venue)
      if (!swapped.ok) return { ok: false, reason: `${swapped.code}: ${swapped.message}`, retryable: false }
      const { inAmount, outAmount } = swapped
      const { otherAmountThreshold: minOut, impact } = termsOf(swapped, request)
      const impactBps = rationalNumber(impact) * BPS
      return { ok: true, quote: { from, to, inAmount, outAmount, minOut, slippageBps, impactBps, askedAt }, raw: undefined }
    })
  }

  build(): never {
    broken('a backtest builds no transaction: its quotes are carried out as they are')
  }

  executePaper(swap: PaperSwap): Observable<PaperFill> {
    const { clock, world } = this.#options
    return later(clock, world.actionMs, () => this.#execute(swap))
  }

  landing(): never {
    broken('a backtest has no chain to look at: what became of a swap comes with its answer')
  }

  #execute({ contestId, from, to, given, minOut }: PaperSwap): PaperFill {
    const { clock, seed, world, prices, service } = this.#options
    const signature = `backtest:${++this.#count}`
    const request = { inputMint: from, outputMint: to, amount: given, swapMode: 'ExactIn' } as const
    const swapped = swapAmounts(request, (mint) => prices.at(mint, clock.now()), world.venue)
    const isUnlucky = world.swapFailures > 0 && keyedRandom(seed, 'landing', this.#count).next() < world.swapFailures
    const failure = !swapped.ok
      ? swapped.message
      : swapped.outAmount < minOut
        ? 'the price moved by more than the slippage'
        : isUnlucky
          ? 'it failed on the chain'
          : undefined
    const { agentId } = service
    const { feeLamports } = world
    if (failure !== undefined || !swapped.ok) {
      service.run({ type: 'fill', agentId, contestId: null, signature, changes: [], feeLamports })
      return { status: 'reverted', signature, reason: failure ?? '', feeLamports, bankroll: service.bankroll() }
    }
    const changes = [
      { mint: from, delta: -given },
      { mint: to, delta: afterTransferFee(swapped.outAmount, this.#fees.get(to)) },
    ]
    const applied = service.run({ type: 'fill', agentId, contestId: contestId ?? null, signature, changes, feeLamports })
    if (applied.ok) return { status: 'landed', signature, changes, feeLamports, bankroll: service.bankroll() }
    const { code, message, details } = applied.refusal
    return { status: 'rejected', refusal: { code, message, status: 400, details } }
  }
}
