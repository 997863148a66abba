import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The fast tests, as `npm test` has them, without what it prints: all of them, or those of `TESTS`. */
export default defineConfig({
  root: here('.'),
  test: {
    include: [process.env.TESTS ?? '{src,strategies,test}/**/*.test.ts'],
    // Of processes with Node's permission model the changed copy of the source is no part.
    exclude: ['test/system/**', '**/*.system.test.ts', 'test/checks/**', '**/node_modules/**', 'test/isolation.test.ts'],
    globalSetup: [here('test/support/ownTempFolder.ts')],
    setupFiles: [here('test/support/suite/drawFromSeed.ts')],
    provide: { suite: 'fast', seed: 20_250_721 },
    isolate: false,
    testTimeout: 60_000,
  },
})
