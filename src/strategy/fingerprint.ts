import { hash } from 'node:crypto'
import { plainJson } from '../core/plainJson.ts'
import type { BotConfig } from './config.ts'
import type { Strategy } from './define.ts'

/** What decides how a bot plays: equal fingerprints on equal inputs give equal decisions. */
export interface Fingerprint {
  /** SHA-256 of the bot's config, its strategies' parameters included and their code not. */
  readonly config: string
  /** Where the bot has one of its own: when an answer is late is a part of what happened. */
  readonly strategyTimeoutMs?: number
  readonly strategies: readonly { readonly kind: string; readonly name: string; readonly params: unknown; readonly code: string }[]
}

/** Reads the fingerprint of a bot. A secret is in its config by name only, or masked where it is a strategy's, and so is none here. */
export function fingerprintOf(bot: BotConfig): Fingerprint {
  const strategies = bot.strategies.map(({ kind, name, params, code }) => ({ kind, name, params: plainJson(params), code: sha256(code) }))
  const patience = bot.strategyTimeoutMs === undefined ? {} : { strategyTimeoutMs: bot.strategyTimeoutMs }
  return { config: sha256(JSON.stringify(plainJson({ ...bot, strategies: bot.strategies.map(configOf) }))), ...patience, strategies }
}

const configOf = ({ code: _code, paramsSchema: _schema, ...strategy }: Strategy) => strategy
const sha256 = (text: string): string => hash('sha256', text)
