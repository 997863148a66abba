import { formatUsdc } from '../../core/usdc.ts'
import type { Edge } from '../statistics/edge.ts'
import type { BotSummary } from '../summary/summary.ts'

// The figures of a bot as the table and the report show them, in their order and words.

/** `usdc`: micro-USDC; `percent`: a share; `ratio`: a plain quotient. */
export type Unit = 'usdc' | 'count' | 'percent' | 'ratio'

/** Null: not known, shown as a dash. */
export type FigureValue = number | bigint | null

export interface Figure {
  readonly name: string
  readonly unit: Unit
  readonly of: (bot: BotSummary) => FigureValue
  /** Of the whole run, and not of the contests in the headline. */
  readonly isOfRun?: true
}

/** The contests in the headline, and their money; of a run that knows none, all of them. */
const headlineOf = ({ headline, contests, staked, profit }: BotSummary) => headline ?? { contests, staked, profit }

const FIGURES: readonly Figure[] = [
  { name: 'settled', unit: 'count', of: (bot) => headlineOf(bot).contests.settled },
  { name: 'won', unit: 'count', of: (bot) => headlineOf(bot).contests.won },
  { name: 'lost', unit: 'count', of: (bot) => headlineOf(bot).contests.lost },
  { name: 'drawn', unit: 'count', of: (bot) => headlineOf(bot).contests.drawn },
  { name: 'refunded', unit: 'count', of: (bot) => headlineOf(bot).contests.refunded },
  { name: 'cancelled', unit: 'count', of: (bot) => headlineOf(bot).contests.cancelled },
  { name: 'tickets expired', unit: 'count', of: ({ expired }) => expired, isOfRun: true },
  { name: 'bankroll at the start', unit: 'usdc', of: ({ bankroll }) => BigInt(bankroll), isOfRun: true },
  { name: 'staked', unit: 'usdc', of: (bot) => BigInt(headlineOf(bot).staked) },
  { name: 'profit', unit: 'usdc', of: (bot) => BigInt(headlineOf(bot).profit) },
  { name: 'return on investment', unit: 'percent', of: ({ metrics }) => metrics.roi },
  { name: 'win rate', unit: 'percent', of: ({ metrics }) => metrics.winRate },
  { name: 'edge a contest (expectancy)', unit: 'percent', of: ({ edge }) => edge.mean },
  { name: 'edge, 95% from', unit: 'percent', of: ({ edge }) => edge.low },
  { name: 'edge, 95% to', unit: 'percent', of: ({ edge }) => edge.high },
  { name: 'contests to tell it from 0', unit: 'count', of: ({ edge }) => edge.contestsNeeded },
  { name: 'Sharpe', unit: 'ratio', of: ({ metrics }) => metrics.sharpe },
  { name: 'Sortino', unit: 'ratio', of: ({ metrics }) => metrics.sortino },
  { name: 'Calmar', unit: 'ratio', of: ({ metrics }) => metrics.calmar },
  { name: 'system quality number', unit: 'ratio', of: ({ metrics }) => metrics.sqn },
  { name: 'profit factor', unit: 'ratio', of: ({ metrics }) => metrics.profitFactor },
  { name: 'maximum drawdown', unit: 'percent', of: ({ metrics }) => metrics.maxDrawdown },
  { name: 'longest losing streak', unit: 'count', of: ({ metrics }) => metrics.longestLosingStreak },
  { name: 'swaps filled', unit: 'count', of: ({ swaps }) => swaps.filled, isOfRun: true },
  { name: 'swaps failed', unit: 'count', of: ({ swaps }) => swaps.failed, isOfRun: true },
  { name: 'profit of swaps', unit: 'usdc', of: ({ swapProfit }) => BigInt(swapProfit), isOfRun: true },
  { name: 'opponents recorded', unit: 'count', of: ({ opponents }) => opponents.recorded, isOfRun: true },
  { name: 'opponents by reference', unit: 'count', of: ({ opponents }) => opponents.reference, isOfRun: true },
]

/** The figures to show of a bot: with nothing in its headline, those of the whole run alone. */
export function figuresOf(bot: BotSummary): readonly Figure[] {
  const { headline, contests } = bot
  const isEmpty = headline !== undefined && headline.contests.settled === 0 && contests.settled > 0
  return isEmpty ? FIGURES.filter(({ isOfRun }) => isOfRun === true) : FIGURES
}

const UNKNOWN = '–'
const SHARE = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const
const RATIO = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

interface Format {
  format(value: number | bigint): string
}

// Signs are of what is shown: neither -0.0% nor +0.0%.
const plain: Readonly<Record<Unit, Format>> = {
  usdc: { format: (value) => formatUsdc(BigInt(value)) },
  count: new Intl.NumberFormat('en'),
  percent: new Intl.NumberFormat('en', { ...SHARE, signDisplay: 'negative' }),
  ratio: new Intl.NumberFormat('en', { ...RATIO, signDisplay: 'negative' }),
}
const signed: Readonly<Record<Unit, Format>> = {
  usdc: { format: (value) => `${value > 0 ? '+' : ''}${formatUsdc(BigInt(value))}` },
  count: new Intl.NumberFormat('en', { signDisplay: 'exceptZero' }),
  percent: new Intl.NumberFormat('en', { ...SHARE, signDisplay: 'exceptZero' }),
  ratio: new Intl.NumberFormat('en', { ...RATIO, signDisplay: 'exceptZero' }),
}
const points = new Intl.NumberFormat('en', { ...SHARE, style: 'decimal', signDisplay: 'exceptZero' })

/** `1,024`, `-2.50`, `12.5%`, `0.31`; a dash for what is not known. */
export function formatFigure(value: FigureValue, unit: Unit): string {
  return value === null ? UNKNOWN : plain[unit].format(value)
}

/** As `formatFigure`, with a plus sign where it is above zero. */
export function formatSigned(value: FigureValue, unit: Unit): string {
  return value === null ? UNKNOWN : signed[unit].format(value)
}

/** How far a figure is from another one, signed; shares in percentage points. A dash where either is not known. */
export function formatDifference(value: FigureValue, other: FigureValue, unit: Unit): string {
  if (typeof value === 'bigint' && typeof other === 'bigint') return formatSigned(value - other, unit)
  if (typeof value !== 'number' || typeof other !== 'number') return UNKNOWN
  return unit === 'percent' ? `${points.format(100 * (value - other))} pp` : formatSigned(value - other, unit)
}

/** `-1.2% to +4.5%`: the 95 % interval of an edge; a dash where there are too few contests for one. */
export function formatInterval({ low, high }: Pick<Edge, 'low' | 'high'>): string {
  return low === null || high === null ? UNKNOWN : `${formatSigned(low, 'percent')} to ${formatSigned(high, 'percent')}`
}
