import { expect, test } from 'vitest'
import { exportsOf } from './checks/checkers/exports.ts'
import { Tree } from './checks/tree.ts'
import { examples } from './support/docs/examples.ts'

// The check of the exports counts examples, and the test of the documentation compiles them: both have to mean the same ones.

test('every example that an export is said to have is one that is compiled', () => {
  const compiled = examples()
  const claimed = exportsOf(new Tree('.')).flatMap((each) => each.examples.map((code) => ({ ...each, code })))
  expect(claimed.length).toBeGreaterThan(70)
  const missed = claimed.filter(({ file, code }) => !compiled.some((example) => example.page === file && example.code.includes(code)))
  expect(missed.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})
