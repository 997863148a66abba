import { diskRemedy } from '../../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../../core/error.ts'

/** The ledger cannot be trusted or written: what it held of seals and looks is not known. */
export const damaged = (file: string, what: string, cause?: unknown): CornermanError =>
  new CornermanError('LEDGER_DAMAGED', `${file}: ${what}`, { details: { file }, ...(cause === undefined ? {} : { cause }) })

/** Runs what reads or writes the ledger. @throws CornermanError `LEDGER_DAMAGED` in place of the system's error */
export function usingLedger<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof CornermanError) throw cause
    throw damaged(file, `the ledger of trials cannot be read or written: ${messageOf(cause)}; ${diskRemedy(cause)}`, cause)
  }
}
