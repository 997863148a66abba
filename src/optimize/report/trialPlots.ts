import { html, type Markup } from '../../backtest/report/html.ts'
import { points } from '../points.ts'
import { type Dimension, valueAt } from '../search/dimension.ts'
import type { Point } from '../search/space.ts'
import { figure, frameOf, rangeOf } from './plots.ts'

/** A trial as it lies in the space, by its paired edge over the contests that all trials have played. */
export interface PlottedTrial {
  readonly point: Point
  readonly value: number
  readonly kind: 'candidate' | 'trial'
}

const valueText = (dimension: Dimension, coordinate: number): string => {
  const value = valueAt(dimension, Math.min(1, Math.max(0, coordinate)))
  return typeof value === 'number' ? Number(value.toPrecision(3)).toString() : String(value)
}

/** One parameter against what trials made of it. */
export function slicePlot(dimension: Dimension, place: number, trials: readonly PlottedTrial[]): Markup {
  const frame = frameOf({
    x: { low: 0, high: 1 },
    y: rangeOf(trials.map(({ value }) => value)),
    xText: (coordinate) => valueText(dimension, coordinate),
    yText: points,
    height: 180,
  })
  const dots = trials.flatMap(({ point, value, kind }) => {
    const coordinate = point[place]
    return coordinate === undefined
      ? []
      : [html`<circle class="${kind}" cx="${frame.x(coordinate)}" cy="${frame.y(value)}" r="${kind === 'candidate' ? 5 : 3}"/>`]
  })
  const zero = html`<line class="zero" x1="${frame.x(0)}" x2="${frame.x(1)}" y1="${frame.y(0)}" y2="${frame.y(0)}"/>`
  return figure(
    dimension.name,
    `${trials.length} trials by ${dimension.name}, each with its paired edge`,
    html`${frame.axes}${zero}${dots}`,
    { height: 180 },
  )
}

const CELLS = 20
/** In coordinates. */
const NEAR = 0.12

/** Two parameters: the mean paired edge of the trials around each place, fainter where there are few. */
export function heatMap(
  dimensions: readonly [Dimension, Dimension],
  places: readonly [number, number],
  trials: readonly PlottedTrial[],
): Markup {
  const frame = frameOf({
    ...{ x: { low: 0, high: 1 }, y: { low: 0, high: 1 } },
    xText: (coordinate) => valueText(dimensions[0], coordinate),
    yText: (coordinate) => valueText(dimensions[1], coordinate),
    height: 260,
  })
  const known = trials.flatMap(({ point, value, kind }) => {
    const [x, y] = [point[places[0]], point[places[1]]]
    return x === undefined || y === undefined ? [] : [{ x, y, value, kind }]
  })
  const most = Math.max(1e-9, ...known.map(({ value }) => Math.abs(value)))
  const [width, height] = [Number(frame.x(1 / CELLS)) - Number(frame.x(0)), Number(frame.y(0)) - Number(frame.y(1 / CELLS))]
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => {
    const [x, y] = [((index % CELLS) + 0.5) / CELLS, (Math.floor(index / CELLS) + 0.5) / CELLS]
    let [sum, weight] = [0, 0]
    for (const trial of known) {
      const near = Math.exp(-((trial.x - x) ** 2 + (trial.y - y) ** 2) / (2 * NEAR ** 2))
      sum += near * trial.value
      weight += near
    }
    const mean = weight === 0 ? 0 : sum / weight
    const strength = (Math.min(1, Math.abs(mean) / most) * Math.min(1, weight)).toFixed(2)
    const [left, top] = [Number(frame.x(x - 0.5 / CELLS)).toFixed(1), Number(frame.y(y + 0.5 / CELLS)).toFixed(1)]
    return html`<rect class="${mean < 0 ? 'worse' : 'better'}" x="${left}" y="${top}" width="${(width + 0.2).toFixed(1)}" height="${(height + 0.2).toFixed(1)}" fill-opacity="${strength}"/>`
  })
  const dots = known.map(
    ({ x, y, kind }) => html`<circle class="${kind}" cx="${frame.x(x)}" cy="${frame.y(y)}" r="${kind === 'candidate' ? 5 : 2}"/>`,
  )
  return figure(
    `${dimensions[1].name} over ${dimensions[0].name}`,
    `Paired edge of trials by ${dimensions[0].name} and ${dimensions[1].name}`,
    html`${cells}${frame.axes}${dots}`,
    { height: 260 },
  )
}
