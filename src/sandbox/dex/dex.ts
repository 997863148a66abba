import { hash } from 'node:crypto'
import {
  type AddressLookupTableAccount,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { type Quote, type QuoteRequest, quoteSwap } from '../../contests/index.ts'
import { invariant } from '../../core/error.ts'
import { SOL_MINT, tokenOfMint } from '../../core/tokens.ts'
import { base58Of } from '../chain/base58.ts'
import type { Chain } from '../chain/chain.ts'
import type { LedgerService } from '../chain/ledgerService.ts'
import { type DecodedTransaction, withSignature } from '../chain/message.ts'
import { signMessage } from '../chain/sign.ts'
import { BLOCKHASH_WINDOW_SLOTS } from '../chain/slots.ts'
import type { TransactionError } from '../chain/transactionError.ts'
import { buildSwap, computeBudget, MOST_COMPUTE_UNITS, type SwapInstructions, type SwapRoute } from './buildSwap.ts'
import { DexRefusal, quoteRefusal } from './jupiterErrors.ts'
import { type Offer, routeLegsOf, type SwapLegs, swapLegsOf } from './offers.ts'
import type { SwapRequest } from './swapRequest.ts'

/** What the DEX is called in routes and labels. */
export const DEX_LABEL = 'Cornerman Sandbox'

/** A quote stands for 30 seconds: after that the DEX takes it for one whose price has moved away. */
const QUOTE_SLOTS = 75

/** The number Jupiter's program fails with when the price has moved past the threshold. */
const SLIPPAGE_EXCEEDED = 6001

const DYNAMIC_LIMIT_MARGIN = 1.2

export interface LegFailure {
  readonly error: TransactionError
  readonly logs: readonly string[]
}

/** What a swap transaction may use, and what it pays for it. */
export interface SwapFee {
  readonly computeUnitLimit: number
  readonly microLamports: number
  /** Rounded up. */
  readonly prioritizationFeeLamports: number
}

export interface BuiltSwap extends SwapFee {
  readonly transaction: Uint8Array
  readonly lastValidBlockHeight: number
  readonly simulationError: { readonly errorCode: string; readonly error: TransactionError } | null
}

/**
 * The one DEX of the sandbox: a market maker that quotes by the price model of the contests and co-signs
 * its leg of the swap. It stands by its amounts while its own price, at the time of execution, has not
 * moved past the slippage asked for.
 */
export class Dex {
  readonly #service: LedgerService
  readonly #chain: Chain

  constructor(service: LedgerService, chain: Chain) {
    this.#service = service
    this.#chain = chain
  }

  get address(): string {
    return this.#chain.house.dex
  }

  /**
   * Quotes at the price of a slot's beginning, so that whoever knows the slot can quote the same again.
   *
   * @throws DexRefusal
   */
  quote(request: QuoteRequest, slot = this.#chain.slot()): Quote {
    const atMs = this.#chain.slotStartMs(slot)
    const answer = quoteSwap(request, (mint) => this.#service.priceAt(mint, atMs))
    if (answer.ok) return answer.quote
    const unknown = (mint: string) => tokenOfMint(mint) === undefined || this.#service.priceAt(mint, atMs) === null
    throw quoteRefusal(answer.code, { ...request, unknown })
  }

  /**
   * The transaction of a quote, signed by the DEX, the user's signature empty.
   *
   * @throws DexRefusal
   */
  swap(request: SwapRequest): BuiltSwap {
    const offer = this.#offerOf(request)
    const swap = buildSwap(request, this.#routeOf(request))
    const slot = this.#chain.slot()
    const compile = (fee: SwapFee) =>
      this.#compile(request, [...computeBudget(fee.computeUnitLimit, fee.microLamports), ...instructionsOf(swap)])
    const draft = feeOf(request, MOST_COMPUTE_UNITS)
    const tried = request.dynamicComputeUnitLimit ? this.#chain.simulate(compile(draft)) : null
    const units =
      tried === null || tried.error !== null ? MOST_COMPUTE_UNITS : Math.ceil(Number(tried.unitsConsumed) * DYNAMIC_LIMIT_MARGIN)
    const fee = feeOf(request, units)
    const message = compile(fee)
    const transaction = withSignature(message, this.address, signMessage(message.message, this.#chain.dexSigner))
    this.#keep(message.messageHash, offer)
    return {
      ...fee,
      transaction: transaction.bytes,
      lastValidBlockHeight: slot + BLOCKHASH_WINDOW_SLOTS,
      simulationError: tried?.error ? { errorCode: 'TRANSACTION_ERROR', error: tried.error } : null,
    }
  }

  /**
   * The same in parts, for a message of the caller's own making: the DEX signs that one when it is sent, where it has to.
   *
   * @param make what the parts are; left out: the transfers of v1
   * @throws DexRefusal
   */
  swapInstructions(
    request: SwapRequest,
    make?: (request: SwapRequest, dexAddress: string) => SwapInstructions,
  ): SwapInstructions & { readonly fee: SwapFee; readonly blockhash: string; readonly lastValidBlockHeight: number } {
    const offer = this.#offerOf(request)
    const swap = make === undefined ? buildSwap(request, this.#routeOf(request)) : make(request, this.address)
    const fee = feeOf(request, MOST_COMPUTE_UNITS)
    const slot = this.#chain.slot()
    const legs = this.#legsOf(this.#compile(request, instructionsOf(swap)))
    invariant(legs, 'the DEX does not recognise its own swap')
    this.#keep(keyOf(request.userPublicKey, legs), offer)
    return { ...swap, fee, blockhash: this.#chain.blockhash(slot), lastValidBlockHeight: slot + BLOCKHASH_WINDOW_SLOTS }
  }

  /** The lookup tables that transactions of the DEX name. */
  tablesOf({ asLegacyTransaction }: Pick<SwapRequest, 'asLegacyTransaction'>): readonly AddressLookupTableAccount[] {
    return this.#service.faults.tables && !asLegacyTransaction ? this.#chain.tables : []
  }

  /**
   * Lamports of wrapped SOL that a swap goes by way of, where it does: worth what goes in. The DEX takes back what it gives, so
   * that both amounts are those of the straight way.
   */
  hopOf({ inputMint, outputMint, inAmount, slippageBps }: Pick<Quote, 'inputMint' | 'outputMint' | 'inAmount' | 'slippageBps'>) {
    if (!this.#service.faults.hops || [inputMint, outputMint].includes(SOL_MINT)) return undefined
    const atMs = this.#chain.slotStartMs(this.#chain.slot())
    const asked = { inputMint, outputMint: SOL_MINT, amount: inAmount, slippageBps, swapMode: 'ExactIn' } as const
    const answer = quoteSwap(asked, (mint) => this.#service.priceAt(mint, atMs))
    return answer.ok ? answer.quote.outAmount : undefined
  }

  #routeOf({ quoteResponse, wrapAndUnwrapSol }: SwapRequest): SwapRoute {
    // Who keeps wrapped SOL has an account of it, which is not the DEX's to close.
    return { dexAddress: this.address, hop: wrapAndUnwrapSol ? this.hopOf(quoteResponse) : undefined }
  }

  /** Adds the DEX's signature where it has offered the swap by its instructions alone; any other transaction stays as it is. */
  cosign(transaction: DecodedTransaction): DecodedTransaction {
    const legs = swapLegsOf(transaction, this.address)
    const isWanted = transaction.signers.some(({ address, signature }) => address === this.address && signature === null)
    if (!legs || !isWanted || this.#service.store.chain.offer(keyOf(transaction.payer, legs)) === undefined) return transaction
    return withSignature(transaction, this.address, signMessage(transaction.message, this.#chain.dexSigner))
  }

  /** Why the DEX's leg fails now; null: it does not. */
  refusalNow(transaction: DecodedTransaction): LegFailure | null {
    const legs = this.#legsOf(transaction)
    if (legs === null) return null
    const { chain } = this.#service.store
    const offer = legs === undefined ? undefined : (chain.offer(transaction.messageHash) ?? chain.offer(keyOf(transaction.payer, legs)))
    // Written by `#keep` alone.
    return offer !== undefined && this.#stands(offer as Offer) ? null : this.slippage(transaction)
  }

  /** How a transaction fails when the price has moved too far: as Jupiter's program does. */
  slippage(transaction: DecodedTransaction): LegFailure {
    const index = transaction.instructions.findIndex(({ accounts }) => accounts.includes(this.address))
    return {
      error: { InstructionError: [Math.max(0, index), { Custom: SLIPPAGE_EXCEEDED }] },
      logs: [
        'Program log: AnchorError occurred. Error Code: SlippageToleranceExceeded. Error Number: 6001. Error Message: Slippage tolerance exceeded.',
      ],
    }
  }

  #legsOf(transaction: DecodedTransaction): SwapLegs | null | undefined {
    return routeLegsOf(transaction, this.address) ?? swapLegsOf(transaction, this.address)
  }

  #stands(offer: Offer): boolean {
    const slot = this.#chain.slot()
    if (slot - offer.slot > QUOTE_SLOTS) return false
    const { swapMode, inAmount, outAmount, otherAmountThreshold } = offer
    const atMs = this.#chain.slotStartMs(slot)
    const answer = quoteSwap({ ...offer, amount: swapMode === 'ExactIn' ? inAmount : outAmount }, (mint) =>
      this.#service.priceAt(mint, atMs),
    )
    if (!answer.ok) return false
    return swapMode === 'ExactIn' ? answer.quote.outAmount >= otherAmountThreshold : answer.quote.inAmount <= otherAmountThreshold
  }

  /** What a request asks the DEX to stand by, if it is a quote of its own that still stands. */
  #offerOf({ quoteResponse, userPublicKey, payer, nativeDestinationAccount, feeAccount }: SwapRequest): Offer {
    if (payer && payer !== userPublicKey) throw new DexRefusal('payer must be userPublicKey: nobody else pays on this DEX')
    if (nativeDestinationAccount && nativeDestinationAccount !== userPublicKey)
      throw new DexRefusal('nativeDestinationAccount must be userPublicKey: SOL goes to the one who swaps')
    if (feeAccount) throw new DexRefusal('feeAccount is not supported: this DEX takes no platform fees')
    const { inputMint, outputMint, swapMode, slippageBps, inAmount, outAmount, contextSlot } = quoteResponse
    const slot = this.#chain.slot()
    if (contextSlot > slot || slot - contextSlot > QUOTE_SLOTS)
      throw new DexRefusal(
        `the quote of slot ${contextSlot} does not stand in slot ${slot}: ask for a new one within ${QUOTE_SLOTS} slots`,
        'QUOTE_EXPIRED',
      )
    const request = { inputMint, outputMint, swapMode, slippageBps, amount: swapMode === 'ExactIn' ? inAmount : outAmount }
    const quote = this.quote(request, contextSlot)
    if (quote.inAmount !== inAmount || quote.outAmount !== outAmount)
      throw new DexRefusal('quoteResponse is not what this DEX quoted: send it as /quote gave it', 'INVALID_QUOTE')
    return {
      slot: contextSlot,
      inputMint,
      outputMint,
      swapMode,
      slippageBps,
      inAmount,
      outAmount,
      otherAmountThreshold: quote.otherAmountThreshold,
    }
  }

  #keep(key: string, offer: Offer): void {
    this.#service.store.chain.addOffer(key, offer, offer.slot, offer.slot - 2 * (QUOTE_SLOTS + BLOCKHASH_WINDOW_SLOTS))
  }

  #compile({ userPublicKey, asLegacyTransaction }: SwapRequest, instructions: TransactionInstruction[]): DecodedTransaction {
    const recentBlockhash = this.#chain.blockhash(this.#chain.slot())
    const message = new TransactionMessage({ payerKey: new PublicKey(userPublicKey), recentBlockhash, instructions })
    const tables = [...this.tablesOf({ asLegacyTransaction })]
    const transaction = new VersionedTransaction(
      asLegacyTransaction ? message.compileToLegacyMessage() : message.compileToV0Message(tables),
    )
    const decoded = this.#chain.decode(transaction.serialize())
    invariant(decoded !== undefined, 'the DEX made a transaction that does not read')
    return decoded
  }
}

const instructionsOf = ({ setup, swap, cleanup }: SwapInstructions): TransactionInstruction[] => [
  ...setup,
  swap,
  ...(cleanup ? [cleanup] : []),
]

function feeOf({ computeUnitPriceMicroLamports, prioritizationFeeLamports }: SwapRequest, computeUnitLimit: number): SwapFee {
  const microLamports = computeUnitPriceMicroLamports ?? Math.floor((prioritizationFeeLamports * 1_000_000) / computeUnitLimit)
  return { computeUnitLimit, microLamports, prioritizationFeeLamports: Math.ceil((computeUnitLimit * microLamports) / 1_000_000) }
}

/** Names an offer by what it says, whatever message it stands in. */
function keyOf(user: string, exchanges: SwapLegs): string {
  const legs = exchanges
    .flatMap(({ paid, given }) => [paid, given])
    .map(({ source, mint, destination, amount }) => [source, mint, destination, amount.toString()])
  return hash('sha256', JSON.stringify([user, legs]))
}

/** The pool a route names; there is one for every two tokens. */
export function poolOf(inputMint: string, outputMint: string): string {
  return base58Of(hash('sha256', JSON.stringify(['pool', ...[inputMint, outputMint].sort()]), 'buffer'))
}
