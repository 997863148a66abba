import { formatFigure } from '../format/figures.ts'
import type { Edge } from '../statistics/edge.ts'
import { html, type Markup } from './html.ts'

const WIDTH = 200
const HEIGHT = 18
const MARGIN = 6

export interface Scale {
  readonly from: number
  readonly to: number
}

/** One scale for all edges of a table, with zero on it: rows are compared by looking down the column. */
export function scaleOf(edges: readonly Edge[]): Scale {
  const bounds = edges.flatMap(({ mean, low, high }) => [mean ?? 0, low ?? 0, high ?? 0])
  return { from: Math.min(0, ...bounds), to: Math.max(0, ...bounds) }
}

/** An edge as a point with its 95 % interval, beside a line at zero. Its figures stand in the same row, so it is hidden from screen readers. */
export function intervalPlot({ mean, low, high }: Edge, { from, to }: Scale): Markup {
  const x = (value: number) => (MARGIN + ((value - from) / (to - from || 1)) * (WIDTH - 2 * MARGIN)).toFixed(1)
  const middle = HEIGHT / 2
  const tone = low !== null && low > 0 ? 'up' : high !== null && high < 0 ? 'down' : 'unsure'
  const whisker =
    low === null || high === null ? [] : [html`<line class="whisker" x1="${x(low)}" x2="${x(high)}" y1="${middle}" y2="${middle}"/>`]
  const point = mean === null ? [] : [html`<circle cx="${x(mean)}" cy="${middle}" r="4"/>`]
  const zero = html`<line class="zero" x1="${x(0)}" x2="${x(0)}" y1="0" y2="${HEIGHT}"/>`
  return html`<svg class="interval ${tone}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${zero}${whisker}${point}</svg>`
}

/** The ends of the scale, as the head of the plots' column. */
export function scaleHead({ from, to }: Scale): Markup {
  return html`<span class="scale"><span>${formatFigure(from, 'percent')}</span><span>${formatFigure(to, 'percent')}</span></span>`
}
