import type { Tally } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'

interface TallyTableProps {
  /** Of what the results are told apart by. */
  readonly name: string
  readonly tallies: Readonly<Record<string, Tally>>
}

export function TallyTable({ name, tallies }: TallyTableProps) {
  const title = `By ${name.toLowerCase()}`
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
          <th scope="col">{name}</th>
          {['Won', 'Lost', 'Draw', 'Refunded', 'Staked', 'Profit'].map((column) => (
            <th key={column} scope="col" class={column === 'Refunded' || column === 'Staked' ? 'figure spare' : 'figure'}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(([of, { results, staked, profit }]) => (
          <tr key={of}>
            <th scope="row">{modeText(of).toLowerCase()}</th>
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
