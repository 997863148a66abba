import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { concatMap, Subject } from 'rxjs'
import { packSegment, replaceByPacked, ZSTD_OPTIONS } from './segments.ts'

const compress = promisify(zstdCompress)

/** One at a time in the whole process: bots that began together end their segments together. */
const waiting$ = new Subject<Packing>()
waiting$.pipe(concatMap((packing) => packing.run())).subscribe()

export interface PackingOptions {
  /** A plain segment that is complete. */
  readonly file: string
  readonly bytes: number
  readonly onPacked: (packed: string) => void
  readonly onFailed: (thrown: unknown) => void
}

/** Packs a segment beside the loop: 16 MiB take a quarter of a second, in which no bot of the process could do anything else. */
export class Packing {
  readonly #options: PackingOptions
  #isOver = false

  constructor(options: PackingOptions) {
    this.#options = options
    waiting$.next(this)
  }

  /** What is not packed yet, and stays on the disk as it is until then. */
  get plainBytes(): number {
    return this.#isOver ? 0 : this.#options.bytes
  }

  /** Packs it here and now, where that is still to be done. @throws the system's error where it cannot be written */
  finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { file, onPacked } = this.#options
    onPacked(packSegment(file))
  }

  /** Its turn has come. */
  async run(): Promise<void> {
    if (this.#isOver) return
    const { file, onPacked, onFailed } = this.#options
    try {
      const bytes = await readFile(file)
      // Some readers need to know beforehand how much there is.
      const compressed = await compress(bytes, { ...ZSTD_OPTIONS, pledgedSrcSize: bytes.length })
      if (!this.#isOver) onPacked(replaceByPacked(file, compressed))
    } catch (thrown) {
      // One that was finished meanwhile is no longer there to be read.
      if (!this.#isOver) onFailed(thrown)
    } finally {
      this.#isOver = true
    }
  }
}
