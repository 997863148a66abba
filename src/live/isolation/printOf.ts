import type { BotConfig } from '../../strategy/config.ts'
import { fingerprintOf } from '../../strategy/fingerprint.ts'

/** Tells one strategy of a bot from what it was when its file was changed: its parameters, its code and the bot's seed. */
export const printOf = (bot: BotConfig, place: number): string =>
  JSON.stringify({ seed: bot.seed, strategy: fingerprintOf(bot).strategies[place] })
