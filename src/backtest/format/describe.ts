import { formatUsdc } from '../../core/usdc.ts'
import type { Assumption, BotRun, CoarseMode, PlayedContest, Ruin } from '../result.ts'
import type { Edge } from '../statistics/edge.ts'
import { headlineOf } from '../statistics/ground.ts'
import type { BacktestSummary } from '../summary/summary.ts'
import { formatFigure, formatInterval, formatSigned } from './figures.ts'

// Sentences that the table and the report share.

/** What was run, in a line. */
export function describeRun({ logs, synthetic, priceUpdates, events, decisions, elapsedMs, updatesPerSecond }: BacktestSummary): string {
  const count = (value: number) => formatFigure(value, 'count')
  const made = synthetic ? ' of made-up prices (SYNTHETIC)' : ''
  return [
    `${count(logs.length)} ${logs.length === 1 ? 'log' : 'logs'}${made}`,
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
export function describeOrigin({ samples, basis }: Pick<Assumption, 'samples' | 'basis'>): string {
  if (basis === 'period') return 'follows from the time between two prices of the log'
  return samples === 0 ? 'default: the log does not tell' : `fitted to ${formatFigure(samples, 'count')} observed`
}

/**
 * What a bot's run comes to, in a sentence or two: its edge, or why there is none to tell.
 *
 * @param rake of the pot, as a share: what an even game costs
 */
export function describeHeadline(bot: Pick<BotRun, 'name' | 'contests' | 'coarseModes'>, edge: Edge, rake: number): string {
  const { name, contests, coarseModes } = bot
  const { observations, mean, low, high, contestsNeeded } = edge
  if (mean === null) {
    if (coarseModes.length > 0) return `${name}: no figure. ${describeAllCoarse(coarseModes)}`
    return `${name}: no figure. ${contests.length === 0 ? 'It played no contest to its end' : 'None of its contests was won or lost'}.`
  }
  const figure = `${name}: ${formatSigned(mean, 'percent')} of the stake a contest, over ${contestCount(observations)} against ${opponentsOf(headlineOf(bot))}`
  if (low === null || high === null) return `${figure}: too few, or too much alike, for an interval.`
  const interval = `${figure}; 95% interval ${formatInterval({ low, high })}. An even game comes to ${formatSigned(-rake, 'percent')}, by the rake.`
  if (low > 0) return `${interval} It wins.`
  if (high < 0) return `${interval} It loses.`
  const more = contestsNeeded === null ? '' : `: about ${contestCount(contestsNeeded)} would tell`
  return `${interval} Not to be told from zero${more}.`
}

function opponentsOf(contests: readonly PlayedContest[]): string {
  const sources = new Set(contests.flatMap(({ others }) => others.map(({ source }) => source)))
  if (sources.size > 1) return 'recorded and seeded opponents'
  return sources.has('recorded') ? 'recorded opponents' : 'seeded opponents'
}

const contestCount = (value: number): string => (value === 1 ? '1 contest' : `${formatFigure(value, 'count')} contests`)

/** Why a mode is not in the headline, and what it would need. */
export function describeCoarse(coarse: CoarseMode): string {
  const { mode, durationSec, periodMs, neededPeriodMs } = coarse
  const decided = `${mode}: contests of ${durationSec} s on a price every ${seconds(periodMs)} are decided by the seed, not by prices`
  return `${decided}. They need a price every ${seconds(neededPeriodMs)} or less; or contests of ${neededSecOf(coarse)} s or more`
}

/** How long contests have to last on these prices. */
const neededSecOf = ({ durationSec, periodMs, neededPeriodMs }: CoarseMode): number => Math.ceil((durationSec * periodMs) / neededPeriodMs)

function describeAllCoarse(modes: readonly CoarseMode[]): string {
  const periodMs = Math.max(...modes.map((mode) => mode.periodMs))
  const neededSec = Math.max(...modes.map(neededSecOf))
  const all = `All its contests were too short for a log with a price every ${seconds(periodMs)}: the seed decided them, and not the bot`
  return `${all}. Enter contests of ${formatFigure(neededSec, 'count')} s or more, or take a log of closer prices, such as a recording of a sandbox run.`
}

/** When a bot's backtest ended, and why. */
export function describeRuin({ at, stake, available }: Ruin): string {
  return `It could pay for nothing any more from ${new Date(at).toISOString()} on, and its backtest ends there: it had ${formatUsdc(available)} USDC left, nothing at stake, and asked for stakes of ${formatUsdc(stake)} USDC or more`
}

const seconds = (ms: number): string => `${Number((ms / 1000).toPrecision(3))} s`
