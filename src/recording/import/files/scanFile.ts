import { DAY_MS } from '../../../core/day.ts'
import { type Outlier, OutlierFinder } from '../../outlierFinder.ts'
import { type HolesFound, MOST_LISTED, StepCounts } from '../../stepCounts.ts'
import { fileFault } from './fault.ts'
import type { TimeUnit } from './fileTime.ts'
import { type FileRow, type ReadTable, rowsOf } from './readTable.ts'

export type WhichDuplicate = 'first' | 'last'

/** Two rows of one time. */
export interface Duplicate {
  /** Unix milliseconds, as the file has it. */
  readonly at: number
  readonly place: number
}

/** What is in a file, in the file's own times. */
export interface FileFindings {
  readonly rows: number
  readonly units: readonly TimeUnit[]
  /** Milliseconds from row to row. */
  readonly periodMs: number
  readonly duplicates: { readonly count: number; readonly listed: readonly Duplicate[] }
  /** By the columns of its shape. */
  readonly series: readonly SeriesFindings[]
  /** Prices that had more decimals than a log holds. */
  readonly rounded: number
}

export interface SeriesFindings {
  readonly prices: number
  readonly from: number
  readonly until: number
  readonly holes: HolesFound
  readonly outliers: readonly Outlier[]
}

const LEAST_PERIOD_MS = 1000
/** So many steps of another length in a row are no holes by chance. */
const OTHER_PERIOD_STEPS = 20
/** Of a short file: so many, and such a part of all. */
const FEW_STEPS = 3
const SHARE_OF_FEW = 0.25
/** More than that are no outliers. */
const MOST_OUTLIERS = 10_000

/** Equal steps in a row, and where they began. */
interface Run {
  readonly length: number
  readonly place: number
}

/** Goes through all of a file. @throws CornermanError `PRICE_FILE_INVALID` where it cannot be read or is not regular */
export async function scanFile(read: ReadTable, which: WhichDuplicate, onBytes?: (bytes: number) => void): Promise<FileFindings> {
  const { path } = read.table.file
  const clock = new StepCounts()
  const runs = new Map<number, Run>()
  const series = read.shape.prices.map(() => new SeriesScan(path))
  const units = new Set<TimeUnit>()
  const duplicates: Duplicate[] = []
  let [rows, doubled, rounded] = [0, 0, 0]
  let run = { step: 0, length: 0, place: 0 }
  let previous: FileRow | undefined
  const onDuplicate = ({ at, place }: FileRow) => {
    doubled += 1
    if (duplicates.length < MOST_LISTED) duplicates.push({ at, place })
  }
  for await (const batch of distinctRows(read, { which, onDuplicate, onBytes })) {
    for (const row of batch) {
      clock.add(row.at)
      rows += 1
      rounded += row.rounded
      units.add(row.unit)
      if (previous !== undefined) {
        const step = row.at - previous.at
        run = step === run.step ? { ...run, length: run.length + 1 } : { step, length: 1, place: row.place }
        if (run.length > (runs.get(step)?.length ?? 0)) runs.set(step, run)
      }
      previous = row
      for (const [column, price] of row.prices.entries()) if (price !== null) series[column]?.add(row.at, price)
    }
  }
  if (rows < 2)
    throw fileFault(path, ` has ${rows === 1 ? 'one row' : 'no row'}${doubled > 0 ? ', but for duplicates' : ''}: it needs at least two`)
  const periodMs = periodOf(read, clock, runs)
  for (const [column, { isEmpty }] of series.entries()) {
    if (isEmpty) throw fileFault(path, `, column ${read.shape.prices[column]?.name}: there is no price in it: take it out`)
  }
  const found = series.map((each) => each.finish(periodMs))
  return { rows, units: [...units], periodMs, duplicates: { count: doubled, listed: duplicates }, series: found, rounded }
}

