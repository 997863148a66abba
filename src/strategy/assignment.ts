import type { z } from 'zod'
import type { Strategy } from './define.ts'
import { readParameter } from './parameterText.ts'

/** What `--set name.parameter=value` says. */
export interface Assignment {
  readonly strategy: string
  readonly parameter: string
  readonly text: string
}

/**
 * Strategies with some of their parameters changed; those that none is of are the same.
 *
 * @param set of parameters that there are
 * @throws CornermanError `STRATEGY_PARAMS_INVALID` for a value that is not allowed
 */
export function remadeBy(strategies: readonly Strategy[], set: readonly Assignment[]): Strategy[] {
  return strategies.map((strategy) => {
    const own = set.filter((each) => each.strategy === strategy.name)
    if (own.length === 0) return strategy
    const schemaOf = (parameter: string) => strategy.paramsSchema.shape[parameter] as z.ZodType
    return strategy.remade(Object.fromEntries(own.map(({ parameter, text }) => [parameter, readParameter(schemaOf(parameter), text)])))
  })
}
