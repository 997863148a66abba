import type { PoolsOptions } from '../optimize/pools.ts'
import type { Subject } from '../optimize/subject.ts'

/** What the threads of a worker are given beside the log: files are named below the root of the bundle. */
export type Given = PoolsOptions & { readonly sealedFrom: number }

/** The same subject with its files elsewhere. */
export const moved = (subject: Subject, place: (file: string) => string): Subject => ({
  ...subject,
  config: place(subject.config),
  strategies: subject.strategies?.map(place),
})
