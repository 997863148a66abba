import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LONGEST, LongestFirst } from './longestFirst.ts'

test('every file that is known to be long is there', () => {
  const isThere = (name: string) => ['test/system', 'test/fleet', 'test'].some((folder) => existsSync(`${folder}/${name}.test.ts`))
  expect(LONGEST.filter((name) => !isThere(name))).toEqual([])
})

test('shards share the files between them, the longest as well', async () => {
  const names = [...LONGEST.slice(0, 4), 'unknown', 'other']
  const specifications = names.map((name) => ({ moduleId: `test/system/${name}.test.ts`, project: { name: 'system' } }))
  const shard = (index: number) => {
    const context = { config: { shard: { index, count: 2 } } } as unknown as Vitest
    return new LongestFirst(context).shard(specifications as unknown as TestSpecification[])
  }
  const [first, second] = [await shard(1), await shard(2)]
  expect(first.map(({ moduleId }) => LONGEST.findIndex((name) => moduleId.includes(`/${name}.`)))).toEqual([0, 2, -1])
  expect([...first, ...second].map(({ moduleId }) => moduleId).toSorted()).toEqual(
    specifications.map(({ moduleId }) => moduleId).toSorted(),
  )
})

test('the files of the system suite begin with the longest, those of other suites and unknown ones follow', async () => {
  const [long, longer] = [LONGEST[1], LONGEST[0]]
  const files = ['src/a.test.ts', 'test/system/unknown.test.ts', `test/system/${long}.test.ts`, `test/system/${longer}.test.ts`]
  const specifications = files.map((moduleId) => ({
    moduleId,
    project: { name: 'system', config: { sequence: { groupOrder: 0 }, isolate: true } },
  }))
  const context = { cache: { getTestSpecificationResult: () => ({ failed: false, duration: 0 }) } } as unknown as Vitest
  const sorted = await new LongestFirst(context).sort(specifications as unknown as TestSpecification[])
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual([files[3], files[2], files[0], files[1]])
})
