import { type LogData, type Opportunity, samplesBefore } from '../backtest/index.ts'
import { countUpTo } from '../core/countUpTo.ts'
import { CornermanError } from '../core/error.ts'
import type { Mint } from '../core/tokens.ts'
import { type CompiledPrices, type PriceColumn, usualStep } from '../recording/tables.ts'

// The one place that knows of what is sealed and of what is not: everything else is handed what it may see.

/**
 * What the logs say before a time, as if they ended there. Columns are copies: behind none of them does the rest of the log stand. Contests
 * that are not over by then are left out. What tokens are (decimals, program) is told whenever it was learnt: it is one thing for ever.
 *
 * @param until Unix milliseconds: the first moment that is not seen
 */
export function view(data: LogData, until: number): LogData {
  const prices = pricesBefore(data.prices, until)
  const cut = data.pauses.find(({ from, to }) => from < until && to >= until)
  // Field by field: what a log comes to have besides must not slip through.
  return {
    paths: data.paths,
    spans: data.spans.flatMap((span) => (span.from < until ? [{ ...span, to: Math.min(span.to, until - 1) }] : [])),
    prices,
    entered: new Map([...data.entered].map(([bot, own]) => [bot, { ...own, entries: own.entries.filter(({ at }) => at < until) }])),
    opportunities: data.opportunities
      .filter((opportunity) => endOf(opportunity) < until)
      .map((opportunity) => withoutFacts(opportunity, until)),
    samples: samplesBefore(data.samples, until),
    tokens: data.tokens,
    live: new Map([...data.live].map(([bot, contests]) => [bot, contests.filter(({ toldAt }) => toldAt < until)])),
    pauses: data.pauses.filter(({ to }) => to < until),
    stepMs: usualStep(prices.known),
    isImported: data.isImported,
    firstAt: Math.min(data.firstAt, until - 1),
    lastAt: Math.min(data.lastAt, until - 1, cut?.from ?? Number.POSITIVE_INFINITY),
  }
}

/**
 * Holds a play to the time before a seal.
 *
 * @param boundary Unix milliseconds at which the seal begins
 * @param until when entries end, and `tailMs` how long what was entered may be played on
 * @throws CornermanError `LOG_SEALED`
 */
export function expectBefore(boundary: number, until: number, tailMs: number): void {
  if (until + tailMs <= boundary) return
  const iso = (at: number) => new Date(at).toISOString()
  throw new CornermanError(
    'LOG_SEALED',
    `a play of entries up to ${iso(until)} and ${tailMs / 1000} s more would reach into the contests that are sealed from ${iso(boundary)} on`,
    { details: { boundary, until, tailMs } },
  )
}

/** A contest begins a while after it has locked, and a log does not say how long. */
const MOST_LEAD_MS = 60_000

/** When a contest was over, at the latest. */
function endOf({ openAt, joinBy, lockedAt, ranMs, durationSec }: Opportunity): number {
  return Math.max(openAt, joinBy ?? 0, (lockedAt ?? openAt) + MOST_LEAD_MS + (ranMs ?? durationSec * 1000))
}

const withoutFacts = (opportunity: Opportunity, until: number): Opportunity => ({
  ...opportunity,
  facts: opportunity.facts.filter(({ at }) => at < until),
})

function pricesBefore(prices: CompiledPrices, until: number): CompiledPrices {
  // A price may be known before the bot learnt of it, and never after.
  const tickCount = countUpTo(prices.at, until - 1)
  const columns = new Map<Mint, PriceColumn>()
  for (const mint of prices.mints) {
    const column = prices.of(mint)
    const rows = column === undefined ? 0 : countUpTo(column.ticks, tickCount)
    if (column !== undefined && rows > 0) columns.set(mint, columnBefore(column, rows))
  }
  return {
    ...{ mints: [...columns.keys()], tickCount, at: prices.at.slice(0, tickCount), known: prices.known.slice(0, tickCount) },
    of: (mint) => columns.get(mint),
  }
}

function columnBefore(column: PriceColumn, rows: number): PriceColumn {
  return {
    ticks: column.ticks.slice(0, rows),
    values: column.values.slice(0, rows),
    text: (row) => (row < rows ? column.text(row) : ''),
  }
}
