import type { SeriesReport } from '../../../recording/index.ts'
import { maxHoleOf, type PriceFiles, type ScannedFile } from '../../../recording/priceFiles.ts'
import { formatDuration } from '../../duration.ts'
import { isoTime } from '../../output.ts'
import { documentOfSeries, linesOfDoubts, linesOfSeries, some } from './series.ts'

/** What was asked of an import, as far as a reader is told of it. */
interface Asked {
  readonly duplicates: 'first' | 'last' | undefined
  readonly outliers: 'keep' | 'drop' | undefined
  readonly maxHoleMs: number | undefined
}

interface Written extends Asked {
  readonly out: string
  readonly ticks: number
  readonly contests: number
  readonly joined: JoinedLog | undefined
}

/** A log that was extended: what it had, how many of its prices the files have too, and what all of it spans. */
export interface JoinedLog {
  readonly log: string
  readonly ticks: number
  /** Unix milliseconds. */
  readonly from: number
  readonly until: number
  readonly shared: number
  /** How many tokens there are now. */
  readonly mints: number
  readonly all: { readonly from: number; readonly until: number }
}

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }

/** What was read, for programs: times are those of the log. */
export function documentOf({ files, from, until }: PriceFiles): Record<string, unknown> {
  const periods = files.map(({ periodMs }) => periodMs)
  return {
    ...{ periodMs: Math.min(...periods), from, until },
    files: files.map((file) => {
      const { read, rows, units, periodMs, duplicates, rounded, shiftMs } = file
      const { table, shape } = read
      return {
        ...{ file: table.file.path, format: table.file.format, isPacked: table.file.isPacked, delimiter: table.delimiter ?? null },
        ...{ time: shape.time.name, units, timesAre: shape.timeOf, periodMs, rows, leftOut: shape.leftOut, rounded },
        duplicates: { count: duplicates.count, listed: duplicates.listed.map((each) => ({ ...each, at: each.at + shiftMs })) },
        tokens: tokensOf(file).map(documentOfSeries),
      }
    }),
  }
}

/** What was read as what, for a person. */
export function linesOf(found: PriceFiles, written: Written): string[] {
  const periods = [...new Set(found.files.map(({ periodMs }) => periodMs))]
  const mixed = periods.length < 2 ? '' : `, of periods of ${periods.map(formatDuration).join(', ')} on one clock`
  const { joined } = written
  const { from, until } = joined?.all ?? found
  return [
    ...found.files.flatMap((file) => linesOfFile(file, written)),
    ...(joined === undefined ? [] : [joinedLine(joined)]),
    `${written.out}: ${some(written.ticks, 'price line')}, ${some(written.contests, 'contest')}; ${some(joined?.mints ?? found.mints.length, 'token')}${mixed}, ${isoTime(from)} to ${isoTime(until)}`,
  ]
}

const joinedLine = ({ log, ticks, from, until, shared }: JoinedLog): string =>
  `${log}: had ${some(ticks, 'price line')}, ${isoTime(from)} to ${isoTime(until)}; ${shared === 0 ? 'no price of it is in the files' : `${some(shared, 'price')} of it the files have too, and alike`}`

function linesOfFile(file: ScannedFile, asked: Asked): string[] {
  const { read, rows, periodMs, rounded } = file
  const { table, shape, isNewestFirst } = read
  const { path, format, isPacked } = table.file
  const parted = table.delimiter === undefined ? '' : ` parted by ${DELIMITERS[table.delimiter] ?? table.delimiter}`
  const order = isNewestFirst ? ', newest first' : ''
  const tokens = tokensOf(file)
  return [
    `${path}: ${format}${parted}${isPacked ? ', gzip' : ''}; ${some(rows, 'row')}, ${formatDuration(periodMs)} apart${order}`,
    `  time: ${columnOf(table.header, shape.time.name)}, ${timeOf(file)}`,
    `  price: ${shape.prices.length === 1 ? columnOf(table.header, shape.prices[0]?.name ?? '') : `${some(shape.prices.length, 'column')}, one a token`}${leftOut(shape.leftOut)}`,
    ...linesOfSeries(tokens).map((line) => `  ${line}`),
    ...linesOfDoubts(tokens).map((line) => `  ${line}`),
    ...handled(file, asked).map((line) => `  ${line}`),
    ...(rounded === 0 ? [] : [`  rounded to the 18 decimals that a log holds: ${some(rounded, 'price')}`]),
  ]
}

const columnOf = (header: readonly string[] | undefined, name: string): string =>
  header === undefined ? `the cell taken for ${name}, since there is no header` : `column ${JSON.stringify(name)}`

function timeOf({ units, shiftMs, read }: ScannedFile): string {
  const said = units.map((unit) => (unit === 'ISO 8601 without a zone' ? `${unit}, taken for UTC` : unit)).join(' and ')
  if (read.shape.timeOf === 'close') return `${said}: when the price was known (--times open, if it is when a candle begins)`
  return `${said}: when a candle begins. Its close is known ${formatDuration(shiftMs)} later, and stands there in the log`
}

const leftOut = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; left out: ${names.map((name) => name || '(no name)').join(', ')}`

/** What became of that which is refused unless it is let in. */
function handled({ duplicates, series, periodMs }: ScannedFile, { duplicates: which, outliers, maxHoleMs }: Asked): string[] {
  const odd = series.reduce((sum, each) => sum + each.outliers.length, 0)
  const holes = series.reduce((sum, each) => sum + each.holes.count, 0)
  return [
    ...(duplicates.count === 0 ? [] : [`${some(duplicates.count, 'row')} of a time that had one: the ${which} counts`]),
    ...(odd === 0 ? [] : [`${some(odd, 'price')} of ten times the neighbours, or a tenth: ${outliers === 'drop' ? 'dropped' : 'kept'}`]),
    ...(holes === 0
      ? []
      : [
          `holes stay holes: there is no price in them. None is longer than ${formatDuration(maxHoleOf(periodMs, maxHoleMs))} (--max-hole)`,
        ]),
  ]
}

function tokensOf({ read, series, shiftMs, periodMs }: ScannedFile): SeriesReport[] {
  return series.map(({ holes, outliers, ...span }, column) => {
    const mint = read.tokens[column]?.mint ?? ''
    return {
      ...{ mint, periodMs, prices: span.prices, from: span.from + shiftMs, until: span.until + shiftMs },
      holes: { ...holes, listed: holes.listed.map(({ from, until }) => ({ from: from + shiftMs, until: until + shiftMs })) },
      outliers: { count: outliers.length, listed: outliers.map(({ at, price, beside }) => ({ at: at + shiftMs, price, beside })) },
    }
  })
}
