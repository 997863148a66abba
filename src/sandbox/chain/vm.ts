import { address, type EncodedAccount, getTransactionDecoder, lamports } from '@solana/kit'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { invariant } from '../../core/error.ts'
import { readTransactionError, type TransactionError } from './transactionError.ts'

/** An account as the chain holds it. */
export interface ChainAccount {
  /** Base58. */
  readonly address: string
  readonly lamports: bigint
  /** The program that owns it, base58. */
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

/** What became of a transaction: `error` is null where it was executed whole. */
export interface Execution {
  readonly error: TransactionError | null
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
}

/** A simulation, with the accounts as they would be; empty where it failed. */
export interface Simulation extends Execution {
  readonly accounts: readonly ChainAccount[]
}

/**
 * The Solana VM. It neither checks blockhashes nor remembers signatures: a VM made anew after a restart
 * would know neither, so that both are the desk's to see to.
 */
export class Vm {
  readonly #svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n)
  readonly #decoder = getTransactionDecoder()

  account(at: string): ChainAccount | undefined {
    const found = this.#svm.getAccount(address(at))
    if (!found.exists || found.lamports === 0n) return undefined
    return chainAccountOf(found)
  }

  setAccount({ address: at, lamports: amount, owner, data, executable }: ChainAccount): void {
    this.#svm.setAccount({
      address: address(at),
      lamports: lamports(amount),
      programAddress: address(owner),
      data,
      executable,
      space: BigInt(data.length),
    })
  }

  removeAccount(at: string): void {
    this.setAccount({ address: at, lamports: 0n, owner: '11111111111111111111111111111111', data: new Uint8Array(), executable: false })
  }

  /** Every account a program owns. */
  accountsOf(program: string): ChainAccount[] {
    return this.#svm.getProgramAccounts(address(program)).map(chainAccountOf)
  }

  rentOf(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes))
  }

  /** Lets programs see this time. */
  setTime(slot: number, atMs: number): void {
    const { epochStartTimestamp, epoch, leaderScheduleEpoch } = this.#svm.getClock()
    this.#svm.setClock(new Clock(BigInt(slot), epochStartTimestamp, epoch, leaderScheduleEpoch, BigInt(Math.floor(atMs / 1000))))
  }

  /**
   * Executes a transaction whose signatures are all there; a failed one still costs its fee.
   *
   * @param isVerified false: they were looked at already, over other bytes that come to the same
   */
  execute(transaction: Uint8Array, isVerified = true): Execution {
    this.#svm.withSigverify(isVerified)
    const outcome = this.#svm.sendTransaction(this.#decoder.decode(transaction))
    this.#svm.withSigverify(true)
    return executionOf(outcome)
  }

  /** Executes a transaction and forgets what it did. Signatures may be missing. */
  simulate(transaction: Uint8Array): Simulation {
    this.#svm.withSigverify(false)
    const outcome = this.#svm.simulateTransaction(this.#decoder.decode(transaction))
    this.#svm.withSigverify(true)
    return {
      ...executionOf(outcome),
      accounts: outcome instanceof FailedTransactionMetadata ? [] : outcome.postAccounts().map(chainAccountOf),
    }
  }
}

function chainAccountOf({ address: at, lamports: amount, programAddress, data, executable }: EncodedAccount): ChainAccount {
  return { address: at, lamports: amount, owner: programAddress, data: new Uint8Array(data), executable }
}

type Outcome = ReturnType<LiteSVM['sendTransaction']> | ReturnType<LiteSVM['simulateTransaction']>

function executionOf(outcome: Outcome): Execution {
  const meta = 'meta' in outcome ? outcome.meta() : outcome
  const failed = outcome instanceof FailedTransactionMetadata
  invariant('logs' in meta, 'the VM told nothing of a transaction')
  return {
    error: failed ? readTransactionError(outcome.toString()) : null,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
  }
}
