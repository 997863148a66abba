import { refusal } from '../codes.ts'
import type { Check } from './check.ts'

/** Accounts that could not be read are refused, unless the policy leaves them to the checks that need one of them. */
export const tables: Check = ({ message: { unresolvedTables }, policy }) => {
  const [table] = unresolvedTables
  if (table === undefined || policy.unresolvedTables === 'allow') return undefined
  return refusal('TX_TABLE_UNRESOLVED', `the lookup table ${table} could not be read`, { table, tables: unresolvedTables.length })
}
