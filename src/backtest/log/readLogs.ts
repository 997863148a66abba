import { inputOf } from '../../pipeline/index.ts'
import type { OnProgress } from '../../recording/index.ts'
import { type CompiledPrices, compileLog, usualStep } from '../../recording/tables.ts'
import { ContestNotes } from './contestNotes.ts'
import { News } from './news.ts'
import type { Opportunity } from './opportunity.ts'
import { type Pause, PauseFinder } from './pauses.ts'
import { Samples } from './samples.ts'

/** Recorded logs, as a backtest plays on them. */
export interface LogData {
  readonly paths: readonly string[]
  readonly prices: CompiledPrices
  /** In the order in which they opened. */
  readonly opportunities: readonly Opportunity[]
  readonly samples: Samples
  /** Of which it says nothing, in the order of time. */
  readonly pauses: readonly Pause[]
  /** The usual time between two prices, in milliseconds. */
  readonly stepMs: number
  /** Unix milliseconds of the first thing that the bots heard of, and of the last. */
  readonly firstAt: number
  readonly lastAt: number
}

/** Inputs that say something of contests, delays or terms. */
const TELLING: ReadonlySet<string> = new Set(['event', 'answer', 'outcome', 'quoted', 'landing'])

/** @throws LogError at the first thing that is wrong with a log */
export function readLogs(paths: readonly string[], onProgress?: OnProgress): LogData {
  const prices = compileLog(paths, { onProgress })
  const notes = new ContestNotes()
  const samples = new Samples()
  const pauses = new PauseFinder(prices)
  let [firstAt, lastAt] = [prices.known[0] ?? Number.POSITIVE_INFINITY, prices.known.at(-1) ?? Number.NEGATIVE_INFINITY]
  const news = new News()
  for (const line of prices.others()) {
    if (!news.has(line)) continue
    if (line.kind === 'header') {
      notes.onHeader(line)
      samples.onHeader(line)
    }
    if (line.kind === 'contest') notes.onContest(line)
    if (line.kind === 'output') samples.onOutput(line)
    if (line.kind !== 'input') continue
    pauses.hear(line.at)
    if (!TELLING.has(line.type)) continue
    firstAt = Math.min(firstAt, line.at)
    lastAt = Math.max(lastAt, line.at)
    const input = inputOf(line, line)
    notes.onInput(input)
    samples.onInput(input)
  }
  return {
    paths,
    prices,
    opportunities: notes.opportunities(),
    samples,
    pauses: pauses.pauses(),
    stepMs: usualStep(prices.known),
    firstAt,
    lastAt: Math.min(lastAt, pauses.endsAt()),
  }
}
