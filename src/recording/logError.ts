import { CornermanError } from '../core/error.ts'

/** What can be wrong with a recorded log. */
export type LogErrorCode =
  /** A segment ends in the middle of a line, or its zstd does. */
  | 'LOG_CUT'
  /** A line does not match its checksum: it, or the line before it, is not what was written. */
  | 'LOG_ALTERED'
  /** Inputs, or a whole segment, of a run are missing between others. */
  | 'LOG_GAP'
  /** A line stands before one that came first. */
  | 'LOG_OUT_OF_ORDER'
  /** Written by a newer Cornerman. */
  | 'LOG_NEWER'
  /** Segments of two bots. */
  | 'LOG_MIXED'
  | 'LOG_PRICE_INVALID'
  /** No line at all. */
  | 'LOG_EMPTY'
  /** Not a log, or not a line of one. */
  | 'LOG_UNREADABLE'

/** Something wrong with a log, and where. */
export interface LogProblem {
  readonly file: string
  /** From 1; 0 where it is about the file as a whole. */
  readonly line: number
  readonly code: LogErrorCode
  /** File, line, what is wrong and what to do about it. */
  readonly message: string
}

/** A log that cannot be read on; `details` are its file and line. */
export class LogError extends CornermanError {
  declare readonly code: LogErrorCode

  constructor({ file, line, code, message }: LogProblem, cause?: unknown) {
    super(code, message, { details: { file, line }, cause })
  }
}

/** What is wrong with a line, before it is said where that line is. */
export interface Fault {
  readonly code: LogErrorCode
  readonly what: string
  /** What a person does about it, where that is not what is done about all of that code. */
  readonly remedy?: string
}

/** Files that `logs import` makes a log of. */
const IS_OF_PRICES = /\.(?:csv|json|zip)(?:\.gz)?$/i

/** What a person does about it, as the end of a sentence. */
const REMEDIES: Readonly<Record<LogErrorCode, (log: string) => string>> = {
  LOG_CUT: repairIt,
  LOG_ALTERED: repairIt,
  LOG_GAP: repairIt,
  LOG_OUT_OF_ORDER: repairIt,
  LOG_NEWER: () => 'read it with the Cornerman that wrote it, or a newer one',
  LOG_MIXED: (log) => `put each bot's segments in a folder of their own, or keep the first bot's: ${repairIt(log)}`,
  LOG_PRICE_INVALID: repairIt,
  LOG_EMPTY: () => 'name the folder of one bot, such as .cornerman/recordings/alice, or one of its segments',
  LOG_UNREADABLE: (log) =>
    IS_OF_PRICES.test(log)
      ? `it looks like prices that are no log yet: npm run cornerman -- logs import ${log} --out DIR makes one of them`
      : `check that it is a recorded log; where it once was one: ${repairIt(log)}`,
}

function repairIt(log: string): string {
  return `npm run cornerman -- logs repair ${log} --out DIR writes a copy without what is wrong`
}

/** @param place the log as it was asked for, the file of it, and the line (0: the file as a whole) */
export function problemAt(
  { code, what, remedy }: Fault,
  place: { readonly log: string; readonly file: string; readonly line: number },
): LogProblem {
  const where = place.line === 0 ? place.file : `${place.file}, line ${place.line}`
  return { file: place.file, line: place.line, code, message: `${where}: ${what}; ${remedy ?? REMEDIES[code](place.log)}` }
}
