import { apply, type ContestsState, createContests, type FillCommand } from '../../src/contests/index.ts'
import { invariant } from '../../src/core/error.ts'
import { type Mint, SOL_MINT, TOKENS, USDC_MINT } from '../../src/core/tokens.ts'
import type { Landing } from '../../src/sandbox/chain/landing.ts'
import { holdingOf } from '../../src/sandbox/chain/tokenAccounts.ts'
import type { SandboxStore } from '../../src/sandbox/store/sandboxStore.ts'
import { type Holding, type Reading, sandboxOwners } from './chainReading.ts'

/** The house's swaps are booked without a transaction. */
const HOUSE_SWAP = 'house:'

/** What every owner has in the ledger after the commands of an instant. */
interface Sample {
  readonly atMs: number
  readonly held: ReadonlyMap<string, ReadonlyMap<Holding, bigint>>
}

/**
 * Folds a sandbox's log once, life after life, in a process that has no chain, and compares what the ledger
 * then says with what was read of the chain while the sandbox ran, and with what the chain has stored.
 */
export class LedgerFollower {
  readonly #state: ContestsState
  readonly #owners: ReturnType<typeof sandboxOwners>
  /** Signatures of agents' transactions that the ledger has taken over: swaps, and failures they paid for. */
  readonly booked = new Set<string>()
  readonly #traders = new Set<string>()
  #seq = 0
  /** Balances that were compared, those of them that were more than 0, and those that moved while they were read. */
  readonly compared = { all: 0, held: 0, moving: 0 }

  constructor({ identity, epochMs }: SandboxStore, mints: readonly Mint[]) {
    this.#state = createContests({ seed: identity.seed, rakeBps: identity.rakeBps, startMs: epochMs, mints })
    this.#owners = sandboxOwners(identity.seed)
  }

