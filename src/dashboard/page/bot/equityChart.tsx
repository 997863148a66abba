import { useMemo } from 'preact/hooks'
import type { Options } from 'uplot'
import { axis, colour, steps, timeAxis, times } from '../../../charts/charts.js'
import type { EquityPoint } from '../../watch/views.ts'
import { instantText } from '../format/timeText.ts'
import { usdcNumber, usdcText } from '../format/usdcText.ts'
import { Chart } from '../parts/chart.tsx'

const OPTIONS: Omit<Options, 'width'> = {
  height: 240,
  series: [
    times('Time', (seconds) => instantText(seconds * 1000)),
    { ...steps('Profit, USDC', 'accent', (profit) => profit.toFixed(2)), fill: () => colour('accent-fill') },
  ],
  axes: [timeAxis(), axis({ size: 54 })],
}

/** Profit after each contest. It changes with a contest's end and not between, and so it is drawn in steps. */
export function EquityChart({ equity }: { readonly equity: readonly EquityPoint[] }) {
  const data = useMemo(
    (): [number[], number[]] => [equity.map(({ at }) => at / 1000), equity.map(({ profit }) => usdcNumber(profit))],
    [equity],
  )
  const [first, last] = [equity[0], equity.at(-1)]
  if (first === undefined || last === undefined) return <p class="soft">The curve begins with the first contest that is settled.</p>
  const low = Math.min(...data[1])
  const high = Math.max(...data[1])
  const words = `Profit from ${instantText(first.at)} to ${instantText(last.at)}: now ${usdcText(last.profit, { isSigned: true })} USDC, at the lowest ${low.toFixed(2)}, at the highest ${high.toFixed(2)}. The contests are in the table below.`
  return <Chart options={OPTIONS} shape="equity" data={data} label={words} />
}
