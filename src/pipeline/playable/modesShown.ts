import { MODES } from '../../contract/modes.ts'
import { OPEN_MODE, OPEN_MODES } from '../../strategy/openModes.ts'
import type { BotView } from '../../strategy/view.ts'
import { modeStatusOf } from './modeStatus.ts'
import type { Modes } from './modes.ts'

/** What policies are shown of modes. */
export function modesShown(modes: Modes, now: number): BotView['modes'] {
  if (!modes.isKept) return OPEN_MODES
  const shown = MODES.map((mode) => {
    const { code } = modeStatusOf(modes, { mode, now })
    // On trial it is open while nothing of it is out: a policy takes another mode meanwhile.
    const isOpen = code === undefined || (code === 'MODE_ON_TRIAL' && modes.trialOut(mode) === undefined)
    return [mode, isOpen ? OPEN_MODE : { isOpen, why: code }] as const
  })
  return Object.fromEntries(shown)
}
