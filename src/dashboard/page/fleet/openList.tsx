import { symbolOf } from '../../../core/tokens.ts'
import type { OpenRow } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { usdcText } from '../format/usdcText.ts'
import { OpenOrders } from '../order/openOrders.tsx'
import { pure } from '../parts/pure.tsx'
import { TimeLeft } from '../parts/timeLeft.tsx'
import { hashOf } from '../route.ts'

/** More than this make a line too high. */
const SHOWN = 4

export const OpenList = pure(function OpenList({
  bot,
  open,
  most = SHOWN,
  canOrder = false,
  isElsewhere = false,
}: {
  readonly bot: string
  readonly open: readonly OpenRow[]
  readonly most?: number
  /** With what can be done about each. */
  readonly canOrder?: boolean
  /** Another host plays them, and has the page of each. */
  readonly isElsewhere?: boolean
}) {
  if (open.length === 0) return <span class="soft">nothing open</span>
  return (
    <ul class="open">
      {open.slice(0, most).map((row) => (
        <li key={row.id}>
          {row.kind === 'contest' && !isElsewhere ? (
            <a href={hashOf({ kind: 'contest', bot, contestId: row.id })}>{modeText(row.mode)}</a>
          ) : (
            modeText(row.mode)
          )}{' '}
          <span class="soft">
            {usdcText(row.stake)} {row.token !== undefined && symbolOf(row.token)} {row.side}
          </span>{' '}
          <When row={row} /> {canOrder && <OpenOrders bot={bot} row={row} />}
        </li>
      ))}
      {open.length > most && <li class="soft">and {open.length - most} more</li>}
    </ul>
  )
})

function When({ row: { kind, phase, startsAt, endsAt } }: { readonly row: OpenRow }) {
  if (kind === 'ticket') return <span class="left soft">waiting</span>
  return phase === 'open' ? <span class="left soft">open</span> : <TimeLeft startsAt={startsAt} endsAt={endsAt} />
}
