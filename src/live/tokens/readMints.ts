import { z } from 'zod'
import type { TransferFee } from '../../core/tokenFacts.ts'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../core/tokenProgram.ts'
import type { Mint, Token } from '../../core/tokens.ts'
import type { ChainRpc, RpcAnswer } from '../swaps/chainRpc.ts'
import { type MintTraps, trapsIn } from './mintTraps.ts'

/** Most accounts one call of the RPC shows. */
const MOST_ACCOUNTS = 100

/** Two fees and the epoch from which the newer one holds. */
export interface FeeSchedule {
  readonly older: TransferFee
  readonly newer: TransferFee
  readonly newerFromEpoch: bigint
}

/** A mint's account, as the chain has it. */
export interface ChainMint extends MintTraps {
  readonly decimals: number
  readonly tokenProgram: Token['tokenProgram']
  readonly feeSchedule: FeeSchedule | undefined
  /** The program that transfers call. */
  readonly transferHook: string | undefined
}

/** What is at each address: a mint, or why it is none. */
export interface ChainMints {
  readonly epoch: bigint
  readonly mints: ReadonlyMap<Mint, ChainMint | string>
}

const PROGRAMS: Readonly<Record<string, Token['tokenProgram']>> = {
  [TOKEN_PROGRAM_ID.toBase58()]: 'spl-token',
  [TOKEN_2022_PROGRAM_ID.toBase58()]: 'token-2022',
}

// A u64 comes as a JSON number, which is exact up to 2⁵³: above that a maximum is no bound any more, and rounding it changes nothing.
const u64 = z
  .union([z.number().nonnegative(), z.string().regex(/^\d+$/)])
  .transform((value) => (typeof value === 'string' ? BigInt(value) : BigInt(Math.round(value))))
const feeSchema = z.looseObject({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: z.number().int().min(0).max(10_000) })
const extensionSchema = z.looseObject({ extension: z.string(), state: z.unknown().optional() })
const feeConfigSchema = z.looseObject({ olderTransferFee: feeSchema, newerTransferFee: feeSchema })
const hookSchema = z.looseObject({ programId: z.string().nullish() })
const parsedSchema = z.looseObject({
  parsed: z.looseObject({
    type: z.string(),
    info: z.looseObject({
      decimals: z.number().int().min(0).max(255),
      isInitialized: z.boolean(),
      freezeAuthority: z.string().nullish(),
      extensions: z.array(extensionSchema).optional(),
    }),
  }),
})
const accountsSchema = z.looseObject({ value: z.array(z.looseObject({ owner: z.string(), data: z.unknown() }).nullable()) })
const epochSchema = z.looseObject({ epoch: u64 })

/**
 * Reads mint accounts with their extensions. The node itself takes the bytes apart (`jsonParsed`, by the decoder that comes with the
 * validator): https://solana.com/docs/rpc/json-structures
 */
export async function readMints(rpc: ChainRpc, mints: readonly Mint[]): Promise<RpcAnswer<ChainMints>> {
  const epoch = await rpc.call('getEpochInfo', [{ commitment: 'confirmed' }], epochSchema)
  if (!epoch.ok) return epoch
  const read = new Map<Mint, ChainMint | string>()
  for (let first = 0; first < mints.length; first += MOST_ACCOUNTS) {
    const asked = mints.slice(first, first + MOST_ACCOUNTS)
    const answer = await rpc.call('getMultipleAccounts', [asked, { encoding: 'jsonParsed', commitment: 'confirmed' }], accountsSchema)
    if (!answer.ok) return answer
    asked.forEach((mint, index) => {
      read.set(mint, mintOf(answer.value.value[index] ?? null))
    })
  }
  return { ok: true, value: { epoch: epoch.value.epoch, mints: read } }
}

function mintOf(account: z.output<typeof accountsSchema>['value'][number]): ChainMint | string {
  if (account === null) return 'there is no such account on the chain of market.rpcUrl'
  const tokenProgram = PROGRAMS[account.owner]
  if (tokenProgram === undefined) return `its account is of ${account.owner}, which is no token program`
  const read = parsedSchema.safeParse(account.data)
  if (!read.success) return 'the RPC does not take its account apart (jsonParsed): use another in market.rpcUrl'
  const { type, info } = read.data.parsed
  if (type !== 'mint' || !info.isInitialized) return 'its account is no mint'
  const { extensions = [] } = info
  const stateOf = (name: string) => extensions.find(({ extension }) => extension === name)?.state
  if (extensions.some(({ extension }) => extension === 'unparseableExtension'))
    return 'the RPC cannot read all of its extensions: use another in market.rpcUrl'
  const [fee, hook] = [stateOf('transferFeeConfig'), stateOf('transferHook')]
  const [readFee, readHook] = [feeConfigSchema.safeParse(fee), hookSchema.safeParse(hook)]
  const traps = trapsIn(info.freezeAuthority, extensions)
  if (traps === undefined || (fee !== undefined && !readFee.success) || (hook !== undefined && !readHook.success))
    return 'the RPC shows its extensions in another form: use another in market.rpcUrl'
  return {
    decimals: info.decimals,
    tokenProgram,
    feeSchedule: readFee.success ? scheduleOf(readFee.data) : undefined,
    transferHook: readHook.success ? (readHook.data.programId ?? undefined) : undefined,
    ...traps,
  }
}

function scheduleOf({ olderTransferFee: older, newerTransferFee: newer }: z.output<typeof feeConfigSchema>): FeeSchedule {
  const feeOf = ({ transferFeeBasisPoints: feeBps, maximumFee: maximum }: z.output<typeof feeSchema>): TransferFee => ({ feeBps, maximum })
  return { older: feeOf(older), newer: feeOf(newer), newerFromEpoch: newer.epoch }
}

/**
 * The fee to reckon with: the newer one from its epoch on. Before that the dearer of the two, figure by figure, since the epoch may turn
 * between a look and a swap. Undefined where nothing is kept back.
 */
export function feeAt({ older, newer, newerFromEpoch }: FeeSchedule, epoch: bigint): TransferFee | undefined {
  const applying = epoch >= newerFromEpoch ? [newer] : [older, newer]
  const feeBps = Math.max(...applying.map((fee) => fee.feeBps))
  const maximum = applying.reduce((most, fee) => (fee.maximum > most ? fee.maximum : most), 0n)
  return feeBps === 0 || maximum === 0n ? undefined : { feeBps, maximum }
}
