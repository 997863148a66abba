import type { AlertKind } from '../../strategy/alertConfig.ts'
import type { TroubleKind } from './views.ts'

/** The alert when a trouble comes up; undefined where the step that brought it has told of it. */
export const ALERT_OF: Readonly<Record<TroubleKind, AlertKind | undefined>> = {
  botStopped: 'botStopped',
  streamLate: 'streamStale',
  revealOverdue: 'revealOverdue',
  strategySuspended: 'strategySuspended',
  stopped: 'operator',
  dailyLoss: 'dailyLoss',
  moneyMissing: 'serviceFault',
  clocksDisagree: 'serviceFault',
  paused: undefined,
  unknownActions: 'unknownActions',
  pricesStale: 'pricesStale',
  modeClosed: 'modeClosed',
  swapPathDown: 'swapPathDown',
  unsold: 'unsold',
  unplayed: undefined,
  answerIncomplete: undefined,
  contestUnnamed: undefined,
}
