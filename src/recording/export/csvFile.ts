import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row, TableFile, TableShape } from './tables.ts'

const BUFFERED_CHARACTERS = 256 * 1024

/** A table as CSV (RFC 4180, with a header). Numbers that have their exact text beside them are left out. */
export function csvFile(folder: string, { name, columns }: TableShape): TableFile {
  const path = join(folder, `${name}.csv`)
  const kept = Object.entries(columns).flatMap(([column, type], index) => (type === 'number' ? [] : [{ column, index }]))
  const descriptor = openSync(path, 'wx')
  let buffered = `${kept.map(({ column }) => column).join(',')}\n`
  const flush = () => {
    writeFileSync(descriptor, buffered)
    buffered = ''
  }
  return {
    path,
    write(row: Row) {
      buffered += `${kept.map(({ index }) => field(row[index] ?? '')).join(',')}\n`
      if (buffered.length >= BUFFERED_CHARACTERS) flush()
    },
    close() {
      flush()
      closeSync(descriptor)
    },
    discard() {
      closeSync(descriptor)
      rmSync(path)
    },
  }
}

const field = (value: string | number): string =>
  typeof value === 'string' && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value)
