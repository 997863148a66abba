import { diskRemedy } from '../../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../../core/error.ts'

// SQLite's result codes (https://www.sqlite.org/rescode.html): the low byte is the kind of failure.
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** What kind of failure SQLite reports; undefined for anything that is not SQLite's. */
function resultCodeOf(thrown: unknown): number | undefined {
  const code = (thrown as { errcode?: unknown } | undefined)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

export const isBusy = (thrown: unknown): boolean => resultCodeOf(thrown) === BUSY

/** Whether SQLite itself says so, and not what reads a row. */
export const isOfSqlite = (thrown: unknown): boolean => resultCodeOf(thrown) !== undefined

const isCorrupt = (thrown: unknown): boolean => {
  const code = resultCodeOf(thrown)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** How a person gets at what is left of a journal, as the end of a sentence. */
export const repairWith = (file: string): string =>
  `npm run cornerman -- logs check ${file} says what is wrong, logs repair ${file} saves what can be read and keeps the original beside it`

/** Something in a journal is not what was written there. */
export const corrupt = (file: string, what: string, cause?: unknown): CornermanError =>
  new CornermanError('JOURNAL_CORRUPT', `${file}: ${what}: ${repairWith(file)}`, { details: { file }, ...(cause ? { cause } : {}) })

/** The file at the journal's path is not the one that is held: what is written goes where no start looks. */
export const gone = (file: string): CornermanError =>
  new CornermanError(
    'JOURNAL_GONE',
    `${file}, or its log beside it, was deleted, moved or replaced while the bot ran, so nothing of this step is sent: put it back or restore a copy, then start again; a new one knows neither open actions nor the salts of predictions`,
    { details: { file } },
  )

/** The journal could not be opened: `JOURNAL_CORRUPT` or `JOURNAL_UNREADABLE`. */
export function unopened(file: string, cause: unknown): CornermanError {
  if (resultCodeOf(cause) === CORRUPT) return corrupt(file, `it cannot be opened (${messageOf(cause)})`, cause)
  const remedy =
    resultCodeOf(cause) === NOT_A_DATABASE
      ? `check that it is one; where it once was: ${repairWith(file)}`
      : `${diskRemedy(cause)}, then start again`
  return new CornermanError('JOURNAL_UNREADABLE', `${file} cannot be opened as a journal (${messageOf(cause)}): ${remedy}`, {
    ...{ cause, details: { file } },
  })
}

/** A read failed: `JOURNAL_CORRUPT`, or `JOURNAL_UNREADABLE` where it is the disk that does not answer. */
export function unread(file: string, cause: unknown): CornermanError {
  if (cause instanceof CornermanError) return cause
  if (isCorrupt(cause)) return corrupt(file, `it cannot be read to its end (${messageOf(cause)})`, cause)
  return new CornermanError('JOURNAL_UNREADABLE', `${file} cannot be read (${messageOf(cause)}): ${diskRemedy(cause)}, then start again`, {
    ...{ cause, details: { file } },
  })
}

/** A write failed, and nothing of it stands: `JOURNAL_CORRUPT` or `JOURNAL_WRITE_FAILED`. */
export function unwritten(file: string, cause: unknown): CornermanError {
  if (cause instanceof CornermanError) return cause
  const nothingSent = 'nothing of this step is sent'
  if (isCorrupt(cause)) return corrupt(file, `it could not be written (${messageOf(cause)}), so ${nothingSent}`, cause)
  return new CornermanError(
    'JOURNAL_WRITE_FAILED',
    `${file} could not be written, so ${nothingSent} (${messageOf(cause)}): ${diskRemedy(cause)}, then start again; it goes on where it was`,
    {
      ...{ cause, details: { file } },
    },
  )
}
