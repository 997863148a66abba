import { html, type Markup } from '../../backtest/report/html.ts'

// Charts as SVG, drawn where the page is written: it needs no script. Colours are classes; what a chart says is in words beside it, too.

const [WIDTH, HEIGHT] = [420, 220]
const MARGIN = { left: 46, right: 12, top: 12, bottom: 26 }
const TICKS = 4

export interface Range {
  readonly low: number
  readonly high: number
}

export interface Frame {
  readonly x: (value: number) => string
  readonly y: (value: number) => string
  /** Grid lines, and the figures at both axes. */
  readonly axes: Markup
}

export interface FrameOptions {
  readonly x: Range
  readonly y: Range
  readonly xText: (value: number) => string
  /** Undefined: the height says nothing. */
  readonly yText?: ((value: number) => string) | undefined
  readonly height?: number
}

/** From the smallest to the largest of some values, 0 among them. */
export function rangeOf(values: readonly number[]): Range {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  return low === high ? { low, high: low + 1 } : { low, high }
}

export function frameOf({ x, y, xText, yText, height = HEIGHT }: FrameOptions): Frame {
  const px = (value: number) => MARGIN.left + ((value - x.low) / (x.high - x.low || 1)) * (WIDTH - MARGIN.left - MARGIN.right)
  const py = (value: number) => height - MARGIN.bottom - ((value - y.low) / (y.high - y.low || 1)) * (height - MARGIN.top - MARGIN.bottom)
  const at = (value: number) => value.toFixed(1)
  const across = ticksOf(x).map((value) => html`<text x="${at(px(value))}" y="${height - 8}" text-anchor="middle">${xText(value)}</text>`)
  const up =
    yText === undefined
      ? []
      : ticksOf(y).map(
          (value) =>
            html`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at(py(value))}" y2="${at(py(value))}"/><text x="${MARGIN.left - 6}" y="${at(py(value) + 3.5)}" text-anchor="end">${yText(value)}</text>`,
        )
  const floor = html`<line class="floor" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${height - MARGIN.bottom}" y2="${height - MARGIN.bottom}"/>`
  return { x: (value) => at(px(value)), y: (value) => at(py(value)), axes: html`${up}${floor}${across}` }
}

/** Round values across a range. */
function ticksOf({ low, high }: Range): number[] {
  const rough = (high - low) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step - 1e-9)
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** A chart with its title, and what it shows in a sentence. */
export function figure(title: string, label: string, content: Markup, { height = HEIGHT, note = '' } = {}): Markup {
  return html`<figure class="chart">
<h3>${title}</h3>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">${content}</svg>
${
  note === ''
    ? html``
    : html`<figcaption>${note}</figcaption>
`
}</figure>
`
}

export const polyline = (kind: string, points: readonly string[]): Markup =>
  html`<polyline class="line ${kind}" points="${points.join(' ')}"/>`

/** A value on the axis across, as a line from the floor up with its name. */
export function marker(
  { x, y }: Frame,
  { value, top, name, kind, row }: { value: number; top: number; name: string; kind: string; row: number },
): Markup {
  const [place, side] = Number(x(value)) > (WIDTH * 2) / 3 ? [-5, 'end'] : [5, 'start']
  return html`<line class="marker ${kind}" x1="${x(value)}" x2="${x(value)}" y1="${y(0)}" y2="${y(top)}"/><text class="name ${kind}" x="${Number(x(value)) + place}" y="${MARGIN.top + 10 + 14 * row}" text-anchor="${side}">${name}</text>`
}
