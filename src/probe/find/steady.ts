import type { PlaceSource } from '../../contract/shapes/shapes.ts'
import { type Cell, columnsOf, groupBy, type Sample } from './seen.ts'
import { show } from './values.ts'

// Places whose value stays as it is for each contest: ids, tokens, and times that are known at the lock.

/** A place, and its one value in each contest. */
export interface Steady<T> {
  readonly source: PlaceSource
  readonly path: string
  readonly byContest: ReadonlyMap<string, T>
  readonly cells: readonly Cell[]
  /** In how many answers it stood. */
  readonly seen: number
}

export interface Column {
  readonly source: PlaceSource
  readonly path: string
  readonly cells: readonly Cell[]
}

export const columnsIn = (samples: readonly Sample[]): Column[] =>
  [...groupBy(samples, ({ source }) => source)].flatMap(([source, group]) =>
    [...columnsOf(group)].map(([path, cells]) => ({ source: source as PlaceSource, path, cells })),
  )

/**
 * The columns that have one value for each contest, or none; a column that changes within a contest is left out.
 *
 * @param read undefined of what is no such value at all, null of what says that there is none
 */
export function steadyIn<T>(columns: readonly Column[], read: (value: unknown, cell: Cell) => T | null | undefined): Steady<T>[] {
  return columns.flatMap(({ source, path, cells }) => {
    const byContest = new Map<string, T>()
    let seen = 0
    for (const cell of cells) {
      const { value, sample } = cell
      if (value === undefined || value === null || sample.id === undefined) continue
      const said = read(value, cell)
      if (said === undefined) return []
      if (said === null) continue
      if (byContest.has(sample.id) && show(byContest.get(sample.id)) !== show(said)) return []
      byContest.set(sample.id, said)
      seen += 1
    }
    return seen === 0 ? [] : [{ source, path, byContest, cells, seen }]
  })
}

export const saysOf = <T>(byContest: ReadonlyMap<string, T>): ReadonlyMap<string, string> =>
  new Map([...byContest].map(([contest, value]) => [contest, show(value)]))
