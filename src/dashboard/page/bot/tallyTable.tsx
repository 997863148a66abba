import type { Tally } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'

interface TallyTableProps {
  /** Of what the results are told apart by. */
  readonly name: string
  /** How that is meant. */
  readonly note?: string
  readonly tallies: Readonly<Record<string, Tally>>
  readonly text?: (value: string) => string
  readonly isNewestFirst?: boolean
}

/** More lines than that are seldom looked at: the table says how many there are. */
const MOST_LINES = 14

const inWords = (value: string) => modeText(value).toLowerCase()

export function TallyTable({ name, note, tallies, text = inWords, isNewestFirst = false }: TallyTableProps) {
  const title = `By ${name.toLowerCase()}`
  const all = isNewestFirst ? Object.entries(tallies).reverse() : Object.entries(tallies)
  const entries = all.slice(0, MOST_LINES)
  if (entries.length === 0)
    return (
      <div>
        <h3>{title}</h3>
        <p class="soft">No contest is settled yet.</p>
      </div>
    )
  return (
    <table>
      <caption>
        {title}
        {note !== undefined && <span class="soft"> {note}</span>}
        {all.length > entries.length && (
          <span class="soft">
            {' '}
            {entries.length} of {all.length}
          </span>
        )}
      </caption>
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
            <th scope="row">{text(of)}</th>
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
