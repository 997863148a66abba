import { CornermanError } from '../../core/error.ts'
import { RULES, type RuleName } from './rules.ts'

/** One thing that a strategy did and may not. */
export interface ConformanceProblem {
  /** The rule that was broken. */
  readonly rule: RuleName
  /** With which it can be seen again: `conformance(strategy, { seeds: [3] })`. */
  readonly seed: number
  /** What the world was like: `calm`, `restarts`, … */
  readonly scenario: string
  /** The contest that it was about, where there was one. */
  readonly contestId?: string
  /** The number of the input that it was called on, from 1. */
  readonly input: number
  /** What it did, in a sentence. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string
}

/** All that was seen of one strategy. */
export interface ConformanceReport {
  /** True where there are no problems. */
  readonly ok: boolean
  /** The seeds that were played. */
  readonly seeds: readonly number[]
  /** Contests that were played to their end, settled or cancelled. */
  readonly contests: number
  /** How often the strategy was called, or told of something it listens to. */
  readonly calls: number
  /** The first of each rule and seed. */
  readonly problems: readonly ConformanceProblem[]
  /** @throws CornermanError `STRATEGY_NOT_CONFORMING` that lists the problems, where there are any */
  assert(): void
}

export function reportOf(name: string, found: Omit<ConformanceReport, 'ok' | 'assert'>): ConformanceReport {
  const { problems, seeds, contests, calls } = found
  return {
    ok: problems.length === 0,
    ...found,
    assert() {
      if (problems.length === 0) return
      const byRule = [...Map.groupBy(problems, ({ rule }) => rule).values()]
      const lines = byRule.flatMap(([first, ...more]) => (first === undefined ? [] : describe(first, more.length)))
      const played = `${contests} contests, ${calls} calls, seeds ${seeds.join(', ')}`
      throw new CornermanError('STRATEGY_NOT_CONFORMING', `strategy ${name} breaks its contract (${played}):\n${lines.join('\n')}`, {
        details: { strategy: name, problems },
      })
    },
  }
}

function describe({ rule, seed, scenario, contestId, input, message }: ConformanceProblem, more: number): string[] {
  const place = [`seed ${seed}`, scenario, ...(contestId === undefined ? [] : [`contest ${contestId}`]), `input ${input}`].join(', ')
  const again = more === 0 ? '' : `; ${more} more ${more === 1 ? 'seed' : 'seeds'}`
  return [`  ${rule}: ${message}`, `    at ${place}${again}`, `    ${RULES[rule]}`]
}
