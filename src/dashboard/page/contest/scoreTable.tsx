import type { ScoreRow } from '../../watch/views.ts'
import { UNKNOWN } from '../format/usdcText.ts'

export function ScoreTable({ scores }: { readonly scores: readonly ScoreRow[] }) {
  if (scores.length === 0) return <p class="soft">Not read yet: scores come while the contest is live.</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Who</th>
          <th scope="col" class="figure">
            Score
          </th>
        </tr>
      </thead>
      <tbody>
        {scores.map(({ isOwn, who, score }, index) => (
          <tr key={`${who} ${index}`} class={isOwn ? 'own' : undefined}>
            <th scope="row">
              {who} {isOwn && <span class="soft">this bot</span>}
            </th>
            <td class="figure">{score ?? UNKNOWN}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
