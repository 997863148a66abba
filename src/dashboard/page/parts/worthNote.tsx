import type { Worth } from '../../watch/views.ts'
import { agoText } from '../format/timeText.ts'
import { useNow } from '../live/useNow.ts'

/** A price that is older is said to be: what is held may be worth another amount. */
const OLD_PRICE_MS = 60_000

/** What keeps a figure of equity from being whole and of now; nothing where it is both. */
export function WorthNote({ unpriced, pricedAt }: Pick<Worth, 'unpriced' | 'pricedAt'>) {
  const now = useNow()
  const isOld = pricedAt !== undefined && now - pricedAt >= OLD_PRICE_MS
  if (unpriced === 0 && !isOld) return null
  return (
    <small class="caution">
      {unpriced > 0 && (unpriced === 1 ? 'without one holding that has no price' : `without ${unpriced} holdings that have no price`)}
      {unpriced > 0 && isOld && ', '}
      {isOld && `at prices ${agoText(now - pricedAt)} old`}
    </small>
  )
}
