import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  makeTable,
  makeVector,
  type RecordBatch,
  RecordBatchReader,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'
import { invariant } from '../../core/error.ts'
import type { Mint } from '../../core/tokens.ts'
import type { OddTexts, StoredColumn, StoredPrices } from './compiledPrices.ts'
import { LinePacker, unpackLines } from './packedLines.ts'

// A compiled file begins with the lines that are not prices, in Zstandard frames as `packedLines.ts` makes them: written as the
// log is read and read back one by one, they are never all in memory, and one column of them would end at 2 GiB. Then stand
// Arrow IPC streams, one after another: the ticks (`at`, `known`), the bytes of each frame (`frame`), the tokens (`mint`), and for
// each token in that order its prices (`tick`, `value`) and its odd texts (`row`, `text`). What follows from the rest is left out:
// `known` where it is `at`, and `tick` of a token that every tick has a price of. The end is how many bytes those streams
// have, sixteen hexadecimal digits, and the CRC-32 of all that, eight: a cache that was damaged must not be believed.

/** Part of the name of every compiled file: raised when the layout changes. */
export const COMPILED_VERSION = 4

const LENGTH_DIGITS = 16
const CHECKSUM_DIGITS = 8
const END_BYTES = LENGTH_DIGITS + CHECKSUM_DIGITS
/** Arrow counts the bytes of a column of texts in 31 bits; a character has up to three. */
const MOST_CHARACTERS = 2 ** 31 / 3
/** How much is read at once: the system reads no more than 2 GiB. */
const STEP_BYTES = 8 * 2 ** 20

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** What a compiled file holds. Its lines stay in it until `readLines` is called with the frames. */
export interface CompiledContent extends StoredPrices {
  /** The bytes of each, in their order. */
  readonly frames: Int32Array
}

export interface CompiledSource {
  /** Gives every line that is not prices to `onOther`, and returns the prices. */
  collect(onOther: (text: string) => void): StoredPrices
  /** How much text a frame holds. */
  readonly frameCharacters?: number | undefined
}

/**
 * Writes a compiled file so that it is never seen in part, and that of several who write the same one none is in the other's way.
 *
 * @throws whatever `collect` throws, and the system's error where it cannot be written; then nothing is left behind
 */
export function writeCompiled(file: string, source: CompiledSource): CompiledContent {
  const unfinished = openUnfinished(file)
  try {
    const content = writeContent(unfinished.descriptor, source)
    renameSync(unfinished.path, file)
    return content
  } catch (thrown) {
    rmSync(unfinished.path, { force: true })
    throw thrown
  } finally {
    closeSync(unfinished.descriptor)
  }
}

/** A new file beside it, for whoever may read its folder, of the first number that nobody has: whoever writes the same file meanwhile has another. */
function openUnfinished(file: string): { readonly path: string; readonly descriptor: number } {
  for (let number = 1; ; number++) {
    const path = `${file}.${number}.tmp`
    try {
      return { path, descriptor: openSync(path, 'wx', statSync(dirname(file)).mode & 0o666) }
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
    }
  }
}

function writeContent(descriptor: number, { collect, frameCharacters }: CompiledSource): CompiledContent {
  let checksum = 0
  const write = (part: Uint8Array) => {
    writeFileSync(descriptor, part)
    checksum = crc32(part, checksum)
  }
  const lengths: number[] = []
  const packer = new LinePacker((frame) => {
    write(frame)
    lengths.push(frame.length)
  }, frameCharacters)
  const prices = collect((text) => packer.add(text))
  packer.finish()
  const content = { ...prices, frames: Int32Array.from(lengths) }
  let tableBytes = 0
  for (const table of tablesOf(content)) {
    const part = tableToIPC(table, 'stream')
    tableBytes += part.length
    write(part)
  }
  write(Buffer.from(hex(tableBytes, LENGTH_DIGITS)))
  write(Buffer.from(hex(checksum, CHECKSUM_DIGITS)))
  return content
}

function* tablesOf({ at, known, frames, columns }: CompiledContent): Generator<Table> {
  yield makeTable(isEqual(at, known) ? { at } : { at, known })
  yield makeTable({ frame: frames })
  yield new Table({ mint: vectorOf(columns.map(({ mint }) => mint)) })
  for (const { ticks, values, odd } of columns) {
    yield makeTable(isEveryTick(ticks, at.length) ? { value: values } : { tick: ticks, value: values })
    yield new Table({ row: makeVector(odd.rows), text: vectorOf(textsOf(odd)) })
  }
}

const isEqual = (one: Float64Array, other: Float64Array): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

function ticksUpTo(count: number): Int32Array {
  const ticks = new Int32Array(count)
  for (let row = 0; row < count; row++) ticks[row] = row + 1
  return ticks
}

const isEveryTick = (ticks: Int32Array, count: number): boolean => ticks.length === count && ticks.every((tick, row) => tick === row + 1)

