import type { ContestRow } from '../../watch/views.ts'

/** What contests are sorted by; the first click has the greatest on top, or the first of the alphabet. */
export const SORTS = {
  contest: { of: ({ mode = '' }) => mode, first: 1 },
  when: { of: ({ settledAt, startsAt }) => settledAt ?? startsAt ?? Number.POSITIVE_INFINITY, first: -1 },
  stake: { of: ({ stake }) => BigInt(stake ?? -1), first: -1 },
  profit: { of: ({ profit }) => (profit === undefined ? undefined : BigInt(profit)), first: -1 },
} as const satisfies Readonly<Record<string, { of: (row: ContestRow) => string | number | bigint | undefined; first: 1 | -1 }>>
export type SortKey = keyof typeof SORTS

export interface Shown {
  /** Undefined: all of them. */
  readonly mode: string | undefined
  readonly strategy: string | undefined
  /** A phase, or the result of what was settled. */
  readonly state: string | undefined
  readonly sort: SortKey
  readonly isReversed: boolean
}

/** How a contest stands, as one asks for it: its result once it has one. */
export const stateOf = ({ phase, result }: ContestRow): string => result ?? phase

/** The contests that are wanted, in the order that is wanted; what has no such figure comes last either way. */
export function contestsShown(rows: readonly ContestRow[], { mode, strategy, state, sort, isReversed }: Shown): readonly ContestRow[] {
  const { first } = SORTS[sort]
  const of: (row: ContestRow) => string | number | bigint | undefined = SORTS[sort].of
  const sign = isReversed ? -first : first
  return rows
    .filter(
      (row) =>
        (mode === undefined || row.mode === mode) &&
        (strategy === undefined || row.strategy === strategy) &&
        (state === undefined || stateOf(row) === state),
    )
    .toSorted((one, other) => {
      const [a, b] = [of(one), of(other)]
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
      return a === b ? 0 : a < b ? -sign : sign
    })
}
