import { isDeepStrictEqual } from 'node:util'
import { CornermanError, messageOf } from '../../core/error.ts'
import type { Random } from '../../core/random.ts'
import { writeFault } from '../../pipeline/index.ts'
import type { ConformanceProblem } from './report.ts'
import { RULES, type RuleName } from './rules.ts'
import { cpuMs, watched } from './watchedGlobals.ts'

export interface WatchLimits {
  /** The most CPU time of a call, milliseconds. */
  readonly budgetMs: number
  readonly swapsPerContest: number
  /** Whether its answers are recorded and played back, and may come from anywhere. */
  readonly mayCallOut: boolean
}

/** One run of the strategy, as the watch needs to know it. */
export interface WatchedRun {
  readonly seed: number
  readonly scenario: string
  readonly random: Random
  now(): number
}

/** A call that is under way: what it is called, and what the strategy was handed. */
interface Call {
  readonly what: string
  readonly input: number
  readonly contestId: string | undefined
  readonly given: { readonly name: string; readonly shown: unknown; readonly kept: unknown }[]
}

/** So far over the budget one call is enough; else two are: a garbage collection can fall into a call. */
const FAR_OVER = 4

/** Watches every call of a strategy over all runs, and keeps what it did that it may not. */
export class Watch {
  readonly limits: WatchLimits
  readonly problems: ConformanceProblem[] = []
  calls = 0
  /** Until it has not kept a promise: no other one is waited for as long. */
  isPatient = true
  /** The input of the run that is being processed. */
  input = 0
  /** Contests that are over, and the input that said so. */
  readonly ended = new Map<string, number>()
  readonly #params: unknown
  #run: WatchedRun
  #call: Call | undefined
  #overBudget = 0
  readonly #swaps = new Map<string, number>()

  /** @param params the strategy's own, where a write to them is looked for */
  constructor(limits: WatchLimits, run: WatchedRun, params: unknown) {
    this.limits = limits
    this.#params = params
    this.#run = run
  }

  begin(run: WatchedRun): void {
    this.#run = run
    this.input = 0
    this.ended.clear()
    this.#swaps.clear()
  }

  /** Calls the strategy, or tells it something. What it throws is noted, and thrown on: the pipeline contains it. */
  during<T>(what: string, contestId: string | undefined, work: () => T): T {
    // What a strategy hears while it is called is part of that call.
    if (this.#call !== undefined) return work()
    this.calls += 1
    const call: Call = { what, input: this.input, contestId, given: [] }
    this.#call = call
    const random = this.#run.random
    const onUse = (rule: RuleName, used: string) => {
      if (!this.limits.mayCallOut) this.note(rule, `${what} used ${used}`, call)
    }
    const before = cpuMs()
    try {
      const answer = watched({ now: () => this.#run.now(), random, onUse }, work)
      // What it does after an await can change what it was handed, too.
      const compare = () => this.#compare(call)
      if (answer instanceof Promise) void answer.then(compare, compare)
      return answer
    } catch (thrown) {
      this.noteThrown(`${what} threw`, thrown, call)
      throw thrown
    } finally {
      this.#tookMs(cpuMs() - before, call)
      this.#call = undefined
      this.#compare(call)
    }
  }

  /** A copy of what the strategy is shown, which it is held to at the end of the call. */
  give<T>(name: string, value: T): T {
    if (value === undefined || value === null || this.#call === undefined) return value
    const shown = structuredClone(value)
    this.#call.given.push({ name, shown, kept: value })
    return shown
  }

  /** Whether one more swap of a contest is one too many. */
  isTooMany(contestId: string): boolean {
    const count = (this.#swaps.get(contestId) ?? 0) + 1
    this.#swaps.set(contestId, count)
    if (count <= this.limits.swapsPerContest) return false
    this.note('unbounded', `it asked for ${count} swaps in one contest: more than ${this.limits.swapsPerContest}`, { contestId })
    return true
  }

  /** What it threw; where it comes of a write to what cannot be changed, such as its parameters, that is a rule of its own. */
  noteThrown(what: string, thrown: unknown, at: { readonly contestId?: string | undefined; readonly input?: number } = {}): void {
    const fault = writeFault(thrown, () => ({ params: this.#params }))
    const isWrite = fault instanceof CornermanError && fault.code === 'STRATEGY_WROTE'
    this.note(isWrite ? 'mutates-input' : 'throws', `${what} ${messageOf(fault)}`, at)
  }

  note(rule: RuleName, message: string, at: { readonly contestId?: string | undefined; readonly input?: number } = {}): void {
    const { seed, scenario } = this.#run
    if (this.problems.some((problem) => problem.rule === rule && problem.seed === seed)) return
    const contestId = at.contestId ?? this.#call?.contestId
    const input = at.input ?? this.input
    this.problems.push({ rule, seed, scenario, ...(contestId === undefined ? {} : { contestId }), input, message, hint: RULES[rule] })
  }

  #tookMs(took: number, call: Call): void {
    const { budgetMs } = this.limits
    if (took <= budgetMs) return
    this.#overBudget += 1
    if (this.#overBudget < 2 && took <= FAR_OVER * budgetMs) return
    this.note('slow', `${call.what} took more than its ${budgetMs} ms of CPU time`, call)
  }

  #compare(call: Call): void {
    for (const { name, shown, kept } of call.given) {
      if (isDeepStrictEqual(shown, kept)) continue
      this.note('mutates-input', `${call.what} changed ${changedPath(shown, kept, name)}`, call)
    }
  }
}

/** The first place in which two values differ: `draft.available[2]`. */
function changedPath(one: unknown, other: unknown, path: string): string {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return path
  // A list that was sorted or shortened is named as a whole.
  if (Array.isArray(one)) return path
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const [a, b] = [Reflect.get(one, key) as unknown, Reflect.get(other, key) as unknown]
    if (!isDeepStrictEqual(a, b)) return changedPath(a, b, `${path}.${key}`)
  }
  return path
}
