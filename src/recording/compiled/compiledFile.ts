import { existsSync, readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { makeTable, makeVector, type RecordBatch, RecordBatchReader, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import { invariant } from '../../core/error.ts'
import type { Mint } from '../../core/tokens.ts'
import { writeWhole } from '../segments.ts'
import type { StoredColumn, StoredLog, StoredTexts } from './compiledPrices.ts'

// A compiled file is Arrow IPC streams, one after another: the ticks (`at`, `known`), the tokens (`mint`), the lines that
// are not prices (`line`), and for each token in that order its prices (`tick`, `value`) and its odd texts (`row`, `text`).
// Behind them stands the CRC-32 of all that, eight hexadecimal digits: a cache that was damaged must not be believed.

/** Part of the name of every compiled file: raised when the layout changes. */
export const COMPILED_VERSION = 2

const CHECKSUM_BYTES = 8

const textOfChecksum = (checksum: number): string => checksum.toString(16).padStart(CHECKSUM_BYTES, '0')

export function writeCompiled(file: string, stored: StoredLog): void {
  let checksum = 0
  const parts = function* (): Generator<Uint8Array> {
    for (const table of tablesOf(stored)) {
      const part = tableToIPC(table, 'stream')
      checksum = crc32(part, checksum)
      yield part
    }
    yield Buffer.from(textOfChecksum(checksum))
  }
  writeWhole(file, parts())
}

function* tablesOf({ at, known, columns, others }: StoredLog): Generator<Table> {
  yield makeTable({ at, known })
  const mints = columns.map(({ mint }) => mint)
  yield new Table({ mint: vectorFromArray(mints, new Utf8()) })
  yield new Table({ line: vectorFromArray(arrayOf(others), new Utf8()) })
  for (const { ticks, values, odd } of columns) {
    yield makeTable({ tick: ticks, value: values })
    const texts = arrayOf({ length: odd.rows.length, at: odd.textAt })
    yield new Table({ row: makeVector(odd.rows), text: vectorFromArray(texts, new Utf8()) })
  }
}

const arrayOf = ({ length, at }: StoredTexts): string[] => Array.from({ length }, (_, index) => at(index))

/** Undefined where there is no such file, or it is not what was written. Columns are views of the file's bytes, not copies. */
export function readCompiled(file: string): StoredLog | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const content = bytes.subarray(0, -CHECKSUM_BYTES)
  if (textOfChecksum(crc32(content)) !== bytes.toString('latin1', content.length)) return undefined
  const batches: RecordBatch[] = []
  // Each stream holds one batch, since each was one table without parts. It is one reader that stands at each of them in turn.
  for (const reader of RecordBatchReader.readAll(content)) batches.push(...reader)
  const [tickBatch, mintBatch, lineBatch, ...columnBatches] = batches
  invariant(tickBatch !== undefined && mintBatch !== undefined && lineBatch !== undefined, `${file} has a checksum but no tables`)
  const mints = textsOf(mintBatch, 'mint')
  return {
    at: numbersOf(tickBatch, 'at'),
    known: numbersOf(tickBatch, 'known'),
    others: textsOf(lineBatch, 'line'),
    columns: Array.from({ length: mints.length }, (_, index) =>
      columnOf(mints.at(index), columnBatches[2 * index], columnBatches[2 * index + 1]),
    ),
  }
}

function columnOf(mint: Mint, prices: RecordBatch | undefined, odd: RecordBatch | undefined): StoredColumn {
  invariant(prices !== undefined && odd !== undefined, `a compiled file lacks the tables of ${mint}`)
  const texts = textsOf(odd, 'text')
  return {
    mint,
    ticks: numbersOf(prices, 'tick'),
    values: numbersOf(prices, 'value'),
    odd: { rows: numbersOf(odd, 'row'), textAt: (index) => texts.at(index) },
  }
}

/** The column's own array: of the kind that was written under this name. */
function numbersOf<A extends Float64Array | Int32Array>(batch: RecordBatch, name: string): A {
  return batch.getChild(name)?.toArray() as A
}

const textsOf = (batch: RecordBatch, name: string): StoredTexts => {
  const column = batch.getChild(name)
  return { length: batch.numRows, at: (index) => String(column?.get(index)) }
}
