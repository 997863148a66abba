import { type Cell, groupBy } from './seen.ts'
import { isIso } from './values.ts'

// The unit of a time is of the whole series of answers: what is left in its last second in milliseconds looks like seconds, and at zero it stands still.

export type TimeUnit = 'iso' | 'ms' | 's' | 'leftMs' | 'leftSec'

const LEAST_SEC = 1e9
const LEAST_MS = 1e11
const MOST_MS = 1e14
const LEAST_FALLING = 3

const countOf = (value: unknown): number | undefined => {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return typeof value === 'string' && /^\d{1,14}$/.test(value) ? Number(value) : undefined
}

/** In which unit a series of values is a time; undefined where it is none, or where that cannot be told. */
export function unitOf(cells: readonly Cell[]): TimeUnit | undefined {
  const filled = cells.filter(({ value }) => value !== undefined && value !== null)
  if (filled.length === 0) return undefined
  if (filled.every(({ value }) => isIso(value))) return 'iso'
  const counts = filled.map(({ value }) => countOf(value))
  if (counts.some((count) => count === undefined)) return undefined
  const all = counts as readonly number[]
  if (all.every((count) => count >= LEAST_MS && count < MOST_MS)) return 'ms'
  if (all.every((count) => count >= LEAST_SEC && count < LEAST_MS)) return 's'
  return all.every((count) => count < LEAST_SEC) ? leftUnitOf(filled) : undefined
}

/** Time left falls with the clock: what an answer says is one instant throughout, in the one unit or in the other. */
function leftUnitOf(cells: readonly Cell[]): TimeUnit | undefined {
  const runs = [...groupBy(cells, ({ sample }) => sample.id).values()].flatMap(fallingRuns)
  const long = runs.filter((run) => run.length >= LEAST_FALLING)
  if (long.length === 0) return undefined
  const fits = (unit: TimeUnit) => long.filter((run) => isSteady(run, unit)).length
  const [ms, sec] = [fits('leftMs'), fits('leftSec')]
  if (ms > 0 && ms === long.length && ms > sec) return 'leftMs'
  return sec > 0 && sec === long.length && sec > ms ? 'leftSec' : undefined
}

/** Readings of one contest in a row, each less than the one before and more than none. */
function fallingRuns(cells: readonly Cell[]): Cell[][] {
  const runs: Cell[][] = [[]]
  for (const cell of cells) {
    const [count, run] = [countOf(cell.value) ?? 0, runs.at(-1) ?? []]
    const last = run.at(-1)
    const isSame = last !== undefined && last.sample.at === cell.sample.at
    if (isSame) continue
    if (count <= 0) runs.push([])
    else if (last === undefined || count < (countOf(last.value) ?? 0)) run.push(cell)
    else runs.push([cell])
  }
  return runs
}

const SLACK_MS = { leftMs: 700, leftSec: 1500 } as const

function isSteady(run: readonly Cell[], unit: TimeUnit): boolean {
  const instants = run.map(({ sample, value }) => instantOf(value, unit, sample.at) ?? Number.NaN)
  const slack = SLACK_MS[unit as 'leftMs']
  const span = Math.max(...instants) - Math.min(...instants)
  const passed = (run.at(-1)?.sample.at ?? 0) - (run[0]?.sample.at ?? 0)
  return span <= slack && passed >= 1500
}

/** Unix milliseconds of a value that was in an answer of `at`; undefined where it says none, or that none is left. */
export function instantOf(value: unknown, unit: TimeUnit, at: number): number | undefined {
  if (unit === 'iso') {
    const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(parsed) ? undefined : parsed
  }
  const count = countOf(value)
  if (count === undefined) return undefined
  if (unit === 'ms') return count
  if (unit === 's') return count * 1000
  if (count <= 0) return undefined
  return at + (unit === 'leftMs' ? count : count * 1000)
}

/** What an instant in this unit may be off by, in milliseconds. */
export const slackOf = (unit: TimeUnit, graceMs: number): number => {
  switch (unit) {
    case 'iso':
    case 'ms':
      return 1
    case 's':
      return 1000
    case 'leftMs':
      return 300 + graceMs
    case 'leftSec':
      return 1300 + graceMs
  }
}
