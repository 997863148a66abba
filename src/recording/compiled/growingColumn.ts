type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>

/** A column of numbers of which it is not known beforehand how many there will be. */
export class GrowingColumn<A extends Numbers> {
  readonly #kind: new (
    buffer: ArrayBuffer,
  ) => A
  #values: A
  #length = 0

  constructor(kind: new (buffer: ArrayBuffer) => A) {
    this.#kind = kind
    this.#values = new kind(new ArrayBuffer(1024))
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#values = new this.#kind(this.#values.buffer.transfer(this.#values.byteLength * 2))
    this.#values[this.#length++] = value
  }

  /** The column, of its true length; nothing can be added to it any more. */
  finish(): A {
    return new this.#kind(this.#values.buffer.transfer(this.#length * this.#values.BYTES_PER_ELEMENT))
  }
}
