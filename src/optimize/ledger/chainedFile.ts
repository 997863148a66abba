import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { checksumAfter, sealed, sealOf } from '../../recording/checksum.ts'
import { damaged, usingLedger } from './damaged.ts'
import { withLock } from './lock.ts'

const NEWLINE = 0x0a

/** How far a file was read. */
interface Place {
  readonly bytes: number
  readonly lines: number
  /** Of all lines up to there. */
  readonly checksum: number
}

/**
 * A file of JSON lines that only grows, each with the checksum of all before it, as in a recorded log. Any number of processes may append to it.
 * A last line without an end is of a writer that died: it counts as never written, and the next one that appends takes it away.
 */
export class ChainedFile {
  readonly path: string
  #place: Place = { bytes: 0, lines: 0, checksum: 0 }

  constructor(path: string) {
    this.path = path
  }

  /**
   * The lines that were added since the last call.
   *
   * @throws CornermanError `LEDGER_DAMAGED`: at a line that is not what was written; those before it have been handed to `take`
   */
  read(take: (line: unknown) => void): void {
    usingLedger(this.path, () => {
      if (!existsSync(this.path)) {
        if (this.#place.bytes > 0) throw this.#damage('it is gone, and was there a moment ago')
        return
      }
      const descriptor = openSync(this.path, 'r')
      try {
        this.#readFrom(descriptor, take)
      } finally {
        closeSync(descriptor)
      }
    })
  }

  /**
   * Reads what others have added, and then adds lines, while nobody else does.
   *
   * @param linesOf the lines, once what others have added is known
   * @param isDurable whether they have to outlive the machine
   * @throws CornermanError `LEDGER_DAMAGED`, also where the disk does not take them: then none of them is there
   */
  append(take: (line: unknown) => void, linesOf: () => readonly object[], { isDurable }: { readonly isDurable: boolean }): void {
    usingLedger(this.path, () => {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
      withLock(`${this.path}.lock`, () => {
        this.read(take)
        const lines = linesOf()
        if (lines.length === 0) return
        this.#write(lines, isDurable)
        for (const line of lines) take(line)
      })
    })
  }

  #readFrom(descriptor: number, take: (line: unknown) => void): void {
    const { bytes: from } = this.#place
    const { size } = fstatSync(descriptor)
    if (size < from) throw this.#damage('it is shorter than it was a moment ago')
    const bytes = Buffer.alloc(size - from)
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(descriptor, bytes, done, bytes.length - done, from + done)
      if (read === 0) break
      done += read
    }
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      take(this.#checked(bytes.toString('utf8', start, end), from + end + 1))
      start = end + 1
    }
  }

  #checked(text: string, bytes: number): unknown {
    const { lines, checksum: before } = this.#place
    const seal = sealOf(text)
    const checksum = seal === undefined ? undefined : checksumAfter(before, seal.body)
    if (seal === undefined || seal.checksum !== checksum) throw this.#damage(`line ${lines + 1} is not what was written`)
    this.#place = { bytes, lines: lines + 1, checksum }
    return JSON.parse(`${seal.body}}`)
  }

  #write(lines: readonly object[], isDurable: boolean): void {
    const { bytes: from } = this.#place
    let { checksum } = this.#place
    const texts = lines.map((line) => {
      const body = JSON.stringify(line).slice(0, -1)
      checksum = checksumAfter(checksum, body)
      return `${sealed(body, checksum)}\n`
    })
    const bytes = Buffer.from(texts.join(''))
    const descriptor = openSync(this.path, existsSync(this.path) ? 'r+' : 'wx', 0o600)
    try {
      try {
        ftruncateSync(descriptor, from)
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, from + done)
        if (isDurable) fsyncSync(descriptor)
      } catch (thrown) {
        ftruncateSync(descriptor, from)
        throw thrown
      }
    } finally {
      closeSync(descriptor)
    }
    this.#place = { bytes: from + bytes.length, lines: this.#place.lines + lines.length, checksum }
  }

  #damage(what: string): ReturnType<typeof damaged> {
    return damaged(
      this.path,
      `${what}, so that seals and looks may be missing from the ledger of trials: put back a copy of it. Whoever moves it away begins anew, and what was seen of sealed contests is then no longer known`,
    )
  }
}
