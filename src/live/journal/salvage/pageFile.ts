import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs'

// The pages of an SQLite database whose first page may be gone and whose log may be torn
// (https://www.sqlite.org/fileformat2.html). What SQLite itself would read, and what it would no longer.

const HEADER_TEXT = 'SQLite format 3\0'
const HEADER_BYTES = 100
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** In every journal that was written with this platform's SQLite; read from the file where the file says it. */
const USUAL_PAGE_BYTES = 4096

/** A database file, page by page, with what its log holds laid over it. */
export class PageFile {
  readonly pageBytes: number
  /** Pages of the file and of the log: some may not be there. */
  readonly pageCount: number
  readonly #descriptor: number
  readonly #fileBytes: number
  readonly #log: Log

  /** @throws Error of the file system */
  constructor(file: string) {
    this.#fileBytes = statSync(file).size
    this.#descriptor = openSync(file, 'r')
    const header = this.#read(0, HEADER_BYTES)
    const isWhole = header.length === HEADER_BYTES && header.toString('latin1', 0, 16) === HEADER_TEXT
    const wal = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0)
    this.pageBytes = (isWhole && sizeOf(header.readUInt16BE(16))) || walPageBytes(wal) || USUAL_PAGE_BYTES
    this.#log = readLog(wal, this.pageBytes)
    this.pageCount = Math.max(Math.ceil(this.#fileBytes / this.pageBytes), this.#log.lastPage)
  }

  /** The first page's header; undefined where it cannot be one. */
  get header(): Buffer | undefined {
    if (this.pageCount === 0) return undefined
    const page = this.page(1)
    if (page.length < HEADER_BYTES) return undefined
    return page.toString('latin1', 0, 16) === HEADER_TEXT ? page : undefined
  }

  /** A page, from 1; as much of it as there is. */
  page(number: number): Buffer {
    return this.#log.pages.get(number) ?? this.#read((number - 1) * this.pageBytes, this.pageBytes)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #read(position: number, bytes: number): Buffer {
    const page = Buffer.alloc(Math.max(0, Math.min(bytes, this.#fileBytes - position)))
    if (page.length > 0) readSync(this.#descriptor, page, 0, page.length, position)
    return page
  }
}

interface Log {
  readonly pages: ReadonlyMap<number, Buffer>
  readonly lastPage: number
}

/** Pages of the transactions that were finished: as SQLite does, it reads up to the first frame that is not whole. */
function readLog(wal: Buffer, pageBytes: number): Log {
  const pages = new Map<number, Buffer>()
  let lastPage = 0
  if (walPageBytes(wal) !== pageBytes) return { pages, lastPage }
  const isBigEndian = (wal.readUInt32BE(0) & 1) === 1
  let sums = checksum(wal.subarray(0, 24), [0, 0], isBigEndian)
  if (!isSum(wal, 24, sums)) return { pages, lastPage }
  const transaction = new Map<number, Buffer>()
  for (let at = WAL_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= wal.length; at += FRAME_HEADER_BYTES + pageBytes) {
    const page = wal.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + pageBytes)
    sums = checksum(page, checksum(wal.subarray(at, at + 8), sums, isBigEndian), isBigEndian)
    // Frames of an earlier use of the log have other salts.
    if (wal.compare(wal, 16, 24, at + 8, at + 16) !== 0 || !isSum(wal, at + 16, sums)) break
    transaction.set(wal.readUInt32BE(at), page)
    const sizeAfter = wal.readUInt32BE(at + 4)
    if (sizeAfter === 0) continue
    for (const [number, bytes] of transaction) pages.set(number, bytes)
    transaction.clear()
    lastPage = sizeAfter
  }
  return { pages, lastPage }
}

/** 0 where it is no log. */
function walPageBytes(wal: Buffer): number {
  if (wal.length < WAL_HEADER_BYTES || wal.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1) return 0
  return sizeOf(wal.readUInt32BE(8))
}

/** A page's size as the header has it; 0 where it can be none. */
function sizeOf(stored: number): number {
  const bytes = stored === 1 ? 65_536 : stored
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0 ? bytes : 0
}

type Sums = readonly [number, number]

const isSum = (wal: Buffer, at: number, [first, second]: Sums): boolean =>
  wal.readUInt32BE(at) === first && wal.readUInt32BE(at + 4) === second

/** The log's own checksum (section 4.2 of the format), over pairs of 32-bit words. */
function checksum(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  let [a, b] = [first, second]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + view.getUint32(at, !isBigEndian) + b) >>> 0
    b = (b + view.getUint32(at + 4, !isBigEndian) + a) >>> 0
  }
  return [a, b]
}
