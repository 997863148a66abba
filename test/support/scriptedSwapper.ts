import { PublicKey } from '@solana/web3.js'
import { defer, type Observable } from 'rxjs'
import type { Clock } from '../../src/core/clock.ts'
import { afterTransferFee, type TransferFee } from '../../src/core/tokenFacts.ts'
import { type Mint, tokenOfMint, USDC_MINT } from '../../src/core/tokens.ts'
import { SharedChecks } from '../../src/live/swaps/sharedChecks.ts'
import type { BuildResult, BuiltSwap, Landing, QuoteRequest, QuoteResult, SentSwap, SwapBudget, Swapper } from '../../src/pipeline/index.ts'
import { pairTransaction, WALLET } from './pairTransaction.ts'

type Quoted = Extract<QuoteResult, { ok: true }>

/**
 * A DEX and a chain in memory: quotes at fixed prices, builds transactions that a real inspection lets pass, and
 * says of each what the test has made of it. Everything can be answered otherwise.
 */
export class ScriptedSwapper implements Swapper {
  hasChain = true
  /** USD for a whole token. */
  /** What mints keep back of what the wallet receives. */
  readonly transferFees: Map<Mint, TransferFee> = new Map()
  readonly prices: Map<Mint, number> = new Map([[USDC_MINT, 1]])
  /** Transactions that have landed, or failed there. */
  readonly landed = new Map<string, Landing>()
  readonly quotes: QuoteRequest[] = []
  readonly looks: SentSwap[] = []
  /** Changes an answer before it is given; undefined: it never comes. */
  onQuote: (good: Quoted) => QuoteResult | Promise<QuoteResult> = (good) => good
  onBuild: (good: BuiltSwap) => BuildResult | Promise<BuildResult> = (built) => ({ ok: true, built })
  onLanding: (sent: SentSwap) => Landing | Promise<Landing> = ({ transaction }) => this.landed.get(transaction) ?? { status: 'pending' }
  /** Unix milliseconds that quotes say they were asked for at. */
  now: () => number = () => 0
  check?: NonNullable<Swapper['check']>
  /** What a look knows of the requests that are left. */
  budget: SwapBudget | undefined
  #made = 0
  readonly #terms = new Map<string, { from: Mint; to: Mint; given: bigint; received: bigint }>()

  /** Lets the way of a swap be tried, as live. */
  triedWith(clock: Clock): this {
    const checks = new SharedChecks({
      clock,
      quote: (request) => this.#quote(request),
      build: (raw, wallet) => this.#build({ raw, wallet }),
      budget: () => this.budget,
    })
    this.check = (request) => defer(() => checks.check(request))
    return this
  }

  quote(request: QuoteRequest): Observable<QuoteResult> {
    return defer(() => this.#quote(request))
  }

  build(request: { raw: unknown; wallet: string }): Observable<BuildResult> {
    return defer(() => this.#build(request))
  }

  landing(sent: SentSwap): Observable<Landing> {
    return defer(() => this.#look(sent))
  }

  async #quote(request: QuoteRequest): Promise<QuoteResult> {
    this.quotes.push(request)
    const { from, to, amount, slippageBps } = request
    const outAmount = this.#outOf(request)
    const minOut = (outAmount * BigInt(10_000 - slippageBps) + 9_999n) / 10_000n
    const quote = { from, to, inAmount: amount, outAmount, minOut, slippageBps, impactBps: 1, askedAt: this.now() }
    return await this.onQuote({ ok: true, quote, raw: quote })
  }

  async #build({ raw, wallet }: { raw: unknown; wallet: string }): Promise<BuildResult> {
    const { from, to, inAmount: given, outAmount: received } = raw as Quoted['quote']
    const blockhash = new PublicKey(++this.#made + 100).toBase58()
    const transaction = pairTransaction({ wallet, from, to, given, received, blockhash })
    this.#terms.set(transaction, { from, to, given, received })
    const changes = [
      { mint: from, delta: -given },
      { mint: to, delta: afterTransferFee(received, this.transferFees.get(to)) },
    ]
    const simulated = { error: undefined, changes, lamports: -5000n, rentLamports: 0n, feeLamports: 5000n }
    return await this.onBuild({ transaction, lastValidBlockHeight: 150, tables: new Map(), simulated })
  }

  async #look(sent: SentSwap): Promise<Landing> {
    this.looks.push(sent)
    return await this.onLanding(sent)
  }

  /** The chain executes a transaction this DEX has built; its signature. */
  execute(transaction: string): string {
    const terms = this.#terms.get(transaction)
    if (terms === undefined) throw new Error('nobody built that')
    const signature = `signature-${'x'.repeat(64)}-${this.landed.size}`
    const changes = [
      { mint: terms.from, delta: -terms.given },
      { mint: terms.to, delta: afterTransferFee(terms.received, this.transferFees.get(terms.to)) },
    ]
    this.landed.set(transaction, { status: 'landed', signature, changes, feeLamports: 5000n })
    return signature
  }

  #outOf({ from, to, amount }: QuoteRequest): bigint {
    const unit = (mint: Mint) => (this.prices.get(mint) ?? 1) / 10 ** (tokenOfMint(mint)?.decimals ?? 0)
    return BigInt(Math.round((Number(amount) * unit(from)) / unit(to)))
  }
}

export { WALLET }
