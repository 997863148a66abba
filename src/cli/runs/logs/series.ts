import { symbolOf } from '../../../core/tokens.ts'
import type { SeriesReport } from '../../../recording/index.ts'
import { formatDuration } from '../../duration.ts'
import { isoTime } from '../../output.ts'

const MOST_LISTED = 100
/** Of a kind, for a person. */
const MOST_SAID = 10

/** The prices of a token, for programs. */
export function documentOfSeries({ mint, outliers, ...series }: SeriesReport): Record<string, unknown> {
  return { token: symbolOf(mint), mint, ...series, outliers: { ...outliers, listed: outliers.listed.slice(0, MOST_LISTED) } }
}

/** The prices of every token; tokens of which the same is to be said share a line. */
export function linesOfSeries(series: readonly SeriesReport[]): string[] {
  return [...Map.groupBy(series, saidOf)].map(([said, alike]) => `${tokens(alike.map(({ mint }) => mint))}: ${said}`)
}

function saidOf({ prices, from, until, periodMs, holes, outliers, duplicates }: SeriesReport): string {
  const found = [
    holes.count === 0
      ? 'no hole'
      : `${some(holes.count, 'hole')}, the longest ${formatDuration(holes.longestMs)} (${some(holes.missing, 'price')} missing)`,
    ...(duplicates === undefined || duplicates.count === 0 ? [] : [`${some(duplicates.count, 'duplicate')}`]),
    ...(outliers.count === 0 ? [] : [some(outliers.count, 'outlier')]),
  ]
  return `${some(prices, 'price')}, usually ${formatDuration(periodMs)} apart, ${isoTime(from)} to ${isoTime(until)}; ${found.join(', ')}`
}

/** The longest holes of all tokens, and the other doubts, one a line; those of several tokens are said once. */
export function linesOfDoubts(series: readonly SeriesReport[]): string[] {
  const holes = series.flatMap(({ mint, holes: { listed } }) => listed.map(({ from, until }) => ({ mint, from, until })))
  const together = [...Map.groupBy(holes, ({ from, until }) => `${from}-${until}`).values()]
    .flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], mints: same.map(({ mint }) => mint) }]))
    .toSorted((a, b) => b.until - b.from - (a.until - a.from) || a.from - b.from)
  const outliers = series.flatMap(({ mint, outliers: { listed } }) => listed.map((outlier) => ({ mint, ...outlier })))
  const duplicates = series.flatMap(({ mint, duplicates: found }) => (found?.listed ?? []).map((at) => ({ mint, at })))
  return [
    ...upTo(
      together.map(
        ({ mints, from, until }) => `hole: ${isoTime(from)} to ${isoTime(until)}, ${formatDuration(until - from)}: ${tokens(mints)}`,
      ),
    ),
    ...upTo(duplicates.map(({ mint, at }) => `duplicate: ${symbolOf(mint)} at ${isoTime(at)}`)),
    ...upTo(outliers.map(({ mint, at, price, beside }) => `outlier: ${symbolOf(mint)} at ${isoTime(at)}: ${price} beside ${beside}`)),
  ]
}

const upTo = (lines: readonly string[]): string[] =>
  lines.length <= MOST_SAID
    ? [...lines]
    : [...lines.slice(0, MOST_SAID), `and ${some(lines.length - MOST_SAID, 'other')} of these (--json has up to ${MOST_LISTED} a token)`]

const tokens = (mints: readonly string[]): string =>
  mints.length <= 5 ? mints.map(symbolOf).join(', ') : `${some(mints.length, 'token')}, ${mints.slice(0, 3).map(symbolOf).join(', ')}, …`

/** `1 hole`, `2,000 holes`. */
export const some = (count: number, what: string): string => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
