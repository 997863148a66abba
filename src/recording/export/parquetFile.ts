import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ColumnSource, fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { ColumnType, Row, TableFile, TableShape } from './tables.ts'

/** Rows that are kept in memory, and written together. */
const GROUP_ROWS = 100_000

const PARQUET = {
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  count: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<ColumnType, object>

/** A table as Parquet: times are UTC timestamps in milliseconds. */
export function parquetFile(folder: string, { name, columns }: TableShape): TableFile {
  const path = join(folder, `${name}.parquet`)
  const shape = Object.entries(columns)
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: 'root', num_children: shape.length },
      ...shape.map(([column, type]) => ({ name: column, repetition_type: 'OPTIONAL' as const, ...PARQUET[type] })),
    ],
  })
  let rows: Row[] = []
  const flush = () => {
    void writer.write({
      columnData: shape.map(([column, type], index) =>
        columnOf(
          column,
          type,
          rows.map((row) => row[index] ?? null),
        ),
      ),
    })
    rows = []
  }
  return {
    path,
    write(row) {
      if (rows.push(row) >= GROUP_ROWS) flush()
    },
    close() {
      flush()
      void writer.finish()
    },
    discard() {
      void writer.finish()
      rmSync(path, { force: true })
    },
  }
}

const columnOf = (name: string, type: ColumnType, values: Row): ColumnSource => ({
  name,
  data: type === 'count' ? values.map((value) => (value === null ? null : BigInt(value))) : [...values],
})
