import type { PageFile } from './pageFile.ts'

// Rows as they lie in the leaf pages of tables (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1). The pages
// above them, which say what belongs to which table, may be gone: whose rows they are is told by their form.

const LEAF_OF_TABLE = 0x0d
/** The other kinds of pages of a tree: above the leaves, and of indexes. They hold nothing that the leaves do not. */
const OTHER_KINDS = new Set([0x02, 0x05, 0x0a])
const FILE_HEADER_BYTES = 100
const PAGE_HEADER_BYTES = 8

/** A column's value. What SQLite holds in 64 bits is a number here where that is exact. */
export type Stored = null | number | bigint | string | Uint8Array

export type Leaf =
  | { readonly page: number; readonly rowid: number; readonly values: readonly Stored[] }
  /** Something that cannot be read: a row of the page, or all of it. */
  | { readonly page: number; readonly damaged: 'row' | 'page' }

/** Every row that a leaf page still holds, and every page and row that is beyond reading. */
export function* leafRows(pages: PageFile): Generator<Leaf> {
  const free = freePages(pages)
  const overflowing = new Set<number>()
  const strange: number[] = []
  for (let number = 1; number <= pages.pageCount; number++) {
    if (free.has(number)) continue
    const page = pages.page(number)
    const kind = page[number === 1 ? FILE_HEADER_BYTES : 0] ?? 0
    if (kind === LEAF_OF_TABLE) yield* rowsOf(pages, number, overflowing)
    else if (!OTHER_KINDS.has(kind)) strange.push(number)
  }
  // The rest of a long row is a page without a form of its own: it is known by the row.
  for (const page of strange) if (!overflowing.has(page)) yield { page, damaged: 'page' }
}

function* rowsOf(pages: PageFile, number: number, overflowing: Set<number>): Generator<Leaf> {
  const page = pages.page(number)
  const start = number === 1 ? FILE_HEADER_BYTES : 0
  const count = page.length < start + PAGE_HEADER_BYTES ? 0xffff : page.readUInt16BE(start + 3)
  if (start + PAGE_HEADER_BYTES + 2 * count > page.length) {
    yield { page: number, damaged: 'page' }
    return
  }
  for (let index = 0; index < count; index++) {
    try {
      const cell = page.readUInt16BE(start + PAGE_HEADER_BYTES + 2 * index)
      yield { page: number, ...readCell(pages, page, cell, overflowing) }
    } catch {
      yield { page: number, damaged: 'row' }
    }
  }
}

function readCell(pages: PageFile, page: Buffer, at: number, overflowing: Set<number>) {
  const [payloadBytes, afterSize] = varint(page, at)
  const [rowid, afterRowid] = varint(page, afterSize)
  const payload = readPayload(pages, { page, at: afterRowid, bytes: Number(payloadBytes) }, overflowing)
  return { rowid: Number(rowid), values: readRecord(payload) }
}

/** What a page has no room for goes on in pages of its own, each naming the next. */
function readPayload(pages: PageFile, { page, at, bytes }: { page: Buffer; at: number; bytes: number }, overflowing: Set<number>): Buffer {
  const usable = pages.pageBytes
  const mostLocal = usable - 35
  if (bytes <= mostLocal) return slice(page, at, bytes)
  const leastLocal = Math.floor(((usable - 12) * 32) / 255) - 23
  const wanted = leastLocal + ((bytes - leastLocal) % (usable - 4))
  const local = wanted <= mostLocal ? wanted : leastLocal
  const parts = [slice(page, at, local)]
  let missing = bytes - local
  let next = slice(page, at + local, 4).readUInt32BE(0)
  for (const seen = new Set<number>(); missing > 0; ) {
    if (next < 1 || next > pages.pageCount || seen.has(next)) throw new RangeError('the row goes on nowhere')
    seen.add(next)
    overflowing.add(next)
    const rest = pages.page(next)
    const length = Math.min(missing, usable - 4)
    parts.push(slice(rest, 4, length))
    missing -= length
    next = rest.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

function readRecord(payload: Buffer): Stored[] {
  const [headerBytes, first] = varint(payload, 0)
  const types: number[] = []
  let at = first
  while (at < Number(headerBytes)) {
    const [type, next] = varint(payload, at)
    types.push(Number(type))
    at = next
  }
  const text = new TextDecoder('utf-8', { fatal: true })
  return types.map((type) => {
    const bytes = bytesOf(type)
    const value = slice(payload, at, bytes)
    at += bytes
    if (type === 0) return null
    if (type <= 6) return integerOf(value)
    if (type === 7) return value.readDoubleBE(0)
    if (type <= 9) return type - 8
    return type % 2 === 0 ? value : text.decode(value)
  })
}

/** How long a value of a serial type is. */
function bytesOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  const bytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type]
  if (bytes === undefined) throw new RangeError('there is no such type')
  return bytes
}

function integerOf(value: Buffer): number | bigint {
  if (value.length <= 6) return value.readIntBE(0, value.length)
  const exact = value.readBigInt64BE(0)
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}

/** @returns the value, and where the next thing begins */
function varint(bytes: Buffer, start: number): [value: bigint, next: number] {
  let value = 0n
  for (let index = 0; index < 9; index++) {
    const byte = bytes[start + index]
    if (byte === undefined) throw new RangeError('the page ends here')
    if (index === 8) return [(value << 8n) | BigInt(byte), start + 9]
    value = (value << 7n) | BigInt(byte & 0x7f)
    if (byte < 0x80) return [value, start + index + 1]
  }
  throw new RangeError('unreachable')
}

function slice(bytes: Buffer, at: number, length: number): Buffer {
  if (length < 0 || at + length > bytes.length) throw new RangeError('the page ends here')
  return bytes.subarray(at, at + length)
}

/** Pages that the database has given up and not used again: what still stands in them is over. */
function freePages(pages: PageFile): Set<number> {
  const free = new Set<number>()
  let trunk = pages.header?.readUInt32BE(32) ?? 0
  while (trunk >= 1 && trunk <= pages.pageCount && !free.has(trunk)) {
    free.add(trunk)
    const page = pages.page(trunk)
    if (page.length < pages.pageBytes) break
    const count = Math.min(page.readUInt32BE(4), Math.floor(page.length / 4) - 2)
    for (let index = 0; index < count; index++) free.add(page.readUInt32BE(8 + 4 * index))
    trunk = page.readUInt32BE(0)
  }
  return free
}
