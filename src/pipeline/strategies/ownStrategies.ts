import type { Strategy } from '../../strategy/define.ts'
import { isIsolated } from '../../strategy/isIsolated.ts'
import type { NewestPrices } from '../prices/newestPrices.ts'
import type { Present } from '../state/present.ts'

/**
 * A bot's strategies by what they are now: what one of them is called decides what it may spend. In place of those that are isolated, who
 * speaks for them.
 */
export function ownStrategies(present: Present, newest: NewestPrices): readonly Strategy[] {
  const { config, isolation } = present.options
  const seen = {
    moment: () => ({ n: present.n, at: present.now, tick: newest.tick }),
    isCaughtUp: () => present.books.caughtUp,
    tick$: newest.tick$,
  }
  return config.strategies.map((strategy, place) =>
    Object.freeze(isIsolated(config, strategy) ? { ...isolation.standInFor(strategy, place, seen), external: true } : { ...strategy }),
  )
}
