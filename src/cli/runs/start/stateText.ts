import type { BotRow } from '../../../dashboard/index.ts'

/** How a bot stands, in a word or two: on a terminal and in a chat. */
export function stateText({
  phase,
  stopped,
  isDraining,
  isCaughtUp,
  elsewhere,
}: Pick<BotRow, 'phase' | 'stopped' | 'isDraining' | 'isCaughtUp' | 'elsewhere'>) {
  if (elsewhere !== undefined && elsewhere.host === undefined) return 'not played'
  if (elsewhere?.isSilent === true) return 'no word of it'
  if (phase !== 'running') return phase
  if (stopped === 'all') return 'kill switch'
  if (stopped === 'entries') return 'no entries'
  if (isDraining) return 'draining'
  return isCaughtUp ? 'playing' : 'catching up'
}
