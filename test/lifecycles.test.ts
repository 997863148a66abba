import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BY_TEST_ALONE, MACHINES, movesOf } from './support/lifecycles/machines.ts'
import { printedLifecycles } from './support/lifecycles/printed.ts'

test('docs/lifecycles.md has the tables of the machines', async () => {
  await expect(printedLifecycles(MACHINES)).toMatchFileSnapshot('../docs/lifecycles.md')
})

test('a move that is told apart is one of its machine', () => {
  for (const machine of MACHINES) expect(movesOf(machine)).toEqual(expect.arrayContaining([...(BY_TEST_ALONE[machine.name] ?? [])]))
})

const pipeline = fileURLToPath(new URL('../src/pipeline/', import.meta.url))
const sources = globSync('**/*.ts', { cwd: pipeline }).filter((path) => !path.endsWith('.test.ts'))
const textOf = (path: string) => readFileSync(`${pipeline}${path}`, 'utf8')
const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(textOf(path))).sort()

test('each part of the books has one owner, which alone has its pen', () => {
  expect(sources.length).toBeGreaterThan(90)
  expect(filesWith(/\.books = /)).toEqual([])
  expect(filesWith(/\.penFor\(/)).toEqual([
    'money/figures.ts',
    'money/results.ts',
    'seat/predictionCustody.ts',
    'seat/seats.ts',
    'state/session.ts',
  ])
})

test('what the guard holds for an action is told by money alone', () => {
  expect(filesWith(/reservations\.(reserve|place|release|seen|seenSwaps)\(/)).toEqual(['money/figures.ts'])
  expect(filesWith(/unseenCash\.(moved|seen)\(/)).toEqual(['money/figures.ts'])
})
