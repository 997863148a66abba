import { hash } from 'node:crypto'
import type { Terms } from '../../../backtest/index.ts'
import type { Mode } from '../../../contract/modes.ts'
import { CornermanError } from '../../../core/error.ts'
import type { TokenFacts } from '../../../core/tokenFacts.ts'
import type { Values } from '../../../optimize/search/dimension.ts'
import { assignmentsOf } from '../../../optimize/search/strategyValues.ts'
import { type Assignment, remadeBy } from '../../../strategy/assignment.ts'
import type { BotConfig } from '../../../strategy/config.ts'
import { fingerprintOf } from '../../../strategy/fingerprint.ts'
import { statedTokens } from '../../../strategy/tokenConfig.ts'
import { loadConfig } from '../../loadConfig.ts'
import { pickBots } from '../../pickBots.ts'
import { withSet } from '../../setParameters.ts'
import { tryStrategies } from '../tryStrategies.ts'

/** Which bot is searched for, in words that any thread can load it by. */
export interface Subject {
  readonly config: string
  /** The bot of the config; undefined: the first. */
  readonly bot: string | undefined
  /** Files of strategies that are tried in its place. */
  readonly strategies: readonly string[] | undefined
  readonly set: readonly Assignment[] | undefined
}

export interface LoadedSubject {
  readonly bot: BotConfig
  readonly tokens: readonly TokenFacts[]
}

/**
 * Loads the bot that a search is about, its incumbent.
 *
 * @param termsOf on which terms a plain policy enters a mode
 * @throws CornermanError what a config, a strategy or a parameter is refused with; `NOT_REPEATABLE` for a strategy that asks the world outside
 */
export async function loadSubject(
  { config: file, bot: name, strategies, set }: Subject,
  termsOf: (mode: Mode) => Terms,
): Promise<LoadedSubject> {
  const picked = pickBots(await loadConfig(file), name === undefined ? undefined : [name])
  const { bots, market } = withSet(await tryStrategies(picked, strategies, termsOf), set)
  const [bot] = bots
  if (bot === undefined) throw new CornermanError('USAGE', `${file} has no bot`)
  const outside = bot.strategies.find(({ external }) => external)
  if (outside !== undefined)
    throw new CornermanError(
      'NOT_REPEATABLE',
      `${outside.name} is external: what it hears from outside is another thing each time, and a search compares runs. Vary a strategy that decides by prices and contests alone`,
    )
  return { bot, tokens: statedTokens(market.tokens) }
}

/** The bot with the parameters of a trial. */
export const withValues = (bot: BotConfig, values: Values): BotConfig => ({
  ...bot,
  strategies: remadeBy(bot.strategies, assignmentsOf(values)),
})

/** SHA-256 of how a bot plays: its config, and the code of its strategies. */
export const codeOf = (bot: BotConfig): string => hash('sha256', JSON.stringify(fingerprintOf(bot)))
