import { InvalidArgumentError } from 'commander'
import { CornermanError } from '../core/error.ts'
import { type Assignment, remadeBy } from '../strategy/assignment.ts'
import type { Config } from '../strategy/config.ts'
import type { Strategy } from '../strategy/define.ts'

/** As commands offer it. */
export const SET = {
  flags: '--set <name.parameter=value>',
  purpose: 'change a parameter of a strategy for this run, such as momentum.lookbackSec=60; as often as there are',
} as const
const ASSIGNMENT = /^([\w-]+)\.(\w+)=(.*)$/s

/** For commander: collects what is said of one option after another. */
export function assignments(text: string, before: readonly Assignment[] | undefined): readonly Assignment[] {
  const [, strategy = '', parameter = '', value = ''] = ASSIGNMENT.exec(text) ?? []
  if (strategy === '') throw new InvalidArgumentError('NAME.PARAMETER=VALUE, such as momentum.lookbackSec=60')
  if (strategy === 'guard') throw new InvalidArgumentError('the caps of a guard are not tuned: change them in the config')
  return [...(before ?? []), { strategy, parameter, text: value }]
}

/**
 * The config with some parameters of its strategies changed, in every bot that has them.
 *
 * @throws CornermanError `USAGE` for a strategy or a parameter that there is not, `STRATEGY_PARAMS_INVALID` for a value that is not allowed
 */
export function withSet(config: Config, set: readonly Assignment[] | undefined): Config {
  if (set === undefined) return config
  const strategies = config.bots.flatMap((bot) => bot.strategies)
  for (const assignment of set) expectParameter(assignment, strategies)
  return { ...config, bots: config.bots.map((bot) => ({ ...bot, strategies: remadeBy(bot.strategies, set) })) }
}

function expectParameter({ strategy, parameter }: Assignment, strategies: readonly Strategy[]): void {
  const named = strategies.filter(({ name }) => name === strategy)
  if (named.length === 0) {
    const names = [...new Set(strategies.map(({ name }) => name))].join(', ')
    throw new CornermanError('USAGE', `--set ${strategy}.${parameter}: no bot that plays has a strategy ${strategy}; there is ${names}`)
  }
  const lacking = named.find(({ paramsSchema }) => !Object.hasOwn(paramsSchema.shape, parameter))
  if (lacking === undefined) return
  const there = Object.keys(lacking.paramsSchema.shape).join(', ') || 'none'
  throw new CornermanError('USAGE', `--set ${strategy}.${parameter}: ${strategy} has no such parameter; there is ${there}`)
}
