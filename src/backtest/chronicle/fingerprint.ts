import { createHash } from 'node:crypto'

/** Of what is digested at a time: what costs is the call. */
const BUFFER_BYTES = 16_384
/** Characters: longer texts are digested by themselves. */
const LONG_TEXT = 1024
/** A tag, a length and two bytes a character. */
const MOST_BYTES = 5 + 2 * LONG_TEXT

/** What comes next. With it, and the length of every text, no two sequences of values are the same bytes. */
const TAG = { none: 0, number: 1, amount: 2, largeAmount: 3, text: 4, longText: 5, name: 6, newName: 7, wideText: 8 } as const

/** SHA-256 over values in their order: what was decided goes into it by the thousand, and is put into no words for that. */
export class Fingerprint {
  readonly #digest = createHash('sha256')
  readonly #bytes = new Uint8Array(BUFFER_BYTES)
  readonly #view = new DataView(this.#bytes.buffer)
  #length = 0
  readonly #names = new Map<string, number>()

  number(value: number): void {
    this.#makeRoom()
    this.#tag(TAG.number)
    this.#float(value)
  }

  amount(value: bigint): void {
    const near = Number(value)
    const isExact = Number.isSafeInteger(near)
    this.#makeRoom()
    this.#tag(isExact ? TAG.amount : TAG.largeAmount)
    if (isExact) this.#float(near)
    else this.text(value.toString())
  }

  text(value: string | undefined): void {
    this.#makeRoom()
    if (value === undefined) {
      this.#tag(TAG.none)
      return
    }
    const { length } = value
    this.#tag(length > LONG_TEXT ? TAG.longText : TAG.text)
    this.#view.setUint32(this.#length, length)
    this.#length += 4
    if (length > LONG_TEXT) {
      this.#flush()
      this.#digest.update(value, 'utf16le')
      return
    }
    const bytes = this.#bytes
    const from = this.#length
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index)
      if (code > 0xff) {
        this.#writeWide(value, from)
        return
      }
      bytes[from + index] = code
    }
    this.#length = from + length
  }

  /** In two bytes a character, in place of what was written of it in one. */
  #writeWide(value: string, from: number): void {
    this.#bytes[from - 5] = TAG.wideText
    this.#length = from
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index)
      this.#bytes[this.#length++] = code & 0xff
      this.#bytes[this.#length++] = code >> 8
    }
  }

  /** A text that comes again and again: once as it stands, and then as its number. */
  name(value: string): void {
    const known = this.#names.get(value)
    this.#makeRoom()
    this.#tag(known === undefined ? TAG.newName : TAG.name)
    if (known !== undefined) {
      this.#float(known)
      return
    }
    this.#names.set(value, this.#names.size)
    this.text(value)
  }

  /** Of all that went into it so far, in hex. */
  hex(): string {
    return this.#digest.copy().update(this.#bytes.subarray(0, this.#length)).digest('hex')
  }

  #tag(tag: number): void {
    this.#bytes[this.#length++] = tag
  }

  #float(value: number): void {
    this.#view.setFloat64(this.#length, value)
    this.#length += 8
  }

  #makeRoom(): void {
    if (this.#length + MOST_BYTES > BUFFER_BYTES) this.#flush()
  }

  #flush(): void {
    this.#digest.update(this.#bytes.subarray(0, this.#length))
    this.#length = 0
  }
}
