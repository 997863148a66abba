import { deserialize, serialize } from 'node:v8'

// What a bot and an isolated process say to each other, each message after its length in four bytes.

const LENGTH_BYTES = 4

export function framed(message: unknown): Buffer {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length)
  frame.writeUInt32BE(body.length)
  body.copy(frame, LENGTH_BYTES)
  return frame
}

/** Reads messages out of the pieces that a pipe delivers. Whoever is on the other side may write anything. */
export class FrameReader {
  readonly #mostBytes: number
  #pieces: Buffer[] = []
  #length = 0

  /** @param mostBytes of one message */
  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes
  }

  /** @throws RangeError where a message is longer than it may be; Error where it is none */
  *read(piece: Buffer): Generator<unknown> {
    this.#pieces.push(piece)
    this.#length += piece.length
    for (;;) {
      if (this.#length < LENGTH_BYTES) return
      const bytes = this.#joined()
      const length = bytes.readUInt32BE()
      if (length > this.#mostBytes) throw new RangeError(`a message of ${length} bytes`)
      if (bytes.length < LENGTH_BYTES + length) return
      const rest = bytes.subarray(LENGTH_BYTES + length)
      this.#pieces = rest.length === 0 ? [] : [rest]
      this.#length = rest.length
      yield deserialize(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
    }
  }

  #joined(): Buffer {
    const [first] = this.#pieces
    if (first !== undefined && this.#pieces.length === 1) return first
    // Of a message that comes in many pieces only its length is looked at until it is whole.
    if (first !== undefined && first.length >= LENGTH_BYTES && this.#length < LENGTH_BYTES + first.readUInt32BE()) return first
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = [bytes]
    return bytes
  }
}
