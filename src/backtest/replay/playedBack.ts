import { NEVER } from 'rxjs'
import { unreachable } from '../../core/error.ts'
import type { Strategy } from '../../strategy/define.ts'

const neverAnswers = () => new Promise<never>(() => {})

/** A strategy as a replay runs it: one that calls out is not asked again, since its recorded answers come as inputs. */
export function playedBack(strategy: Strategy): Strategy {
  if (!strategy.external) return strategy
  switch (strategy.kind) {
    case 'queue':
      return { ...strategy, decide: neverAnswers }
    case 'draft':
      return { ...strategy, pick: neverAnswers }
    case 'predict':
      return { ...strategy, predict: neverAnswers }
    case 'trade':
      return { ...strategy, trade: () => NEVER }
    case 'custom':
      return { ...strategy, run: () => NEVER }
    default:
      return unreachable(strategy)
  }
}
