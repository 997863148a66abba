import type { AddressLookupTableAccount } from '@solana/web3.js'
import type { ContestsState } from '../../contests/index.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { base58Of } from './base58.ts'
import { blockhashOf, recentSlotOf } from './blockhash.ts'
import { type AccountChange, type Effects, type ReadEffects, readEffects } from './effects.ts'
import type { Landing, TokenBalance } from './landing.ts'
import type { LedgerService } from './ledgerService.ts'
import { addressesOfTable, dexTables, tableAccount } from './lookupTables.ts'
import { type DecodedTransaction, decodeTransaction } from './message.ts'
import { type HouseAddresses, Mirror, mirrorProblems } from './mirror.ts'
import { keyedSigner, type Signer } from './sign.ts'
import { slotAt, slotStartMs } from './slots.ts'
import { expandedSwap, lending, ofWhole } from './swapProgram.ts'
import { holdingOf, knownToken, tokenAddress } from './tokenAccounts.ts'
import type { TransactionError } from './transactionError.ts'
import { type ChainAccount, type Execution, type Simulation, Vm } from './vm.ts'

/** What executing a transaction came to. It stays done unless `undo` is called. */
export interface Attempt {
  readonly execution: Execution
  readonly effects: ReadEffects
  readonly changes: readonly AccountChange[]
  undo(): void
}

/** The sandbox's chain: a Solana VM whose balances follow the ledger, on the sandbox's own clock. */
export class Chain {
  readonly #service: LedgerService
  readonly #vm = new Vm()
  readonly #mirror: Mirror
  readonly house: HouseAddresses
  readonly dexSigner: Signer
  /** The lookup tables there are. */
  readonly tables: readonly AddressLookupTableAccount[]

  constructor(service: LedgerService) {
    this.#service = service
    const { seed } = service.store.identity
    this.dexSigner = keyedSigner(seed, 'chain', 'dex')
    const addressOf = (name: string) => base58Of(keyedSigner(seed, 'chain', name).publicKey)
    this.house = { dex: base58Of(this.dexSigner.publicKey), vault: addressOf('vault'), rake: addressOf('rake') }
    this.#mirror = new Mirror(this.#vm, this.house)
    this.#mirror.restore(service.store.chain.accounts())
    this.tables = dexTables(this.house.dex)
    for (const table of this.tables) this.#vm.setAccount(tableAccount(table, this.#vm))
  }

