import type { Markup } from '../../backtest/report/html.ts'
import { html } from '../../backtest/report/html.ts'
import { chanceBelow } from '../coins.ts'
import { points } from '../points.ts'
import { figure, frameOf, marker, polyline } from './plots.ts'

export interface Luck {
  /** How many coins. */
  readonly trials: number
  /** Standard error of one coin's paired edge. */
  readonly error: number
  /** The candidate's paired edge where it was searched for, and on sealed contests; undefined before anybody looked. */
  readonly shown: number
  readonly sealed: number | undefined
}

const STEPS = 160

/** What the best of as many coins would show, and where the candidate stands beside it. */
export function luckPlot({ trials, error, shown, sealed }: Luck): Markup {
  const density = (value: number) => {
    const z = value / error
    return trials * Math.exp((-z * z) / 2) * chanceBelow(z) ** (trials - 1)
  }
  const values = [shown, sealed ?? 0, -3 * error, 5 * error]
  const range = { low: Math.min(...values) - error, high: Math.max(...values) + error }
  const curve = Array.from({ length: STEPS + 1 }, (_, step) => range.low + (step / STEPS) * (range.high - range.low))
  const top = Math.max(...curve.map(density))
  const frame = frameOf({ x: range, y: { low: 0, high: top * 1.15 }, xText: points })
  const line = polyline(
    'luck',
    curve.map((value) => `${frame.x(value)},${frame.y(density(value))}`),
  )
  const marks = [
    marker(frame, { value: shown, top, name: `candidate, searched ${points(shown)}`, kind: 'candidate', row: 0 }),
    ...(sealed === undefined
      ? []
      : [marker(frame, { value: sealed, top: top * 0.8, name: `candidate, sealed ${points(sealed)}`, kind: 'sealed', row: 1 })]),
  ]
  return figure(
    'Luck against skill',
    `The best of ${trials} coins, as a distribution, and the candidate at ${points(shown)}`,
    html`${frame.axes}${line}${marks}`,
    {
      note: `The curve is what the best of ${trials} strategies without any skill would show over the incumbent on these contests. What lies on it needs no skill.`,
    },
  )
}
