import type { BuildRequest, BuildResult, QuoteRequest, QuoteResult, SwapTrouble } from '../../../pipeline/index.ts'
import { readJson, wordsOf } from '../../endpoint.ts'
import type { DexOptions, SwapFees } from '../dex.ts'
import { type BuildAsked, JupiterDex, type QuoteAsked } from '../jupiter/jupiterDex.ts'
import { readQuote } from '../jupiter/readQuote.ts'
import { wrongVersion } from '../jupiter/wrongVersion.ts'
import { buildSwap } from './buildSwap.ts'
import { isAddress, readBuild } from './readBuild.ts'

const MOST_UNITS = 2n ** 64n - 1n
/**
 * Without an RPC no lookup table is read, and every account takes 32 bytes, and one for its number: beside signature, programs,
 * wrapping and compute budget about 870 of the 1,232 bytes are left for a route's, which is 26. Jupiter counts roughly, so
 * that it is asked for fewer.
 */
const MOST_ACCOUNTS_WITHOUT_TABLES = 20
const NO_WALLET: SwapTrouble = {
  ...{ ok: false, retryable: true },
  reason: 'Jupiter makes instructions for one wallet, and agent.bankroll does not say the address of it',
}

/**
 * Swaps through Jupiter's Swap API v2: one answer of `/build` is both the quote and the instructions, of which the transaction is
 * composed here. Nothing here rejects, and nothing is asked twice.
 */
export class JupiterV2 extends JupiterDex {
  /** How many transactions were made of an answer. */
  readonly #made = new WeakMap<object, number>()

  constructor(options: DexOptions) {
    super(options, 'jupiterV2')
  }

  /** What may be called decides here as well: instructions are looked into before they are composed. */
  protected looksBy({ priorityLevel, maxPriorityFeeLamports, maxComputePriceMicroLamports, programs = {} }: SwapFees): string {
    return [priorityLevel, maxPriorityFeeLamports, maxComputePriceMicroLamports, ...Object.keys(programs).sort()].join(' ')
  }

  get #path(): string {
    return `${this.basePath}/build`
  }

  /** Only what goes in can be fixed, which is what a strategy asks for. */
  async quote(
    { from, to, amount, slippageBps, wallet }: QuoteRequest,
    { priorityLevel }: SwapFees,
    { timeoutMs, ...asked }: QuoteAsked,
  ): Promise<QuoteResult> {
    if (amount < 1n || amount > MOST_UNITS)
      return { ok: false, reason: `Jupiter is asked for 1 to ${MOST_UNITS} base units, not ${amount}`, retryable: false }
    if (wallet === undefined || !isAddress(wallet)) return NO_WALLET
    const query = new URLSearchParams({
      ...{ inputMint: from, outputMint: to, amount: String(amount), taker: wallet, slippageBps: String(slippageBps) },
      computeUnitPricePercentile: priorityLevel,
      ...(this.rpc === undefined ? { maxAccounts: String(MOST_ACCOUNTS_WITHOUT_TABLES) } : {}),
    })
    let askedAt = this.options.clock.now()
    // It may have waited for its turn.
    const onSend = () => {
      askedAt = this.options.clock.now()
    }
    const answer = await this.endpoint.ask({ method: 'GET', path: `${this.#path}?${query.toString()}`, timeoutMs }, { ...asked, onSend })
    if (!answer.ok) return { ...answer, reason: this.#asOtherVersion(answer.reason) ?? answer.reason }
    const raw = readJson(answer.text)
    const quote = readQuote(raw, askedAt)
    if (typeof quote === 'string') return this.#misread(raw, quote, answer.text)
    const build = readBuild(raw)
    return typeof build === 'string' ? this.#misread(raw, build, answer.text) : { ok: true, quote, raw }
  }

  /** Asks Jupiter nothing: an answer of `/build` has all that a transaction is made of. */
  async build({ raw, wallet }: BuildRequest, fees: SwapFees, { rpc }: BuildAsked = { rpc: this.rpc }): Promise<BuildResult> {
    if (!isAddress(wallet)) return NO_WALLET
    const [quote, build] = [readQuote(raw, this.options.clock.now()), readBuild(raw)]
    if (typeof quote === 'string') return this.#misread(raw, quote)
    if (typeof build === 'string') return this.#misread(raw, build)
    const { from, to, inAmount: amount, outAmount: quotedOut, minOut, slippageBps } = quote
    const made = this.#made.get(raw as object) ?? 0
    this.#made.set(raw as object, made + 1)
    return buildSwap({ build, terms: { wallet, from, to, amount, quotedOut, minOut, slippageBps }, fees, made }, rpc)
  }

  #misread(raw: unknown, issue: string, text = ''): SwapTrouble {
    const words = raw === undefined ? '' : wordsOf(text)
    const trouble = this.endpoint.trouble(`answered with no swap (${words === '' ? issue : words})`)
    return { ...trouble, reason: this.#asOtherVersion(raw) ?? trouble.reason }
  }

  #asOtherVersion(came: unknown): string | undefined {
    return wrongVersion({ dex: 'jupiterV2', request: `GET ${this.#path}` }, came)
  }
}