  /** The slot of now. */
  slot(): number {
    return slotAt(this.#service.now(), this.#service.store.epochMs)
  }

  /** Unix milliseconds a slot begins at. */
  slotStartMs(slot: number): number {
    return slotStartMs(slot, this.#service.store.epochMs)
  }

  blockhash(slot: number): string {
    return blockhashOf(this.#service.store.identity.seed, slot)
  }

  /** The slot of a blockhash that is still in the window; undefined for any other. */
  slotOfBlockhash(blockhash: string): number | undefined {
    return recentSlotOf(this.#service.store.identity.seed, this.slot(), blockhash)
  }

  /** Reads a transaction, its lookup tables as they are now; undefined for bytes that are not exactly one. */
  decode(bytes: Uint8Array): DecodedTransaction | undefined {
    return decodeTransaction(bytes, (table) => addressesOfTable(this.#vm.account(table)))
  }

  /** An account as it is now. */
  account(address: string): ChainAccount | undefined {
    this.#sync()
    return this.#vm.account(address)
  }

  /** Every account a program owns, as it is now. */
  accountsOf(program: string): ChainAccount[] {
    this.#sync()
    return this.#vm.accountsOf(program)
  }

  rentOf(bytes: number): bigint {
    return this.#vm.rentOf(bytes)
  }

  /** Executes a transaction without its signatures being needed, and forgets it. */
  simulate(transaction: DecodedTransaction): Simulation {
    this.#sync()
    const swap = expandedSwap(transaction)
    if (swap === undefined) return this.#vm.simulate(transaction.bytes)
    const simulated = lending(this.#vm, swap, () => this.#vm.simulate(swap.bytes))
    return { ...simulated, error: ofWhole(simulated.error, swap) }
  }

  /** Executes a fully signed transaction of an agent. The ledger is to be told next (`noted`), or it is to be undone. */
  attempt(transaction: DecodedTransaction): Attempt {
    this.#sync()
    const before = transaction.writable.map((address) => this.#vm.account(address))
    const execution = this.#execute(transaction)
    const changes = transaction.writable.map((address, index) => ({ address, before: before[index], after: this.#vm.account(address) }))
    const wallet = transaction.payer
    return {
      execution,
      changes,
      effects: readEffects(changes, { wallet, usdcAccount: usdcAccountOf(wallet), dex: this.house.dex }),
      undo: () => {
        for (const { address, before: account, after } of changes) {
          if (account !== undefined) this.#vm.setAccount(account)
          else if (after !== undefined) this.#vm.removeAccount(address)
        }
      },
    }
  }

  #execute(transaction: DecodedTransaction): Execution {
    const swap = expandedSwap(transaction)
    if (swap === undefined) return this.#vm.execute(transaction.bytes)
    const execution = lending(this.#vm, swap, () => this.#vm.execute(swap.bytes, false))
    return { ...execution, error: ofWhole(execution.error, swap) }
  }

  /** Takes the fee of a transaction that failed, and was undone. */
  chargeFee(wallet: string, feeLamports: bigint): AccountChange {
    const before = this.#vm.account(wallet)
    if (before !== undefined) this.#vm.setAccount({ ...before, lamports: before.lamports - feeLamports })
    return { address: wallet, before, after: this.#vm.account(wallet) }
  }

  /** Tells that the ledger has taken these effects over. */
  noted(wallet: string, { changes, feeLamports }: Effects): void {
    this.#mirror.note(wallet, changes, feeLamports)
  }

  /** The wallet's accounts to be kept over a restart: those that changed, and those that are always there. */
  keptAccounts(wallet: string, changes: readonly AccountChange[]): ChainAccount[] {
    const own = changes.filter(({ before, after }) => {
      const account = after ?? before
      return account !== undefined && (account.address === wallet || holdingOf(account)?.owner === wallet)
    })
    const addresses = new Set([wallet, usdcAccountOf(wallet), ...own.map(({ address }) => address)])
    return [...addresses].map(
      (address) => this.#vm.account(address) ?? { address, lamports: 0n, owner: '', data: new Uint8Array(), executable: false },
    )
  }

  /** What is told of a transaction afterwards. */
  landingOf(
    transaction: DecodedTransaction,
    { execution, changes }: Attempt,
    error: TransactionError | null,
    feeLamports: bigint,
  ): Landing {
    const byAddress = new Map(changes.map((change) => [change.address, change]))
    const named = [...transaction.accounts, ...transaction.loaded]
    const accounts = named.map((address) => {
      const change = byAddress.get(address)
      const now = this.#vm.account(address)
      return { before: change === undefined ? now : change.before, after: now }
    })
    return {
      slot: this.slot(),
      at: this.#service.now(),
      error,
      logs: execution.logs,
      unitsConsumed: execution.unitsConsumed,
      feeLamports,
      accounts: named,
      preBalances: accounts.map(({ before }) => before?.lamports ?? 0n),
      postBalances: accounts.map(({ after }) => after?.lamports ?? 0n),
      preTokenBalances: tokenBalances(accounts.map(({ before }) => before)),
      postTokenBalances: tokenBalances(accounts.map(({ after }) => after)),
    }
  }

  /** Where the chain's balances are not the ledger's: nowhere, in a sound sandbox. */
  problems(): string[] {
    this.#sync()
    return this.#service.read((state) => mirrorProblems(this.#vm, state, this.house, this.#mirror.rentGift))
  }

  #sync(): void {
    this.#service.read((state: ContestsState, now) => {
      this.#mirror.sync(state)
      this.#vm.setTime(slotAt(now, this.#service.store.epochMs), now)
    })
  }
}

const usdcAccountOf = (wallet: string): string => tokenAddress(wallet, knownToken(USDC_MINT))

function tokenBalances(accounts: readonly (ChainAccount | undefined)[]): TokenBalance[] {
  return accounts.flatMap((account, accountIndex) => {
    const holding = account && holdingOf(account)
    if (account === undefined || holding === undefined) return []
    const { owner, amount } = holding
    const mint: Mint = holding.mint
    return [{ accountIndex, mint, owner, amount, programId: account.owner }]
  })
}
