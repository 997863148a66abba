import { CornermanError } from '../../../core/error.ts'
import type { Price } from '../../../core/price.ts'
import type { Mint } from '../../../core/tokens.ts'
import type { HolesFound } from '../../stepCounts.ts'
import { doubtsOf } from './doubts.ts'
import { fileFault } from './fault.ts'
import { type FileRow, type ReadTable, readTable } from './readTable.ts'
import { distinctRows, type SeriesFindings, scanFile } from './scanFile.ts'
import type { PriceFilesOptions, ScannedFile, Span } from './scannedFile.ts'

/** Prices at their times, as they go into a log. */
export interface PriceRow {
  /** Unix milliseconds. */
  readonly at: number
  readonly prices: readonly (Price | null)[]
}

/** All that files of prices have, on one clock. */
export interface PriceFiles {
  readonly files: readonly ScannedFile[]
  readonly mints: readonly Mint[]
  /** Unix milliseconds of the first and the last price in the log. */
  readonly from: number
  readonly until: number
  /** Between two prices of a token, of the coarsest file. */
  readonly stepMs: number
  /** Reads the files once more. */
  rows(onProgress?: (bytes: number, total: number) => void): AsyncGenerator<PriceRow>
}

/**
 * Reads files of prices: says what they hold, and hands it on row by row. Files of one token that follow each other are one series.
 *
 * @throws CornermanError `PRICE_FILE_INVALID`; `PRICES_DOUBTFUL`: duplicates, outliers or long holes that were not let in
 */
export async function openPriceFiles(paths: readonly string[], options: PriceFilesOptions): Promise<PriceFiles> {
  const { tokens = [], timesAre, mayRound, duplicates, beside = new Map(), onProgress } = options
  if (tokens.length > 0 && tokens.length !== paths.length) {
    throw new CornermanError(
      'USAGE',
      `--token was given ${tokens.length} times for ${paths.length} files: give it once for each file, in their order, or not at all`,
    )
  }
  const tables: ReadTable[] = []
  for (const [index, path] of paths.entries()) tables.push(await readTable(path, { token: tokens[index], timesAre, mayRound }))
  const way = new Way(tables, onProgress)
  const scanned: ScannedFile[] = []
  for (const read of tables) {
    const findings = await scanFile(read, duplicates ?? 'first', way.of(read))
    scanned.push({ read, ...findings, shiftMs: read.shape.timeOf === 'open' ? findings.periodMs : 0 })
  }
  const files = besideLog(inTurn(scanned, beside), beside)
  const doubts = doubtsOf(files, options)
  if (doubts !== undefined) throw doubts
  const mints = [...new Set(files.flatMap(({ read }) => read.tokens.map(({ mint }) => mint)))]
  const spans = files.flatMap(({ series, shiftMs }) => series.map(({ from, until }) => ({ from: from + shiftMs, until: until + shiftMs })))
  return {
    ...{ files, mints },
    from: spans.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    until: spans.reduce((most, { until }) => Math.max(most, until), 0),
    stepMs: Math.max(...files.map(({ periodMs }) => periodMs)),
    rows: (onRead) => merged(files, mints, { options, way: new Way(tables, onRead) }),
  }
}

/** Bytes of several files, as one way. */
class Way {
  readonly #read = new Map<ReadTable, number>()
  readonly #total: number
  readonly #onProgress: PriceFilesOptions['onProgress']

  constructor(tables: readonly ReadTable[], onProgress: PriceFilesOptions['onProgress']) {
    this.#total = tables.reduce((sum, { table }) => sum + table.file.bytes, 0)
    this.#onProgress = onProgress
  }

  of(read: ReadTable): (bytes: number) => void {
    return (bytes) => {
      this.#read.set(read, bytes)
      this.#onProgress?.(
        this.#read.values().reduce((sum, each) => sum + each, 0),
        this.#total,
      )
    }
  }
}

type Spans = ReadonlyMap<Mint, Span>

/** Lays files of one token end to end, behind what a log has of it: a hole between them is one of the later file. */
function inTurn(files: readonly ScannedFile[], beside: Spans): ScannedFile[] {
  const newest = new Map<Mint, { readonly file: ScannedFile; readonly until: number }>()
  const sorted = files.toSorted((a, b) => startOf(a) - startOf(b))
  return sorted.map((file) => {
    const series = file.series.map((found, column) => {
      const mint = file.read.tokens[column]?.mint ?? ''
      const [from, until] = [found.from + file.shiftMs, found.until + file.shiftMs]
      const before = newest.get(mint)
      newest.set(mint, { file, until })
      if (before !== undefined && from <= before.until) throw overlapping(before.file, file, mint)
      const logged = beside.get(mint)
      const loggedUntil = logged !== undefined && logged.from <= from ? logged.until : Number.NEGATIVE_INFINITY
      const coveredUntil = Math.max(before?.until ?? Number.NEGATIVE_INFINITY, loggedUntil)
      if (coveredUntil === Number.NEGATIVE_INFINITY || from <= coveredUntil) return found
      return withHole(found, { from: coveredUntil - file.shiftMs, until: found.from }, file.periodMs)
    })
    return { ...file, series }
  })
}

