import { workerData } from 'node:worker_threads'
import type { Answer } from '../../../src/optimize/pool.ts'

/** What the worker is to do. */
export type Deed = 'answer' | 'hang' | 'eat' | 'exit' | 'refuse' | 'hangOnce'

const { flag } = workerData as { readonly flag: Int32Array }

/** A worker that does as it is told. */
export default function play(deed: Deed): Answer<string> {
  if (deed === 'hang' || (deed === 'hangOnce' && Atomics.add(flag, 0, 1) === 0)) for (;;) Atomics.load(flag, 0)
  if (deed === 'eat') {
    const eaten: number[][] = []
    for (;;) eaten.push(Array.from({ length: 100_000 }, Math.random))
  }
  if (deed === 'exit') process.exit(1)
  if (deed === 'refuse') return { code: 'CODE_CHANGED', message: 'it was changed' }
  return { result: `${deed} done` }
}
