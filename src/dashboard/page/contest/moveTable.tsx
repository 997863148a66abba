import type { ContestView, MoveRow } from '../../watch/views.ts'
import { priceAt } from './priceAt.ts'
import { sinceText } from './sinceText.ts'

interface MoveTableProps extends Pick<ContestView, 'prices'> {
  readonly moves: readonly MoveRow[]
  readonly startsAt: number | undefined
}

/** What the marks of the chart stand for, with the price of that moment. */
export function MoveTable({ moves, prices, startsAt }: MoveTableProps) {
  if (moves.length === 0) return <p class="soft">The bot has not moved yet.</p>
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">At</th>
          <th scope="col">Move</th>
          <th scope="col" class="figure">
            Price
          </th>
        </tr>
      </thead>
      <tbody>
        {moves.map(({ at, kind, strategy, mint, text }, index) => (
          <tr key={`${at} ${index}`}>
            <td class="when">{sinceText(at, startsAt)}</td>
            <th scope="row">
              <span class={`move ${kind}`}>{text}</span>
              <small>{strategy}</small>
            </th>
            <td class="figure">{mint === undefined ? '' : (priceAt(prices[mint]?.points ?? [], at) ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
