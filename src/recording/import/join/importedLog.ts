import { CornermanError } from '../../../core/error.ts'
import type { Price } from '../../../core/price.ts'
import type { Mint } from '../../../core/tokens.ts'
import type { ContestLine, MintsLine } from '../../lines.ts'
import { readLog } from '../../readLog.ts'
import type { OnProgress } from '../../scanLog.ts'
import { StepCounts } from '../../stepCounts.ts'
import type { Span } from '../files/scannedFile.ts'

/** A log that was made by an import, as far as one that extends it has to know it. */
export interface ImportedLog {
  readonly path: string
  /** In the order of its columns. */
  readonly mints: readonly Mint[]
  /** Times at which it has a price. */
  readonly ticks: number
  /** Unix milliseconds of the first and the last price. */
  readonly from: number
  readonly until: number
  /** Between two prices of a token, of the coarsest one. */
  readonly stepMs: number
  /** By token. */
  readonly spans: ReadonlyMap<Mint, Span>
  readonly contests: readonly ContestLine[]
}

/** Prices of one time, by the columns of `mints`. */
export interface LogRow {
  readonly at: number
  readonly prices: readonly (Price | null)[]
}

/**
 * Reads what a log that was imported holds.
 *
 * @throws LogError at the first thing that is wrong with it
 * @throws CornermanError `LOG_NOT_IMPORTED` where bots recorded it
 */
export function openImportedLog(path: string, onProgress?: OnProgress): ImportedLog {
  const mints = new Set<Mint>()
  const spans = new Map<Mint, Span>()
  const steps = new Map<Mint, StepCounts>()
  const contests: ContestLine[] = []
  let columns: Mint[] = []
  let [ticks, from, until] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { line, file } of readLog(path, { onProgress })) {
    if (line.kind === 'header' && line.source !== 'import') throw notImported(file, line.bot)
    if (line.kind === 'header') columns = [...line.mints]
    if (line.kind === 'mints') columns.push(...line.mints)
    if (line.kind === 'header' || line.kind === 'mints') addAll(mints, line)
    if (line.kind === 'contest') contests.push(line)
    if (line.kind !== 'prices') continue
    const { at } = line
    ticks += 1
    ;[from, until] = [Math.min(from, at), Math.max(until, at)]
    for (const [column, price] of line.prices.entries()) {
      const mint = columns[column]
      if (price === null || mint === undefined) continue
      spans.set(mint, { from: spans.get(mint)?.from ?? at, until: at })
      const counts = steps.get(mint) ?? new StepCounts()
      steps.set(mint, counts)
      counts.add(at)
    }
  }
  if (ticks === 0)
    throw new CornermanError('LOG_NOT_IMPORTED', `${path} has no prices to extend: import the files by themselves, with --out`)
  const stepMs = Math.max(...[...steps.values()].map((counts) => counts.usual()))
  return { path, mints: [...mints], ticks, from, until, stepMs, spans, contests }
}

/** The prices of a log that `openImportedLog` has read. */
export function* rowsOfLog({ path, mints }: ImportedLog, onProgress?: OnProgress): Generator<LogRow> {
  let columns: number[] = []
  const placesOf = (named: readonly Mint[]) => named.map((mint) => mints.indexOf(mint))
  for (const { line } of readLog(path, { onProgress })) {
    if (line.kind === 'header') columns = placesOf(line.mints)
    if (line.kind === 'mints') columns.push(...placesOf(line.mints))
    if (line.kind !== 'prices') continue
    const prices = new Array<Price | null>(mints.length).fill(null)
    for (const [column, price] of line.prices.entries()) {
      const place = columns[column]
      if (place !== undefined) prices[place] = price
    }
    yield { at: line.at, prices }
  }
}

const addAll = (mints: Set<Mint>, line: Pick<MintsLine, 'mints'>): void => {
  for (const mint of line.mints) mints.add(mint)
}

const notImported = (file: string, bot: string): CornermanError =>
  new CornermanError(
    'LOG_NOT_IMPORTED',
    `${file} was recorded by ${bot}, not made by logs import: it is extended by recording on; import the files into a log of their own, with --out, and name both to backtest`,
    { details: { file } },
  )
