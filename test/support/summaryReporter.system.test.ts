import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const PROJECT = resolve(import.meta.dirname, '../..')

/** Runs Vitest as `npm test` does, with the project's own configuration, where this is the only test file. */
function runOn(source: string | undefined, ...filters: string[]): { code: number | null; lastLine: string | undefined } {
  const root = mkdtempSync(join(tmpdir(), 'cornerman-reporter-'))
  try {
    mkdirSync(join(root, 'test'))
    symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'), 'junction')
    if (source !== undefined)
      writeFileSync(join(root, 'test/one.test.ts'), `import { beforeAll, describe, expect, test } from 'vitest'\n${source}`)
    const vitest = join(PROJECT, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--project', 'fast', '--root', root, '--config', join(PROJECT, 'vitest.config.ts'), ...filters]
    const run = spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env.PATH, NO_COLOR: '1' } })
    return { code: run.status, lastLine: run.stdout.trimEnd().split('\n').at(-1) }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const pass = `test('passes', () => { expect(1).toBe(1) })\n`
const fail = `test('fails', () => { expect(1).toBe(2) })\n`

test.for([
  { run: 'passing tests', source: pass, code: 0, lastLine: '1 passed, 0 failed, 0 skipped' },
  { run: 'a failing test', source: pass + fail, code: 1, lastLine: '1 passed, 1 failed, 0 skipped' },
  { run: 'a skipped test', source: `${pass}test.skip('is left out', () => {})`, code: 0, lastLine: '1 passed, 0 failed, 1 skipped' },
  { run: 'a file that does not load', source: `throw new Error('on load')`, code: 1, lastLine: '0 passed, 1 failed, 0 skipped' },
  {
    run: 'a hook that throws',
    source: `${pass}describe('suite', () => { beforeAll(() => { throw new Error('in the hook') }); ${fail} })`,
    code: 1,
    lastLine: '1 passed, 1 failed, 1 skipped',
  },
  {
    run: 'a rejection nobody handles',
    source: `${pass}void Promise.reject(new Error('unhandled'))`,
    code: 1,
    lastLine: '1 passed, 1 failed, 0 skipped',
  },
  { run: 'no test file', source: undefined, code: 1, lastLine: '0 passed, 0 failed, 0 skipped' },
])('$run: exit $code, "$lastLine"', ({ source, code, lastLine }) => {
  expect(runOn(source)).toEqual({ code, lastLine })
})

test('filters that match no test are red', () => {
  expect(runOn(pass, '--testNamePattern', 'nothing is called this')).toEqual({ code: 1, lastLine: '0 passed, 0 failed, 1 skipped' })
  expect(runOn(pass, 'test/other.test.ts')).toEqual({ code: 1, lastLine: '0 passed, 0 failed, 0 skipped' })
})
