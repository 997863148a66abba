import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../core/day.ts'
import { invariant } from '../core/error.ts'
import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { checksumAfter, sealed } from './checksum.ts'
import { ClosedSegments } from './closedSegments.ts'
import { type HeaderLine, LOG_VERSION, type LogLine, type PricesLine } from './lines.ts'
import { Packing } from './packing.ts'
import { PriceColumns } from './priceColumns.ts'
import { packLeftovers, plainName, writing } from './segments.ts'

/** Bounds of a recording. A segment ends, and old segments go, at whichever of two is reached first. */
export interface LogLimits {
  readonly segmentBytes: number
  readonly segmentMs: number
  /** Of all segments of the folder together, those of earlier runs included. */
  readonly totalBytes: number
  readonly totalMs: number
}

const DEFAULT_LIMITS: LogLimits = {
  segmentBytes: 16 * 1024 ** 2,
  segmentMs: 3_600_000,
  totalBytes: 2 * 1024 ** 3,
  totalMs: 30 * DAY_MS,
}

/** For copies and imports: they are as long as what they are made from. */
export const ALL_OF_IT: Partial<LogLimits> = {
  segmentMs: Number.POSITIVE_INFINITY,
  totalBytes: Number.POSITIVE_INFINITY,
  totalMs: Number.POSITIVE_INFINITY,
}

export interface LogWriterOptions {
  /** One bot's; made where it is missing. */
  readonly folder: string
  /** `run` sorts by start: ISO basic time and some random letters, such as `20260102T030405Z-k3f9`. */
  readonly header: Omit<HeaderLine, 'segment' | 'at' | 'kind' | 'version'>
  readonly limits?: Partial<LogLimits>
}

/** Prices as they were learnt, before they are laid out by column. */
export interface LearntPrices extends Omit<PricesLine, 'kind' | 'prices'> {
  readonly prices: ReadonlyMap<Mint, Price>
}

const BUFFERED_CHARACTERS = 64 * 1024

interface OpenSegment {
  readonly file: string
  readonly descriptor: number
  /** Unix milliseconds of its first line. */
  readonly from: number
  bytes: number
  checksum: number
}

/**
 * Writes one run of a bot into its recording. Lines are buffered until 64 KiB of them have gathered; `sync` makes those
 * written so far durable. The first line opens the first segment. One that has ended is packed beside the loop, by the time
 * the next one ends or the writer is closed.
 *
 * A write that fails leaves the writer unusable: behind a line cut off no other could be read.
 */
