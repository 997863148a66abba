import type { ContestLine, HeaderLine, InputLine, LogLine, OutputLine } from '../../recording/index.ts'

/** What a repair puts behind the name of a run, of what it made a run of its own. */
const PART = /(?:\.\d{3})+$/

/** Tells what is read for the first time: the same recording may be named twice, with a copy of it, or with one of its segments. */
export class News {
  /** The newest input and output that were read of each run. */
  readonly #runs = new Map<string, { input: number; output: number }>()
  readonly #contests = new Set<string>()
  #run = { input: 0, output: 0 }

  has(line: Exclude<LogLine, { kind: 'prices' }>): boolean {
    switch (line.kind) {
      case 'header':
        this.#enter(line)
        return true
      case 'input':
      case 'output':
        return this.#isNext(line)
      case 'contest':
        return this.#isNew(line)
      case 'mints':
        return true
    }
  }

  #enter({ bot, run }: HeaderLine): void {
    const key = `${bot} ${run.replace(PART, '')}`
    this.#run = this.#runs.get(key) ?? { input: 0, output: 0 }
    this.#runs.set(key, this.#run)
  }

  /** The inputs of a run are counted up, and each output has the number of its input. */
  #isNext({ kind, n }: InputLine | OutputLine): boolean {
    if (n <= this.#run[kind]) return false
    this.#run[kind] = n
    return true
  }

  #isNew({ contestId }: ContestLine): boolean {
    if (this.#contests.has(contestId)) return false
    this.#contests.add(contestId)
    return true
  }
}
