import type { RefusedRow } from '../../watch/views.ts'
import { Code } from '../parts/code.tsx'
import { Instant } from '../parts/instant.tsx'

/** What the guard kept back, by code, the most frequent first. */
export function RefusalTable({ refused }: { readonly refused: readonly RefusedRow[] }) {
  if (refused.length === 0) return <p class="soft">Nothing since the start.</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Code</th>
          <th scope="col" class="figure">
            Times
          </th>
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {refused
          .toSorted((a, b) => b.times - a.times)
          .map(({ code, times, last }) => (
            <tr key={code}>
              <th scope="row">
                <Code code={code} />
              </th>
              <td class="figure">{times}</td>
              <td>
                {last.message}
                <small>
                  {last.strategy}, <Instant at={last.at} />
                </small>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
