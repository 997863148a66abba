import type { HeaderLine, LogLine } from '../../recording/index.ts'

/** What a repair puts behind the name of a run, of what it made a run of its own. */
const PART = /(?:\.\d{3})+$/

/** Inputs of a run that were read one after the other, by their numbers. */
interface Stretch {
  readonly from: number
  to: number
}

/** Tells what is read for the first time: the same recording may be named twice, with a copy of it, or with one of its segments. */
export class News {
  /** What was read of each run. */
  readonly #runs = new Map<string, Stretch[]>()
  readonly #contests = new Set<string>()
  /** Of the run that is being read. */
  #stretches: Stretch[] = []
  #header: Pick<HeaderLine, 'run' | 'segment'> | undefined
  /** What is being read, from its first input on. */
  #newest: Stretch | undefined

  has(line: Exclude<LogLine, { kind: 'prices' }>): boolean {
    switch (line.kind) {
      case 'header':
        this.#enter(line)
        return true
      case 'input':
      case 'output':
        return this.#isNew(line.n)
      case 'contest':
        return this.#isFirst(JSON.stringify(line))
      case 'mints':
        return true
    }
  }

  #enter({ bot, run, segment }: HeaderLine): void {
    const before = this.#header
    this.#header = { run, segment }
    if (before?.run === run && before.segment + 1 === segment) return
    const [own, whole] = [`${bot} ${run}`, `${bot} ${run.replace(PART, '')}`]
    const key = this.#runs.has(whole) ? whole : own
    this.#stretches = this.#runs.get(key) ?? []
    this.#runs.set(key, this.#stretches)
    this.#newest = undefined
  }

  /** The inputs of a run are counted up, and each output has the number of its input. */
  #isNew(n: number): boolean {
    const newest = this.#newest ?? { from: n, to: n }
    if (this.#newest === undefined) this.#stretches.push(newest)
    this.#newest = newest
    newest.to = n
    return this.#stretches.every((stretch) => stretch === newest || n < stretch.from || n > stretch.to)
  }

  #isFirst(contest: string): boolean {
    if (this.#contests.has(contest)) return false
    this.#contests.add(contest)
    return true
  }
}
