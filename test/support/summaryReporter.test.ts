import { describe, expect, test } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import { SummaryReporter, slowestOf } from './summaryReporter.ts'

type State = ReturnType<TestCase['result']>['state']

interface Ran {
  readonly name: string
  readonly state?: State
  readonly ms?: number
}

/** A file as Vitest reports it: its tests, and what went wrong outside of them. */
function file(name: string, tests: readonly Ran[], broken: { onLoad?: number; inHooks?: number } = {}): TestModule {
  const errors = (count = 0) => Array.from({ length: count }, () => new Error('broken'))
  const module = {
    relativeModuleId: name,
    errors: () => errors(broken.onLoad),
    children: {
      allTests: () =>
        tests.map(({ name: fullName, state = 'passed', ms = 1 }) => ({
          ...{ module, fullName },
          result: () => ({ state }),
          diagnostic: () => (state === 'skipped' ? undefined : { duration: ms }),
        })),
      allSuites: () => [{ errors: () => errors(broken.inHooks) }],
    },
  }
  return module as unknown as TestModule
}

/** What is printed of a run under Vitest's own report. */
function printedOf(modules: readonly TestModule[], unhandled = 0): { lines: string[]; errors: string[]; exitCode: unknown } {
  const lines: string[] = []
  const errors: string[] = []
  class Quiet extends SummaryReporter {
    override reportSummary(): void {}
    override log(text: unknown): void {
      lines.push(...String(text).split('\n'))
    }
    override error(text: unknown): void {
      errors.push(String(text))
    }
  }
  const { exitCode } = process
  try {
    const given = Array.from({ length: unhandled }, () => ({ name: 'Error', message: 'astray', stacks: [] }))
    new Quiet().onTestRunEnd(modules, given, 'passed')
    return { lines, errors, exitCode: process.exitCode }
  } finally {
    process.exitCode = exitCode
  }
}

describe('the last line', () => {
  test.each<[what: string, modules: readonly TestModule[], unhandled: number, line: string]>([
    ['passed tests', [file('a', [{ name: 'one' }, { name: 'two' }])], 0, '2 passed, 0 failed, 0 skipped'],
    ['a failed one', [file('a', [{ name: 'one' }, { name: 'two', state: 'failed' }])], 0, '1 passed, 1 failed, 0 skipped'],
    ['a skipped one', [file('a', [{ name: 'one' }]), file('b', [{ name: 'two', state: 'skipped' }])], 0, '1 passed, 0 failed, 1 skipped'],
    ['a file that does not load', [file('a', [{ name: 'one' }]), file('b', [], { onLoad: 1 })], 0, '1 passed, 1 failed, 0 skipped'],
    ['a hook that throws', [file('a', [{ name: 'one' }], { inHooks: 1 })], 0, '1 passed, 1 failed, 0 skipped'],
    ['an error that nobody caught', [file('a', [{ name: 'one' }])], 1, '1 passed, 1 failed, 0 skipped'],
  ])('counts %s', (_what, modules, unhandled, line) => {
    const printed = printedOf(modules, unhandled)
    expect(printed.lines.at(-1)).toBe(line)
    expect(printed.errors).toEqual([])
  })

  test('of a run without a test is red, and says why', () => {
    const printed = printedOf([file('a', [{ name: 'one', state: 'skipped' }])])
    expect(printed.lines.at(-1)).toBe('0 passed, 0 failed, 1 skipped')
    expect(printed.errors).toEqual([expect.stringContaining('No test ran')])
    expect(printed.exitCode).toBe(1)
  })
})

describe('the slowest tests', () => {
  const ran = Array.from({ length: 30 }, (_, index) => ({ name: `test ${index}`, ms: 100 * ((index * 7) % 30) }))

  test('are named with their file and their time, the slowest first, and no more than so many', () => {
    const slowest = slowestOf([file('src/a.test.ts', ran.slice(0, 10)), file('src/b.test.ts', ran.slice(10))], 20)
    expect(slowest).toHaveLength(20)
    expect(slowest[0]).toBe('    2.9 s  src/b.test.ts > test 17')
    expect(slowest[1]).toBe('    2.8 s  src/a.test.ts > test 4')
    expect(slowest.map((line) => Number.parseFloat(line))).toEqual(Array.from({ length: 20 }, (_, index) => (29 - index) / 10))
  })

  test('stand before the last line, twenty of them', () => {
    const { lines } = printedOf([file('src/a.test.ts', ran)])
    const first = lines.indexOf('Slowest tests:')
    expect(lines.slice(first + 1, -2)).toHaveLength(20)
    expect(lines.slice(-2)).toEqual(['', '30 passed, 0 failed, 0 skipped'])
  })

  test('that did not run took no time', () => {
    expect(slowestOf([file('a', [{ name: 'left out', state: 'skipped' }])], 20)).toEqual(['    0.0 s  a > left out'])
  })
})
