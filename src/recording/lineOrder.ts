import type { Mint } from '../core/tokens.ts'
import type { HeaderLine, LogLine } from './lines.ts'
import type { Fault } from './logError.ts'

const gap = (what: string): Fault => ({ code: 'LOG_GAP', what })
const outOfOrder = (what: string): Fault => ({ code: 'LOG_OUT_OF_ORDER', what })

/** What says where a line of prices belongs. */
interface PlacedPrices {
  readonly at: number
  readonly n: number | undefined
  /** Of prices. */
  readonly count: number
}

/**
 * What a line must be after those before it: one bot's, of the next segment or a new run, with times that do not go back,
 * inputs that count up by one, and no more prices than columns. A break is said once: what follows is measured by the line
 * that broke.
 */
export class LineOrder {
  #bot: string | undefined
  #run: string | undefined
  #segment = 0
  #mints: ReadonlySet<Mint> = new Set()
  /** Of the newest input; undefined where the one before is not known. */
  #n: number | undefined
  #at = 0
  /** As they were before the newest line. */
  #nBefore: number | undefined
  #atBefore = 0

  follow(line: LogLine): Fault | undefined {
    if (line.kind === 'prices') return this.#followPrices({ at: line.at, n: line.n, count: line.prices.length })
    this.#remember()
    if (line.kind === 'header') return this.#followHeader(line)
    if (line.kind === 'mints') return this.#addColumns(line.mints)
    const late = this.#followTime(line.at)
    const misplaced = line.kind === 'input' ? this.#followInput(line.n) : undefined
    return late ?? misplaced
  }

  /** As `follow`, of a line of prices with whose place nothing is wrong; any other is left out, and it is false. */
  take(prices: PlacedPrices): boolean {
    const isInPlace = this.#followPrices(prices) === undefined
    if (!isInPlace) this.leaveOut()
    return isInPlace
  }

  /** The line that came last is left out: what follows is measured by the one before it. */
  leaveOut(): void {
    this.#n = this.#nBefore
    this.#at = this.#atBefore
  }

  #remember(): void {
    this.#nBefore = this.#n
    this.#atBefore = this.#at
  }

  #followPrices({ at, n, count }: PlacedPrices): Fault | undefined {
    this.#remember()
    const late = this.#followTime(at)
    const misplaced = this.#followInput(n)
    return late ?? misplaced ?? this.#fitColumns(count)
  }

  #followHeader({ bot, run, segment, at, mints }: HeaderLine): Fault | undefined {
    this.#mints = new Set()
    const named = this.#addColumns(mints)
    if (named !== undefined) return named
    this.#bot ??= bot
    if (bot !== this.#bot) return { code: 'LOG_MIXED', what: `this segment is of bot ${bot}, those before are of ${this.#bot}` }
    const before = this.#segment
    this.#segment = segment
    if (run !== this.#run) {
      // The oldest segments of a recording are deleted first: only its first run may have lost its beginning.
      const isFirst = this.#run === undefined
      this.#run = run
      this.#n = undefined
      this.#at = at
      return isFirst || segment === 1 ? undefined : gap(`run ${run} begins with segment ${segment}, though a run stands before it`)
    }
    if (segment === before + 1) return this.#followTime(at)
    this.#n = undefined
    this.#at = at
    const what = `segment ${segment} of run ${run} follows segment ${before}`
    return segment > before ? gap(what) : outOfOrder(what)
  }

  #addColumns(mints: readonly Mint[]): Fault | undefined {
    const count = this.#mints.size + mints.length
    this.#mints = new Set([...this.#mints, ...mints])
    return this.#mints.size < count ? { code: 'LOG_UNREADABLE', what: 'it names a token that has a column already' } : undefined
  }

  #fitColumns(count: number): Fault | undefined {
    if (count <= this.#mints.size) return undefined
    return { code: 'LOG_UNREADABLE', what: `${count} prices for ${this.#mints.size} tokens: a mints line is missing before it` }
  }

  #followTime(at: number): Fault | undefined {
    const before = this.#at
    this.#at = at
    return at < before ? outOfOrder(`its time ${at} is before ${before}, that of a line before it`) : undefined
  }

  #followInput(n: number | undefined): Fault | undefined {
    if (n === undefined) return undefined
    const before = this.#n
    this.#n = n
    if (before === undefined || n === before + 1) return undefined
    return n > before
      ? gap(`input ${n} follows input ${before}: ${n - before - 1} are missing`)
      : outOfOrder(`input ${n} follows input ${before}`)
  }
}
