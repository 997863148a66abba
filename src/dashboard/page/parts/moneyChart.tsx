import { useMemo, useState } from 'preact/hooks'
import type { Options } from 'uplot'
import { axis, colour, steps, timeAxis, times } from '../../../charts/charts.js'
import type { CurvePoint } from '../../watch/views.ts'
import { instantText } from '../format/timeText.ts'
import { usdcNumber, usdcText } from '../format/usdcText.ts'
import { Chart } from './chart.tsx'

type Figure = 'equity' | 'profit'

const FIGURES = {
  equity: {
    name: 'Equity',
    label: 'Equity, USDC',
    explained: 'Equity in USDC: available, in play, and tokens held at the newest prices. A point every ten seconds of this run.',
    empty: 'Equity is plotted from when the service has said what can be spent.',
  },
  profit: {
    name: 'Profit',
    label: 'Profit, USDC',
    explained: 'Profit in USDC, summed up: of contests that were settled, and of the swaps of contests that are over.',
    empty: 'Profit is plotted from the first contest that is settled.',
  },
} as const satisfies Readonly<Record<Figure, object>>

const isSigned = (figure: Figure) => ({ isSigned: figure === 'profit' })

function optionsOf(figure: Figure): Omit<Options, 'width'> {
  const series = steps(FIGURES[figure].label, 'accent', (value) => value.toFixed(2))
  return {
    height: 240,
    series: [times('Time', (seconds) => instantText(seconds * 1000)), { ...series, fill: () => colour('accent-fill') }],
    axes: [timeAxis(), axis({ size: 62 })],
  }
}

interface MoneyChartProps {
  /** Whose money it is, as one says it: `alice`, `all bots`. */
  readonly who: string
  readonly curve: readonly CurvePoint[]
}

/** Equity or profit over time: one of the two, and it says which. Either changes at moments and not between, and so it is drawn in steps. */
export function MoneyChart({ who, curve }: MoneyChartProps) {
  const [figure, setFigure] = useState<Figure>('equity')
  const { name, explained, empty } = FIGURES[figure]
  const points = useMemo(() => curve.filter((point) => point[figure] !== undefined), [curve, figure])
  const data = useMemo(
    (): [number[], number[]] => [points.map(({ at }) => at / 1000), points.map((point) => usdcNumber(point[figure] ?? '0'))],
    [points, figure],
  )
  const [first, last] = [points[0], points.at(-1)]
  return (
    <>
      <div class="plotted" role="group" aria-label={`What is plotted of ${who}`}>
        {Object.entries(FIGURES).map(([key, { name: called }]) => (
          <button key={key} type="button" aria-pressed={key === figure} onClick={() => setFigure(key as Figure)}>
            {called}
          </button>
        ))}
        <p class="soft legend">{explained}</p>
      </div>
      {first === undefined || last === undefined ? (
        <p class="soft">{empty}</p>
      ) : (
        <Chart
          options={optionsOf(figure)}
          shape={figure}
          data={data}
          label={`${name} of ${who} from ${instantText(first.at)} to ${instantText(last.at)}: now ${usdcText(last[figure], isSigned(figure))} USDC, at the lowest ${Math.min(...data[1]).toFixed(2)}, at the highest ${Math.max(...data[1]).toFixed(2)}.`}
        />
      )}
    </>
  )
}
