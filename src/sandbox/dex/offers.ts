import type { SwapMode } from '../../contests/index.ts'
import { TOKEN_INSTRUCTIONS, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import type { DecodedTransaction } from '../chain/message.ts'
import { readRoute } from '../chain/routeInstruction.ts'

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

/** One exchange: what the DEX gets, and what it gives. */
interface Exchange {
  readonly paid: Leg
  readonly given: Leg
}

/** The exchanges of a swap, in order: one, or two where it goes by way of a third token. */
export type SwapLegs = readonly Exchange[]

const MOST_EXCHANGES = 2

/** The swap that a message makes by Jupiter's program; undefined where it makes none by it, or more than one. */
export function routeLegsOf({ instructions, payer }: DecodedTransaction, dex: string): SwapLegs | undefined {
  const [found, ...others] = instructions.flatMap((instruction, index) => {
    const route = readRoute(instruction)
    return route === undefined ? [] : [{ route, index }]
  })
  if (found === undefined || others.length > 0) return undefined
  const { route, index } = found
  if (route.dex !== dex || route.user !== payer) return undefined
  const { source, sourceMint, dexSource, inAmount, destination, destinationMint, dexDestination, outAmount } = route
  return [
    {
      paid: { index, source, mint: sourceMint, destination: dexSource, authority: payer, amount: inAmount },
      given: { index, source: dexDestination, mint: destinationMint, destination, authority: dex, amount: outAmount },
    },
  ]
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
  const given = legs.filter(({ authority }) => authority === dex)
  // An associated account's creation names its owner too; the agent pays into accounts that are there already.
  const named = instructions.filter(({ accounts }) => accounts.includes(dex)).length
  if (given.length === 0 || given.length > MOST_EXCHANGES || named !== given.length) return undefined
  const exchanges = given.flatMap((gives, order): Exchange[] => {
    const after = given[order - 1]?.index ?? -1
    const paid = legs.filter(({ authority, index }) => authority === payer && index > after && index < gives.index).at(-1)
    return paid === undefined ? [] : [{ paid, given: gives }]
  })
  return exchanges.length === given.length ? exchanges : undefined
}
