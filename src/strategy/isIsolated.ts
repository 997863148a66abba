import type { BotConfig } from './config.ts'
import type { Strategy } from './define.ts'

/** Whether the bot wants a strategy to run apart from it (`isolate`). */
export function isIsolated({ isolate = false }: Pick<BotConfig, 'isolate'>, { name }: Pick<Strategy, 'name'>): boolean {
  return typeof isolate === 'boolean' ? isolate : isolate.includes(name)
}
