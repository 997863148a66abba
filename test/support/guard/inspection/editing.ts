import { hash } from 'node:crypto'
import {
  AddressLookupTableAccount,
  type Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { SOL_MINT } from '../../../../src/core/tokens.ts'
import { type InspectionResult, inspectSwap } from '../../../../src/guard/inspection/inspectSwap.ts'
import type { InspectionPolicy, SwapTerms } from '../../../../src/guard/inspection/terms.ts'
import { accountOf, bytesOf, JUPITER, POLICY, POSITIONS, type Row, termsOf, UNKNOWN_MINT } from './fixtures.ts'

// A transaction taken apart, so that a test can change one thing about it and put it together again.

export interface Edit {
  readonly isLegacy: boolean
  readonly terms: SwapTerms
  readonly policy: InspectionPolicy
  readonly payer: PublicKey
  readonly blockhash: string
  readonly instructions: readonly TransactionInstruction[]
  readonly tables: readonly AddressLookupTableAccount[]
  /** Who else signs. */
  readonly signers: readonly Keypair[]
}

const LIFI = '3i5JeuZuUxeKtVysUnwQNGerJP2bSMX9fTFfS4Nxe3Br'
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const MOST_BYTES = 1_232

export const madeUp = (name: string): PublicKey => new PublicKey(hash('sha256', name, 'buffer'))

/** A real swap of Jupiter's with made-up lookup tables, mended where it would rightly be refused as it is. */
export function editOf(row: Row): Edit {
  const { message } = VersionedTransaction.deserialize(bytesOf(row))
  const known = termsOf(row)
  // The mint that only the table names is taken to be one that is known: its account is replaced below.
  const terms = known.to === UNKNOWN_MINT ? { ...known, to: BONK } : known
  const tables = tablesOf(row, terms)
  const decompiled = TransactionMessage.decompile(message, { addressLookupTableAccounts: [...tables] })
  const swap = decompiled.instructions.findLast(({ programId }) => programId.toBase58() === JUPITER)
  const destination = swap?.keys[POSITIONS[row.jupiter?.ix ?? 'route'].destination]?.pubkey
  const replaced = (key: PublicKey) => (known !== terms && destination?.equals(key) ? accountOf(terms.wallet, terms.to) : key)
  return {
    isLegacy: message.version === 'legacy' && row.bytes <= MOST_BYTES,
    terms,
    policy: { ...POLICY, programs: { [LIFI]: 'LI.FI' } },
    payer: decompiled.payerKey,
    blockhash: decompiled.recentBlockhash,
    instructions: decompiled.instructions.map(
      ({ programId, keys, data }) =>
        new TransactionInstruction({
          programId,
          keys: keys.map((meta) => ({ ...meta, pubkey: replaced(meta.pubkey) })),
          // One row has a price that is a byte short, as no chain would take it.
          data: data.length === 8 && data[0] === 3 ? Buffer.concat([data, Buffer.alloc(1)]) : data,
        }),
    ),
    tables,
    signers: [],
  }
}

/** Tables of made-up addresses, with the mints where the transaction has its mints. */
export function tablesOf(row: Row, { from, to }: SwapTerms): readonly AddressLookupTableAccount[] {
  const { message } = VersionedTransaction.deserialize(bytesOf(row))
  const keys = message.staticAccountKeys
  const lookups = message.addressTableLookups
  const places = [
    ...lookups.flatMap(({ writableIndexes }, table) => writableIndexes.map((index) => ({ table, index }))),
    ...lookups.flatMap(({ readonlyIndexes }, table) => readonlyIndexes.map((index) => ({ table, index }))),
  ]
  const contents = lookups.map((_, table) => Array.from({ length: 256 }, (_entry, index) => madeUp(`${row.sha256} ${table} ${index}`)))
  const put = (account: number | undefined, mint: string) => {
    const place = places[(account ?? -1) - keys.length]
    if (place !== undefined) (contents[place.table] as PublicKey[])[place.index] = new PublicKey(mint)
  }
  for (const { programIdIndex, accountKeyIndexes, data } of message.compiledInstructions) {
    if (keys[programIdIndex]?.toBase58() !== JUPITER) continue
    const { sourceMint, destinationMint } = POSITIONS[row.jupiter?.ix ?? 'route']
    const isSwap = data.length > 9
    if (!isSwap) put(accountKeyIndexes[2], SOL_MINT)
    if (isSwap && sourceMint !== undefined) put(accountKeyIndexes[sourceMint], from)
    if (isSwap) put(accountKeyIndexes[destinationMint], to)
  }
  return lookups.map(({ accountKey }, table) => tableAt(accountKey, contents[table] ?? []))
}

function tableAt(key: PublicKey, addresses: PublicKey[]): AddressLookupTableAccount {
  const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses }
  return new AddressLookupTableAccount({ key, state })
}

export interface Assembled {
  readonly bytes: Uint8Array
  readonly tables: ReadonlyMap<string, readonly string[]>
}

/** The transaction's bytes. Those of version 0 keep what they can in tables, so that what a test adds does not make them too large. */
export function assembled({ isLegacy, payer, blockhash, instructions, tables, signers }: Edit): Assembled {
  const tabled = new Set(tables.flatMap(({ state }) => state.addresses.map((address) => address.toBase58())))
  const spare = instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58())).filter((key) => !tabled.has(key))
  const all = [
    ...tables,
    tableAt(
      madeUp('spare'),
      [...new Set(spare)].map((key) => new PublicKey(key)),
    ),
  ]
  const parts = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions: [...instructions] })
  const transaction = new VersionedTransaction(isLegacy ? parts.compileToLegacyMessage() : parts.compileToV0Message(all))
  transaction.sign([...signers])
  return {
    bytes: transaction.serialize(),
    tables: new Map(all.map(({ key, state }) => [key.toBase58(), state.addresses.map((address) => address.toBase58())])),
  }
}

export function inspected(edit: Edit): InspectionResult {
  const { bytes, tables } = assembled(edit)
  return inspectSwap(bytes, edit.terms, { policy: edit.policy, tables })
}

/** The code it is refused with, or `ok`. */
export function verdict(result: InspectionResult): string {
  return result.ok ? 'ok' : result.refusal.code
}
