export { GuardLedger } from './ledger.ts'
export { type LedgerFacts, ledgerFactsSchema } from './ledgerFacts.ts'
