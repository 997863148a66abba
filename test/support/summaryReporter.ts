import { DefaultReporter, type TestCase, type TestModule } from 'vitest/node'

type RunEnd = Parameters<DefaultReporter['onTestRunEnd']>

const SLOWEST = 20

/**
 * Vitest's own report, under it the tests that took longest, and one last line for people and scripts:
 * `123 passed, 0 failed, 0 skipped`. A run in which no test ran is red, also where Vitest lets it pass (a name pattern that
 * matches nothing skips every test and exits 0).
 */
export class SummaryReporter extends DefaultReporter {
  override onTestRunEnd(...[modules, unhandledErrors, reason]: RunEnd): void {
    super.onTestRunEnd(modules, unhandledErrors, reason)
    const { passed, failed, skipped } = countsOf(modules, unhandledErrors.length)
    if (passed + failed === 0) {
      process.exitCode = 1
      this.error('No test ran: the filters match none, or there are none.')
    }
    const slowest = slowestOf(modules, SLOWEST)
    if (slowest.length > 0) this.log(['Slowest tests:', ...slowest, ''].join('\n'))
    this.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}

function countsOf(modules: readonly TestModule[], errors: number): { passed: number; failed: number; skipped: number } {
  const counts = { passed: 0, failed: errors, skipped: 0 }
  for (const module of modules) {
    counts.failed += brokenOutsideTests(module)
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state !== 'pending') counts[state] += 1
    }
  }
  return counts
}

/** A line for each, the slowest first. */
export function slowestOf(modules: readonly TestModule[], most: number): readonly string[] {
  return modules
    .flatMap((module) => [...module.children.allTests()])
    .map((test) => ({ test, ms: test.diagnostic()?.duration ?? 0 }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, most)
    .map(({ test, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${nameOf(test)}`)
}

const nameOf = ({ module, fullName }: TestCase): string => `${module.relativeModuleId} > ${fullName}`

/** Files that did not load and hooks that threw: no test of theirs says so. */
function brokenOutsideTests(module: TestModule): number {
  let broken = module.errors().length
  for (const suite of module.children.allSuites()) broken += suite.errors().length
  return broken
}
