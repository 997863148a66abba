import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { diskRemedy } from '../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../core/error.ts'

const PLAIN = '.ndjson'
const PACKED = '.ndjson.zst'
const UNFINISHED = '.tmp'
const ZSTD_MAGIC = 0xfd2fb528
/** Of a frame that holds no text, and is passed over: its last digit is any. */
const SKIPPABLE_MAGIC = 0x184d2a50
/** Enough of a packed segment to hold its header. */
const HEAD_BYTES = 256 * 1024
const NEWLINE = 0x0a
const OBJECT_BEGINS = 0x7b
/** What zlib says of zstd that may be sound: it takes more memory than it is given here, a dictionary, or another zstd. */
const NOT_UNPACKED_HERE: ReadonlySet<string | undefined> = new Set([
  'ZSTD_error_frameParameter_windowTooLarge',
  'ZSTD_error_frameParameter_unsupported',
  'ZSTD_error_memory_allocation',
  'ZSTD_error_version_unsupported',
  'ZSTD_error_dictionary_wrong',
])

/** A segment's file while it is written. Runs and segments sort by name as they came in time. */
export const plainName = (run: string, segment: number): string => `${run}-${String(segment).padStart(6, '0')}${PLAIN}`

const stemOf = (name: string): string => (name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name.slice(0, -PLAIN.length))
const isPlain = (name: string): boolean => name.endsWith(PLAIN)
const isPacked = (name: string): boolean => name.endsWith(PACKED)
const packedOf = (plain: string): string => `${plain.slice(0, -PLAIN.length)}${PACKED}`

/** The paths of a folder's segments, in the order of their names. Of one that is there plain and packed, the packed one. */
export function segmentsIn(folder: string): string[] {
  const byStem = new Map<string, string>()
  // Sorted, the packed one comes after the plain one and takes its place.
  for (const name of readdirSync(folder).toSorted()) if (isPlain(name) || isPacked(name)) byStem.set(stemOf(name), name)
  return [...byStem].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => join(folder, name))
}

/** Does something with a segment's file: a bot that records may have packed it since it was listed. */
export function inSegment<T>(file: string, work: (at: string) => T): T {
  try {
    return work(file)
  } catch (thrown) {
    const isGone = isPlain(file) && (thrown as NodeJS.ErrnoException).code === 'ENOENT'
    if (!isGone || !existsSync(packedOf(file))) throw thrown
    return work(packedOf(file))
  }
}

/** The bytes of a segment as it is stored; undefined of one that is gone, since a bot that records deletes the oldest ones, or cannot be looked at. */
export function segmentSize(file: string): number | undefined {
  try {
    return inSegment(file, (at) => statSync(at).size)
  } catch {
    return undefined
  }
}

/** The files of a log: the segments of a recording's folder, or the one file that was named. */
export const filesOf = (log: string): string[] => (isFolder(log) ? segmentsIn(log) : [log])

/** The bytes of a log as it is stored. */
export const storedBytes = (log: string): number => filesOf(log).reduce((sum, file) => sum + (segmentSize(file) ?? 0), 0)

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A segment's bytes, unpacked. */
export interface SegmentText {
  readonly bytes: Buffer
  readonly isPacked: boolean
  /**
   * Of its zstd. `cut`: it ends too soon; `altered`: it is not what was written, and some of what it unpacks to may not be either; `followed`:
   * behind it stands what is none. Then `bytes` is what can be had.
   */
  readonly ending: 'whole' | 'cut' | 'altered' | 'followed'
}

/** @throws the system's error where the file cannot be read, zlib's where it is zstd that is not unpacked here */
export function readSegment(file: string): SegmentText {
  return inSegment(file, (at) => {
    const stored = readFileSync(at)
    if (isFrame(stored)) return unpackFrames(stored)
    // A copy of part of a packed segment may have kept its name.
    const isPlainText = stored.length === 0 || stored[0] === OBJECT_BEGINS
    return isPacked(at) && !isPlainText
      ? { bytes: Buffer.alloc(0), isPacked: true, ending: 'altered' }
      : { bytes: stored, isPacked: false, ending: 'whole' }
  })
}

function isFrame(stored: Buffer): boolean {
  if (stored.length < 4) return false
  const magic = stored.readUInt32LE(0)
  return magic === ZSTD_MAGIC || (magic & ~0xf) === SKIPPABLE_MAGIC
}

