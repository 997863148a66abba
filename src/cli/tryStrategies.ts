import type { BotConfig, Config } from '../strategy/config.ts'
import type { Strategy } from '../strategy/define.ts'
import { loadStrategy } from './loadStrategy.ts'

/** Strategies that choose what to enter: of these the one to be tried plays alone. */
const ENTERS: ReadonlySet<Strategy['kind']> = new Set(['queue', 'custom'])

/**
 * The config with the strategies of these files, by their default parameters, in the hands of its first bot: before its own, so
 * that they are the ones asked, and in place of its policies where they choose what to enter. The config itself needs no change.
 *
 * @throws CornermanError of `loadStrategy`; `STRATEGY_PARAMS_INVALID` where a parameter has no default
 */
export async function tryStrategies(config: Config, files: readonly string[] | undefined): Promise<Config> {
  const [first] = config.bots
  if (files === undefined || first === undefined) return config
  let bot = first
  for (const file of files) {
    const define = await loadStrategy(file)
    bot = withStrategy(bot, define())
  }
  return { ...config, bots: [bot] }
}

function withStrategy(bot: BotConfig, tried: Strategy): BotConfig {
  const others = bot.strategies.filter(({ kind, name }) => name !== tried.name && !(ENTERS.has(kind) && ENTERS.has(tried.kind)))
  return { ...bot, strategies: [tried, ...others] }
}
