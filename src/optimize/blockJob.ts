import { hash } from 'node:crypto'
import type { Lost, Pool } from './pool.ts'
import type { Block, BlockResult } from './runBlock.ts'
import type { Values } from './search/dimension.ts'
import type { SweepStore } from './sweepStore.ts'

/** The unit of work of a search: a block, and what a trial sets. */
export interface BlockJob extends Block {
  readonly values: Values
}

/** Plays jobs once: what an earlier run of the search has played is taken from its store. */
export class Player {
  readonly #store: SweepStore
  readonly #pool: Pool<BlockJob, BlockResult>

  constructor(store: SweepStore, pool: Pool<BlockJob, BlockResult>) {
    this.#store = store
    this.#pool = pool
  }

  /**
   * @param weight how many times the usual time they may take
   * @returns what they came to, in their order
   */
  async play(jobs: readonly BlockJob[], weight = 1): Promise<readonly (BlockResult | Lost)[]> {
    const results = jobs.map((job) => this.#store.result(nameOf(job)))
    const open = jobs.flatMap((job, index) => (results[index] === undefined ? [{ job, index }] : []))
    await this.#pool.play(
      open.map(({ job }) => job),
      (place, result) => {
        const { job, index } = open[place] ?? { job: undefined, index: -1 }
        if (job === undefined) return
        this.#store.keep(nameOf(job), result)
        results[index] = result
      },
      weight,
    )
    return results.map((result) => result ?? { lost: 'ended' })
  }
}

/** SHA-256 of a job's canonical JSON. */
export function nameOf({ values, from, until, tailMs, seed }: BlockJob): string {
  return hash('sha256', JSON.stringify({ from, seed, set: Object.entries(values).sort(), tailMs, until }))
}
