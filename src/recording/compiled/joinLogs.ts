import { countUpTo } from '../../core/countUpTo.ts'
import type { Mint } from '../../core/tokens.ts'
import type { CompiledLog, OtherLine, PriceColumn } from './compiledPrices.ts'
import { leastPauseMs } from './steps.ts'

/** The rows of one log's column that count, up to the last of them, and what its ticks are moved by. */
interface Part {
  readonly column: PriceColumn
  readonly from: number
  readonly to: number
  readonly shift: number
}

/** Ticks of one log without a pause between them, from the first up to the last. */
interface Stretch {
  readonly log: CompiledLog
  readonly first: number
  readonly last: number
}

/**
 * Several logs as one, their prices by time. What a log says of prices at a time of which one that began to speak before it speaks, too, is left out;
 * in a pause of that one it counts. The order in which they are named makes no difference.
 */
export function joinLogs(named: readonly CompiledLog[]): CompiledLog {
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return only
  const logs = byBeginning(named)
  const stretches = logs.flatMap(stretchesOf).toSorted((a, b) => beginOf(a) - beginOf(b))
  const parts = new Map<Mint, Part[]>()
  const at: Float64Array[] = []
  const known: Float64Array[] = []
  let tickCount = 0
  let coveredUntil = Number.NEGATIVE_INFINITY
  for (const { log, first, last } of stretches) {
    const skipped = Math.max(first - 1, countUpTo(log.at, coveredUntil))
    if (skipped >= last) continue
    for (const mint of log.mints) {
      const column = log.of(mint)
      if (column === undefined) continue
      const part = { column, from: countUpTo(column.ticks, skipped), to: countUpTo(column.ticks, last), shift: tickCount - skipped }
      if (part.from < part.to) parts.set(mint, [...(parts.get(mint) ?? []), part])
    }
    at.push(log.at.subarray(skipped, last))
    known.push(log.known.subarray(skipped, last))
    tickCount += last - skipped
    coveredUntil = log.at[last - 1] ?? coveredUntil
  }
  const columns = new Map([...parts].map(([mint, those]) => [mint, joinColumn(those)]))
  return {
    ...{ mints: [...columns.keys()], tickCount, at: joined(at), known: joined(known) },
    of: (mint) => columns.get(mint),
    parts: logs.flatMap(({ parts }) => parts),
    others: () => othersOf(logs),
  }
}

function stretchesOf(log: CompiledLog): Stretch[] {
  const { known, tickCount } = log
  const pauseMs = leastPauseMs(known)
  const stretches: Stretch[] = []
  let first = 1
  for (let tick = 1; tick <= tickCount; tick++) {
    const isLast = tick === tickCount || (known[tick] ?? 0) - (known[tick - 1] ?? 0) > pauseMs
    if (!isLast) continue
    stretches.push({ log, first, last: tick })
    first = tick + 1
  }
  return stretches
}

const beginOf = ({ log, first }: Stretch): number => log.at[first - 1] ?? 0

/** By the time of their first lines; of those that are equal, by whose they are. */
function byBeginning(logs: readonly CompiledLog[]): CompiledLog[] {
  return logs
    .map((log) => ({ log, ...beginningOf(log) }))
    .toSorted((a, b) => a.at - b.at || (a.whose < b.whose ? -1 : 1))
    .map(({ log }) => log)
}

function beginningOf(log: CompiledLog): { readonly at: number; readonly whose: string } {
  for (const line of log.others()) {
    if (line.kind === 'header') return { at: line.at, whose: `${line.bot} ${line.run} ${line.segment}` }
  }
  return { at: Number.POSITIVE_INFINITY, whose: '' }
}

function* othersOf(logs: readonly CompiledLog[]): Generator<OtherLine> {
  for (const log of logs) yield* log.others()
}

function joinColumn(parts: readonly Part[]): PriceColumn {
  const length = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const ticks = new Int32Array(length)
  const values = new Float64Array(length)
  const starts: number[] = []
  let start = 0
  for (const { column, from, to, shift } of parts) {
    starts.push(start)
    values.set(column.values.subarray(from, to), start)
    for (let row = from; row < to; row++) ticks[start++] = (column.ticks[row] ?? 0) + shift
  }
  return {
    ticks,
    values,
    text(row) {
      const index = starts.findLastIndex((first) => first <= row)
      const part = parts[index]
      return part === undefined ? '' : part.column.text(part.from + row - (starts[index] ?? 0))
    },
  }
}

function joined(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0))
  let start = 0
  for (const column of columns) {
    all.set(column, start)
    start += column.length
  }
  return all
}
