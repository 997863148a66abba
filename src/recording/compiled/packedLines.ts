import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const NEWLINE = 0x0a
/** Long enough to pack well, and short enough that one more in memory does not count. */
const FRAME_CHARACTERS = 4 * 2 ** 20

/** Packs lines as they come, many at a time: each frame is a Zstandard frame of whole lines. */
export class LinePacker {
  readonly #onFrame: (frame: Uint8Array) => void
  readonly #frameCharacters: number
  #gathered: string[] = []
  #characters = 0

  constructor(onFrame: (frame: Uint8Array) => void, frameCharacters = FRAME_CHARACTERS) {
    this.#onFrame = onFrame
    this.#frameCharacters = frameCharacters
  }

  add(line: string): void {
    this.#gathered.push(line)
    this.#characters += line.length
    if (this.#characters >= this.#frameCharacters) this.finish()
  }

  /** Packs what is left. */
  finish(): void {
    if (this.#gathered.length === 0) return
    this.#onFrame(zstdCompressSync(this.#gathered.join('\n')))
    this.#gathered = []
    this.#characters = 0
  }
}

/** One by one: in a text of all of them, one character that is not Latin would make each twice as long. */
export function* unpackLines(frame: Uint8Array): Generator<string> {
  const bytes = zstdDecompressSync(frame)
  for (let start = 0; start <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}
