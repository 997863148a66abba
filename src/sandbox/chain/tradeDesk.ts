import { ComputeBudgetProgram, SystemProgram } from '@solana/web3.js'
import { type FillCommand, fillProblem } from '../../contests/index.ts'
import { invariant } from '../../core/error.ts'
import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import type { Dex } from '../dex/dex.ts'
import type { SentTransaction } from '../store/chainStore.ts'
import type { Attempt, Chain } from './chain.ts'
import { DEFAULT_LANDING, fateOf, type LandingShares } from './fate.ts'
import type { LedgerService } from './ledgerService.ts'
import { type DecodedTransaction, MOST_TRANSACTION_BYTES, publicBytes, signatureOf, withSignature } from './message.ts'
import { JUPITER_PROGRAM } from './routeInstruction.ts'
import { isSignedBy, signerOf, signMessage } from './sign.ts'
import { BLOCKHASH_WINDOW_SLOTS } from './slots.ts'
import { refuseTrade, type SentAnswer, type TradeAnswer, type TradeRefused } from './tradeAnswer.ts'
import { type TransactionError, wordsOf } from './transactionError.ts'

/** Programs a transaction of an agent may call. */
const ALLOWED_PROGRAMS: ReadonlySet<string> = new Set([
  SystemProgram.programId.toBase58(),
  ComputeBudgetProgram.programId.toBase58(),
  ASSOCIATED_TOKEN_PROGRAM_ID.toBase58(),
  ...TOKEN_PROGRAMS,
  JUPITER_PROGRAM,
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
])

/** A transaction that passed every check, as it is kept and as it is executed. */
interface Admitted {
  readonly sent: SentTransaction
  readonly transaction: DecodedTransaction
}

/** What executing it came to, and why it must not stand; `error` and `refused` are null where it may. */
interface Trial {
  readonly attempt: Attempt
  readonly error: TransactionError | null
  readonly logs: readonly string[]
  readonly refused: TradeRefused | null
  readonly fill: FillCommand
}

/** Lamports of the network for each signature: the least a failed transaction costs. */
const LAMPORTS_PER_SIGNATURE = 5000n

/** Checks, signs and executes what agents send, and tells the ledger what it did. */
export class TradeDesk {
  readonly #service: LedgerService
  readonly #chain: Chain
  readonly #dex: Dex
  readonly #shares: LandingShares
  #cancelTimer: (() => void) | undefined

  constructor(service: LedgerService, chain: Chain, dex: Dex) {
    this.#service = service
    this.#chain = chain
    this.#dex = dex
    this.#shares = service.landing ?? DEFAULT_LANDING
    this.landDue()
  }

  /** `agent.trade.signAndSend`. */
  signAndSend(
    agentId: string,
    { transaction: base64, contestId }: { readonly transaction: string; readonly contestId: string | null },
  ): TradeAnswer<SentAnswer> {
    this.landDue()
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
    if (bytes.length > MOST_TRANSACTION_BYTES)
      return refuseTrade('TX_TOO_LARGE', `the transaction has ${bytes.length} bytes: ${MOST_TRANSACTION_BYTES} are allowed`, {
        bytes: bytes.length,
      })
    const decoded = this.#chain.decode(bytes)
    if (decoded === undefined)
      return refuseTrade(
        'TX_MALFORMED',
        'transaction is not a serialized Solana transaction, legacy or version 0: send its bytes in base64',
      )
    const wallet = this.#service.store.wallet(agentId)
    invariant(wallet !== undefined, `agent ${agentId} has no wallet`)
    const transaction = this.#dex.cosign(decoded)
    const problem = this.#problemOf(transaction, wallet.address)
    if (problem !== null) return problem
    const signature = signMessage(transaction.message, signerOf(wallet.secretKey))
    return this.#take(agentId, contestId, withSignature(transaction, wallet.address, signature))
  }

  /** `sendTransaction` of the RPC: a transaction that an agent's wallet has signed already. */
  send(agentId: string, transaction: DecodedTransaction): TradeAnswer<SentAnswer> {
    this.landDue()
    return this.#problemOf(transaction, transaction.payer) ?? this.#take(agentId, null, transaction)
  }

  /** `agent.tx.status`: of the agent's own transactions. */
  status(agentId: string, signature: string): TradeAnswer<object> {
    this.landDue()
    const found = this.#service.store.chain.transaction(signature)
    if (found === undefined || found.agentId !== agentId)
      return refuseTrade('NOT_FOUND', `you have sent no transaction ${signature}: pass a signature that agent.trade.signAndSend gave`, {
        signature,
      })
    const { landing, contestId } = found
    const status = landing === null ? 'submitted' : landing.error === null ? 'confirmed' : 'failed'
    const error = landing === null || landing.error === null ? null : wordsOf(landing.error)
    return { ok: true, value: { signature, status, slot: landing?.slot ?? null, error, contestId } }
  }

