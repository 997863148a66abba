// `npm run build:page`: builds the dashboard's page. Run at `npm install`, and by `start` where that did not happen. In a
// process of its own, so that the bots' process never holds a bundler.

import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { BUILT, PAGE, pageStamp, STAMP } from './pageStamp.ts'

// One page, whoever builds it: a test runner's environment says that it is for tests.
process.env.NODE_ENV = 'production'
const folder = `${BUILT}-${process.pid}`
try {
  await build({
    root: PAGE,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { outDir: folder, assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false, target: 'es2022' },
  })
  writeFileSync(join(folder, STAMP), pageStamp())
  rmSync(BUILT, { recursive: true, force: true })
  // Whole, or not at all: a start may read it meanwhile, and another one build it.
  renameSync(folder, BUILT)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
