import type { StatementSync } from 'node:sqlite'

/** Rows as arrays: of one column, half the time of objects. */
export function inArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}
