import { PublicKey } from '@solana/web3.js'
import { defer, type Observable } from 'rxjs'
import type { Clock, VirtualClock } from '../../../src/core/clock.ts'
import { keyedRandom } from '../../../src/core/random.ts'
import { tokenOfMint, USDC_MINT } from '../../../src/core/tokens.ts'
import type { BuildResult, Landing, QuoteRequest, QuoteResult, SentSwap, Swapper } from '../../../src/pipeline/index.ts'
import { hashAgentKey } from '../../../src/sandbox/agentKey.ts'
import type { SandboxService } from '../../../src/sandbox/sandboxService.ts'
import { pairTransaction } from '../pairTransaction.ts'
import type { SimulatedMachine } from './machine.ts'
import type { Scenario } from './scenario.ts'

/** A transaction lands within so long after it was built, or never. */
const LIVES_MS = 60_000
const FEE_LAMPORTS = 5000n
const BLOCKHEIGHT = 150
const OFF = { ok: false, reason: 'HTTP 503', retryable: true } as const

interface Built {
  readonly wallet: string
  readonly builtAt: number
  readonly changes: readonly { readonly mint: string; readonly delta: bigint }[]
  /** How often it was sent to the service. */
  sends: number
  signature?: string
  landing?: Extract<Landing, { status: 'landed' | 'reverted' }>
}

export interface TradeAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ChainOptions {
  readonly clock: VirtualClock
  readonly service: SandboxService
  readonly scenario: Pick<Scenario, 'seed' | 'reverted' | 'neverLanded' | 'unanswered'>
}

/** A DEX and a chain: transactions land after a while, fail, or never land, and move the ledger of the service where they land. */
export class SimulatedChain {
  readonly #options: ChainOptions
  readonly #built = new Map<string, Built>()
  readonly #bySignature = new Map<string, Built>()
  readonly #walletOf = new Map<string, string>()
  #count = 0
  #asked = 0
  #isHealed = false

  constructor(options: ChainOptions) {
    this.#options = options
  }

