import type { Tally } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'

export function TallyTable({ title, tallies }: { readonly title: string; readonly tallies: Readonly<Record<string, Tally>> }) {
  const entries = Object.entries(tallies)
  if (entries.length === 0)
    return (
      <div>
        <h3>{title}</h3>
        <p class="soft">No contest is settled yet.</p>
      </div>
    )
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{title.replace('By ', '')}</th>
          {['Won', 'Lost', 'Draw', 'Refunded', 'Staked', 'Profit'].map((name) => (
            <th key={name} scope="col" class={name === 'Refunded' || name === 'Staked' ? 'figure spare' : 'figure'}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(([name, { results, staked, profit }]) => (
          <tr key={name}>
            <th scope="row">{modeText(name).toLowerCase()}</th>
            <td class="figure">{results.WIN}</td>
            <td class="figure">{results.LOSS}</td>
            <td class="figure">{results.DRAW}</td>
            <td class="figure spare">{results.REFUND}</td>
            <td class="figure spare">{usdcText(staked)}</td>
            <td class="figure">
              <Gain amount={profit} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
