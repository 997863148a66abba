import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longestFirst.ts'
import { SummaryReporter } from './test/support/summaryReporter.ts'

export default defineConfig({
  test: {
    passWithNoTests: false,
    globalSetup: [fileURLToPath(new URL('test/support/ownTempFolder.ts', import.meta.url))],
    // Vitest leaves a core free by default, which on two is half of them.
    maxWorkers: '100%',
    reporters: [new SummaryReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{src,strategies,test}/**/*.test.ts'],
          exclude: ['test/system/**'],
          testTimeout: 20_000,
          // A second, as it is by default, is not enough for hundreds of exchanges on a machine that has other work.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          // Most of it waits on real time. One more than the two cores it is measured on keeps them busy, and lets deadlines be met.
          maxWorkers: 3,
          // These start processes, kill them and run long simulations: a limit is there to end what hangs, and no bar.
          testTimeout: 30 * 60_000,
          hookTimeout: 2 * 60_000,
        },
      },
    ],
  },
})