export interface DistinctOptions {
  readonly which: WhichDuplicate
  readonly onDuplicate?: ((row: FileRow) => void) | undefined
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** The rows of a file, of several of one time one. @throws CornermanError `PRICE_FILE_INVALID`: a time goes back */
export async function* distinctRows(read: ReadTable, { which, onDuplicate, onBytes }: DistinctOptions): AsyncGenerator<readonly FileRow[]> {
  let kept: FileRow | undefined
  for await (const batch of rowsOf(read, onBytes)) {
    const rows: FileRow[] = []
    for (const row of batch) {
      if (kept !== undefined && row.at < kept.at) throw goesBack(read, kept, row)
      if (kept !== undefined && row.at > kept.at) rows.push(kept)
      if (kept?.at === row.at) {
        onDuplicate?.(row)
        if (which === 'first') continue
      }
      kept = row
    }
    if (rows.length > 0) yield rows
  }
  if (kept !== undefined) yield [kept]
}

function goesBack({ table, isNewestFirst }: ReadTable, before: FileRow, { at, place }: FileRow) {
  const order = isNewestFirst ? 'newest first, as it begins' : 'in the order of time'
  return fileFault(
    table.file.path,
    `, ${table.placeName} ${place}: its time ${iso(at)} is before ${iso(before.at)}, that of ${table.placeName} ${before.place}: rows must be ${order}; sort them`,
    { [table.placeName]: place },
  )
}

const iso = (at: number): string => new Date(at).toISOString()

/** The period of a file. Times of candles' beginnings must be regular: a close that is said too early would be a look into the future. */
function periodOf(read: ReadTable, clock: StepCounts, runs: ReadonlyMap<number, Run>): number {
  const { path } = read.table.file
  const isCandles = read.shape.timeOf === 'open'
  const steps = [...clock.counts.keys()]
  const shortest = steps.reduce((least, step) => Math.min(least, step))
  const periodMs = isCandles ? shortest : clock.usual()
  if (periodMs < LEAST_PERIOD_MS || periodMs > DAY_MS) {
    throw fileFault(path, `: its rows are ${seconds(periodMs)} apart; a period is from 1 s to 1 day (86400 s)`, { periodMs })
  }
  if (isCandles) expectRegular(read, { clock, runs, shortest })
  return periodMs
}

interface Steps {
  readonly clock: StepCounts
  readonly runs: ReadonlyMap<number, Run>
  readonly shortest: number
}

function expectRegular({ table }: ReadTable, { clock, runs, shortest }: Steps): void {
  const all = [...clock.counts]
  const total = all.reduce((sum, [, count]) => sum + count, 0)
  const [usual] = all.reduce((most, each) => (each[1] > most[1] ? each : most))
  const odd = all.find(([step]) => step % shortest !== 0)
  const off = odd === undefined ? undefined : (all.find(([step]) => step % usual !== 0)?.[0] ?? odd[0])
  const lasting = all.find(([step]) => {
    const length = step === shortest ? 0 : (runs.get(step)?.length ?? 0)
    return length >= OTHER_PERIOD_STEPS || (length >= FEW_STEPS && length >= SHARE_OF_FEW * total)
  })?.[0]
  const other = off ?? lasting
  if (other === undefined) return
  const most = off === undefined ? shortest : usual
  const place = runs.get(other)?.place ?? 0
  throw fileFault(
    table.file.path,
    `, ${table.placeName} ${place}: it is ${seconds(other)} after the row before, others are ${seconds(most)} apart: these are candles of two periods, or a row is out of place; make a file of each period`,
    { [table.placeName]: place },
  )
}

const seconds = (ms: number): string => `${ms / 1000} s`

/** The prices of one token in a file. */
class SeriesScan {
  readonly #path: string
  readonly #steps = new StepCounts()
  readonly #outliers: Outlier[] = []
  readonly #finder = new OutlierFinder((outlier) => this.#take(outlier))
  #prices = 0
  #from = 0
  #until = 0

  constructor(path: string) {
    this.#path = path
  }

  get isEmpty(): boolean {
    return this.#prices === 0
  }

  add(at: number, price: string): void {
    if (this.isEmpty) this.#from = at
    this.#until = at
    this.#prices += 1
    this.#steps.add(at)
    this.#finder.add({ at, price })
  }

  #take(outlier: Outlier): void {
    this.#outliers.push(outlier)
    if (this.#outliers.length > MOST_OUTLIERS) {
      throw fileFault(
        this.#path,
        `: over ${MOST_OUTLIERS} of its prices are ten times their neighbours, or a tenth: that is no series of prices`,
      )
    }
  }

  finish(periodMs: number): SeriesFindings {
    this.#finder.finish()
    const outliers = this.#outliers
    return { prices: this.#prices, from: this.#from, until: this.#until, holes: this.#steps.holes(periodMs), outliers }
  }
}
