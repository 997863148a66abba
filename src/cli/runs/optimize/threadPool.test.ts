import { afterEach, expect, test } from 'vitest'
import type { Deed } from '../../../../test/support/optimize/poolWorker.ts'
import { ThreadPool } from './threadPool.ts'

const WORKER = new URL('../../../../test/support/optimize/poolWorker.ts', import.meta.url)
const pools: ThreadPool<Deed, string>[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close()
})

function poolOf(workers: number, allowed: { leastMs: number; heapMb?: number } = { leastMs: 1500 }): ThreadPool<Deed, string> {
  const pool = new ThreadPool<Deed, string>({
    worker: WORKER,
    workers,
    data: { flag: new Int32Array(new SharedArrayBuffer(4)) },
    ...allowed,
  })
  pools.push(pool)
  return pool
}

test('jobs come back in their order, and one that hangs is ended without holding up the others', async () => {
  const done: number[] = []
  const results = await poolOf(2).play(['answer', 'hang', 'answer', 'answer'], (index) => done.push(index))
  expect(results).toEqual(['answer done', { lost: 'hung' }, 'answer done', 'answer done'])
  expect(done.toSorted()).toEqual([0, 1, 2, 3])
  expect(done.at(-1)).toBe(1)
})

test('one that hangs once is played again', async () => {
  expect(await poolOf(1).play(['hangOnce', 'answer'])).toEqual(['hangOnce done', 'answer done'])
})

test('one that eats its memory, and one that ends its thread, are lost, and the pool goes on', async () => {
  expect(await poolOf(1, { leastMs: 30_000, heapMb: 48 }).play(['eat', 'exit', 'answer'])).toEqual([
    { lost: 'out of memory' },
    { lost: 'ended' },
    'answer done',
  ])
}, 60_000)

test('what a worker refuses is an error with its code', async () => {
  await expect(poolOf(1).play(['refuse'])).rejects.toMatchObject({ code: 'CODE_CHANGED', message: 'it was changed' })
})
