import { type InspectionResult, inspectSwap } from '../../../../src/guard/inspection/index.ts'
import { SWAPS } from '../../realTransactions.ts'
import { inspected, tablesOf, verdict } from './editing.ts'
import { bytesOf, POLICY, type Row, termsOf } from './fixtures.ts'
import { HOPS } from './hops.ts'

/** What the inspection says of the real swaps, and of routes of two hops, as the lines of a table. */
export function swapVerdicts(): readonly string[] {
  return [
    '| transaction | instruction | tables not read | tables read | reason |',
    '|---|---|---|---|---|',
    ...SWAPS.map((row) => {
      const [unread, read] = [inspect(row, undefined), inspect(row, contentsOf(row))]
      return lineOf([row.sha256, row.jupiter?.ix ?? 'none of Jupiter’s', code(unread), code(read), reasonOf(read)])
    }),
    ...HOPS.map(([name, edit]) => {
      const result = inspected(edit)
      return lineOf([name, result.facts?.jupiter?.instruction ?? 'two exchanges', '–', code(result), reasonOf(result)])
    }),
  ]
}

/** Tables of made-up accounts, with the mints of the swap where it has them: those of the chain are not in the data. */
const contentsOf = (row: Row) =>
  new Map(tablesOf(row, termsOf(row)).map(({ key, state }) => [key.toBase58(), state.addresses.map((address) => address.toBase58())]))

const inspect = (row: Row, tables: ReadonlyMap<string, readonly string[]> | undefined) =>
  inspectSwap(bytesOf(row), termsOf(row), { policy: POLICY, tables })

const code = (result: InspectionResult) => `\`${verdict(result)}\``
const reasonOf = (result: InspectionResult) =>
  result.ok ? 'it does the swap, and nothing else of the agent’s moves' : result.refusal.message
const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
