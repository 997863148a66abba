import { leftText } from '../format/timeText.ts'
import { useNow } from '../live/useNow.ts'

/** Counts down by itself: the server says only when it ends. */
export function TimeLeft({ startsAt, endsAt }: { readonly startsAt: number | undefined; readonly endsAt: number | undefined }) {
  const now = useNow()
  if (startsAt !== undefined && startsAt > now) return <span class="left">starts in {leftText(startsAt - now)}</span>
  if (endsAt === undefined) return <span class="left">under way</span>
  return endsAt <= now ? <span class="left">ending</span> : <span class="left">{leftText(endsAt - now)} left</span>
}
