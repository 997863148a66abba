import { messageOf } from '../core/error.ts'
import { LineJudge } from './lineJudge.ts'
import type { LogLine } from './lines.ts'
import { type Fault, LogError, type LogProblem, problemAt } from './logError.ts'
import { PricesReader, type ReadPrices } from './pricesLine.ts'
import type { ReadLine } from './readLine.ts'
import { filesOf, readSegment, type SegmentText, segmentSize } from './segments.ts'

/** One line of a log as it was found. */
export interface ScannedLine {
  readonly file: string
  /** From 1; 0 where it is about the file as a whole. */
  readonly lineNumber: number
  /** As it stands there. */
  readonly text: string
  /** There with a problem too, where the line itself can be read. */
  readonly line: LogLine | undefined
  readonly problem: LogProblem | undefined
  /** The line is what a crash leaves: the end of a segment that was not packed, without its newline. */
  readonly isTorn: boolean
}

export interface ScanOptions {
  /**
   * Told of lines of prices as this program writes them, with which nothing is wrong, instead of their being yielded. What it is
   * told holds until it returns.
   */
  readonly onPrices?: ((prices: ReadPrices) => void) | undefined
  readonly onProgress?: OnProgress | undefined
}

/** Told now and then how many bytes of a log were gone through, of how many: of those of its files, packed or not. */
export type OnProgress = (bytes: number, total: number) => void

const NEWLINE = 0x0a
/** Lines between reports of progress. */
const REPORT_EVERY = 1024
/** What is wrong with zstd beyond the lines that it has. */
const PACKED_BADLY: Readonly<Record<Exclude<SegmentText['ending'], 'whole'>, Fault>> = {
  cut: { code: 'LOG_CUT', what: 'the packed segment ends in the middle' },
  altered: { code: 'LOG_ALTERED', what: 'the packed segment was altered: there may be more in it than can be unpacked' },
  followed: { code: 'LOG_UNREADABLE', what: 'what stands behind the packed segment is not packed' },
}

/**
 * Goes through a log from its first line to its last, whatever is wrong with it on the way. Lines under a header that
 * cannot be read are passed over: what they mean is not known.
 *
 * @param log a recording's folder, or one segment of it, packed or plain
 */
export function* scanLog(log: string, { onPrices, onProgress }: ScanOptions = {}): Generator<ScannedLine> {
  const judge = new LineJudge()
  const prices = new PricesReader()
  let isEmpty = true
  const found = (file: string, lineNumber: number, text: string, { line, fault }: ReadLine, isTorn = false): ScannedLine => {
    isEmpty &&= isTorn
    return { file, lineNumber, text, line, problem: fault && problemAt(fault, { log, file, line: lineNumber }), isTorn }
  }

  const files = filesOf(log)
  const way = onProgress === undefined ? undefined : new Way(files, onProgress)
  for (const file of files) {
    way?.enter(file)
    const segment = tryToRead(file)
    if ('fault' in segment) {
      yield found(file, 0, '', segment)
      continue
    }
    const { bytes, isPacked, ending } = segment
    judge.begin({ isAltered: ending === 'altered' })
    let lineNumber = 0
    let start = 0
    for (;;) {
      const next = prices.read(bytes, start)
      const isPrices = next >= 0 && judge.take(prices)
      const end = isPrices ? next - 1 : bytes.indexOf(NEWLINE, start)
      if (end < 0) break
      lineNumber++
      if (isPrices && onPrices !== undefined) {
        onPrices(prices)
      } else {
        const text = bytes.toString('utf8', start, end)
        const read = isPrices ? { line: prices.line(text) } : judge.judge(text)
        if (read !== undefined) yield found(file, lineNumber, text, read)
      }
      start = end + 1
      if (lineNumber % REPORT_EVERY === 0) way?.report(start / bytes.length)
    }
    if (ending !== 'whole') {
      yield found(file, ending === 'altered' ? 0 : lineNumber + 1, '', { fault: PACKED_BADLY[ending] })
    } else if (start < bytes.length) {
      const text = bytes.toString('utf8', start)
      const read = judge.judgeRest(text)
      if (read !== undefined) yield found(file, lineNumber + 1, text, read, !isPacked && read.fault?.code === 'LOG_CUT')
    }
  }
  way?.end()
  if (isEmpty) yield found(log, 0, '', { fault: { code: 'LOG_EMPTY', what: 'there is no line in it' } })
}

/** How far a scan has come, in bytes of the files. */
class Way {
  readonly #sizes: ReadonlyMap<string, number>
  readonly #total: number
  readonly #onProgress: OnProgress
  #before = 0
  #size = 0

  constructor(files: readonly string[], onProgress: OnProgress) {
    this.#sizes = new Map(files.map((file) => [file, segmentSize(file) ?? 0]))
    this.#total = this.#sizes.values().reduce((sum, size) => sum + size, 0)
    this.#onProgress = onProgress
  }

  enter(file: string): void {
    this.#before += this.#size
    this.#size = this.#sizes.get(file) ?? 0
    this.report(0)
  }

  /** @param share of the file that was entered */
  report(share: number): void {
    this.#onProgress(this.#before + Math.floor(share * this.#size), this.#total)
  }

  end(): void {
    this.#onProgress(this.#total, this.#total)
  }
}

/** @throws LogError `LOG_UNREADABLE` where the system does not let a file of a log be read, or it is not unpacked here */
export function expectReadable(log: string): void {
  for (const file of filesOf(log)) {
    const segment = tryToRead(file)
    if ('fault' in segment) throw new LogError(problemAt(segment.fault, { log, file, line: 0 }))
  }
}

function tryToRead(file: string): SegmentText | { readonly fault: Fault } {
  try {
    return readSegment(file)
  } catch (thrown) {
    const remedy = 'see that it is there, is a file and may be read, or move it out of the log: what is in it is not known'
    return { fault: { code: 'LOG_UNREADABLE', what: `it cannot be read: ${messageOf(thrown)}`, remedy } }
  }
}
