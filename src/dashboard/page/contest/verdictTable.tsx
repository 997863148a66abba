import type { VerdictRow } from '../../watch/views.ts'
import { Code } from '../parts/code.tsx'
import { sinceText } from './sinceText.ts'

export function VerdictTable({ verdicts, startsAt }: { readonly verdicts: readonly VerdictRow[]; readonly startsAt: number | undefined }) {
  if (verdicts.length === 0) return <p class="soft">No action of this contest came before it.</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">At</th>
          <th scope="col">Action</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {verdicts.map(({ at, strategy, action, verdict, code, text }, index) => (
          <tr key={`${at} ${index}`}>
            <td class="when">{sinceText(at, startsAt)}</td>
            <th scope="row">
              {action}
              <small>{strategy}</small>
            </th>
            <td>
              <span class={`verdict ${verdict}`}>{verdict}</span> {code !== undefined && <Code code={code} />} {text}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
