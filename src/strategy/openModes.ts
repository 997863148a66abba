import { MODES } from '../contract/modes.ts'
import type { BotView } from './view.ts'

export const OPEN_MODE = Object.freeze({ isOpen: true, why: undefined })

/** As strategies are shown modes that are all open. */
export const OPEN_MODES: BotView['modes'] = Object.freeze(Object.fromEntries(MODES.map((mode) => [mode, OPEN_MODE])))