export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #limits: LogLimits
  readonly #columns: PriceColumns
  readonly #closed: ClosedSegments
  #segment: OpenSegment | undefined
  /** Of the segment before it. */
  #packing: Packing | undefined
  #segmentCount = 0
  #buffered = ''
  #isDurable = true
  #failure: unknown
  /** Whoever writes has been told of the failure. */
  #isFailureTold = false
  #isClosed = false

  /**
   * Packs what a run that died left open.
   *
   * @throws CornermanError `RECORDING_WRITE_FAILED`, as every method
   */
  constructor(options: LogWriterOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#columns = new PriceColumns(options.header.mints)
    const { folder } = options
    this.#closed = writing(folder, () => {
      mkdirSync(folder, { recursive: true })
      packLeftovers(folder)
      return new ClosedSegments(folder)
    })
  }

  /** The columns of `prices` lines so far. */
  get mints(): readonly Mint[] {
    return this.#columns.mints
  }

  write(line: Exclude<LogLine, HeaderLine>): void {
    this.#attempt(() => {
      if (line.kind === 'mints') {
        this.#addMints(line.mints)
        return
      }
      this.#openFor(line.at)
      this.#append(line)
    })
  }

  /** As `write`, of prices by token: a `mints` line goes before them where a token is new. */
  writePrices({ prices, ...learnt }: LearntPrices): void {
    this.#attempt(() => {
      this.#openFor(learnt.at)
      this.#addMints(this.#columns.missing(prices.keys()))
      this.#append({ kind: 'prices', ...learnt, prices: this.#columns.row(prices) })
    })
  }

  /** Hands what is buffered to the system: it outlives this process. */
  flush(): void {
    this.#attempt(() => this.#flush())
  }

  /** Puts what was written on the disk: it outlives the machine. */
  sync(): void {
    this.#attempt(() => this.#sync())
  }

  /** Ends the run's last segment. Nothing can be written after it. Of a failure that was thrown before nothing more is said. */
  close(): void {
    if (this.#isClosed) return
    try {
      if (!this.#isFailureTold) {
        this.#attempt(() => {
          this.#endSegment()
          this.#packing?.finish()
        })
      }
    } finally {
      this.#isClosed = true
      // One that could not be ended stays as it is: the next run packs it.
      if (this.#segment !== undefined) closeSync(this.#segment.descriptor)
      this.#segment = undefined
    }
  }

  #attempt(work: () => void): void {
    invariant(!this.#isClosed, 'a recording that was closed is written to', { folder: this.#options.folder })
    writing(this.#options.folder, () => {
      try {
        if (this.#failure !== undefined) throw this.#failure
        work()
      } catch (thrown) {
        this.#failure = thrown
        this.#isFailureTold = true
        throw thrown
      }
    })
  }

  /** Sees to it that there is a segment for a line of this time. */
  #openFor(at: number): void {
    const { segmentBytes, segmentMs } = this.#limits
    const open = this.#segment
    if (open !== undefined && open.bytes < segmentBytes && at - open.from < segmentMs) return
    this.#endSegment()
    this.#openSegment(at)
  }

  #openSegment(at: number): void {
    const { folder, header } = this.#options
    const { segmentBytes, totalBytes, totalMs } = this.#limits
    this.#closed.trim(totalBytes - segmentBytes - (this.#packing?.plainBytes ?? 0), at - totalMs)
    const segment = ++this.#segmentCount
    const file = join(folder, plainName(header.run, segment))
    this.#segment = { file, descriptor: openSync(file, 'wx'), from: at, bytes: 0, checksum: 0 }
    this.#append({ kind: 'header', version: LOG_VERSION, ...header, segment, at, mints: this.#columns.mints })
  }

  /** New columns: said in a line of their own, or by the header of a segment that is yet to begin. */
  #addMints(mints: readonly Mint[]): void {
    if (mints.length === 0) return
    this.#columns.add(mints)
    if (this.#segment !== undefined) this.#append({ kind: 'mints', mints })
  }

  #append(line: LogLine): void {
    const segment = this.#segment
    invariant(segment !== undefined, 'a line has no segment to go to')
    const body = JSON.stringify(line).slice(0, -1)
    segment.checksum = checksumAfter(segment.checksum, body)
    const text = `${sealed(body, segment.checksum)}\n`
    segment.bytes += Buffer.byteLength(text)
    this.#buffered += text
    this.#isDurable = false
    if (this.#buffered.length >= BUFFERED_CHARACTERS) this.#flush()
  }

  #flush(): void {
    if (this.#segment === undefined || this.#buffered === '') return
    writeFileSync(this.#segment.descriptor, this.#buffered)
    this.#buffered = ''
  }

  #sync(): void {
    if (this.#segment === undefined || this.#isDurable) return
    this.#flush()
    fdatasyncSync(this.#segment.descriptor)
    this.#isDurable = true
  }

  #endSegment(): void {
    const segment = this.#segment
    if (segment === undefined) return
    this.#sync()
    this.#segment = undefined
    closeSync(segment.descriptor)
    this.#packing?.finish()
    const { file, bytes, from } = segment
    this.#packing = new Packing({
      ...{ file, bytes },
      onPacked: (packed) => this.#closed.add(packed, from),
      onFailed: (thrown) => {
        this.#failure ??= thrown
      },
    })
  }
}
