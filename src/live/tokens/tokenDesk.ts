import { type Observable, ReplaySubject } from 'rxjs'
import { SANDBOX_GENESIS, SANDBOX_TRANSFER_FEE } from '../../core/clusters.ts'
import type { TokenFacts } from '../../core/tokenFacts.ts'
import { listedToken, type Mint, TOKENS } from '../../core/tokens.ts'
import type { TokenConfig } from '../../strategy/tokenConfig.ts'
import { ChainRpc } from '../swaps/chainRpc.ts'
import { clusterOf } from '../swaps/clusterOf.ts'
import { type ChainMint, readMints } from './readMints.ts'
import { resolveToken, type WantedToken } from './resolveToken.ts'
import { askTokenApi, type ListedMint, type TokenApiOptions } from './tokenApi.ts'
import { type KeptTokens, readTokenFile, writeTokenFile } from './tokenFile.ts'

/** A fee changes at the turn of an epoch, two days long, and is announced two epochs before. */
const EVERY_MS = 10 * 60_000
/** A source that could not be asked is asked again sooner. */
const AGAIN_MS = 30_000

export interface TokenDeskOptions extends TokenApiOptions {
  /** `market.tokens`. */
  readonly tokens: readonly TokenConfig[]
  /** A Solana RPC; undefined: mint accounts cannot be read. */
  readonly rpcUrl: string | undefined
  /** Genesis hashes of the chains that the RPC may be of; absent: any. */
  readonly genesis?: readonly string[] | undefined
  /** Where what was read is kept; undefined: nowhere. */
  readonly file: string | undefined
  readonly log: (problem: string) => void
}

/** Finds out what the bots of a run need to know of tokens, keeps it, and looks again from time to time. */
export class TokenDesk {
  readonly #options: TokenDeskOptions
  readonly #wanted: readonly WantedToken[]
  readonly #rpc: ChainRpc | undefined
  readonly #told$ = new ReplaySubject<readonly TokenFacts[]>(1)
  readonly #begun = Promise.withResolvers<void>()
  #kept: KeptTokens
  /** Accounts that are no mints: not kept, since they may become some. */
  #notMints: ReadonlyMap<Mint, string> = new Map()
  #silent: { readonly chain: string; readonly api: string }
  #told = ''
  #cancel: (() => void) | undefined
  #isClosed = false
  #isSaid = false

  constructor(options: TokenDeskOptions) {
    this.#options = options
    const { rpcUrl, timeoutMs, clock, file, log } = options
    this.#wanted = wantedOf(options.tokens)
    this.#rpc = rpcUrl === undefined ? undefined : new ChainRpc({ url: rpcUrl, timeoutMs, clock })
    const { kept, problem } = file === undefined ? readTokenFile('') : readTokenFile(file)
    if (problem !== undefined) log(problem)
    this.#kept = kept
    const asking = 'it is being asked for'
    this.#silent = { chain: rpcUrl === undefined ? 'set market.rpcUrl' : asking, api: asking }
    this.#tell()
  }

  /** What is known by now, and whatever changes of it. */
  get facts$(): Observable<readonly TokenFacts[]> {
    return this.#told$
  }

