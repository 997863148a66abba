import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { diskRemedy } from '../../../core/diskRemedy.ts'
import { messageOf } from '../../../core/error.ts'
import { fileFault } from './fault.ts'

/** A price file that is text, as far as its beginning tells. */
export interface PriceFile {
  readonly path: string
  readonly format: 'CSV' | 'JSON'
  /** By gzip. */
  readonly isPacked: boolean
  /** On the disk. */
  readonly bytes: number
  /** The beginning of its text. */
  readonly head: string
}

/** Enough for a header and some rows. */
const HEAD_BYTES = 64 * 1024
const CONVERT = 'freqtrade convert-data --format-from'

/** Files that are known by how they begin, and what is to be done with one. */
const FOREIGN: readonly { readonly begins: string; readonly what: string }[] = [
  {
    begins: 'PAR1',
    what: `is Parquet: make JSON of it, as by ${CONVERT} parquet --format-to jsongz, or in Python by pandas.read_parquet(…).to_csv(…)`,
  },
  {
    begins: 'ARROW1',
    what: `is Feather: make JSON of it, as by ${CONVERT} feather --format-to jsongz, or in Python by pandas.read_feather(…).to_csv(…)`,
  },
  {
    begins: 'FEA1',
    what: `is Feather: make JSON of it, as by ${CONVERT} feather --format-to jsongz, or in Python by pandas.read_feather(…).to_csv(…)`,
  },
  { begins: '\x89HDF', what: 'is HDF5: make CSV of it, as in Python by pandas.read_hdf(…).to_csv(…)' },
  { begins: 'SQLite format 3', what: 'is an SQLite database: export its table of candles as CSV' },
  { begins: 'PK\x03\x04', what: 'is a ZIP archive: unpack it (unzip FILE), and name the file in it' },
  { begins: '(\xb5/\xfd', what: 'is packed by Zstandard: unpack it (zstd -d FILE)' },
  { begins: 'BZh', what: 'is packed by bzip2: unpack it (bunzip2 FILE)' },
  { begins: '\xfd7zXZ', what: 'is packed by xz: unpack it (unxz FILE)' },
  { begins: '\xff\xfe', what: 'is UTF-16: save it as UTF-8' },
  { begins: '\xfe\xff', what: 'is UTF-16: save it as UTF-8' },
]

/** Looks at what a file begins with. @throws CornermanError `PRICE_FILE_INVALID` */
export function openPriceFile(path: string): PriceFile {
  const { bytes, first } = beginningOf(path)
  if (bytes === 0) throw fileFault(path, ` is empty: ${WANTED}`)
  const isPacked = first[0] === 0x1f && first[1] === 0x8b
  const text = isPacked ? unpacked(path, first) : first
  const foreign = FOREIGN.find(({ begins }) => text.toString('latin1').startsWith(begins))
  if (foreign !== undefined) throw fileFault(path, ` ${foreign.what}`)
  if (text.includes(0)) throw fileFault(path, ` is not text, it has bytes that no text has: ${WANTED}`)
  const head = text.toString('utf8').replace(/^\uFEFF/, '')
  const [begins = ''] = head.trimStart()
  if (begins === '') throw fileFault(path, ` has nothing in it but ${head === '' ? 'its packing' : 'white space'}: ${WANTED}`)
  return { path, isPacked, bytes, head, format: begins === '[' || begins === '{' ? 'JSON' : 'CSV' }
}

const WANTED =
  'it needs rows of a time and a price, such as a header timestamp,open,high,low,close,volume and candles, as CSV or JSON, packed with gzip or not'

function beginningOf(path: string): { readonly bytes: number; readonly first: Buffer } {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw fileFault(path, ' is a folder: name the files in it, as by its/*.csv')
    if (!stats.isFile()) throw fileFault(path, ' is no file: write what it gives to one first, since it is read twice')
    const descriptor = openSync(path, 'r')
    try {
      const first = Buffer.alloc(HEAD_BYTES)
      return { bytes: stats.size, first: first.subarray(0, readSync(descriptor, first, 0, HEAD_BYTES, 0)) }
    } finally {
      closeSync(descriptor)
    }
  } catch (thrown) {
    throw asFault(path, thrown)
  }
}

function unpacked(path: string, first: Buffer): Buffer {
  try {
    // The beginning of a longer file ends anywhere.
    return gunzipSync(first, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (thrown) {
    throw asFault(path, thrown)
  }
}

/** What the system, or zlib, said of a file; anything else as it is. */
export function asFault(path: string, thrown: unknown): unknown {
  const code = (thrown as { readonly code?: unknown } | null)?.code
  if (!(thrown instanceof Error) || typeof code !== 'string') return thrown
  if (code.startsWith('Z_'))
    return fileFault(path, ` is not whole gzip: ${messageOf(thrown)}; it was cut short or altered: fetch it again`, {}, thrown)
  if ('syscall' in thrown) return fileFault(path, ` cannot be read: ${messageOf(thrown)}; ${diskRemedy(thrown)}`, {}, thrown)
  return thrown
}

/**
 * The bytes of a file's text, unpacked; failures reach the reader of the last stream.
 *
 * @param onBytes told how many bytes were read from the disk
 * @param through what reads the text
 */
export function streamThrough<T extends NodeJS.ReadWriteStream & Readable>(
  file: PriceFile,
  through: T,
  onBytes: (bytes: number) => void,
): T {
  const source = createReadStream(file.path)
  let read = 0
  source.on('data', (chunk) => {
    read += chunk.length
    onBytes(read)
  })
  const ended = () => {}
  if (file.isPacked) pipeline(source, createGunzip(), through, ended)
  else pipeline(source, through, ended)
  return through
}
