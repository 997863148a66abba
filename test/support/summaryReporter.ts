import { DefaultReporter, type TestModule } from 'vitest/node'

type RunEnd = Parameters<DefaultReporter['onTestRunEnd']>

/**
 * Vitest's own report, and under it one last line for people and scripts: `passed 123, failed 0`,
 * with `, skipped 2` where tests were skipped. A run in which no test ran is red, also where
 * Vitest lets it pass (a name pattern that matches nothing skips every test and exits 0).
 */
export class SummaryReporter extends DefaultReporter {
  override onTestRunEnd(...[modules, unhandledErrors, reason]: RunEnd): void {
    super.onTestRunEnd(modules, unhandledErrors, reason)
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      counts.failed += brokenOutsideTests(module)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state] += 1
      }
    }
    if (counts.passed + counts.failed === 0) {
      process.exitCode = 1
      this.error('No test ran: the filters match none, or there are none.')
    }
    const skipped = counts.skipped === 0 ? '' : `, skipped ${counts.skipped}`
    this.log(`passed ${counts.passed}, failed ${counts.failed}${skipped}`)
  }
}

/** Files that did not load and hooks that threw: no test of theirs says so. */
function brokenOutsideTests(module: TestModule): number {
  let broken = module.errors().length
  for (const suite of module.children.allSuites()) broken += suite.errors().length
  return broken
}
