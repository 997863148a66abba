import type { Strategy } from '../../strategy/define.ts'
import type { Present } from '../state/present.ts'
import type { Modes } from './modes.ts'

/** Says at the start what may be wanted and will not be entered, and what to do; of a service that nobody knows it is one line. */
export function sayUnreadable(
  { options, step }: Present,
  { modes, strategies }: { readonly modes: Modes; readonly strategies: readonly Strategy[] },
): void {
  if (!strategies.some(({ kind }) => kind === 'queue' || kind === 'custom')) return
  for (const mode of options.config.guard.modes) {
    const unreadable = modes.unreadable(mode)
    if (unreadable === undefined || modes.unplayedBy(mode) !== undefined) continue
    const { code, why, remedy, pieces } = unreadable
    if (code === 'SERVICE_UNPROBED') {
      step.note('warn', `nothing is entered, since ${why}: ${remedy}`, { code })
      return
    }
    step.note('warn', `${mode} is not entered, since ${why}: ${remedy}`, { code, mode, pieces: pieces.join(', ') })
  }
}
