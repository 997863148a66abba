import { Message, MessageV0, PublicKey, VersionedTransaction } from '@solana/web3.js'
import { invariant } from '../../core/error.ts'
import { amountBytes, readTokenAccount, TOKEN_INSTRUCTIONS, tokenAccountBytes } from '../../core/tokenProgram.ts'
import { tokenOfMint } from '../../core/tokens.ts'
import { base58Of } from './base58.ts'
import type { DecodedTransaction } from './message.ts'
import { type RouteSwap, readRoute } from './routeInstruction.ts'
import type { TransactionError } from './transactionError.ts'
import type { ChainAccount, Vm } from './vm.ts'

/**
 * A transaction with a swap of Jupiter's program, which the VM does not have, as the VM can execute it: the instruction is replaced by
 * the two transfers that it comes to, both signed for by the user. For as long as that takes, the DEX lets the user take
 * what it gives; the real program signs for its pools itself.
 */
export interface ExpandedSwap {
  readonly route: RouteSwap
  /** Among the instructions of the transaction. */
  readonly index: number
  /** Its signatures are not over these bytes. */
  readonly bytes: Uint8Array
}

interface Compiled {
  readonly programIdIndex: number
  readonly accountKeyIndexes: number[]
  readonly data: Uint8Array
}

/** Undefined for a transaction without exactly one such swap, or whose swap cannot be carried out. */
export function expandedSwap({ bytes, instructions, signers }: DecodedTransaction): ExpandedSwap | undefined {
  const [found, ...others] = instructions.flatMap((instruction, index) => {
    const route = readRoute(instruction)
    return route === undefined ? [] : [{ route, index, accounts: instruction.accounts }]
  })
  if (found === undefined || others.length > 0) return undefined
  const { route, index, accounts } = found
  const transaction = VersionedTransaction.deserialize(bytes)
  const { message } = transaction
  const compiled = message.compiledInstructions
  const indexOf = (address: string) => compiled[index]?.accountKeyIndexes[accounts.indexOf(address)] ?? -1
  const transfer = ({ from, to, mint, program, amount }: Leg): Compiled | undefined => {
    const decimals = tokenOfMint(mint)?.decimals
    const programIdIndex = indexOf(program)
    // The chain takes no program out of a lookup table.
    if (decimals === undefined || programIdIndex >= message.staticAccountKeys.length) return undefined
    const data = Buffer.concat([Buffer.from([TOKEN_INSTRUCTIONS.indexOf('TransferChecked')]), amountBytes(amount), Buffer.from([decimals])])
    return { programIdIndex, accountKeyIndexes: [from, mint, to, route.user].map(indexOf), data }
  }
  const paid = transfer({
    ...{ from: route.source, to: route.dexSource, mint: route.sourceMint, program: route.sourceProgram, amount: route.inAmount },
  })
  const given = transfer({
    ...{ from: route.dexDestination, to: route.destination, mint: route.destinationMint, program: route.destinationProgram },
    amount: route.outAmount,
  })
  if (paid === undefined || given === undefined || !signers.some(({ address }) => address === route.user)) return undefined
  const replaced = [...compiled.slice(0, index), paid, given, ...compiled.slice(index + 1)]
  const expanded = new VersionedTransaction(withInstructions(message, replaced), transaction.signatures)
  return { route, index, bytes: expanded.serialize() }
}

interface Leg {
  readonly from: string
  readonly to: string
  readonly mint: string
  readonly program: string
  readonly amount: bigint
}

function withInstructions(message: VersionedTransaction['message'], compiled: readonly Compiled[]): VersionedTransaction['message'] {
  const { header, staticAccountKeys, recentBlockhash } = message
  if (message instanceof MessageV0) {
    const { addressTableLookups } = message
    return new MessageV0({ header, staticAccountKeys, recentBlockhash, addressTableLookups, compiledInstructions: [...compiled] })
  }
  const instructions = compiled.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    ...{ programIdIndex, accounts: accountKeyIndexes },
    data: base58Of(data),
  }))
  return new Message({ header, accountKeys: staticAccountKeys, recentBlockhash, instructions })
}

/** Lets the user take from the DEX what the swap gives, for as long as `execute` takes. */
export function lending<T>(vm: Vm, { route }: ExpandedSwap, execute: () => T): T {
  const lent = vm.account(route.dexDestination)
  if (lent === undefined || readTokenAccount(lent.data).owner.toBase58() !== route.dex) return execute()
  vm.setAccount(withDelegate(lent, route))
  try {
    return execute()
  } finally {
    const after = vm.account(route.dexDestination)
    invariant(after !== undefined, 'the DEX lost its account in a swap')
    vm.setAccount(withDelegate(after, undefined))
  }
}

function withDelegate(account: ChainAccount, route: RouteSwap | undefined): ChainAccount {
  const held = readTokenAccount(account.data)
  const delegate = route === undefined ? undefined : new PublicKey(route.user)
  return { ...account, data: tokenAccountBytes({ ...held, delegate, delegatedAmount: route?.outAmount ?? 0n }) }
}

/** An error as the transaction itself has it: the two transfers are one instruction in it. */
export function ofWhole(error: TransactionError | null, { index }: ExpandedSwap): TransactionError | null {
  if (error === null || typeof error === 'string' || !('InstructionError' in error)) return error
  const [at, reason] = error.InstructionError
  return at <= index ? error : { InstructionError: [at - 1, reason] }
}
