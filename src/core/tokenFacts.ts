import { ceilDivide } from './ceilDivide.ts'
import type { Mint, Token } from './tokens.ts'

/** More decimals than that no value is counted with: a price has 18 of its own. */
export const MOST_TOKEN_DECIMALS = 9

/**
 * What a mint of Token-2022 keeps back of each transfer: rounded up, and never more than `maximum`, in base units.
 * https://www.solana-program.com/docs/token-2022/extensions#transfer-fees
 */
export interface TransferFee {
  readonly feeBps: number
  readonly maximum: bigint
}

/** Reason not to buy a token. */
export interface TokenTrouble {
  /**
   * `unknown`: a field is missing; `contradicted`: two sources say different things of one field; `barred`: it cannot be transferred, or its
   * issuer has a power that the config does not allow.
   */
  readonly kind: 'unknown' | 'contradicted' | 'barred'
  /** In words, with what to do. */
  readonly message: string
  /** What was said, by who said it. */
  readonly said: Readonly<Record<string, string | number>>
}

/**
 * A token beside the table, or more of one that is in it, as a bot was told of it: what it swaps, counts and refuses by. It is
 * recorded, so that a replay knows the same.
 */
export interface TokenFacts {
  readonly mint: Mint
  readonly symbol: string
  /** Undefined where nobody says it: such a token is not swapped. */
  readonly decimals: number | undefined
  readonly tokenProgram: Token['tokenProgram'] | undefined
  /** The dearest that may apply to a transfer from now on; absent: none. */
  readonly transferFee?: TransferFee | undefined
  /** The program that every transfer calls; absent: none. */
  readonly transferHook?: string | undefined
  /** What the config lets in. */
  readonly maxTransferFeeBps: number
  readonly allowTransferHook: boolean
  readonly trouble?: TokenTrouble | undefined
}

const ALL_BPS = 10_000n

/**
 * What comes in of a transfer.
 *
 * @example afterTransferFee(1_000n, { feeBps: 100, maximum: 5n }) // 995n
 */
export function afterTransferFee(amount: bigint, fee: TransferFee | undefined): bigint {
  if (fee === undefined || amount <= 0n) return amount
  const kept = ceilDivide(amount * BigInt(fee.feeBps), ALL_BPS)
  return amount - (kept < fee.maximum ? kept : fee.maximum)
}

/** The token as amounts of it are counted and shown, whether or not it is swapped; none where its decimals or program are in doubt. */
export function countable({ mint, symbol, decimals, tokenProgram, trouble }: TokenFacts): Token[] {
  if (decimals === undefined || decimals > MOST_TOKEN_DECIMALS || tokenProgram === undefined || trouble?.kind === 'contradicted') return []
  return [{ mint, symbol, name: symbol, decimals, tokenProgram }]
}
