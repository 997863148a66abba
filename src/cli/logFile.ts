import { mkdirSync } from 'node:fs'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { messageOf } from '../core/error.ts'

const FILE = 'cornerman.log'
const SIZE = '10M'
/** Older files that are kept. */
const KEPT = 5
/** Lines of before it is known whether there is a file. */
const MOST_EARLY = 1000
/** Of a disk that does not keep up: lines beyond are left out, and counted. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** A disk that was full may have room again. */
const AGAIN_MS = 60_000

export interface LogFileOptions {
  /** Told when the file cannot be written, once until it is written again, by whatever else there is. */
  readonly onTrouble: (message: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
  /** When it is rotated. Default: at 10 MiB. */
  readonly size?: `${number}${'B' | 'K' | 'M'}`
}

/** The log as a file that is rotated. It never holds anybody up: what cannot be written is left out, and said. */
export class LogFile {
  readonly #options: LogFileOptions
  #folder: string | undefined
  #early: string[] = []
  #stream: RotatingFileStream | undefined
  #brokenAt: number | undefined
  #leftOut = 0
  #isClosed = false

  constructor(options: LogFileOptions) {
    this.#options = options
  }

  /** Writes there from now on, what came before included. @returns the file */
  open(folder: string): string {
    this.#folder = folder
    for (const line of this.#early.splice(0)) this.write(line)
    return `${folder}/${FILE}`
  }

  /** The file that takes the log's lines; undefined where there is none, or it cannot be written. */
  get written(): string | undefined {
    return this.#isClosed || this.#folder === undefined || this.#brokenAt !== undefined ? undefined : `${this.#folder}/${FILE}`
  }

  /** @param line with its end */
  write(line: string): void {
    if (this.#isClosed) return
    if (this.#folder === undefined) {
      if (this.#early.length < MOST_EARLY) this.#early.push(line)
      return
    }
    const { now } = this.#options
    if (this.#brokenAt !== undefined && now() - this.#brokenAt < AGAIN_MS) return
    if (this.#stream === undefined) this.#stream = this.#opened(this.#folder)
    if (this.#stream === undefined) return
    if (this.#stream.writableLength + line.length > MOST_WAITING_BYTES) {
      this.#leftOut += 1
      return
    }
    if (this.#leftOut > 0)
      this.#stream.write(`${JSON.stringify({ level: 'warn', msg: `${this.#leftOut} lines were left out: the disk was too slow` })}\n`)
    this.#leftOut = 0
    // What is written again is well again: the next time it is not is told again.
    if (this.#brokenAt === undefined) this.#stream.write(line)
    else this.#stream.write(line, (error) => (error === null || error === undefined ? this.#mended() : undefined))
  }

  /** Resolves once all is written that can be. */
  async close(): Promise<void> {
    this.#isClosed = true
    const stream = this.#stream
    if (stream === undefined || stream.destroyed) return
    const closed = Promise.withResolvers<void>()
    stream.once('error', () => closed.resolve())
    stream.end(() => closed.resolve())
    await closed.promise
  }

  #opened(folder: string): RotatingFileStream | undefined {
    try {
      mkdirSync(folder, { recursive: true })
      // Its types are of another way of rotating: here it asks for the file with null, and for the older ones by their numbers.
      const named = (index: number | Date | null) => (index === null ? FILE : `${FILE}.${Number(index)}`)
      const stream = createStream(named, { path: folder, size: this.#options.size ?? SIZE, rotate: KEPT, mode: 0o600 })
      stream.on('error', (error) => this.#broke(stream, error))
      stream.on('warning', (error) => this.#broke(stream, error))
      return stream
    } catch (thrown) {
      this.#broke(undefined, thrown)
      return undefined
    }
  }

  #mended(): void {
    this.#brokenAt = undefined
  }

  #broke(stream: RotatingFileStream | undefined, thrown: unknown): void {
    const isFirst = this.#brokenAt === undefined
    this.#brokenAt = this.#options.now()
    if (stream !== undefined && this.#stream === stream) {
      this.#stream = undefined
      stream.destroy()
    }
    if (isFirst)
      this.#options.onTrouble(
        `the log's file cannot be written (${messageOf(thrown)}): its lines are here alone. Make room, or see that ${this.#folder ?? ''} may be written`,
      )
  }
}
