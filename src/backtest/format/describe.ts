import type { Assumption } from '../result.ts'
import type { BacktestSummary } from '../summary/summary.ts'
import { formatFigure } from './figures.ts'

// Sentences that the table and the report share.

/** What was run, in a line. */
export function describeRun({ logs, priceUpdates, events, decisions, elapsedMs, updatesPerSecond }: BacktestSummary): string {
  const count = (value: number) => formatFigure(value, 'count')
  return [
    `${count(logs.length)} ${logs.length === 1 ? 'log' : 'logs'}`,
    `${count(priceUpdates)} price updates`,
    `${count(events)} events`,
    `${count(decisions)} decisions in ${formatFigure(elapsedMs / 1000, 'ratio')} s (${count(updatesPerSecond)} updates a second)`,
  ].join(', ')
}

/** `12.5 bps`, `250 ms`, `3.0%`. */
export function describeValue({ value, unit }: Pick<Assumption, 'value' | 'unit'>): string {
  return unit === 'share' ? formatFigure(value, 'percent') : `${Number(value.toPrecision(4))} ${unit}`
}

/** Where an assumption comes from. */
export function describeOrigin({ samples }: Pick<Assumption, 'samples'>): string {
  return samples === 0 ? 'default: the log does not tell' : `fitted to ${formatFigure(samples, 'count')} observed`
}
