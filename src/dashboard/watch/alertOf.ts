import type { AlertKind } from '../../strategy/alertConfig.ts'
import type { TroubleKind } from './views.ts'

/** What is told when a trouble comes up. */
export const ALERT_OF: Readonly<Record<TroubleKind, AlertKind>> = {
  botStopped: 'botStopped',
  streamLate: 'streamStale',
  revealOverdue: 'revealOverdue',
  strategySuspended: 'strategySuspended',
  stopped: 'operator',
  dailyLoss: 'dailyLoss',
  unknownActions: 'unknownActions',
}
