import type { BotRow } from '../../watch/views.ts'
import { agoText } from '../format/timeText.ts'
import { UNKNOWN } from '../format/usdcText.ts'
import { useNow } from '../live/useNow.ts'
import { pure } from './pure.tsx'

const STATES = { current: 'current', late: 'late', stalled: 'stalled' } as const

/** How old the last read of the event stream is. */
export const StreamLag = pure(function StreamLag({ stream: { state, readAt }, isCaughtUp }: Pick<BotRow, 'stream' | 'isCaughtUp'>) {
  const now = useNow()
  if (readAt === undefined) return <span class="soft">{isCaughtUp ? UNKNOWN : 'catching up'}</span>
  const tone = state === 'current' ? 'calm' : state === 'late' ? 'warn' : 'alarm'
  const age = state === 'current' && now - readAt < 5000 ? '' : ` ${agoText(now - readAt)}`
  return (
    <span class={`lag ${tone}`}>
      {isCaughtUp ? STATES[state] : 'catching up'}
      {age}
    </span>
  )
})
