import { MODES, type Mode, modesWhere } from '../contract/modes.ts'
import type { BotConfig } from './config.ts'
import type { Strategy } from './define.ts'
import { modesEnteredBy } from './modesEnteredBy.ts'

/** Modes that a bot's policies enter for nothing. */
export interface ModeWarning {
  readonly code: 'MODES_NOT_PLAYED' | 'MODES_NOT_ALLOWED'
  /** A sentence, with what to do about it. */
  readonly message: string
}

/**
 * Warns of modes that a bot's policies enter and no strategy of the bot plays, or its guard refuses. Which modes a policy enters is read
 * from its parameters `modes` and `mode`: of one without them nothing is known. A custom strategy may play any mode.
 */
export function modeWarnings({ name, strategies, guard }: Pick<BotConfig, 'name' | 'strategies' | 'guard'>): ModeWarning[] {
  const played = new Set(strategies.flatMap(modesPlayedBy))
  const isAllowed = (mode: Mode) => guard.modes.includes(mode)
  return strategies
    .filter(({ kind }) => kind === 'queue')
    .flatMap((policy) => {
      const entered = modesEnteredBy(policy)
      const idle = entered.filter((mode) => isAllowed(mode) && !played.has(mode))
      const refused = entered.filter((mode) => !isAllowed(mode))
      const found: ModeWarning[] = []
      if (idle.length > 0) {
        const message = `${policy.name} enters ${idle.join(', ')}, which no strategy of ${name} plays: add one that does, or ${leaveOut(idle)}`
        found.push({ code: 'MODES_NOT_PLAYED', message })
      }
      if (refused.length > 0) {
        const message = `${policy.name} asks for ${refused.join(', ')}, which guard.modes of ${name} does not allow: allow ${them(refused)}, or ${leaveOut(refused)}`
        found.push({ code: 'MODES_NOT_ALLOWED', message })
      }
      return found
    })
}

const them = ({ length }: readonly Mode[]): string => (length === 1 ? 'it' : 'them')
const leaveOut = (modes: readonly Mode[]): string => `leave ${them(modes)} out of its modes`

export function modesPlayedBy(strategy: Strategy): readonly string[] {
  switch (strategy.kind) {
    case 'queue':
      return []
    case 'draft':
      return modesWhere({ asked: 'draft' })
    case 'predict':
    case 'trade':
      return strategy.modes
    case 'custom':
      return MODES
  }
}
