import type { RealmSpan } from '../../../backtest/index.ts'
import { CornermanError } from '../../../core/error.ts'
import { changeOf, type Plan } from '../../../optimize/plan.ts'
import { SweepStore } from '../../../optimize/sweepStore.ts'
import type { Asked, Prepared } from './prepare.ts'

/** What a sweep's database says of how it was begun. */
export interface Begun {
  readonly asked: Asked
  readonly plan: Plan
  /** Whose time the logs are of. */
  readonly spans: readonly RealmSpan[]
}

/** How a search was begun. @throws CornermanError `SWEEP_UNKNOWN`, `SWEEP_BUSY`, `SWEEP_DAMAGED` */
export function begunOf(dataDir: string, id: string): Begun {
  const store = new SweepStore(dataDir, id)
  try {
    return store.fact('plan') as Begun
  } finally {
    store.close()
  }
}

export function changed(id: string, before: Plan, { plan }: Pick<Prepared, 'plan'>): CornermanError {
  const what = changeOf(before, plan) ?? 'what it was asked'
  return new CornermanError('SWEEP_CHANGED', `${id} cannot go on: ${what} has changed since it was begun. Start it anew, without --resume`)
}
