import { compilePath, isRecord, type PathStart, pathOf, valueAt } from './path.ts'
import type { Shapes } from './shapes.ts'

/** Names the service has for the bot, as far as they are known: its entry is another in each contest. */
export interface OwnIds {
  readonly agentId?: string | undefined
  readonly userId?: string | undefined
  readonly handle?: string | undefined
  readonly entryId?: string | undefined
}

type Start = Pick<PathStart, 'record' | 'wrapper'>

/** What finds the bot's own row in a record, and in any list of rows. */
export interface OwnRow {
  own(start: Start, ids: OwnIds): unknown
  /** @param start the record in which the rows are: it may say which seat is ours */
  ownRow(rows: unknown, ids: OwnIds, start: Start): unknown
}

const NONE: OwnRow = { own: () => undefined, ownRow: () => undefined }

/** Never by a position that the service does not name. */
export function compileOwn(own: Shapes['own']): OwnRow {
  if (own === undefined) return NONE
  if ('seat' in own) return bySeat(own)
  const at = own.at === undefined ? undefined : pathOf(own.at)
  const ownRow = 'by' in own ? byIds(own.by) : NONE.ownRow
  const rows = 'rows' in own ? pathOf(own.rows) : undefined
  return {
    own(start, ids) {
      const object = at === undefined ? undefined : valueAt(at, start)
      if (object !== undefined && object !== null) return object
      return rows === undefined ? object : ownRow(valueAt(rows, start), ids, start)
    },
    ownRow,
  }
}

/** The one row that has one of our names at one of these paths; of several none. */
function byIds(by: Readonly<Record<string, keyof OwnIds | true>>): OwnRow['ownRow'] {
  const paths = Object.entries(by).map(([path, kind]) => ({
    isKey: path === '$key',
    at: compilePath(path === '$key' ? [] : pathOf(path)),
    kind,
  }))
  const isOurs = (key: string, row: unknown, ids: OwnIds): boolean => {
    for (const { isKey, at, kind } of paths) {
      const value = isKey ? key : at({ record: row })
      if (kind === true ? value === true : value !== undefined && value === ids[kind]) return true
    }
    return false
  }
  return (rows, ids) => {
    if (!isRecord(rows)) return undefined
    let found: unknown
    let count = 0
    for (const key of Object.keys(rows)) {
      if (!isOurs(key, rows[key], ids)) continue
      found = rows[key]
      count += 1
    }
    return count === 1 ? found : undefined
  }
}

/** The record says the number of our seat: the row that has it under the same key, or the one that stands there, counted from 0. */
function bySeat({ rows, seat }: { readonly rows: string; readonly seat: string }): OwnRow {
  const [rowSteps, seatSteps] = [pathOf(rows), pathOf(seat)]
  const last = seatSteps.at(-1)
  const key = last?.into === 'key' ? last.key : undefined
  const ownRow: OwnRow['ownRow'] = (list, _ids, start) => {
    const number = valueAt(seatSteps, start)
    if (!Array.isArray(list) || typeof number !== 'number') return undefined
    const numbered = list.filter((row) => isRecord(row) && key !== undefined && typeof row[key] === 'number')
    return numbered.length === list.length ? numbered.find((row) => isRecord(row) && row[key as string] === number) : list[number]
  }
  return { own: (start, ids) => ownRow(valueAt(rowSteps, start), ids, start), ownRow }
}
