import { type ContestsState, DEX_INVENTORY } from '../../contests/index.ts'
import { invariant } from '../../core/error.ts'
import { TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import { type Mint, SOL_MINT, TOKENS, USDC_MINT } from '../../core/tokens.ts'
import { accountBytesOf, holdingOf, knownToken, mintAccount, tokenAccount, tokenAddress, withAmount } from './tokenAccounts.ts'
import { transferFeeOf, withoutWithheld } from './transferFees.ts'
import type { ChainAccount, Vm } from './vm.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** The sandbox's own owners of token accounts, base58. */
export interface HouseAddresses {
  readonly dex: string
  /** Holds every stake in play. */
  readonly vault: string
  readonly rake: string
}

/** What the ledger says a wallet has, as the chain was last brought to it. */
interface Kept {
  readonly amounts: Map<Mint, bigint>
  /** SOL for fees and SOL that was bought: on the chain they are the same. */
  lamports: bigint
}

/**
 * Brings the chain's balances to the ledger's. Only differences are written: what a wallet does with its own
 * accounts (an empty one, wrapped SOL) is none of the ledger's business and stays.
 */
export class Mirror {
  readonly #vm: Vm
  readonly #house: HouseAddresses
  readonly #kept = new Map<string, Kept>()
  readonly #houseAmounts = new Map<string, bigint>()
  /** Rent of an agent's account of USDC: a present of the sandbox, so that a new wallet has its whole SOL. */
  readonly rentGift: bigint

  constructor(vm: Vm, house: HouseAddresses) {
    this.#vm = vm
    this.#house = house
    this.rentGift = vm.rentOf(TOKEN_ACCOUNT_BYTES)
    for (const token of TOKENS) {
      const { data } = mintAccount(token, DEX_INVENTORY, 0n)
      vm.setAccount(mintAccount(token, DEX_INVENTORY, vm.rentOf(data.length)))
    }
  }

  /** Takes up accounts as a transaction left them before a restart. */
  restore(accounts: readonly ChainAccount[]): void {
    for (const account of accounts) {
      this.#vm.setAccount(account)
      const holding = holdingOf(account)
      const kept = this.#keptOf(holding?.owner ?? account.address)
      kept.lamports += account.lamports
      if (holding === undefined) continue
      if (account.address === ownAccount(holding.owner, USDC_MINT)) kept.lamports -= this.rentGift
      if (holding.mint !== SOL_MINT) kept.amounts.set(holding.mint, (kept.amounts.get(holding.mint) ?? 0n) + holding.amount)
    }
  }

  /** Notes what a transaction did on the chain: `sync` must not do it again. */
  note(wallet: string, changes: readonly { readonly mint: Mint; readonly delta: bigint }[], feeLamports: bigint): void {
    const kept = this.#keptOf(wallet)
    kept.lamports -= feeLamports
    for (const { mint, delta } of changes) {
      if (mint === SOL_MINT) kept.lamports += delta
      else kept.amounts.set(mint, (kept.amounts.get(mint) ?? 0n) + delta)
      const dexAccount = ownAccount(this.#house.dex, mint)
      this.#houseAmounts.set(dexAccount, (this.#houseAmounts.get(dexAccount) ?? 0n) - delta)
      if (transferFeeOf(mint) !== undefined) this.#harvest(wallet, mint)
    }
  }

  /** What the mint has kept back goes to the DEX, whose tokens they all are: the ledger knows of nobody else. */
  #harvest(wallet: string, mint: Mint): void {
    const own = this.#vm.account(ownAccount(wallet, mint))
    if (own !== undefined) this.#vm.setAccount({ ...own, data: withoutWithheld(own.data) })
    // Written anew with the next look, as the ledger has it.
    this.#houseAmounts.delete(ownAccount(this.#house.dex, mint))
  }

  sync(state: ContestsState): void {
    let inPlay = 0n
    for (const agent of state.agents.values()) {
      inPlay += agent.inPlay
      const { walletAddress, wallet, tokens, gasLamports } = agent
      this.#syncLamports(walletAddress, gasLamports + (tokens.get(SOL_MINT) ?? 0n))
      this.#syncToken(walletAddress, USDC_MINT, wallet)
      const kept = this.#keptOf(walletAddress)
      for (const mint of [...tokens.keys(), ...[...kept.amounts.keys()].filter((mint) => !tokens.has(mint))]) {
        if (mint !== SOL_MINT && mint !== USDC_MINT) this.#syncToken(walletAddress, mint, tokens.get(mint) ?? 0n)
      }
    }
    for (const { mint } of TOKENS) this.#syncHouse(this.#house.dex, mint, state.dex.get(mint) ?? 0n)
    this.#syncHouse(this.#house.vault, USDC_MINT, inPlay)
    this.#syncHouse(this.#house.rake, USDC_MINT, state.rake)
  }

  #syncLamports(wallet: string, lamports: bigint): void {
    const kept = this.#keptOf(wallet)
    if (kept.lamports === lamports) return
    this.#addLamports(wallet, lamports - kept.lamports)
    kept.lamports = lamports
  }

  #syncToken(wallet: string, mint: Mint, amount: bigint): void {
    const kept = this.#keptOf(wallet)
    const difference = amount - (kept.amounts.get(mint) ?? 0n)
    if (difference === 0n && kept.amounts.has(mint)) return
    const address = ownAccount(wallet, mint)
    const account = this.#vm.account(address)
    if (account === undefined) {
      const rent = this.#vm.rentOf(accountBytesOf(mint))
      if (mint !== USDC_MINT) this.#addLamports(wallet, -rent)
      this.#vm.setAccount(tokenAccount({ address, owner: wallet, token: knownToken(mint), amount: difference, rent }))
    } else {
      const held = holdingOf(account)?.amount ?? 0n
      invariant(held + difference >= 0n, `${address} of ${wallet} would have ${held + difference} base units`)
      this.#vm.setAccount(withAmount(account, held + difference))
    }
    kept.amounts.set(mint, amount)
  }

  #syncHouse(owner: string, mint: Mint, amount: bigint): void {
    const address = ownAccount(owner, mint)
    if (this.#houseAmounts.get(address) === amount) return
    const rent = this.#vm.rentOf(accountBytesOf(mint))
    this.#vm.setAccount(tokenAccount({ address, owner, token: knownToken(mint), amount, rent }))
    this.#houseAmounts.set(address, amount)
  }

  #addLamports(wallet: string, difference: bigint): void {
    const account = this.#vm.account(wallet)
    const lamports = (account?.lamports ?? 0n) + difference
    invariant(lamports >= 0n, `wallet ${wallet} would have ${lamports} lamports`)
    this.#vm.setAccount({ address: wallet, lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false })
  }

  #keptOf(wallet: string): Kept {
    const known = this.#kept.get(wallet)
    if (known !== undefined) return known
    const kept: Kept = { amounts: new Map(), lamports: 0n }
    this.#kept.set(wallet, kept)
    return kept
  }
}

