import { existsSync, readdirSync } from 'node:fs'
import { CornermanError } from '../core/error.ts'
import { LineOrder } from './lineOrder.ts'
import { type HeaderLine, LOG_VERSION, type LogLine, type PricesLine } from './lines.ts'
import type { LogErrorCode, LogProblem } from './logError.ts'
import { ALL_OF_IT, LogWriter } from './logWriter.ts'
import { expectReadable, type OnProgress, type ScannedLine, scanLog } from './scanLog.ts'

/** What a repair did about one thing that was wrong. */
export interface Mending extends Pick<LogProblem, 'file' | 'line' | 'code'> {
  /** The last of several lines in a row. */
  readonly last?: number
  readonly done:
    | 'line dropped'
    | 'segment dropped'
    | 'rest of the segment dropped'
    | 'what cannot be unpacked dropped'
    | 'prices dropped'
    | 'what follows is a run of its own'
}

export interface RepairReport {
  /** Lines of the copy, headers apart. */
  readonly kept: number
  /** In the order of the log. */
  readonly mendings: readonly Mending[]
}

/**
 * Writes a copy of a log that `checkLog` finds nothing wrong with. What cannot be read or trusted is dropped, prices that
 * are none become null, and nothing is renumbered or sorted: a line that goes back in time or number is dropped, and what
 * follows missing inputs becomes a run of its own. Of two bots mixed, the first is kept.
 *
 * @throws CornermanError `LOG_OUT_TAKEN` where the folder has something in it, `RECORDING_WRITE_FAILED`
 * @throws LogError `LOG_UNREADABLE` where the system does not let a file be read: it is not left out of a copy, and none is made
 */
export function repairLog(log: string, outFolder: string, onProgress?: OnProgress): RepairReport {
  refuseTaken(outFolder)
  // Before anything is written.
  expectReadable(log)
  const copy = new MendedCopy(outFolder, new PartNames(log))
  for (const scanned of scanLog(log, { onProgress })) copy.take(scanned)
  return copy.close()
}

/** @throws CornermanError `LOG_OUT_TAKEN`: a log is never written over or into another */
export function refuseTaken(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  throw new CornermanError('LOG_OUT_TAKEN', `${folder} has something in it: name a folder that is empty, or is yet to be made`)
}

/** Names for what becomes a run of its own: free ones, which sort behind the run they are parts of and before the run after it. */
class PartNames {
  readonly #log: string
  #runs: ReadonlySet<string> | undefined

  constructor(log: string) {
    this.#log = log
  }

