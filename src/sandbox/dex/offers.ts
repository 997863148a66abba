import type { SwapMode } from '../../contests/index.ts'
import { TOKEN_INSTRUCTIONS, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import type { DecodedTransaction } from '../chain/message.ts'

/** A `TransferChecked` of SPL Token or Token-2022, read out of a message. */
export interface Leg {
  /** Place among the message's instructions. */
  readonly index: number
  readonly source: string
  readonly mint: string
  readonly destination: string
  readonly authority: string
  readonly amount: bigint
}

/** What the DEX stands by for a while: these amounts, while its price has not moved past the threshold. */
export interface Offer {
  /** The slot of the quote. */
  readonly slot: number
  readonly swapMode: SwapMode
  readonly inputMint: string
  readonly outputMint: string
  readonly inAmount: bigint
  readonly outAmount: bigint
  readonly slippageBps: number
  /** ExactIn: the least that may come out. ExactOut: the most that may go in. */
  readonly otherAmountThreshold: bigint
}

const TRANSFER_CHECKED_BYTES = 10

/** The two sides of a swap: what the DEX gets, and what it gives. */
export interface SwapLegs {
  readonly paid: Leg
  readonly given: Leg
}

/** The swap in a message; null where the DEX gives nothing, undefined where it is asked for something else than one plain swap. */
export function swapLegsOf({ instructions, payer }: DecodedTransaction, dex: string): SwapLegs | null | undefined {
  const isDexAsked = instructions.some(({ accounts }) => accounts.includes(dex))
  if (!isDexAsked) return null
  const legs = instructions.flatMap(({ program, accounts, data }, index): Leg[] => {
    if (!TOKEN_PROGRAMS.includes(program) || TOKEN_INSTRUCTIONS[data[0] ?? -1] !== 'TransferChecked') return []
    const [source, mint, destination, authority] = accounts
    if (data.length !== TRANSFER_CHECKED_BYTES || accounts.length !== 4 || !source || !mint || !destination || !authority) return []
    return [{ index, source, mint, destination, authority, amount: Buffer.from(data).readBigUInt64LE(1) }]
  })
  const [given, ...others] = legs.filter(({ authority }) => authority === dex)
  // An associated account's creation names its owner too; the agent pays into accounts that are there already.
  const isNamedOnce = instructions.filter(({ accounts }) => accounts.includes(dex)).length === 1
  if (given === undefined || others.length > 0 || !isNamedOnce) return undefined
  const paid = legs.filter(({ authority, index }) => authority === payer && index < given.index).at(-1)
  return paid === undefined ? undefined : { paid, given }
}
