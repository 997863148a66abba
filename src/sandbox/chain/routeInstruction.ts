import { hash } from 'node:crypto'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { type KeyUse, reads, signs, writes } from '../../core/tokenProgram.ts'
import type { DecodedInstruction } from './message.ts'

// `route_v2` of Jupiter v6, by which the DEX is paid and pays in one instruction that the user alone signs. Accounts and arguments are in
// the order of the program's interface description on the chain (account C88XWfp26heEmDkmfSzeXP7Fd7GQJ2j9dDTUsyiZbUTa).

export const JUPITER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const PROGRAM = new PublicKey(JUPITER_PROGRAM)
/** Where the program writes its events. */
const [EVENT_AUTHORITY] = PublicKey.findProgramAddressSync([Buffer.from('__event_authority')], PROGRAM)
/** What Anchor puts before the arguments. */
const DISCRIMINATOR = Buffer.from(hash('sha256', 'global:route_v2', 'hex').slice(0, 16), 'hex')
/** Amount in, quoted amount out, slippage, platform fee, and the share of what is above the quote. */
const ARGUMENT_BYTES = 8 + 8 + 2 + 2 + 2
/** One step, by the venue `TokenSwap`, with all of the amount, from the first token to the second. */
const ROUTE_PLAN = Buffer.from([1, 0, 0, 0, 4, 0x10, 0x27, 0, 1])
/** Accounts before those of the route. */
const OWN_ACCOUNTS = 10

/** Both sides of a swap. Addresses are base58, amounts base units. */
export interface RouteSwap {
  readonly user: string
  readonly source: string
  readonly destination: string
  readonly sourceMint: string
  readonly destinationMint: string
  readonly sourceProgram: string
  readonly destinationProgram: string
  readonly inAmount: bigint
  readonly outAmount: bigint
  readonly slippageBps: number
  /** The DEX's authority, and its accounts of the two tokens. */
  readonly dex: string
  readonly dexSource: string
  readonly dexDestination: string
}

export function routeInstruction(swap: RouteSwap): TransactionInstruction {
  const data = Buffer.alloc(DISCRIMINATOR.length + ARGUMENT_BYTES)
  DISCRIMINATOR.copy(data)
  data.writeBigUInt64LE(swap.inAmount, 8)
  data.writeBigUInt64LE(swap.outAmount, 16)
  data.writeUInt16LE(swap.slippageBps, 24)
  const at = (use: (key: PublicKey) => KeyUse, address: string) => use(new PublicKey(address))
  const keys = [
    at(signs, swap.user),
    at(writes, swap.source),
    at(writes, swap.destination),
    at(reads, swap.sourceMint),
    at(reads, swap.destinationMint),
    at(reads, swap.sourceProgram),
    at(reads, swap.destinationProgram),
    // Stands for none: what comes out is not sent on.
    reads(PROGRAM),
    reads(EVENT_AUTHORITY),
    reads(PROGRAM),
    at(reads, swap.dex),
    at(writes, swap.dexSource),
    at(writes, swap.dexDestination),
  ]
  return new TransactionInstruction({ programId: PROGRAM, keys, data: Buffer.concat([data, ROUTE_PLAN]) })
}

/** Reads an instruction of the same form; undefined for any other. */
export function readRoute({ program, accounts, data }: DecodedInstruction): RouteSwap | undefined {
  const bytes = Buffer.from(data)
  const isRoute = program === JUPITER_PROGRAM && bytes.subarray(0, DISCRIMINATOR.length).equals(DISCRIMINATOR)
  if (!isRoute || bytes.length !== DISCRIMINATOR.length + ARGUMENT_BYTES + ROUTE_PLAN.length) return undefined
  const [user, source, destination, sourceMint, destinationMint, sourceProgram, destinationProgram] = accounts
  const [dex, dexSource, dexDestination, ...others] = accounts.slice(OWN_ACCOUNTS)
  if (!user || !source || !destination || !sourceMint || !destinationMint || !sourceProgram || !destinationProgram) return undefined
  if (!dex || !dexSource || !dexDestination || others.length > 0) return undefined
  return {
    ...{ user, source, destination, sourceMint, destinationMint, sourceProgram, destinationProgram, dex, dexSource, dexDestination },
    inAmount: bytes.readBigUInt64LE(8),
    outAmount: bytes.readBigUInt64LE(16),
    slippageBps: bytes.readUInt16LE(24),
  }
}
