import type { LogLine } from './lines.ts'
import { LogError } from './logError.ts'
import { type ScanOptions, scanLog } from './scanLog.ts'

/** A line of a log, and where it stands. */
export interface PlacedLine {
  readonly line: LogLine
  /** As it stands there. */
  readonly text: string
  readonly file: string
  /** From 1. */
  readonly lineNumber: number
}

export interface ReadLogOptions extends ScanOptions {
  /**
   * What to do about a segment that was not packed and ends in the middle of a line, as after a crash: pass over that line
   * (`forgive`, the default), or take it for what is wrong anywhere else (`refuse`).
   */
  readonly tail?: 'forgive' | 'refuse'
}

/**
 * The lines of recorded logs in their order, segment after segment. Every line is checked before it is handed on.
 *
 * @param logs a recording's folder or a single segment, packed or plain; of several, each is a log of its own, read one after the other
 * @throws LogError at the first thing that is wrong, naming file and line
 * @example for (const { line } of readLog('.cornerman/recordings/alice')) if (line.kind === 'prices') console.log(line.at, line.prices)
 */
export function* readLog(logs: string | readonly string[], { tail = 'forgive', ...scan }: ReadLogOptions = {}): Generator<PlacedLine> {
  for (const log of typeof logs === 'string' ? [logs] : logs) {
    for (const { line, text, file, lineNumber, problem, isTorn } of scanLog(log, scan)) {
      if (isTorn && tail === 'forgive') continue
      if (problem !== undefined) throw new LogError(problem)
      if (line !== undefined) yield { line, text, file, lineNumber }
    }
  }
}
