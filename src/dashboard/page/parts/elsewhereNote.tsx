import type { Elsewhere } from '../../watch/views.ts'
import { useNow } from '../live/useNow.ts'

/** Who plays a bot that this host does not, and how old that host's word is. */
export function ElsewhereNote({ elsewhere: { host, heardAt, isSilent, note } }: { readonly elsewhere: Elsewhere }) {
  return (
    <>
      {host !== undefined && <span class="state">on {host}</span>}
      {note !== undefined && <span class="state">{note}</span>}
      {host !== undefined && isSilent && heardAt !== undefined && <Silence host={host} heardAt={heardAt} />}
    </>
  )
}

function Silence({ host, heardAt }: { readonly host: string; readonly heardAt: number }) {
  const seconds = Math.max(0, Math.round((useNow() - heardAt) / 1000))
  return (
    <span class="state caution">
      no word from {host} for {seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}
    </span>
  )
}
