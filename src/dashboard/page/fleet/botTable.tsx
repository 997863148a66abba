import type { BotRow } from '../../watch/views.ts'
import { BotLine } from './botLine.tsx'

const COLUMNS = ['Bot', 'Equity', 'In play', 'Profit', 'Lost today', 'Open', 'Last results', 'Stream', 'Faults', 'Switches'] as const

const FIGURES: ReadonlySet<string> = new Set(['Equity', 'In play', 'Profit', 'Faults'])

/** A line for each bot, in the order of the config: a bot stays where one looks for it. */
export function BotTable({ bots }: { readonly bots: readonly BotRow[] }) {
  return (
    <table class="bots" aria-labelledby="bots">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" class={FIGURES.has(column) ? 'figure' : undefined}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bots.map((bot) => (
          <BotLine key={bot.name} bot={bot} />
        ))}
      </tbody>
    </table>
  )
}
