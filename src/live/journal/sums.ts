import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

// Checksums of rows: SQLite keeps none, and a digit that was changed into another digit is a digit.

/** What a row's checksum is of: all of its columns, in this order. */
export const SUMMED = {
  custody: ['contest_id', 'entry_id', 'price', 'salt', 'commitment', 'status', 'at'],
  intents: ['key', 'n', 'at', 'action', 'stake', 'risk', 'status', 'made', 'detail', 'settled_at'],
  swaps: [
    ...['key', 'wallet', 'tx', 'last_valid_block_height', 'sent_at', 'given', 'quoted_out', 'min_out', 'signature'],
    ...['total_before', 'gas_before', 'profit_before', 'figures_at', 'figures_by'],
  ],
  fills: ['key', 'contest_id', 'signature', 'at', 'mint_from', 'mint_to', 'given', 'received', 'fee_lamports', 'source'],
  contests: ['contest_id', 'ended_at', 'mode', 'strategy', 'versus', 'chain', 'stake', 'result', 'profit', 'swap_profit'],
  facts: ['name', 'body'],
} as const
export type SummedTable = keyof typeof SUMMED

/** The column that names a row. */
export const ROW_KEYS = {
  ...{ custody: 'contest_id', intents: 'key', swaps: 'key', fills: 'key', contests: 'contest_id', facts: 'name' },
} as const satisfies Record<SummedTable, string>

const NAME = 'row_sum'

/** Columns whose values are given, in this order. */
export const placed = (...columns: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column, index) => [column, `?${index + 1}`]))

/** SQL that writes a whole row and its checksum: its values are given in the order of `SUMMED`. */
export function insertOf(table: SummedTable): string {
  const given = placed(...SUMMED[table])
  return `INSERT INTO ${table} (${SUMMED[table].join(', ')}, sum) VALUES (${Object.values(given).join(', ')}, ${sumOf(table, given)})`
}

/** The same, in place of a row that has its key. */
export const upsertOf = (table: SummedTable): string =>
  `${insertOf(table)} ON CONFLICT (${ROW_KEYS[table]}) DO UPDATE SET
     ${[...SUMMED[table], 'sum'].map((column) => `${column} = excluded.${column}`).join(', ')}`

/** SQL that works out the checksum of a row of a table; `given` says what stands in place of a column. */
export const sumOf = (table: SummedTable, given: Readonly<Record<string, string>> = {}): string =>
  `${NAME}(${SUMMED[table].map((column) => given[column] ?? column).join(', ')})`

/** SQL that is true of a row that is as it was written. */
export const isSound = (table: SummedTable): string => `${table}.sum IS ${sumOf(table, qualified(table))}`

const qualified = (table: SummedTable): Record<string, string> =>
  Object.fromEntries(SUMMED[table].map((column) => [column, `${table}.${column}`]))

/** Every connection to a journal needs it, before anything else. */
export function defineRowSum(db: DatabaseSync): void {
  // The length tells where a value ends, and the letter a number from its digits. A number that is being written may come as a float.
  const partOf = (value: unknown): string => {
    if (value === null) return '-'
    const text = String(value)
    return `${typeof value === 'string' ? 't' : 'n'}${text.length}:${text}`
  }
  db.function(NAME, { deterministic: true, varargs: true, useBigIntArguments: true }, (...values: unknown[]) =>
    crc32(values.map(partOf).join()),
  )
}
