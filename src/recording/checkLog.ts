import type { Mint } from '../core/tokens.ts'
import type { LogProblem } from './logError.ts'
import { type Outlier, OutlierFinder } from './outlierFinder.ts'
import { type ReadPrices, readPricesOf } from './pricesLine.ts'
import { type OnProgress, scanLog } from './scanLog.ts'
import { type HolesFound, MOST_LISTED, StepCounts } from './stepCounts.ts'

/** The prices of a token in a log or a file, and what a backtest on them should know. */
export interface SeriesReport {
  readonly mint: Mint
  readonly prices: number
  /** Unix milliseconds of the first and the last. */
  readonly from: number
  readonly until: number
  /** Usual time between two, in milliseconds. */
  readonly periodMs: number
  readonly holes: HolesFound
  /** Times at which it has two prices; of a file they are the file's. */
  readonly duplicates?: { readonly count: number; readonly listed: readonly number[] }
  /** Prices of ten times their neighbours, or a tenth. */
  readonly outliers: { readonly count: number; readonly listed: readonly Outlier[] }
}

export interface LogReport {
  /** Everything that is wrong with the log, in its order; also a last line that a crash cut off, which `readLog` forgives. */
  readonly problems: readonly LogProblem[]
  /** By token, in the order of its columns. Nothing that is found in them is wrong with the log. */
  readonly series: readonly SeriesReport[]
}

/** Goes through a log, and says what is wrong with it and what its prices are like. */
export function examineLog(log: string, onProgress?: OnProgress): LogReport {
  const problems: LogProblem[] = []
  const series = new Map<Mint, SeriesExam>()
  let columns: SeriesExam[] = []
  const examsOf = (mints: readonly Mint[]) =>
    mints.map((mint) => {
      const exam = series.get(mint) ?? new SeriesExam(mint)
      series.set(mint, exam)
      return exam
    })
  const onPrices = (prices: ReadPrices) => {
    for (let column = 0; column < prices.count; column++) columns[column]?.add(prices, column)
  }
  for (const { line, problem } of scanLog(log, { onPrices, onProgress })) {
    if (problem !== undefined) problems.push(problem)
    if (line?.kind === 'header') columns = examsOf(line.mints)
    else if (line?.kind === 'mints') columns.push(...examsOf(line.mints))
    else if (line?.kind === 'prices' && problem === undefined) onPrices(readPricesOf(line))
  }
  return { problems, series: [...series.values()].filter(({ isEmpty }) => !isEmpty).map((exam) => exam.finish()) }
}

/** Everything that is wrong with a log, in its order; also a last line that a crash cut off, which `readLog` forgives. */
export const checkLog = (log: string, onProgress?: OnProgress): readonly LogProblem[] => examineLog(log, onProgress).problems

class SeriesExam {
  readonly #mint: Mint
  readonly #steps = new StepCounts()
  readonly #outliers: Outlier[] = []
  readonly #duplicates: number[] = []
  readonly #finder = new OutlierFinder((outlier) => {
    this.#outlierCount += 1
    if (this.#outliers.length < MOST_LISTED) this.#outliers.push(outlier)
  })
  #outlierCount = 0
  #duplicateCount = 0
  #prices = 0
  #from = 0
  #until = Number.NEGATIVE_INFINITY

  constructor(mint: Mint) {
    this.#mint = mint
  }

  get isEmpty(): boolean {
    return this.#prices === 0
  }

  /** Takes the price that a line has of its column, if it has one. Times that go back are a problem of the log. */
  add(line: ReadPrices, column: number): void {
    const at = line.known ?? line.at
    const price = line.text(column)
    if (price === null || at < this.#until) return
    this.#prices += 1
    if (at === this.#until) {
      this.#duplicateCount += 1
      if (this.#duplicates.length < MOST_LISTED) this.#duplicates.push(at)
      return
    }
    if (this.#prices === 1) this.#from = at
    this.#until = at
    this.#steps.add(at)
    const value = line.value(column)
    this.#finder.add({ at, price }, Number.isNaN(value) ? undefined : value)
  }

  finish(): SeriesReport {
    this.#finder.finish()
    const periodMs = this.#steps.usual()
    return {
      ...{ mint: this.#mint, prices: this.#prices, from: this.#from, until: this.#until, periodMs },
      holes: this.#steps.holes(periodMs),
      duplicates: { count: this.#duplicateCount, listed: this.#duplicates },
      outliers: { count: this.#outlierCount, listed: this.#outliers },
    }
  }
}
