import { rmSync, statSync } from 'node:fs'
import { sealOf } from './checksum.ts'
import { firstLineOf, segmentsIn } from './segments.ts'

interface Closed {
  readonly file: string
  readonly bytes: number
  /** Unix milliseconds of its header; Infinity of one that does not say: it is not deleted for its age. */
  readonly from: number
}

/** The packed segments of a recording, oldest first. */
export class ClosedSegments {
  readonly #segments: Closed[]

  constructor(folder: string) {
    this.#segments = segmentsIn(folder).map((file) => closedOf(file, headerTime(file)))
  }

  /** Takes in a segment that was just packed. */
  add(file: string, from: number): void {
    this.#segments.push(closedOf(file, from))
  }

  /** Deletes the oldest until all together are within these bytes and none began before `since`. */
  trim(maxBytes: number, since: number): void {
    let total = this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { file, bytes, from } of [...this.#segments]) {
      if (total <= maxBytes && from >= since) return
      rmSync(file, { force: true })
      this.#segments.shift()
      total -= bytes
    }
  }
}

const closedOf = (file: string, from: number): Closed => ({ file, from, bytes: statSync(file).size })

function headerTime(file: string): number {
  const seal = sealOf(firstLineOf(file) ?? '')
  if (seal === undefined) return Number.POSITIVE_INFINITY
  try {
    const { at } = JSON.parse(`${seal.body}}`) as { at?: unknown }
    return typeof at === 'number' ? at : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