  /** Lands what is due, and wakes for the next. */
  landDue(): void {
    const now = this.#service.now()
    for (const { dueAt, bytes, ...sent } of this.#service.store.chain.pending()) {
      if (dueAt === null || dueAt > now) continue
      const transaction = this.#chain.decode(bytes)
      invariant(transaction !== undefined, `stored transaction ${sent.signature} does not read`)
      this.#land({ sent: { ...sent, bytes }, transaction })
    }
    this.#arm()
  }

  close(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  #problemOf({ payer, programs, signers, message, messageHash, blockhash }: DecodedTransaction, wallet: string): TradeRefused | null {
    if (payer !== wallet)
      return refuseTrade('TX_WRONG_PAYER', `${payer} would pay the fee: build the transaction for the agent's wallet, ${wallet}`, {
        payer,
        wallet,
      })
    const stranger = programs.find((program) => !ALLOWED_PROGRAMS.has(program))
    if (stranger !== undefined)
      return refuseTrade(
        'TX_PROGRAM_NOT_ALLOWED',
        `program ${stranger} is not allowed: use the DEX of this service, at /jup/swap/v1 or /jup/swap/v2`,
        {
          program: stranger,
        },
      )
    const unsigned = signers.find(
      ({ address, signature }) => address !== wallet && (signature === null || !isSignedBy(message, signature, publicBytes(address))),
    )
    if (unsigned !== undefined)
      return refuseTrade(
        'TX_SIGNATURE_MISSING',
        `the signature of ${unsigned.address} is missing or does not verify: only the agent's own is added here`,
        {
          signer: unsigned.address,
        },
      )
    if (this.#service.store.chain.isKnown(messageHash))
      return refuseTrade('TX_DUPLICATE', 'this message was sent before: see agent.tx.status, or build a new transaction', { messageHash })
    if (this.#chain.slotOfBlockhash(blockhash) === undefined)
      return refuseTrade(
        'TX_BLOCKHASH_EXPIRED',
        `blockhash ${blockhash} is none of the last ${BLOCKHASH_WINDOW_SLOTS} slots: build the transaction anew`,
        {
          blockhash,
        },
      )
    return null
  }

  #take(agentId: string, contestId: string | null, transaction: DecodedTransaction): TradeAnswer<SentAnswer> {
    const { messageHash, bytes, programs } = transaction
    const signature = signatureOf(transaction)
    const sent: SentTransaction = { messageHash, signature, agentId, contestId, bytes }
    const trial = this.#try({ sent, transaction })
    const fate = fateOf(this.#service.store.identity.seed, messageHash, this.#shares)
    if (trial.refused !== null || fate.delayMs > 0) trial.attempt.undo()
    if (trial.refused !== null) return trial.refused
    if (fate.delayMs > 0) {
      this.#service.store.chain.submit(sent, this.#service.now() + fate.delayMs)
      this.#arm()
    } else {
      const refused = this.#settle({ sent, transaction }, trial)
      if (refused !== null) return refused
    }
    return { ok: true, value: { signature, status: fate.delayMs > 0 ? 'submitted' : 'confirmed', contestId, programs } }
  }

  /** Executes, and sees whether the DEX and the ledger agree to it. */
  #try({ sent, transaction }: Admitted): Trial {
    const { agentId, contestId, signature } = sent
    const dexRefusal = this.#dex.refusalNow(transaction)
    const attempt = this.#chain.attempt(transaction)
    const { execution, effects } = attempt
    const error = execution.error ?? dexRefusal?.error ?? null
    const logs = execution.error === null ? [...execution.logs, ...(dexRefusal?.logs ?? [])] : execution.logs
    const { changes, feeLamports } = effects.ok ? effects.effects : { changes: [], feeLamports: 0n }
    const fill: FillCommand = { type: 'fill', agentId, contestId, signature, changes, feeLamports }
    return { attempt, error, logs, refused: this.#refusalOf({ attempt, error, logs, fill }), fill }
  }

  #refusalOf({ attempt: { effects }, error, logs, fill }: Omit<Trial, 'refused'>): TradeRefused | null {
    if (error !== null)
      return refuseTrade('TX_SIMULATION_FAILED', `the simulation failed: ${wordsOf(error)}`, {
        error: wordsOf(error),
        err: JSON.stringify(error),
        logs: logs.join('\n'),
      })
    if (!effects.ok)
      return refuseTrade('TX_SIMULATION_FAILED', `the transaction is no swap with the DEX: ${effects.problem}`, { error: effects.problem })
    const problem = this.#service.read((state, now) => fillProblem(state, fill, now))
    if (problem === null) return null
    if (problem.code !== 'INVALID_INPUT') return { ok: false, refusal: problem }
    return refuseTrade('TX_SIMULATION_FAILED', `the transaction is no swap with the DEX: ${problem.message}`, { error: problem.message })
  }

  /** Executes a transaction that was submitted, as things stand now. */
  #land(admitted: Admitted): void {
    const { transaction } = admitted
    if (this.#chain.slotOfBlockhash(transaction.blockhash) === undefined) {
      this.#fail(admitted, this.#try(admitted), { error: 'BlockhashNotFound', logs: [], isCharged: false })
      return
    }
    const { fails } = fateOf(this.#service.store.identity.seed, transaction.messageHash, this.#shares)
    const slippage = fails ? this.#dex.slippage(transaction) : null
    const carryOut = (tagged: Admitted) => {
      const trial = this.#try(tagged)
      return { trial, refused: trial.refused ?? (slippage === null ? this.#settle(tagged, trial) : null) }
    }
    let { trial, refused } = carryOut(admitted)
    if (refused?.refusal.code === 'TOKEN_NOT_ALLOWED') {
      // The chain knows of no contest: what may not count for one by now is executed, and counts for none.
      trial.attempt.undo()
      ;({ trial, refused } = carryOut({ ...admitted, sent: { ...admitted.sent, contestId: null } }))
    }
    if (refused === null && slippage === null) return
    const error = trial.error ?? slippage?.error ?? NOT_A_SWAP
    this.#fail(admitted, trial, { error, logs: [...trial.logs, ...(slippage?.logs ?? [])], isCharged: true })
  }

  /** Tells the ledger what was executed; takes it back where the ledger, a moment later than it was asked, refuses it. */
  #settle({ sent, transaction }: Admitted, { attempt, fill }: Trial): TradeRefused | null {
    const landing = this.#chain.landingOf(transaction, attempt, null, fill.feeLamports)
    const accounts = this.#chain.keptAccounts(transaction.payer, attempt.changes)
    const keep = () => this.#service.store.chain.land(sent, { landing, touched: landing.accounts, accounts })
    let isBooked = false
    try {
      const applied = this.#service.dispatch(fill, keep)
      isBooked = applied.ok
      if (!applied.ok) return applied
    } finally {
      if (isBooked) this.#chain.noted(transaction.payer, fill)
      else attempt.undo()
    }
    return null
  }

  /** Takes back what a failed transaction did; its fee is paid all the same. */
  #fail({ sent, transaction }: Admitted, { attempt }: Trial, { error, logs, isCharged }: Failure): void {
    attempt.undo()
    const { agentId, signature } = sent
    const gas = this.#service.read(({ agents }) => agents.get(agentId)?.gasLamports ?? 0n)
    const { effects } = attempt
    const due = effects.ok ? effects.effects.feeLamports : LAMPORTS_PER_SIGNATURE * BigInt(transaction.signers.length)
    const feeLamports = isCharged ? (due < gas ? due : gas) : 0n
    const changes = [this.#chain.chargeFee(transaction.payer, feeLamports)]
    const execution = { error, logs, unitsConsumed: attempt.execution.unitsConsumed }
    const landing = this.#chain.landingOf(transaction, { ...attempt, execution, changes }, error, feeLamports)
    const accounts = this.#chain.keptAccounts(transaction.payer, [])
    const applied = this.#service.dispatch({ type: 'fill', agentId, contestId: null, signature, changes: [], feeLamports }, () =>
      this.#service.store.chain.land(sent, { landing, touched: landing.accounts, accounts }),
    )
    invariant(applied.ok, 'the ledger refused a fee', { signature })
    this.#chain.noted(transaction.payer, { changes: [], feeLamports })
  }

  #arm(): void {
    this.#cancelTimer?.()
    const dueAt = this.#service.store.chain.pending()[0]?.dueAt
    this.#cancelTimer = typeof dueAt === 'number' ? this.#service.clock.at(dueAt, () => this.landDue()) : undefined
  }
}

interface Failure {
  readonly error: TransactionError
  readonly logs: readonly string[]
  readonly isCharged: boolean
}

/** What is told of a transaction that the ledger would not have: by the time it landed, what it moves was no longer there. */
const NOT_A_SWAP: TransactionError = { InstructionError: [0, 'InsufficientFunds'] }
