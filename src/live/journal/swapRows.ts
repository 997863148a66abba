import type { Fill, SwapRecord } from '../../pipeline/index.ts'
import { amountOf } from './rows.ts'

// Rows of the journal's tables `swaps` and `fills`: amounts as digits, since SQLite's integers have 64 bits.

export interface SwapRow {
  readonly key: string
  readonly wallet: string
  readonly tx: string
  readonly last_valid_block_height: number
  readonly sent_at: number
  readonly given: string
  readonly quoted_out: string
  readonly min_out: string
  readonly signature: string | null
  readonly total_before: string | null
  readonly gas_before: string | null
  readonly profit_before: string | null
  readonly figures_at: number | null
  readonly figures_by: number | null
}

/** In the order of the table's columns. */
export function rowOfSwap(swap: SwapRecord) {
  const { key, wallet, transaction, lastValidBlockHeight, sentAt, given, quotedOut, minOut, signature, before } = swap
  const amounts = [given.toString(), quotedOut.toString(), minOut.toString()] as const
  const figures = [before?.total, before?.gasLamports, before?.profit].map((figure) => figure?.toString() ?? null)
  return [
    key,
    wallet,
    transaction,
    lastValidBlockHeight,
    sentAt,
    ...amounts,
    signature ?? null,
    ...figures,
    before?.readAt ?? null,
    before?.answeredAt ?? null,
  ] as const
}

export function swapOf(row: SwapRow): SwapRecord {
  const { total_before: total, gas_before: gas, profit_before: profit } = row
  return {
    key: row.key,
    wallet: row.wallet,
    transaction: row.tx,
    lastValidBlockHeight: row.last_valid_block_height,
    sentAt: row.sent_at,
    given: amountOf(row.given, 'given'),
    quotedOut: amountOf(row.quoted_out, 'quoted_out'),
    minOut: amountOf(row.min_out, 'min_out'),
    signature: row.signature ?? undefined,
    before:
      total === null || gas === null || profit === null
        ? undefined
        : {
            total: amountOf(total, 'total_before'),
            gasLamports: amountOf(gas, 'gas_before'),
            profit: amountOf(profit, 'profit_before'),
            readAt: row.figures_at ?? undefined,
            answeredAt: row.figures_by ?? undefined,
          },
  }
}

export interface FillRow {
  readonly key: string
  readonly contest_id: string
  readonly signature: string | null
  readonly at: number
  readonly mint_from: string
  readonly mint_to: string
  readonly given: string
  readonly received: string
  readonly fee_lamports: string
  readonly source: Fill['source']
}

/** In the order of the table's columns. */
export function rowOfFill({ key, contestId, signature, at, from, to, given, received, feeLamports, source }: Fill) {
  const amounts = [given.toString(), received.toString(), feeLamports.toString()] as const
  return [key, contestId, signature ?? null, at, from, to, ...amounts, source] as const
}

export function fillOf(row: FillRow): Fill {
  return {
    key: row.key,
    contestId: row.contest_id,
    signature: row.signature ?? undefined,
    at: row.at,
    from: row.mint_from,
    to: row.mint_to,
    given: amountOf(row.given, 'given'),
    received: amountOf(row.received, 'received'),
    feeLamports: amountOf(row.fee_lamports, 'fee_lamports'),
    source: row.source,
  }
}
