import { csvLine } from '../../../core/csvLine.ts'
import { symbolOf } from '../../../core/tokens.ts'
import type { ContestRow, Micro } from '../../watch/views.ts'
import { decimalText } from '../format/usdcText.ts'

const usdcOf = (amount: Micro | undefined) => (amount === undefined ? undefined : decimalText(amount))
const timeOf = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

/** Each column, and what stands in it: one value a cell, amounts in USDC, times as ISO 8601 in UTC; what is not known is empty. */
const COLUMNS: Readonly<Record<string, (row: ContestRow) => string | undefined>> = {
  contest_id: ({ contestId }) => contestId,
  mode: ({ mode }) => mode,
  strategy: ({ strategy }) => strategy,
  state: ({ phase }) => phase,
  result: ({ result }) => result,
  opponents: ({ versus }) => versus,
  side: ({ side }) => side,
  token: ({ token }) => (token === undefined ? undefined : symbolOf(token)),
  token_mint: ({ token }) => token,
  stake_usdc: ({ stake }) => usdcOf(stake),
  profit_usdc: ({ profit }) => usdcOf(profit),
  starts_at: ({ startsAt }) => timeOf(startsAt),
  ends_at: ({ endsAt }) => timeOf(endsAt),
  settled_at: ({ settledAt }) => timeOf(settledAt),
}

/** Contests as CSV (RFC 4180, with a header), which spreadsheets and pandas read as it is. */
export const contestsCsv = (rows: readonly ContestRow[]): string =>
  [Object.keys(COLUMNS), ...rows.map((row) => Object.values(COLUMNS).map((of) => of(row)))].map((line) => `${csvLine(line)}\r\n`).join('')
