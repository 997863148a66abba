import type { BotRow } from '../../watch/views.ts'
import { hashOf } from '../route.ts'

/** To the bot's page: of one that another host plays that host's, where it has one. */
export function BotLink({ bot: { name, elsewhere } }: { readonly bot: Pick<BotRow, 'name' | 'elsewhere'> }) {
  const hash = hashOf({ kind: 'bot', bot: name })
  if (elsewhere === undefined) return <a href={hash}>{name}</a>
  if (elsewhere.page === undefined) return <span class="name">{name}</span>
  return (
    <a href={`${elsewhere.page}${hash}`} rel="noreferrer" title={`The page of ${elsewhere.host ?? 'its host'}`}>
      {name}
    </a>
  )
}