const ownAccount = (owner: string, mint: Mint): string => tokenAddress(owner, knownToken(mint))

/** Where the chain's balances are not the ledger's, as sentences; empty when all is well. It reads every token account: for tests. */
export function mirrorProblems(vm: Vm, state: ContestsState, house: HouseAddresses, rentGift: bigint): string[] {
  const problems: string[] = []
  const expect = (what: string, chain: bigint, ledger: bigint) => {
    if (chain !== ledger) problems.push(`${what}: ${chain} on the chain, ${ledger} in the ledger`)
  }
  const amounts = new Map<string, bigint>()
  const lamports = new Map<string, bigint>()
  for (const account of TOKEN_PROGRAMS.flatMap((program) => vm.accountsOf(program))) {
    const holding = holdingOf(account)
    if (holding === undefined) continue
    const { owner, mint, amount } = holding
    const key = `${owner}:${mint}`
    amounts.set(key, (amounts.get(key) ?? 0n) + amount)
    lamports.set(owner, (lamports.get(owner) ?? 0n) + account.lamports)
  }
  const held = (owner: string, mint: Mint) => amounts.get(`${owner}:${mint}`) ?? 0n
  let inPlay = 0n
  for (const agent of state.agents.values()) {
    const { handle, walletAddress, wallet, tokens, gasLamports } = agent
    inPlay += agent.inPlay
    expect(`USDC of ${handle}`, held(walletAddress, USDC_MINT), wallet)
    for (const { mint, symbol } of TOKENS) {
      if (mint !== SOL_MINT && mint !== USDC_MINT) expect(`${symbol} of ${handle}`, held(walletAddress, mint), tokens.get(mint) ?? 0n)
    }
    const all = (vm.account(walletAddress)?.lamports ?? 0n) + (lamports.get(walletAddress) ?? 0n) - rentGift
    expect(`lamports of ${handle}`, all, gasLamports + (tokens.get(SOL_MINT) ?? 0n))
  }
  for (const { mint, symbol } of TOKENS) expect(`${symbol} of the DEX`, held(house.dex, mint), state.dex.get(mint) ?? 0n)
  expect('stakes in play', held(house.vault, USDC_MINT), inPlay)
  expect('rake', held(house.rake, USDC_MINT), state.rake)
  return problems
}
