import type { Trouble } from '../../watch/views.ts'
import { SeverityMark } from './severityMark.tsx'

export function TroubleList({ troubles }: { readonly troubles: readonly Trouble[] }) {
  return (
    <ul class="troubles">
      {troubles.map(({ kind, about = '', severity, message }) => (
        <li key={`${kind} ${about}`}>
          <SeverityMark severity={severity} /> {message}
        </li>
      ))}
    </ul>
  )
}
