import { useMemo, useRef } from 'preact/hooks'
import uPlot, { type AlignedData, type Options } from 'uplot'
import { percentAxis, timeAxis, times, tokenLine } from '../../../charts/charts.js'
import type { ContestView } from '../../watch/views.ts'
import { clockText } from '../format/timeText.ts'
import { Chart } from '../parts/chart.tsx'
import { drawMarks } from './drawMarks.ts'
import { linesOf } from './linesOf.ts'
import { PriceTable } from './priceTable.tsx'

/**
 * The tokens of a contest as the change since it began: what scores are made of, and the one scale on which tokens compare. Marks are
 * what the bot did, upright lines the start and the end.
 */
export function PriceChart({ view }: { readonly view: ContestView }) {
  const { prices, row } = view
  const lines = useMemo(() => linesOf(prices), [prices])
  // Drawn by the chart whenever it likes, and so by what is known then.
  const newest = useRef({ view, lines })
  newest.current = { view, lines }
  const data = useMemo((): AlignedData => (lines.length === 0 ? [[]] : uPlot.join(lines.map(({ at, change }) => [at, change]))), [lines])
  if (lines.length === 0) return <p class="soft">No prices are known of its tokens yet.</p>
  const symbols = lines.map(({ symbol }) => symbol)
  const words = `Change of ${symbols.join(', ')} since the start, with ${view.moves.length} moves of the bot. The prices are in the table below, the moves in theirs.`
  return (
    <>
      <Chart options={optionsOf(symbols, newest)} shape={symbols.join(' ')} data={data} label={words} />
      <p class="soft legend">▲ bought, ▼ sold, ● other moves; upright lines: start and end</p>
      <PriceTable lines={lines} startsAt={row.startsAt} />
    </>
  )
}

type Newest = { readonly current: { readonly view: ContestView; readonly lines: ReturnType<typeof linesOf> } }

function optionsOf(symbols: readonly string[], newest: Newest): Omit<Options, 'width'> {
  return {
    height: 280,
    series: [times('Time', (seconds) => clockText(seconds * 1000)), ...symbols.map(tokenLine)],
    axes: [timeAxis(), percentAxis],
    hooks: { draw: [(chart) => drawMarks(chart, newest.current.view, newest.current.lines)] },
  }
}
