import type { FleetView } from '../../watch/views.ts'
import { EmptyState } from '../parts/emptyState.tsx'
import { MoneyChart } from '../parts/moneyChart.tsx'
import { Attention } from './attention.tsx'
import { BotTable } from './botTable.tsx'
import { FleetTotals } from './fleetTotals.tsx'

/** All bots at a glance: first whoever needs the owner, then the sums, then a line each. */
export function FleetPage({ bots, curve }: Pick<FleetView, 'bots' | 'curve'>) {
  if (bots.length === 0)
    return (
      <EmptyState title="No bot runs">
        Name one in <code>bots.config.ts</code> and start again.
      </EmptyState>
    )
  return (
    <>
      <h1>
        Fleet <span class="soft">{bots.length === 1 ? '1 bot' : `${bots.length} bots`}</span>
      </h1>
      <Attention bots={bots} />
      <FleetTotals bots={bots} />
      <section aria-labelledby="bots">
        <h2 id="bots">Bots</h2>
        <BotTable bots={bots} />
      </section>
      <section aria-labelledby="money">
        <h2 id="money">Equity and profit of all bots</h2>
        <MoneyChart who="all bots" curve={curve} />
      </section>
    </>
  )
}
