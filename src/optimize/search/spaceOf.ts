import type { z } from 'zod'
import { CornermanError } from '../../core/error.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { Dimension } from './dimension.ts'
import { saidDimension, schemaDimension } from './schemaDimension.ts'
import { type Fixed, type Space, spaceFrom } from './space.ts'
import { areAllowed, conditionsOf, currentOf } from './strategyValues.ts'
import { refused, type Vary } from './vary.ts'

export interface SpaceOptions {
  /** Of the bot that is searched for, with what `--set` changed. */
  readonly strategies: readonly Strategy[]
  /** Names of those whose schemas say what is varied. Of the others only what `vary` names is. */
  readonly searched: readonly string[]
  readonly vary: readonly Vary[]
  /** `strategy.parameter` of what `--set` has fixed. */
  readonly set: readonly string[]
}

const MOST_DIMENSIONS = 8
/**
 * What a search goes through: the bounded numbers, enums, booleans and amounts of the strategies searched, and what `--vary` names.
 *
 * @throws CornermanError `NOTHING_VARIES`, `SPACE_TOO_LARGE` above eight parameters, `USAGE` for a `--vary` of what there is not, or of values that are not allowed
 */
export function spaceOf({ strategies, searched, vary, set }: SpaceOptions): Space {
  const [dimensions, fixed]: [Dimension[], Fixed[]] = [[], []]
  for (const said of vary) expectThere(said, strategies, set)
  for (const strategy of strategies) {
    for (const [parameter, field] of Object.entries(strategy.paramsSchema.shape) as [string, z.ZodType][]) {
      const name = `${strategy.name}.${parameter}`
      const said = vary.find((each) => `${each.strategy}.${each.parameter}` === name)
      if (said === undefined && !searched.includes(strategy.name)) continue
      const found =
        said !== undefined ? saidDimension(said, name, field) : set.includes(name) ? 'set' : schemaDimension(strategy, name, field)
      if (typeof found === 'string') fixed.push({ name, because: found })
      else dimensions.push(found)
    }
  }
  expectSize(dimensions, fixed)
  const incumbent = Object.fromEntries(dimensions.flatMap(({ name }) => currentOf(strategies, name)))
  const counts = conditionsOf(strategies)
  const within = Object.fromEntries(Object.entries(incumbent).filter(([name]) => counts(name, incumbent)))
  return spaceFrom({ dimensions, fixed, incumbent: within, counts, isAllowed: (values) => areAllowed(strategies, values) })
}

function expectThere({ strategy, parameter, text }: Vary, strategies: readonly Strategy[], set: readonly string[]): void {
  const named = strategies.find(({ name }) => name === strategy)
  if (named === undefined)
    throw refused(text, `the bot has no strategy ${strategy}; there is ${strategies.map(({ name }) => name).join(', ')}`)
  const there = Object.keys(named.paramsSchema.shape)
  if (!there.includes(parameter)) throw refused(text, `${strategy} has no such parameter; there is ${there.join(', ') || 'none'}`)
  if (set.includes(`${strategy}.${parameter}`)) throw refused(text, 'it is fixed by --set: leave one of the two out')
}

function expectSize(dimensions: readonly Dimension[], fixed: readonly Fixed[]): void {
  if (dimensions.length > MOST_DIMENSIONS)
    throw new CornermanError(
      'SPACE_TOO_LARGE',
      `${dimensions.length} parameters vary, and a search finds its way among ${MOST_DIMENSIONS} at most: fix some with --set, of ${dimensions.map(({ name }) => name).join(', ')}`,
    )
  if (dimensions.length > 0) return
  const staying = fixed.map(({ name, because }) => `${name} (${because})`).join(', ')
  throw new CornermanError(
    'NOTHING_VARIES',
    `no parameter varies${staying === '' ? '' : `: ${staying}`}; give one bounds in its schema, or name it with --vary NAME.PARAMETER=LOW..HIGH`,
  )
}
