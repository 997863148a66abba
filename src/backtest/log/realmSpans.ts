import { type HeaderLine, UNNAMED_REALM } from '../../recording/index.ts'

/** A stretch of time in one realm. Two that share a moment of one realm tell of the same prices and contests, whatever files they are in. */
export interface RealmSpan {
  /** As the log's header has it: `import`, `sandbox`, or the origin of a service's URL; `live` of a log that names none. */
  readonly realm: string
  /** Unix milliseconds of its first moment and of its last. */
  readonly from: number
  readonly to: number
}

/** Gathers whose time logs are of, header by header. */
export class RealmSpans {
  readonly #spans: RealmSpan[] = []
  #until: number | undefined
  #isNewLog = true

  /** A log begins. @param until of its last prices; undefined without any */
  enter(until: number | undefined): void {
    this.#until = until
    this.#isNewLog = true
  }

  onHeader({ realm = UNNAMED_REALM, at }: Pick<HeaderLine, 'realm' | 'at'>): void {
    const before = this.#isNewLog ? undefined : this.#spans.at(-1)
    this.#isNewLog = false
    if (before?.realm === realm) return
    if (before !== undefined) this.#spans.splice(-1, 1, { ...before, to: Math.max(before.from, at - 1) })
    this.#spans.push({ realm, from: at, to: Math.max(at, this.#until ?? at) })
  }

  all(): readonly RealmSpan[] {
    return this.#spans
  }
}
