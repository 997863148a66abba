import { CornermanError } from '../core/error.ts'
import type { Config } from '../strategy/config.ts'

/**
 * The config with only the bots named; all of them where none is.
 *
 * @throws CornermanError `BOT_UNKNOWN`
 */
export function pickBots(config: Config, names: readonly string[] | undefined): Config {
  if (names === undefined) return config
  const known = config.bots.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new CornermanError('BOT_UNKNOWN', `--bot ${unknown}: there is no such bot in the config, which has ${known.join(', ')}`)
  return { ...config, bots: config.bots.filter(({ name }) => names.includes(name)) }
}