  /** @param part from 2 */
  nameOf(run: string, part: number): string {
    this.#runs ??= runsIn(this.#log)
    let base = run
    // A log that was repaired before has such parts already, all of which are later: 001 names none of them.
    while (isTaken(base, run, this.#runs)) base += '.001'
    return `${base}.${String(part).padStart(3, '0')}`
  }
}

/** Whether another run has the name, or one under it. */
const isTaken = (name: string, run: string, runs: ReadonlySet<string>): boolean =>
  runs.values().some((other) => other !== run && (other === name || other.startsWith(`${name}.`)))

function runsIn(log: string): Set<string> {
  const runs = new Set<string>()
  for (const { line } of scanLog(log)) if (line?.kind === 'header') runs.add(line.run)
  return runs
}

type Mend = (code: LogErrorCode, done: Mending['done']) => void

class MendedCopy {
  readonly #folder: string
  readonly #names: PartNames
  readonly #mendings: Mending[] = []
  /** How many parts of each run were begun. */
  readonly #parts = new Map<string, number>()
  #writer: LogWriter | undefined
  #order = new LineOrder()
  /** That of the lines being taken; undefined: they are dropped. */
  #header: HeaderLine | undefined
  /** Something before is missing that may have named columns. */
  #isTorn = false
  #kept = 0
  /** The newest input that is kept; undefined where the one before was left out: what it led to is left out with it. */
  #input: number | undefined

  constructor(folder: string, names: PartNames) {
    this.#folder = folder
    this.#names = names
  }

  take({ file, lineNumber, line, problem }: ScannedLine): void {
    const mend: Mend = (code, done) => this.#note({ file, line: lineNumber, code, done })
    if (problem?.code === 'LOG_ALTERED' && lineNumber === 0) {
      this.#isTorn = true
      mend(problem.code, 'what cannot be unpacked dropped')
    } else if (problem?.code === 'LOG_MIXED' || (problem !== undefined && line === undefined && lineNumber <= 1)) {
      this.#header = undefined
      mend(problem.code, lineNumber > 1 ? 'rest of the segment dropped' : 'segment dropped')
    } else if (line === undefined || problem?.code === 'LOG_ALTERED') {
      this.#isTorn = true
      this.#input = undefined
      if (problem !== undefined) mend(problem.code, 'line dropped')
    } else if (line.kind === 'header') {
      if (problem?.code === 'LOG_GAP' || problem?.code === 'LOG_OUT_OF_ORDER') mend(problem.code, 'what follows is a run of its own')
      this.#takeHeader(line)
    } else if (this.#header !== undefined) {
      if (problem?.code === 'LOG_PRICE_INVALID') mend(problem.code, 'prices dropped')
      this.#takeLine(line, this.#header, mend)
    }
  }

  close(): RepairReport {
    this.#writer?.close()
    return { kept: this.#kept, mendings: this.#mendings }
  }

  /** Lines in a row that were dropped for the same reason are one mending. */
  #note(mending: Mending): void {
    const { file, line, code, done } = mending
    const before = this.#mendings.at(-1)
    const isNext = before?.file === file && before.code === code && before.done === done && (before.last ?? before.line) === line - 1
    if (done === 'line dropped' && before !== undefined && isNext) this.#mendings.splice(-1, 1, { ...before, last: line })
    else this.#mendings.push(mending)
  }

  #takeHeader(header: HeaderLine): void {
    const goesOn = header.run === this.#header?.run && !this.#isTorn && this.#order.follow(header) === undefined
    this.#header = header
    this.#isTorn = false
    if (!goesOn) this.#begin(header)
  }

  #takeLine(line: Exclude<LogLine, HeaderLine>, header: HeaderLine, mend: Mend): void {
    const code = line.kind === 'mints' && this.#isTorn ? 'LOG_GAP' : this.#order.follow(line)?.code
    const isOrphan = line.kind === 'output' && line.n !== this.#input
    if (code === 'LOG_OUT_OF_ORDER' || isOrphan) {
      this.#order.leaveOut()
      if (line.kind !== 'output') this.#input = undefined
      mend(code ?? 'LOG_OUT_OF_ORDER', 'line dropped')
      return
    }
    if ('n' in line && line.kind !== 'output') this.#input = line.n
    if (line.kind === 'mints' && code !== undefined) {
      this.#header = undefined
      mend(code, 'rest of the segment dropped')
      return
    }
    if (code === 'LOG_GAP') {
      mend(code, 'what follows is a run of its own')
      this.#isTorn = true
      this.#begin({ ...header, mints: this.#writer?.mints ?? header.mints })
      this.#order.follow(line)
    }
    this.#writer?.write(line.kind === 'prices' ? this.#withNamedPrices(line, mend) : line)
    this.#kept++
  }

  /** Prices beyond the columns are of tokens that nothing names. */
  #withNamedPrices(line: PricesLine, mend: Mend): PricesLine {
    const columns = this.#writer?.mints.length ?? 0
    if (line.prices.length <= columns) return line
    mend('LOG_UNREADABLE', 'prices dropped')
    return { ...line, prices: line.prices.slice(0, columns) }
  }

  /** A run of its own for what comes now: the header's, or a further part of it. */
  #begin(header: HeaderLine): void {
    this.#writer?.close()
    const part = (this.#parts.get(header.run) ?? 0) + 1
    this.#parts.set(header.run, part)
    const { kind: _kind, version: _version, segment: _segment, at: _at, ...fields } = header
    const run = part === 1 ? header.run : this.#names.nameOf(header.run, part)
    this.#writer = new LogWriter({ folder: this.#folder, header: { ...fields, run }, limits: ALL_OF_IT })
    this.#order = new LineOrder()
    this.#order.follow({ ...header, run, segment: 1, version: LOG_VERSION })
  }
}