  /** Resolves with the first answers, whatever they are. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Asks, once or until it is closed, and resolves when the first answers are there. */
  async start({ isOnce = false } = {}): Promise<void> {
    const isWhole = await this.#look()
    if (isOnce || this.#isClosed || (isWhole && this.#rpc === undefined)) return
    const { clock } = this.#options
    this.#cancel = clock.at(clock.now() + (isWhole ? EVERY_MS : AGAIN_MS), () => void this.start())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    this.#told$.complete()
    await this.#rpc?.close()
  }

  /** @returns whether every source that there is has answered */
  async #look(): Promise<boolean> {
    const [chain, api] = await Promise.all([this.#readChain(), this.#askApi()])
    if (this.#isClosed) return true
    this.#keep()
    this.#tell()
    this.#begun.resolve()
    return chain && api
  }

  async #readChain(): Promise<boolean> {
    const rpc = this.#rpc
    if (rpc === undefined) return true
    const cluster = await clusterOf(rpc, this.#options.genesis ?? [])
    if (this.#options.genesis !== undefined && cluster?.trouble !== undefined) return this.#onSilence({ chain: cluster.trouble })
    const answer = await readMints(
      rpc,
      this.#wanted.map(({ mint }) => mint),
    )
    if (!answer.ok) return this.#onSilence({ chain: `${answer.reason}: see that market.rpcUrl answers` })
    const { epoch, mints } = answer.value
    const read = [...mints].filter((entry): entry is [Mint, ChainMint] => typeof entry[1] === 'object')
    const isNamed = (mint: Mint) => this.#options.tokens.some((token) => token.mint === mint)
    this.#notMints = new Map(
      [...mints].filter((entry): entry is [Mint, string] => typeof entry[1] === 'string' && (isNamed(entry[0]) || !isPlain(entry[0]))),
    )
    // What was kept of another chain is no word about this one.
    const before = this.#kept.cluster === cluster?.genesis ? this.#kept.chain : []
    this.#kept = { ...this.#kept, epoch, cluster: cluster?.genesis, chain: new Map([...before, ...read]) }
    return true
  }

  /** Of a token in the table all that the API says is known. */
  async #askApi(): Promise<boolean> {
    const unlisted = this.#options.tokens.map(({ mint }) => mint).filter((mint) => !TOKENS.some((token) => token.mint === mint))
    if (unlisted.length === 0 || unlisted.every((mint) => this.#kept.api.has(mint))) return true
    const answer = await askTokenApi(this.#options, unlisted)
    if (!answer.ok) return this.#onSilence({ api: answer.reason })
    this.#silent = { ...this.#silent, api: 'the Tokens API does not list it' }
    this.#kept = { ...this.#kept, api: new Map<Mint, ListedMint>([...this.#kept.api, ...answer.mints]) }
    return true
  }

  #onSilence(silent: Partial<{ chain: string; api: string }>): false {
    this.#silent = { ...this.#silent, ...silent }
    return false
  }

  #keep(): void {
    const { file, log } = this.#options
    if (file === undefined || (this.#kept.chain.size === 0 && this.#kept.api.size === 0)) return
    const problem = writeTokenFile(file, this.#kept)
    if (problem !== undefined && !this.#isSaid) log(problem)
    this.#isSaid = problem !== undefined
  }

  #tell(): void {
    const facts = this.#wanted.map((wanted) => this.#factsOf(wanted)).filter((facts) => isNews(facts, this.#options.tokens))
    const text = JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
    if (text === this.#told) return
    this.#told = text
    this.#told$.next(facts)
  }

  /** Play money: what nobody has said anything of is let in on the sandbox's chain, so that its contests can be played as they come. */
  #isLetIn(mint: Mint): boolean {
    return this.#kept.cluster === SANDBOX_GENESIS && this.#options.tokens.every((token) => token.mint !== mint)
  }

  #factsOf(wanted: WantedToken): TokenFacts {
    const { mint } = wanted
    const { chain, api, epoch } = this.#kept
    return resolveToken(this.#isLetIn(mint) ? { ...wanted, maxTransferFeeBps: SANDBOX_TRANSFER_FEE.feeBps } : wanted, {
      chain: this.#notMints.get(mint) ?? chain.get(mint),
      api: api.get(mint),
      epoch,
      silent: this.#silent,
    })
  }
}

/** Tokens of the config, and those of the table that it does not name. */
function wantedOf(tokens: readonly TokenConfig[]): readonly WantedToken[] {
  const unnamed = TOKENS.filter(({ mint }) => tokens.every((token) => token.mint !== mint))
  return [...tokens, ...unnamed.map(({ mint, symbol }) => ({ mint, symbol, maxTransferFeeBps: 0, allowTransferHook: false }))]
}

/** A token that the table says enough of, so that an RPC without its account leaves it as it is. */
const isPlain = (mint: Mint): boolean => listedToken(mint)?.tokenProgram === 'spl-token'

/** Of a token in the table that nobody has named, only what the table does not say. */
const isNews = ({ mint, transferFee, transferHook, trouble }: TokenFacts, tokens: readonly TokenConfig[]): boolean =>
  transferFee !== undefined || transferHook !== undefined || trouble !== undefined || tokens.some((token) => token.mint === mint)
