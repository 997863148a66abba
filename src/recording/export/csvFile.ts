import { join } from 'node:path'
import { bufferedFile } from '../bufferedFile.ts'
import type { Row, TableFile, TableShape } from './tables.ts'

/** A table as CSV (RFC 4180, with a header). Numbers that have their exact text beside them are left out. */
export function csvFile(folder: string, { name, columns }: TableShape): TableFile {
  const kept = Object.entries(columns).flatMap(([column, type], index) => (type === 'number' ? [] : [{ column, index }]))
  const file = bufferedFile(join(folder, `${name}.csv`), 'wx')
  file.write(`${kept.map(({ column }) => column).join(',')}\n`)
  return { ...file, write: (row: Row) => file.write(`${kept.map(({ index }) => field(row[index] ?? '')).join(',')}\n`) }
}

const field = (value: string | number): string =>
  typeof value === 'string' && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value)
