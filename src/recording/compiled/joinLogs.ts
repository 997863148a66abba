import { countUpTo } from '../../core/countUpTo.ts'
import type { Mint } from '../../core/tokens.ts'
import type { CompiledLog, OtherLine, PriceColumn } from './compiledPrices.ts'

/** The rows of one log's column that count, and what its ticks are moved by. */
interface Part {
  readonly column: PriceColumn
  readonly from: number
  readonly shift: number
}

/**
 * Several logs as one, their prices by time. What a log says of prices at a time that one before it covers is left out.
 * The order in which they are named makes no difference.
 */
export function joinLogs(named: readonly CompiledLog[]): CompiledLog {
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return only
  const logs = byBeginning(named)
  const inOrder = logs.filter(({ tickCount }) => tickCount > 0).toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0))
  const parts = new Map<Mint, Part[]>()
  const at: Float64Array[] = []
  const known: Float64Array[] = []
  let tickCount = 0
  let coveredUntil = Number.NEGATIVE_INFINITY
  for (const log of inOrder) {
    const skipped = countUpTo(log.at, coveredUntil)
    if (skipped === log.tickCount) continue
    for (const mint of log.mints) {
      const column = log.of(mint)
      if (column === undefined) continue
      const part = { column, from: countUpTo(column.ticks, skipped), shift: tickCount - skipped }
      if (part.from < column.ticks.length) parts.set(mint, [...(parts.get(mint) ?? []), part])
    }
    at.push(log.at.subarray(skipped))
    known.push(log.known.subarray(skipped))
    tickCount += log.tickCount - skipped
    coveredUntil = log.at.at(-1) ?? coveredUntil
  }
  const columns = new Map([...parts].map(([mint, those]) => [mint, joinColumn(those)]))
  return {
    ...{ mints: [...columns.keys()], tickCount, at: joined(at), known: joined(known) },
    of: (mint) => columns.get(mint),
    others: () => othersOf(logs),
  }
}

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
  const length = parts.reduce((sum, { column, from }) => sum + column.ticks.length - from, 0)
  const ticks = new Int32Array(length)
  const values = new Float64Array(length)
  const starts: number[] = []
  let start = 0
  for (const { column, from, shift } of parts) {
    starts.push(start)
    values.set(column.values.subarray(from), start)
    for (let row = from; row < column.ticks.length; row++) ticks[start++] = (column.ticks[row] ?? 0) + shift
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
