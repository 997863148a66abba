import { UNKNOWN } from '../format/usdcText.ts'
import type { PriceLine } from './linesOf.ts'
import { sinceText } from './sinceText.ts'

/** So many lines are as much as one reads. */
const ROWS = 20

interface PriceTableProps {
  readonly lines: readonly PriceLine[]
  readonly startsAt: number | undefined
}

/** The chart in figures, at even distances. */
export function PriceTable({ lines, startsAt }: PriceTableProps) {
  const from = Math.min(...lines.map(({ at }) => at[0] ?? 0))
  const to = Math.max(...lines.map(({ at }) => at.at(-1) ?? 0))
  const times = Array.from({ length: ROWS + 1 }, (_, step) => from + ((to - from) * step) / ROWS)
  return (
    <details>
      <summary>Prices as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">At</th>
            {lines.map(({ mint, symbol }) => (
              <th key={mint} scope="col" class="figure">
                {symbol}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time) => (
            <tr key={time}>
              <th scope="row">{sinceText(time * 1000, startsAt)}</th>
              {lines.map(({ mint, at, prices }) => (
                <td key={mint} class="figure">
                  {prices[at.findLastIndex((seconds) => seconds <= time)] ?? UNKNOWN}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
