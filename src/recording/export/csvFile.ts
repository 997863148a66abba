import { join } from 'node:path'
import { csvLine } from '../../core/csvLine.ts'
import { bufferedFile } from '../bufferedFile.ts'
import type { Row, TableFile, TableShape } from './tables.ts'

/** A table as CSV (RFC 4180, with a header). Numbers that have their exact text beside them are left out. */
export function csvFile(folder: string, { name, columns }: TableShape): TableFile {
  const kept = Object.entries(columns).flatMap(([column, type], index) => (type === 'number' ? [] : [{ column, index }]))
  const file = bufferedFile(join(folder, `${name}.csv`), 'wx')
  file.write(`${csvLine(kept.map(({ column }) => column))}\n`)
  return { ...file, write: (row: Row) => file.write(`${csvLine(kept.map(({ index }) => row[index] ?? undefined))}\n`) }
}
