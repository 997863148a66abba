import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import type { AlignedData, Options } from 'uplot'
import { drawChart } from '../../../charts/charts.js'

interface ChartProps {
  /** All but the width, which is its place's. Taken when `shape` changes. */
  readonly options: Omit<Options, 'width'>
  /** Names what the options depend on. */
  readonly shape: string
  readonly data: AlignedData
  /** What is to be seen in it, in a sentence: the figures themselves are in a table beside it. */
  readonly label: string
}

/** A chart that follows its data, its place's width and the theme. */
export function Chart({ options, shape, data, label }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const hooks = { ...options.hooks, setCursor: [sayNewest], ready: [sayNewest] }
    const drawn = drawChart(element, { ...options, hooks }, data)
    chart.current = drawn.chart
    return drawn.remove
  }, [shape])
  useEffect(() => {
    if (chart.current === undefined) return
    chart.current.setData(data, !isZoomed(chart.current))
    sayNewest(chart.current)
  }, [data])
  return <div ref={place} class="chart" role="img" aria-label={label} />
}

/** Where no pointer is, the legend has the newest figures. */
function sayNewest(chart: uPlot): void {
  const last = chart.data[0].length - 1
  if (chart.cursor.idx == null && last >= 0) chart.setLegend({ idx: last }, false)
}

/** Whoever has drawn out a part by the mouse goes on looking at it; a double click shows the whole again. */
function isZoomed({ data: [times], scales: { x } }: uPlot): boolean {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || x?.min == null || x.max == null) return false
  return x.min > first || x.max < last
}
