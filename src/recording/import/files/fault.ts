import { CornermanError } from '../../../core/error.ts'

/** What keeps a price file from being read. `problem` follows the name of the file: `, line 3: …` or ` is empty`. */
export const fileFault = (file: string, problem: string, details: Record<string, unknown> = {}, cause?: unknown): CornermanError =>
  new CornermanError('PRICE_FILE_INVALID', `price file ${file}${problem}`, { details: { file, ...details }, cause })
