import { CornermanError } from '../../../core/error.ts'
import { symbolOf } from '../../../core/tokens.ts'
import type { PriceFilesOptions, ScannedFile } from './scannedFile.ts'

const HOUR_MS = 3_600_000
const LEAST_PERIODS = 10
/** Of a kind, in a message. */
const MOST_SAID = 10

/** The longest time without a price that is let in, in milliseconds. */
export const maxHoleOf = (periodMs: number, asked?: number): number => asked ?? Math.max(HOUR_MS, LEAST_PERIODS * periodMs)

/** Everything in files that has to be let in by name, at once; undefined: nothing. */
export function doubtsOf(
  files: readonly ScannedFile[],
  { duplicates, outliers, maxHoleMs }: PriceFilesOptions,
): CornermanError | undefined {
  const doubts = [
    ...(duplicates === undefined ? duplicatesOf(files) : []),
    ...(outliers === undefined ? outliersOf(files) : []),
    ...holesOf(files, maxHoleMs),
  ]
  if (doubts.length === 0) return undefined
  return new CornermanError(
    'PRICES_DOUBTFUL',
    `these prices are not imported as they are (times are those of the files):\n${doubts.join('\n')}`,
    { details: { doubts } },
  )
}

function duplicatesOf(files: readonly ScannedFile[]): string[] {
  const said = files.flatMap(({ read, duplicates }) => {
    const { file, placeName } = read.table
    return duplicates.listed.map(({ at, place }) => `  ${file.path}, ${placeName} ${place}: a row of ${iso(at)} stands before it`)
  })
  const count = files.reduce((sum, each) => sum + each.duplicates.count, 0)
  return section(`${some(count, 'row')} of a time that has one already (--duplicates first or last says which counts):`, said, count)
}

function outliersOf(files: readonly ScannedFile[]): string[] {
  const said = files.flatMap(({ read, series }) =>
    series.flatMap((found, column) =>
      found.outliers.map(
        ({ at, price, beside }) =>
          `  ${read.table.file.path}, ${symbolOf(read.tokens[column]?.mint ?? '')} at ${iso(at)}: ${price} beside ${beside}`,
      ),
    ),
  )
  return section(
    `${some(said.length, 'price')} of ten times the neighbours, or a tenth (--outliers keep or drop says what becomes of them):`,
    said,
    said.length,
  )
}

function holesOf(files: readonly ScannedFile[], asked: number | undefined): string[] {
  const said = files.flatMap(({ read, series, periodMs }) =>
    series.flatMap(({ holes }, column) =>
      holes.listed
        .filter(({ from, until }) => until - from > maxHoleOf(periodMs, asked))
        .map(
          ({ from, until }) =>
            `  ${read.table.file.path}, ${symbolOf(read.tokens[column]?.mint ?? '')}: no price from ${iso(from)} to ${iso(until)}, ${(until - from) / 1000} s`,
        ),
    ),
  )
  const bound = asked === undefined ? 'an hour, or ten periods where that is more' : `${asked / 1000} s`
  return section(`${some(said.length, 'hole')} longer than ${bound} (--max-hole DURATION lets longer ones in, as 12h):`, said, said.length)
}

function section(title: string, said: readonly string[], count: number): string[] {
  if (count === 0) return []
  const more = count - Math.min(MOST_SAID, said.length)
  return [title, ...said.slice(0, MOST_SAID), ...(more > 0 ? [`  and ${more} more`] : [])]
}

const iso = (at: number): string => new Date(at).toISOString()
const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
