import type { BotRow, Elsewhere } from '../../watch/views.ts'
import { Controls } from '../parts/controls.tsx'
import { ElsewhereNote } from '../parts/elsewhereNote.tsx'
import { TroubleList } from '../parts/troubleList.tsx'
import { hashOf } from '../route.ts'

/** Of a bot that this host does not play: what there is to see of it, and to order, its own host has. */
export function ElsewherePage({ row, elsewhere }: { readonly row: BotRow; readonly elsewhere: Elsewhere }) {
  const { name, stopped, troubles } = row
  return (
    <>
      <div class="heading">
        <h1>{name}</h1>
        <Controls bot={name} stopped={stopped} isLarge={true} />
      </div>
      {troubles.length > 0 && <TroubleList troubles={troubles} />}
      <p class="elsewhere">
        <ElsewhereNote elsewhere={elsewhere} />
      </p>
      {elsewhere.page !== undefined && (
        <p>
          Its contests, its log and its orders are there:{' '}
          <a href={`${elsewhere.page}${hashOf({ kind: 'bot', bot: name })}`} rel="noreferrer">
            {name} on the page of {elsewhere.host}
          </a>
        </p>
      )}
    </>
  )
}
