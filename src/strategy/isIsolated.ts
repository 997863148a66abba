import type { BotConfig } from './config.ts'
import type { Strategy } from './define.ts'

/** What an isolated strategy is given besides its own code. */
export interface IsolationOf {
  /** Whether it shares its process with no other. */
  readonly own: boolean
  /** Files and folders it may read, from the config's folder on. */
  readonly read: readonly string[]
  /** Environment variables it is given. */
  readonly env: readonly string[]
}

const NOTHING: IsolationOf = { own: false, read: [], env: [] }

/** How the bot wants a strategy to run apart from it (`isolate`); undefined where it does not. */
export function isolationOf({ isolate = false }: Pick<BotConfig, 'isolate'>, { name }: Pick<Strategy, 'name'>): IsolationOf | undefined {
  if (typeof isolate === 'boolean') return isolate ? NOTHING : undefined
  const found = isolate.find((item) => (typeof item === 'string' ? item : item.name) === name)
  return typeof found === 'string' ? NOTHING : found
}

export const isIsolated = (bot: Pick<BotConfig, 'isolate'>, strategy: Pick<Strategy, 'name'>): boolean =>
  isolationOf(bot, strategy) !== undefined