/** All frames one after the other: some tools pack in several, and put together packed files are a packed file. */
function unpackFrames(stored: Buffer): SegmentText {
  const parts: Buffer[] = []
  const text = (ending: SegmentText['ending']): SegmentText => ({
    bytes: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts),
    isPacked: true,
    ending,
  })
  for (let rest = stored; rest.length > 0; ) {
    if (!isFrame(rest)) return text('followed')
    try {
      const { buffer, engine } = unpackFrame(rest, parts.length === 0)
      parts.push(buffer)
      rest = rest.subarray(engine.bytesWritten)
    } catch (thrown) {
      if (NOT_UNPACKED_HERE.has((thrown as NodeJS.ErrnoException).code)) throw thrown
      const there = unpackWhatIsThere(rest)
      parts.push(there ?? unpackWhatIsSound(rest))
      return text(there === undefined ? 'altered' : 'cut')
    }
  }
  return text('whole')
}

interface UnpackedFrame {
  readonly buffer: Buffer
  /** `bytesWritten`: how many bytes went in, all those of the frame. */
  readonly engine: { readonly bytesWritten: number }
}

/** Lines of prices pack to less than a sixth. What one chunk holds need not be put together from many. */
const MOST_PACKED = 8
const MOST_CHUNK_BYTES = 32 * 2 ** 20
/** A segment of ours is one frame. Of several each gets its chunks, however small it is: those after the first have small ones. */
const chunkBytes = (stored: Buffer, isFirst: boolean): number =>
  isFirst ? Math.max(constants.Z_DEFAULT_CHUNK, Math.min(MOST_PACKED * stored.length, MOST_CHUNK_BYTES)) : constants.Z_DEFAULT_CHUNK

/** The first frame alone: zlib stops behind it. What the answer is with `info` is missing in Node's types. */
const unpackFrame = (stored: Buffer, isFirst: boolean): UnpackedFrame =>
  zstdDecompressSync(stored, { info: true, chunkSize: chunkBytes(stored, isFirst) }) as unknown as UnpackedFrame

/** Of what is cut short, as far as it goes. Undefined of what is no zstd, or not that which was written. */
function unpackWhatIsThere(stored: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(stored, { finishFlush: constants.ZSTD_e_flush })
  } catch {
    return undefined
  }
}

/** What stands before the place where zstd stumbles: where only its last checksum does not fit, that is all of it. */
function unpackWhatIsSound(stored: Buffer): Buffer {
  let sound: Buffer = Buffer.alloc(0)
  for (let [low, high] = [0, stored.length]; high - low > 1; ) {
    const middle = (low + high) >>> 1
    const there = unpackWhatIsThere(stored.subarray(0, middle))
    if (there === undefined) {
      high = middle
    } else {
      sound = there
      low = middle
    }
  }
  return sound
}

/** The first line of a packed segment; undefined where it cannot be had. */
export function firstLineOf(file: string): string | undefined {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    const text = unpackWhatIsThere(head.subarray(0, readSync(descriptor, head)))
    const end = text?.indexOf(NEWLINE) ?? -1
    return end < 0 ? undefined : text?.toString('utf8', 0, end)
  } catch {
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

/** How a segment is packed: with a checksum of what it was. */
export const ZSTD_OPTIONS: ZstdOptions = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }

/** Packs a plain segment that is complete; returns the packed file. */
export const packSegment = (file: string): string => replaceByPacked(file, zstdCompressSync(readFileSync(file), ZSTD_OPTIONS))

/** Puts what a plain segment was compressed to in its place; returns the packed file. A crash leaves the one, the other, or both whole. */
export function replaceByPacked(file: string, compressed: Uint8Array): string {
  const packed = packedOf(file)
  writeWhole(packed, [compressed])
  rmSync(file)
  return packed
}

/** Writes a file so that it is never seen in part: under another name, to the disk, and only then under its own. */
function writeWhole(file: string, parts: Iterable<Uint8Array>): void {
  const unfinished = `${file}${UNFINISHED}`
  const descriptor = openSync(unfinished, 'w')
  try {
    for (const part of parts) writeFileSync(descriptor, part)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(unfinished, file)
}

/** Finishes what a run that died left behind: plain segments are cut to their last whole line and packed. */
export function packLeftovers(folder: string): void {
  const names = readdirSync(folder)
  // First what was being written: to pack a segment anew is to write a file of that very name.
  for (const name of names) if (name.endsWith(PLAIN + UNFINISHED) || name.endsWith(PACKED + UNFINISHED)) rmSync(join(folder, name))
  for (const name of names) if (isPlain(name)) packLeftover(join(folder, name))
}

function packLeftover(file: string): void {
  const bytes = readFileSync(file)
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
  if (whole.length === 0) {
    rmSync(file)
    return
  }
  if (whole.length < bytes.length) writeWhole(file, [whole])
  packSegment(file)
}

/** Runs what writes a recording. @throws CornermanError `RECORDING_WRITE_FAILED` in place of the system's error */
export function writing<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new CornermanError(
      'RECORDING_WRITE_FAILED',
      `the recording in ${folder} cannot be written: ${messageOf(cause)}; ${diskRemedy(cause)}`,
      { details: { folder }, cause },
    )
  }
}
