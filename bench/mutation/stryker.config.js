import { fileURLToPath } from 'node:url'

// `FOLDER=src/guard npm run mutate --prefix bench/mutation`: each small change of the source, and whether a fast test notices it. With
// `TESTS='src/guard/**/*.test.ts'` only these are asked, which takes minutes where all take hours.

const folder = process.env.FOLDER ?? 'src/guard'
const isFile = folder.endsWith('.ts')

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
  vitest: { configFile: 'bench/mutation/vitest.config.ts', related: true },
  mutate: isFile ? [folder] : [`${folder}/**/*.ts`, '!**/*.test.ts'],
  coverageAnalysis: 'perTest',
  // What is made once for all tests, such as a table, is looked at by every one of them: too long for what it shows.
  ignoreStatic: true,
  // Words for people are read, and not tested letter by letter.
  mutator: { excludedMutations: ['StringLiteral'] },
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'bench/mutation/report.json' },
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: 'bench/mutation/.tmp',
  ignorePatterns: ['/.cornerman', '/site', '/bench/peers', '/bench/mutation/report.json'],
  concurrency: 2,
  timeoutMS: 20_000,
  checkers: [],
  disableTypeChecks: false,
}