  /** Every owner whose tokens the chain shows. */
  owners(): string[] {
    return [...[...this.#state.agents.values()].map(({ walletAddress }) => walletAddress), ...Object.values(this.#owners)]
  }

  /** Folds what is new in the log. Returns what does not fit, as sentences. */
  follow(store: SandboxStore, readings: readonly Reading[]): string[] {
    const [fromMs, untilMs] = [
      Math.min(...readings.map((reading) => reading.fromMs)),
      Math.max(...readings.map((reading) => reading.untilMs)),
    ]
    const samples: Sample[] = []
    const sample = () => samples.push({ atMs: this.#state.now, held: heldIn(this.#state, this.#owners) })
    const problems: string[] = []
    for (const { seq, command } of store.commands(this.#seq)) {
      if (samples.length === 0 && command.now >= fromMs) sample()
      invariant(apply(this.#state, command).ok, `command ${seq} of the log is refused`)
      if (samples.length > 0 && this.#state.now <= untilMs) sample()
      if (command.type === 'fill' && !command.signature.startsWith(HOUSE_SWAP)) problems.push(...this.#book(store, command))
      this.#seq = seq
    }
    if (samples.length === 0) sample()
    problems.push(...readings.flatMap((reading) => this.#compare(reading, samples)), ...this.#storedProblems(store))
    return problems
  }

  /** A reading shows one of the states between its instants: those the log has then, and the one before them. */
  #compare({ by, owner, fromMs, untilMs, held }: Reading, samples: readonly Sample[]): string[] {
    const before = samples.findLast(({ atMs }) => atMs < fromMs) ?? samples[0]
    const during = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
    const ledgers = [...(before === undefined ? [] : [before]), ...during].map((sample) => sample.held.get(owner))
    if (ledgers.includes(undefined)) return [`${owner}, read by ${by}, is nobody in the ledger`]
    return [...held].flatMap(([what, amount]) => {
      const possible = new Set(ledgers.map((ledger) => ledger?.get(what)))
      // The SOL of an agent is in its lamports, and lamports of the sandbox's own accounts are nobody's.
      if (possible.has(undefined)) return []
      // Lamports are of several accounts, read one after the other: a swap in between leaves nothing to be said.
      if (what === 'lamports' && possible.size > 1) {
        this.compared.moving++
        return []
      }
      this.compared.all++
      if (amount > 0n) this.compared.held++
      return possible.has(amount) ? [] : [`${what} of ${owner}: ${amount} by ${by}, ${[...possible].join(' or ')} in the ledger`]
    })
  }

  /** A booked swap is what its transaction did, by the balances the chain kept of it, and is booked once. */
  #book(store: SandboxStore, { agentId, signature, contestId, changes, feeLamports }: FillCommand): string[] {
    const told = store.chain.transaction(signature)
    const isTwice = this.booked.has(signature)
    this.booked.add(signature)
    if (isTwice) return [`${signature} was booked twice`]
    if (told === undefined || told.landing === null) return [`${signature} was booked, and no transaction of it has landed`]
    const { landing } = told
    const wallet = this.#state.agents.get(agentId)?.walletAddress ?? ''
    this.#traders.add(wallet)
    const isRight =
      told.agentId === agentId &&
      landing.feeLamports === feeLamports &&
      (landing.error === null) === changes.length > 0 &&
      (landing.error !== null || told.contestId === contestId) &&
      TOKENS.every(
        ({ mint }) => mint === SOL_MINT || gained(landing, wallet, mint) === (changes.find((change) => change.mint === mint)?.delta ?? 0n),
      )
    return isRight ? [] : [`${signature} was booked as something else than its transaction did`]
  }

  /** The accounts that are kept for a restart hold what the ledger says of tokens that nothing but an agent's own swaps moves. */
  #storedProblems(store: SandboxStore): string[] {
    const stored = new Map<string, Map<Holding, bigint>>()
    for (const account of store.chain.accounts()) {
      const holding = holdingOf(account)
      const owner = holding?.owner ?? account.address
      const held = stored.get(owner) ?? new Map<Holding, bigint>()
      stored.set(owner, held)
      if (holding !== undefined) addTo(held, holding.mint, holding.amount)
      if (holding?.mint !== USDC_MINT) addTo(held, 'lamports', account.lamports)
    }
    const ledger = heldIn(this.#state, this.#owners)
    return [...this.#traders].flatMap((owner) =>
      [...(ledger.get(owner) ?? [])].flatMap(([what, amount]) => {
        const kept = stored.get(owner)?.get(what) ?? 0n
        if (what === USDC_MINT || what === 'gas' || what === 'inPlay' || kept === amount) return []
        return [`${what} of ${owner}: ${kept} in the stored accounts, ${amount} in the ledger`]
      }),
    )
  }
}

function addTo(held: Map<Holding, bigint>, what: Holding, amount: bigint): void {
  held.set(what, (held.get(what) ?? 0n) + amount)
}

/** What a transaction brought to a wallet of a token. */
function gained({ preTokenBalances, postTokenBalances }: Landing, wallet: string, mint: Mint): bigint {
  const sumOf = (balances: Landing['preTokenBalances']) =>
    balances.filter((balance) => balance.owner === wallet && balance.mint === mint).reduce((sum, { amount }) => sum + amount, 0n)
  return sumOf(postTokenBalances) - sumOf(preTokenBalances)
}

function heldIn(state: ContestsState, { dex, vault, rake }: ReturnType<typeof sandboxOwners>): Sample['held'] {
  const held = new Map<string, Map<Holding, bigint>>()
  let staked = 0n
  for (const { walletAddress, wallet, tokens, gasLamports, inPlay } of state.agents.values()) {
    staked += inPlay
    const own = new Map<Holding, bigint>(TOKENS.map(({ mint }) => [mint, tokens.get(mint) ?? 0n]))
    own.delete(SOL_MINT)
    held.set(walletAddress, own.set(USDC_MINT, wallet).set('lamports', gasLamports + (tokens.get(SOL_MINT) ?? 0n)))
    own.set('gas', gasLamports).set('inPlay', inPlay)
  }
  held.set(dex, new Map(TOKENS.map(({ mint }) => [mint, state.dex.get(mint) ?? 0n])))
  held.set(vault, new Map([[USDC_MINT, staked]]))
  held.set(rake, new Map([[USDC_MINT, state.rake]]))
  return held
}
