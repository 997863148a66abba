import type { z } from 'zod'
import { CornermanError } from '../../core/error.ts'
import { formatUnits } from '../../core/formatUnits.ts'
import { type Assignment, remadeBy } from '../../strategy/assignment.ts'
import type { Strategy } from '../../strategy/define.ts'
import { saysUsdc } from '../../strategy/parameterSchema.ts'
import type { Value, Values } from './dimension.ts'
import { searchMeta } from './searchMeta.ts'

/** What the bot has in a dimension, where it has one. */
export function currentOf(strategies: readonly Strategy[], name: string): (readonly [string, Value])[] {
  const [strategy, parameter, field] = partsOf(strategies, name)
  const value = (strategy?.params as Readonly<Record<string, unknown>> | undefined)?.[parameter]
  if (typeof value === 'bigint') return [[name, field !== undefined && saysUsdc(field) ? Number(formatUnits(value, 6)) : Number(value)]]
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? [[name, value]] : []
}

function partsOf(strategies: readonly Strategy[], name: string): readonly [Strategy | undefined, string, z.ZodType | undefined] {
  const dot = name.indexOf('.')
  const [owner, parameter] = [name.slice(0, dot), name.slice(dot + 1)]
  const strategy = strategies.find((each) => each.name === owner)
  return [strategy, parameter, strategy?.paramsSchema.shape[parameter] as z.ZodType | undefined]
}

/** Whether a parameter counts: where its `.meta({ when })` holds, by what it names and by what that depends on. */
export function conditionsOf(strategies: readonly Strategy[]): (name: string, values: Values) => boolean {
  const counts = (name: string, values: Values, asked: readonly string[]): boolean => {
    const [strategy, , field] = partsOf(strategies, name)
    if (strategy === undefined || field === undefined || asked.includes(name)) return true
    return Object.entries(searchMeta(field).when ?? {}).every(([parameter, wanted]) => {
      const other = `${strategy.name}.${parameter}`
      const [, current] = currentOf(strategies, other)[0] ?? []
      const value = values[other] ?? current
      const isMet = Array.isArray(wanted) ? wanted.includes(value) : wanted === value
      return isMet && counts(other, values, [...asked, name])
    })
  }
  return (name, values) => counts(name, values, [])
}

/** Whether the strategies can be made anew with these values. */
export function areAllowed(strategies: readonly Strategy[], values: Values): boolean {
  try {
    remadeBy(strategies, assignmentsOf(values))
    return true
  } catch (error) {
    if (error instanceof CornermanError && (error.code === 'STRATEGY_PARAMS_INVALID' || error.code === 'STRATEGY_INVALID')) return false
    throw error
  }
}

/** The values as `--set` takes them. */
export function assignmentsOf(values: Values): Assignment[] {
  return Object.entries(values).map(([name, value]) => {
    const dot = name.indexOf('.')
    return { strategy: name.slice(0, dot), parameter: name.slice(dot + 1), text: String(value) }
  })
}