/** A hole between the last file before a log and the log is that file's. */
function besideLog(files: readonly ScannedFile[], beside: Spans): ScannedFile[] {
  const untilOf = (file: ScannedFile, column: number) => (file.series[column]?.until ?? 0) + file.shiftMs
  const reaches = new Map<Mint, number>()
  for (const file of files) {
    for (const [column, { mint }] of file.read.tokens.entries()) {
      const logged = beside.get(mint)
      if (logged !== undefined && (file.series[column]?.from ?? 0) + file.shiftMs < logged.from) reaches.set(mint, untilOf(file, column))
    }
  }
  return files.map((file) => ({
    ...file,
    series: file.series.map((found, column) => {
      const mint = file.read.tokens[column]?.mint ?? ''
      const logged = beside.get(mint)
      const until = untilOf(file, column)
      if (logged === undefined || until >= logged.from || reaches.get(mint) !== until) return found
      return withHole(found, { from: found.until, until: logged.from - file.shiftMs }, file.periodMs)
    }),
  }))
}

const startOf = ({ series, shiftMs }: ScannedFile): number => shiftMs + Math.min(...series.map(({ from }) => from))

function overlapping(before: ScannedFile, { read }: ScannedFile, mint: Mint): CornermanError {
  return fileFault(
    read.table.file.path,
    ` and ${before.read.table.file.path} both have prices of ${mint} at the same times: leave one out, or say by --token which tokens they are of`,
  )
}

function withHole(found: SeriesFindings, hole: { readonly from: number; readonly until: number }, periodMs: number): SeriesFindings {
  const length = hole.until - hole.from
  const missing = Math.round(length / periodMs) - 1
  if (missing < 1) return found
  const { count, missing: others, longestMs, listed } = found.holes
  const holes: HolesFound = {
    count: count + 1,
    missing: others + missing,
    longestMs: Math.max(longestMs, length),
    listed: [hole, ...listed],
  }
  return { ...found, holes }
}

interface MergeOptions {
  readonly options: PriceFilesOptions
  readonly way: Way
}

/** The rows of all files by time; those of one time are one. */
async function* merged(files: readonly ScannedFile[], mints: readonly Mint[], { options, way }: MergeOptions): AsyncGenerator<PriceRow> {
  const heads = files.map((file) => new Head(file, mints, { options, way }))
  for (const head of heads) await head.advance()
  for (;;) {
    let at = Number.POSITIVE_INFINITY
    for (const head of heads) if (head.at < at) at = head.at
    if (at === Number.POSITIVE_INFINITY) return
    const prices: (Price | null)[] = new Array(mints.length).fill(null)
    for (const head of heads) {
      if (head.at !== at) continue
      head.fill(prices)
      if (!head.step()) await head.advance()
    }
    if (prices.some((price) => price !== null)) yield { at, prices }
  }
}

/** The next row of a file. */
class Head {
  /** Unix milliseconds in the log; infinity at the end. */
  at = Number.POSITIVE_INFINITY
  readonly #batches: ReturnType<typeof distinctRows>
  readonly #shiftMs: number
  /** Of the log, by those of the file. */
  readonly #columns: readonly number[]
  /** Times of prices that are left out, by column of the file. */
  readonly #dropped: readonly ReadonlySet<number>[]
  #batch: readonly FileRow[] = []
  #index = -1

  constructor({ read, shiftMs, series }: ScannedFile, mints: readonly Mint[], { options, way }: MergeOptions) {
    this.#batches = distinctRows(read, { which: options.duplicates ?? 'first', onBytes: way.of(read) })
    this.#shiftMs = shiftMs
    this.#columns = read.tokens.map(({ mint }) => mints.indexOf(mint))
    this.#dropped = series.map(({ outliers }) => new Set(options.outliers === 'drop' ? outliers.map(({ at }) => at) : []))
  }

  /** Goes to the next row that was read; false: more must be. */
  step(): boolean {
    this.#index += 1
    const row = this.#batch[this.#index]
    if (row !== undefined) this.at = row.at + this.#shiftMs
    return row !== undefined
  }

  async advance(): Promise<void> {
    const { done, value } = await this.#batches.next()
    this.#batch = done === true ? [] : value
    this.#index = -1
    if (!this.step()) this.at = Number.POSITIVE_INFINITY
  }

  fill(prices: (Price | null)[]): void {
    const row = this.#batch[this.#index]
    for (const [index, column] of this.#columns.entries()) {
      const price = row?.prices[index] ?? null
      if (row !== undefined && price !== null && this.#dropped[index]?.has(row.at) !== true) prices[column] = price
    }
  }
}
