import { hash } from 'node:crypto'
import { plainJson } from '../../core/plainJson.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { fingerprintOf } from '../../strategy/fingerprint.ts'

/** Names a bot by what it does, SHA-256 of the code and the parameters of its strategies and of its guard: its name is no part of it. */
export function botKey(bot: BotConfig): string {
  return hash('sha256', JSON.stringify([fingerprintOf(bot).strategies, plainJson(bot.guard)]))
}
