import type { Stores } from '../coordinator/stores.ts'
import type { Present } from '../state/present.ts'

/** Says at the start what may be wanted and will not be entered, and what to do; of a service that nobody knows it is one line. */
export function sayUnreadable({ options, step }: Present, modes: Stores['modes']): void {
  if (!options.config.strategies.some(({ kind }) => kind === 'queue' || kind === 'custom')) return
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
