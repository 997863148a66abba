import type { Worth } from '../../watch/views.ts'
import { agoText } from '../format/timeText.ts'
import { useNow } from '../live/useNow.ts'

/** A price that is older is said to be: what is held may be worth another amount. */
const OLD_PRICE_MS = 60_000

/** What keeps a figure of equity from being whole and of now; nothing where it is both. */
export function WorthNote({ unpriced, pricedAt }: Pick<Worth, 'unpriced' | 'pricedAt'>) {
  const now = useNow()
  const isOld = pricedAt !== undefined && now - pricedAt >= OLD_PRICE_MS
  return (
    <>
      {unpriced > 0 && <small class="caution">without {unpriced} unpriced</small>}
      {isOld && <small class="caution">prices {agoText(now - pricedAt)} old</small>}
    </>
  )
}
