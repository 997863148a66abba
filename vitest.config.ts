import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { SummaryReporter } from './test/support/summaryReporter.ts'

export default defineConfig({
  test: {
    passWithNoTests: false,
    globalSetup: [fileURLToPath(new URL('test/support/ownTempFolder.ts', import.meta.url))],
    // Vitest leaves a core free by default, which on two is half of them.
    maxWorkers: '100%',
    reporters: [new SummaryReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{src,strategies,test,.ci}/**/*.test.ts'],
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
          // Real processes in real time: one beside another would only wait for it.
          maxWorkers: 1,
          // These start processes, kill them and run long simulations; each states its own limit where it can.
          testTimeout: 30 * 60_000,
          hookTimeout: 2 * 60_000,
        },
      },
    ],
  },
})
