import type { TokenFacts } from '../../core/tokenFacts.ts'
import { inputOf } from '../../pipeline/index.ts'
import type { HeaderLine, OnProgress } from '../../recording/index.ts'
import { type CompiledPrices, compileLog, usualStep } from '../../recording/tables.ts'
import { ContestNotes } from './contestNotes.ts'
import { type LiveContest, LiveContests } from './liveContests.ts'
import { News } from './news.ts'
import type { Opportunity } from './opportunity.ts'
import { type Pause, PauseFinder } from './pauses.ts'
import { type RealmSpan, RealmSpans } from './realmSpans.ts'
import { type OwnEntries, RecordedEntries } from './recordedEntries.ts'
import { Samples } from './samples.ts'
import { TokenNotes } from './tokenNotes.ts'

/** Recorded logs, as a backtest plays on them. */
export interface LogData {
  readonly paths: readonly string[]
  /** Whose time it is, log by log: of one that goes from realm to realm, each stretch. */
  readonly spans: readonly RealmSpan[]
  readonly prices: CompiledPrices
  /** What the recorded bots entered, by bot. */
  readonly entered: ReadonlyMap<string, OwnEntries>
  /** In the order in which they opened. */
  readonly opportunities: readonly Opportunity[]
  readonly samples: Samples
  /** What was last known of tokens beside the table. */
  readonly tokens: readonly TokenFacts[]
  /** What their contests really came to, by bot. */
  readonly live: ReadonlyMap<string, readonly LiveContest[]>
  /** Of which it says nothing, in the order of time. */
  readonly pauses: readonly Pause[]
  /** The usual time between two prices, in milliseconds. */
  readonly stepMs: number
  /** Whether all of it was made of price files: nobody played, and a bot's feed was never asked. */
  readonly isImported: boolean
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
  const live = new LiveContests()
  const entered = new RecordedEntries()
  const pauses = new PauseFinder(prices)
  let [firstAt, lastAt] = [prices.known[0] ?? Number.POSITIVE_INFINITY, prices.known.at(-1) ?? Number.NEGATIVE_INFINITY]
  const sources = new Set<HeaderLine['source']>()
  const news = new News()
  const tokens = new TokenNotes()
  const spans = new RealmSpans()
  const lines = prices.parts.values().flatMap((part) => {
    spans.enter(part.until)
    return part.others()
  })
  for (const line of lines) {
    if (!news.has(line)) continue
    if (line.kind === 'header') {
      sources.add(line.source)
      spans.onHeader(line)
      notes.onHeader(line)
      samples.onHeader(line)
      live.onHeader(line)
      entered.onHeader(line)
    }
    if (line.kind === 'contest') notes.onContest(line)
    if (line.kind === 'output') {
      samples.onOutput(line)
      entered.onOutput(line)
    }
    if (line.kind !== 'input') continue
    pauses.hear(line.at)
    if (line.type === 'tokens') tokens.hear(line)
    if (!TELLING.has(line.type)) continue
    firstAt = Math.min(firstAt, line.at)
    lastAt = Math.max(lastAt, line.at)
    const input = inputOf(line, line)
    notes.onInput(input)
    samples.onInput(input)
    live.onInput(input)
  }
  return {
    paths,
    spans: spans.all(),
    prices,
    opportunities: notes.opportunities(),
    samples,
    tokens: tokens.facts,
    live: live.all(),
    entered: entered.all(),
    pauses: pauses.pauses(),
    stepMs: usualStep(prices.known),
    isImported: sources.size === 1 && sources.has('import'),
    firstAt,
    lastAt: Math.min(lastAt, pauses.endsAt()),
  }
}
