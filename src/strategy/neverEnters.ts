import type { BotConfig } from './config.ts'
import { modesEnteredBy } from './modesEnteredBy.ts'
import { modesPlayedBy } from './modeWarnings.ts'

/**
 * Why a bot can never enter anything; undefined where it can, or may: a custom strategy enters what it likes, and of a policy without the
 * parameters `modes` and `mode` nobody knows.
 *
 * @returns a sentence, with what to do about it
 */
export function neverEnters({ name, strategies, guard }: Pick<BotConfig, 'name' | 'strategies' | 'guard'>): string | undefined {
  if (strategies.some(({ kind }) => kind === 'custom')) return undefined
  const policies = strategies.filter(({ kind }) => kind === 'queue')
  if (policies.length === 0) return `${name} enters nothing: none of its strategies is a queue policy. Add one, such as ladder`
  const played = [...new Set(strategies.flatMap(modesPlayedBy))]
  const playable = played.filter((mode) => guard.modes.some((allowed) => allowed === mode))
  const may = policies.some((policy) => {
    const entered: readonly string[] = modesEnteredBy(policy)
    return entered.length === 0 || entered.some((mode) => playable.includes(mode))
  })
  if (may) return undefined
  const plays = playable.length === 0 ? 'none that guard.modes allows' : playable.join(', ')
  return `${name} enters nothing: of the modes that its policies enter its strategies play none (they play ${plays}). Name one of those in the modes of a policy`
}
