import { html, type Markup } from '../../backtest/report/html.ts'
import { points } from '../points.ts'
import type { TrialContest } from '../runBlock.ts'
import { figure, frameOf, polyline, rangeOf } from './plots.ts'

const USDC = 1e6
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** What both sides made, summed up, by the ends of their contests. */
export function profitPlot(candidate: readonly TrialContest[], incumbent: readonly TrialContest[]): Markup {
  const [own, other] = [summedUp(candidate), summedUp(incumbent)]
  const all = [...own, ...other]
  const [from, until] = [Math.min(...all.map(({ at }) => at)), Math.max(...all.map(({ at }) => at))]
  const frame = frameOf({
    x: { low: from, high: until },
    y: rangeOf(all.map(({ profit }) => profit)),
    xText: (at) => DAY.format(at),
    yText: (value) => AMOUNT.format(value),
    height: 240,
  })
  const lineOf = (kind: string, curve: typeof own) =>
    polyline(
      kind,
      curve.map(({ at, profit }) => `${frame.x(at)},${frame.y(profit)}`),
    )
  return figure(
    'Profit, USDC',
    `Profit summed up: the candidate ends at ${AMOUNT.format(own.at(-1)?.profit ?? 0)}, the incumbent at ${AMOUNT.format(other.at(-1)?.profit ?? 0)} USDC`,
    html`${frame.axes}${lineOf('incumbent', other)}${lineOf('candidate', own)}`,
    {
      height: 240,
      note: 'Candidate in the colour of links, incumbent in grey: each played in one unbroken run, on the contests it was searched on.',
    },
  )
}

function summedUp(contests: readonly TrialContest[]): { readonly at: number; readonly profit: number }[] {
  let profit = 0
  return contests
    .toSorted((a, b) => a.endedAt - b.endedAt)
    .map(({ endedAt, profit: own, swapProfit }) => {
      profit += Number(own + swapProfit) / USDC
      return { at: endedAt, profit }
    })
}

/** How far the candidate is ahead in each range of time: what holds in one of them alone is luck. */
export function chunkPlot(differences: readonly number[]): Markup {
  const frame = frameOf({
    x: { low: 0.5, high: differences.length + 0.5 },
    y: rangeOf(differences),
    xText: (place) => (Number.isInteger(place) ? String(place) : ''),
    yText: points,
  })
  const width = (Number(frame.x(1)) - Number(frame.x(0))) * 0.7
  const bars = differences.map((value, index) => {
    const [top, bottom] = [Math.min(Number(frame.y(value)), Number(frame.y(0))), Math.max(Number(frame.y(value)), Number(frame.y(0)))]
    return html`<rect class="${value < 0 ? 'worse' : 'better'}" x="${(Number(frame.x(index + 1)) - width / 2).toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${(bottom - top).toFixed(1)}"/>`
  })
  const ahead = differences.filter((value) => value > 0).length
  return figure(
    'Paired difference by range of time',
    `The candidate is ahead in ${ahead} of ${differences.length} ranges of time`,
    html`${frame.axes}${bars}`,
    { note: `Ahead in ${ahead} of ${differences.length} ranges with about as many contests each.` },
  )
}
