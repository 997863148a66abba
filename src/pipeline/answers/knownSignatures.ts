/** As many transactions as a look-up can still be confused with. */
const REMEMBERED = 1000

/** Signatures of this bot's swaps, the newest thousand. */
export class KnownSignatures {
  readonly #signatures = new Set<string>()

  add(signature: string | undefined): void {
    if (signature === undefined) return
    this.#signatures.delete(signature)
    this.#signatures.add(signature)
    const oldest = this.#signatures.keys().next()
    if (this.#signatures.size > REMEMBERED && !oldest.done) this.#signatures.delete(oldest.value)
  }

  has(signature: string): boolean {
    return this.#signatures.has(signature)
  }
}
