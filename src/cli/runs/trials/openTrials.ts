import { systemClock } from '../../../core/systemClock.ts'
import { type Ledger, openLedger } from '../../../optimize/ledger/ledger.ts'

/** The ledger of a data directory, for a run that goes on without one: where it is damaged, or cannot be written, that is said once. */
export function openTrials(dataDir: string): Ledger {
  return openLedger({
    dataDir,
    clock: systemClock,
    onDamage: ({ message, code }) =>
      process.stderr.write(`cornerman: ${message}. This run goes on, and is written down nowhere [${code}]\n`),
  })
}