const textsOf = ({ rows, textAt }: OddTexts): string[] => Array.from({ length: rows.length }, (_, index) => textAt(index))

/** @throws RangeError of more than fits: Arrow would write what cannot be read */
function vectorOf(texts: readonly string[]): Vector<Utf8> {
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  if (characters > MOST_CHARACTERS) throw new RangeError(`a column of ${characters} characters is too long for a compiled file`)
  return vectorFromArray(texts, new Utf8())
}

/** Undefined where there is no such file, or it is not what was written. Columns are views of the bytes that were read, not copies. */
export function readCompiled(file: string): CompiledContent | undefined {
  const tables = readTables(file)
  if (tables === undefined) return undefined
  const batches: RecordBatch[] = []
  // Each stream holds one batch, since each was one table without parts. It is one reader that stands at each of them in turn.
  for (const reader of RecordBatchReader.readAll(tables)) batches.push(...reader)
  const [tickBatch, frameBatch, mintBatch, ...columnBatches] = batches
  invariant(tickBatch !== undefined && frameBatch !== undefined && mintBatch !== undefined, `${file} has a checksum but no tables`)
  const mintAt = textsIn(mintBatch, 'mint')
  const at = numbersOf(tickBatch, 'at') as Float64Array
  let everyTick: Int32Array | undefined
  const allTicks = () => {
    everyTick ??= ticksUpTo(at.length)
    return everyTick
  }
  return {
    at,
    known: (numbersOf(tickBatch, 'known') as Float64Array | undefined) ?? at,
    frames: numbersOf(frameBatch, 'frame') as Int32Array,
    columns: Array.from({ length: mintBatch.numRows }, (_, index) =>
      columnOf(mintAt(index), columnBatches[2 * index], columnBatches[2 * index + 1], allTicks),
    ),
  }
}

/** The lines of a file that was read or written, one by one as they stand there. @throws the system's error where it is gone */
export function* readLines(file: string, frames: Int32Array): Generator<string> {
  const descriptor = openSync(file, 'r')
  try {
    let position = 0
    for (const length of frames) {
      yield* unpackLines(bytesAt(descriptor, position, length))
      position += length
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The tables' bytes; undefined where there is no such file, or it is not what was written. Of the lines no more than a step is in memory. */
function readTables(file: string): Uint8Array | undefined {
  if (!existsSync(file)) return undefined
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    if (size < END_BYTES) return undefined
    const end = bytesAt(descriptor, size - END_BYTES, END_BYTES)
    const tableBytes = Number(`0x${end.toString('latin1', 0, LENGTH_DIGITS)}`)
    const lineBytes = size - END_BYTES - tableBytes
    // Of another layout: the digits are none, or say more than there is.
    if (!(lineBytes >= 0)) return undefined
    const tables = bytesAt(descriptor, lineBytes, tableBytes)
    const checksum = crc32(end.subarray(0, LENGTH_DIGITS), crc32(tables, checksumOf(descriptor, lineBytes)))
    return hex(checksum, CHECKSUM_DIGITS) === end.toString('latin1', LENGTH_DIGITS) ? tables : undefined
  } finally {
    closeSync(descriptor)
  }
}

function checksumOf(descriptor: number, length: number): number {
  const step = Buffer.allocUnsafeSlow(Math.min(STEP_BYTES, length))
  let checksum = 0
  for (let position = 0; position < length; position += step.length) {
    const part = step.subarray(0, length - position)
    fill(descriptor, part, position)
    checksum = crc32(part, checksum)
  }
  return checksum
}

/** In memory of their own: a column can only be a view of bytes that begin where it may. */
function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  fill(descriptor, bytes, position)
  return bytes
}

/** Fills all of `bytes` with what stands at that place of the file, or as much of it as there is. */
function fill(descriptor: number, bytes: Uint8Array, position: number): void {
  let done = 0
  while (done < bytes.length) {
    const read = readSync(descriptor, bytes, done, Math.min(STEP_BYTES, bytes.length - done), position + done)
    if (read === 0) return
    done += read
  }
}

function columnOf(mint: Mint, prices: RecordBatch | undefined, odd: RecordBatch | undefined, allTicks: () => Int32Array): StoredColumn {
  invariant(prices !== undefined && odd !== undefined, `a compiled file lacks the tables of ${mint}`)
  return {
    mint,
    ticks: (numbersOf(prices, 'tick') as Int32Array | undefined) ?? allTicks(),
    values: numbersOf(prices, 'value') as Float64Array,
    odd: { rows: numbersOf(odd, 'row') as Int32Array, textAt: textsIn(odd, 'text') },
  }
}

/** The column's own array, of the kind that was written under this name; undefined where it was left out. */
const numbersOf = (batch: RecordBatch, name: string): unknown => batch.getChild(name)?.toArray()

function textsIn(batch: RecordBatch, name: string): (index: number) => string {
  const column = batch.getChild(name)
  return (index) => String(column?.get(index))
}