  /** Every transaction that the service was given, once or more often. */
  get sent(): readonly Readonly<Built>[] {
    return [...this.#built.values()].filter(({ sends }) => sends > 0)
  }

  /** What one bot sees of it. @param clock the bot's own @param machine it hears of nothing while that is asleep */
  swapperFor({ clock, machine, hasChain }: { clock: Clock; machine: SimulatedMachine; hasChain: boolean }): Swapper {
    const after = <T>(delayMs: number, work: () => T): Observable<T> =>
      defer(async () => {
        const value = await this.#after(delayMs, work)
        await machine.awake()
        return value
      })
    const unavailable = (reason: string): Landing => ({ status: 'unavailable', reason })
    return {
      hasChain,
      quote: (request) => after(50, () => (this.#isOff() ? OFF : this.#quote(request, clock.now()))),
      build: (request) => after(50, () => (this.#isOff() ? OFF : this.#build(request, hasChain))),
      landing: (sent) =>
        after(30, () => {
          if (!hasChain) return unavailable('no RPC is configured')
          return this.#isOff() ? unavailable(OFF.reason) : this.#look(sent)
        }),
    }
  }

  /** From now on it answers whatever it is asked. */
  heal(): void {
    this.#isHealed = true
  }

  #isOff(): boolean {
    const { seed, unanswered } = this.#options.scenario
    return keyedRandom('off', seed, this.#asked++).next() < unanswered && !this.#isHealed
  }

  /** What the service answers about transactions; undefined to anything else. */
  answer(procedure: string, key: string, input: unknown): TradeAnswer | undefined {
    if (procedure === 'agent.tx.status') return this.#status((input as { signature: string }).signature)
    if (procedure !== 'agent.trade.signAndSend') return undefined
    const agentId = this.#options.service.store.agentOfKey(hashAgentKey(key)) ?? ''
    return this.#take(agentId, input as { transaction: string; contestId?: string })
  }

  /** Whose transactions are whose: the wallet that an agent has. */
  admit(agentId: string, wallet: string): void {
    this.#walletOf.set(agentId, wallet)
  }

  #quote({ from, to, amount, slippageBps }: QuoteRequest, askedAt: number): QuoteResult {
    const { service, clock } = this.#options
    const unit = (mint: string) =>
      (mint === USDC_MINT ? 1 : Number(service.priceAt(mint, clock.now()) ?? 0)) / 10 ** (tokenOfMint(mint)?.decimals ?? 0)
    const outAmount = BigInt(Math.round((Number(amount) * unit(from)) / unit(to)))
    if (outAmount <= 0n) return { ok: false, reason: 'there is no route', retryable: false }
    const minOut = (outAmount * BigInt(10_000 - slippageBps) + 9999n) / 10_000n
    const quote = { from, to, inAmount: amount, outAmount, minOut, slippageBps, impactBps: 1, askedAt }
    return { ok: true, quote, raw: quote }
  }

  #build({ raw, wallet }: { readonly raw: unknown; readonly wallet: string }, hasChain: boolean): BuildResult {
    const { from, to, inAmount: given, outAmount: received } = raw as Extract<QuoteResult, { ok: true }>['quote']
    const blockhash = new PublicKey(++this.#count + 100).toBase58()
    const transaction = pairTransaction({ wallet, from, to, given, received, blockhash })
    const changes = [
      { mint: from, delta: -given },
      { mint: to, delta: received },
    ]
    this.#built.set(transaction, { wallet, changes, builtAt: this.#options.clock.now(), sends: 0 })
    const simulated = { error: undefined, changes, lamports: -FEE_LAMPORTS, rentLamports: 0n, feeLamports: FEE_LAMPORTS }
    const seen = hasChain ? { tables: new Map(), simulated } : { tables: undefined, simulated: undefined }
    return { ok: true, built: { transaction, lastValidBlockHeight: BLOCKHEIGHT, ...seen } }
  }

  #take(agentId: string, { transaction, contestId }: { transaction: string; contestId?: string }): TradeAnswer {
    const { clock, scenario } = this.#options
    const built = this.#built.get(transaction)
    if (built === undefined || built.wallet !== this.#walletOf.get(agentId)) return refused('TX_MALFORMED')
    built.sends += 1
    if (built.signature !== undefined) return refused('TX_DUPLICATE')
    if (clock.now() > built.builtAt + LIVES_MS) return refused('TX_BLOCKHASH_EXPIRED')
    const random = keyedRandom('chain', scenario.seed, this.#bySignature.size)
    const signature = `simulated${'x'.repeat(64)}${this.#bySignature.size}`
    built.signature = signature
    this.#bySignature.set(signature, built)
    const fate = random.next()
    const landsAt = clock.now() + (random.pick([0, 400, 2000, 20_000]) ?? 0)
    if (fate >= scenario.neverLanded && landsAt < built.builtAt + LIVES_MS) {
      const isReverted = fate < scenario.neverLanded + scenario.reverted
      clock.at(landsAt, () => this.#land(built, { agentId, contestId: contestId ?? null, signature, isReverted }))
    }
    return {
      status: 200,
      body: { result: { data: { json: { signature, status: 'submitted', contestId: contestId ?? null, programs: [] } } } },
    }
  }

  #land(
    built: Built,
    { agentId, contestId, signature, isReverted }: { agentId: string; contestId: string | null; signature: string; isReverted: boolean },
  ): void {
    const { service } = this.#options
    const fill = { type: 'fill', agentId, signature, feeLamports: FEE_LAMPORTS } as const
    const { changes } = built
    const isDone =
      !isReverted &&
      // What cannot count for its contest still moves the wallet.
      (service.dispatch({ ...fill, contestId, changes }).ok || service.dispatch({ ...fill, contestId: null, changes }).ok)
    if (!isDone) service.dispatch({ ...fill, contestId: null, changes: [] })
    built.landing = isDone
      ? { status: 'landed', signature, changes, feeLamports: FEE_LAMPORTS }
      : { status: 'reverted', signature, reason: 'it failed', feeLamports: FEE_LAMPORTS }
  }

  #look({ transaction }: SentSwap): Landing {
    const built = this.#built.get(transaction)
    if (built?.landing !== undefined) return built.landing
    const isOver = built !== undefined && this.#options.clock.now() > built.builtAt + LIVES_MS
    return { status: isOver ? 'expired' : 'pending' }
  }

  #status(signature: string): TradeAnswer {
    const built = this.#bySignature.get(signature)
    if (built === undefined) return refused('NOT_FOUND', 404)
    const { landing } = built
    const status = landing === undefined ? 'submitted' : landing.status === 'landed' ? 'confirmed' : 'failed'
    return { status: 200, body: { result: { data: { json: { signature, status } } } } }
  }

  #after<T>(delayMs: number, work: () => T): Promise<T> {
    const { clock } = this.#options
    return new Promise((resolve) => void clock.at(clock.now() + delayMs, () => resolve(work())))
  }
}

const refused = (code: string, status = 400): TradeAnswer => ({
  status,
  body: { error: { json: { message: code, data: { appCode: code, details: {} } } } },
})
