import { expect, test } from 'vitest'
import { BY_TEST_ALONE, MACHINES, movesOf } from './support/lifecycles/machines.ts'
import { printedLifecycles } from './support/lifecycles/printed.ts'

test('docs/lifecycles.md has the tables of the machines', async () => {
  await expect(printedLifecycles(MACHINES)).toMatchFileSnapshot('../docs/lifecycles.md')
})

test('a move that is told apart is one of its machine', () => {
  for (const machine of MACHINES) expect(movesOf(machine)).toEqual(expect.arrayContaining([...(BY_TEST_ALONE[machine.name] ?? [])]))
})
