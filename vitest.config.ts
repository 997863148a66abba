import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longestFirst.ts'
import { SummaryReporter } from './test/support/summaryReporter.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const TESTS = '{src,strategies,test}/**/*.test.ts'
/** Only what starts processes, or takes its time: what is quicker stays in `x.test.ts`. */
const SYSTEM_TESTS = ['test/system/**/*.test.ts', 'test/fleet/**/*.test.ts', '{src,strategies,test}/**/*.system.test.ts']
/** An hour and more in real time, each: `npm run test:long`. */
const LONG_TESTS = ['test/long/**/*.test.ts']
/** These draw their cases, or look at some of many: the system suite looks at all of them, from a seed of its own. */
const SCALED_TESTS = globSync(TESTS, { cwd: here('.') }).filter((file) =>
  /from '(?:fast-check|.*\/suite\/cases\.ts)'/.test(readFileSync(here(file), 'utf8')),
)
/** A hang, and not a slow machine: on one that has sixteen other things to do, a test of two seconds takes half a minute. */
const HANG_MS = 10 * 60_000

/** Of both projects of `npm run test:system`. */
const WHOLE_SUITE = {
  globalSetup: [here('test/support/suite/freshSeed.ts'), here('test/support/suite/compileCache.ts')],
  provide: { suite: 'system' as const },
  // Much of it waits on real time, and starts processes of its own: two files at once keep two cores busy, three miss deadlines.
  maxWorkers: 2,
  hookTimeout: HANG_MS,
  expect: { poll: { timeout: HANG_MS / 2 } },
}

export default defineConfig({
  test: {
    passWithNoTests: false,
    globalSetup: [here('test/support/ownTempFolder.ts')],
    setupFiles: [here('test/support/suite/drawFromSeed.ts')],
    // Vitest leaves a core free by default, which on two is half of them.
    maxWorkers: '100%',
    reporters: [new SummaryReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [TESTS],
          exclude: [...SYSTEM_TESTS, ...LONG_TESTS],
          provide: { suite: 'fast', seed: 20_250_721 },
          // A process for each file, and what it imports anew, takes longer than all the tests.
          isolate: false,
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          expect: { poll: { timeout: HANG_MS / 2 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: SYSTEM_TESTS,
          ...WHOLE_SUITE,
          // These start processes, kill them and run long simulations: a limit is there to end what hangs, and no bar.
          testTimeout: 30 * 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG_TESTS,
          ...WHOLE_SUITE,
          // What one file plays must not slow down another.
          maxWorkers: 1,
          testTimeout: 4 * 60 * 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'properties',
          include: SCALED_TESTS,
          exclude: [...SYSTEM_TESTS, ...LONG_TESTS],
          ...WHOLE_SUITE,
          // These only compute: they take the time that is left by what plays in real time.
          setupFiles: [here('test/support/lowPriority.ts')],
          isolate: false,
          testTimeout: 30 * 60_000,
        },
      },
    ],
  },
})
