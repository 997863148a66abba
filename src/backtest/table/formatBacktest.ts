import { describeOrigin, describeRun, describeValue } from '../format/describe.ts'
import { figuresOf, formatDifference, formatFigure, formatInterval, formatSigned } from '../format/figures.ts'
import type { BacktestSummary, BotSummary, ModeSummary } from '../summary/summary.ts'
import { textTable } from './textTable.ts'

/**
 * A backtest for a terminal: plain text. With `against`, an earlier run, every figure has that run's and the difference beside it.
 *
 * @param grey draws what is not in the headline, where it is to be drawn otherwise
 */
export function formatBacktest(summary: BacktestSummary, against?: BacktestSummary, grey: Grey = (line) => line): string {
  const bots = summary.bots.flatMap((bot) => {
    const other = against === undefined ? undefined : (against.bots.find(({ name }) => name === bot.name) ?? 'missing')
    return [
      ...figureLines(bot, other),
      '',
      ...modeLines(bot, other, grey),
      '',
      ...refusalLines(bot, other),
      '',
      ...liveLines(bot),
      ...warningLines(bot),
    ]
  })
  const assumptions = summary.assumptions.map((figure) => [`  ${figure.name}`, describeValue(figure), describeOrigin(figure)])
  const lines = [
    describeRun(summary),
    '',
    ...bots,
    'assumptions',
    ...(assumptions.length === 0 ? ['  none'] : textTable(assumptions)),
    '',
    `fingerprint  ${summary.fingerprint}`,
    ...(against === undefined ? [] : [`against      ${against.fingerprint}${sameness(summary, against)}`]),
  ]
  const headlines = summary.bots.flatMap(({ headline, tried }) => [headline?.sentence ?? [], tried?.sentence ?? []].flat())
  return `${[...lines, ...(headlines.length === 0 ? [] : ['', ...headlines])].join('\n')}\n`
}

type Grey = (line: string) => string

/** The same bot of the other run: undefined where there is no other run, `missing` where that run did not have it. */
type Other = BotSummary | 'missing' | undefined

const isPresent = (other: Other): other is BotSummary => other !== undefined && other !== 'missing'

function sameness(summary: BacktestSummary, against: BacktestSummary): string {
  return summary.fingerprint === against.fingerprint ? ' (the same decisions and outcomes)' : ''
}

function figureLines(bot: BotSummary, other: Other): string[] {
  const rows = figuresOf(bot).map(({ name, unit, of }) => [
    `  ${name}`,
    formatFigure(of(bot), unit),
    ...(isPresent(other) ? [formatFigure(of(other), unit), formatDifference(of(bot), of(other), unit)] : []),
  ])
  const head = isPresent(other) ? [bot.name, 'this run', 'against', 'difference'] : [bot.name]
  const ruined = bot.ruined === null ? [] : ['', `  ${bot.ruined.sentence}.`]
  return [...textTable([head, ...rows]), ...ruined, ...(other === 'missing' ? ['  the other run has no bot of this name'] : [])]
}

function modeLines(bot: BotSummary, other: Other, grey: Grey): string[] {
  const modes = Object.entries(bot.byMode)
  const head = ['  by mode', 'settled', 'won', 'lost', 'drawn', 'refunded', 'profit', 'edge', '95% interval', 'to tell from 0']
  const rows = modes.map(([name, mode]) => [
    `  ${name}${mode.tooCoarse === null ? '' : ' *'}`,
    ...[mode.settled, mode.won, mode.lost, mode.drawn, mode.refunded].map((count) => formatFigure(count, 'count')),
    formatFigure(profitOf(mode), 'usdc'),
    formatSigned(mode.edge.mean, 'percent'),
    formatInterval(mode.edge),
    formatFigure(mode.edge.contestsNeeded, 'count'),
  ])
  const [heading = '', ...lines] = textTable([head, ...rows])
  const drawn = lines.map((line, index) => (modes[index]?.[1].tooCoarse === null ? line : grey(line)))
  const played = modes.length === 0 ? ['  no contest was played'] : [heading, ...drawn, ...coarseLines(bot)]
  return isPresent(other) ? [...played, '', ...modeDifferences(bot, other)] : played
}

/** Why a mode is not in the headline. */
function coarseLines({ byMode }: BotSummary): string[] {
  const reasons = Object.values(byMode).flatMap(({ tooCoarse }) => tooCoarse?.reason ?? [])
  return reasons.length === 0 ? [] : ['', '  * not in the figures above:', ...reasons.map((reason) => `  - ${reason}`)]
}

function modeDifferences(bot: BotSummary, other: BotSummary): string[] {
  const modes = [...new Set([...Object.keys(bot.byMode), ...Object.keys(other.byMode)])]
  const rows = modes.map((name) => {
    const [mode, before] = [bot.byMode[name], other.byMode[name]]
    const [edge, edgeBefore] = [mode?.edge.mean ?? null, before?.edge.mean ?? null]
    return [
      `  ${name}`,
      ...[formatFigure(mode?.settled ?? 0, 'count'), formatFigure(before?.settled ?? 0, 'count')],
      ...[formatFigure(profitOf(mode), 'usdc'), formatFigure(profitOf(before), 'usdc')],
      formatDifference(profitOf(mode), profitOf(before), 'usdc'),
      ...[formatSigned(edge, 'percent'), formatSigned(edgeBefore, 'percent'), formatDifference(edge, edgeBefore, 'percent')],
    ]
  })
  const head = ['settled', 'against', 'profit', 'against', 'difference', 'edge', 'against', 'difference']
  return textTable([['  by mode, against', ...head], ...rows])
}

/** A mode that was not played made nothing. */
const profitOf = (mode: ModeSummary | undefined) => BigInt(mode?.profit ?? 0)

function warningLines({ warnings }: BotSummary): string[] {
  return warnings.length === 0 ? [] : ['  take care', ...warnings.map(({ message }) => `  - ${message}`), '']
}

/** A longer table is no help on a terminal: the document has all of it. */
const MOST_LIVE_ROWS = 30

/** The bot on its own recording: what came out otherwise than it did live. */
function liveLines({ againstLive }: BotSummary): string[] {
  if (againstLive === undefined) return []
  const { same, different, rows } = againstLive
  const count = (value: number) => formatFigure(value, 'count')
  const found = `  on its own recording: ${count(same)} contests came out as they did live, ${count(different)} did not`
  if (different === 0) return [found, '']
  const endOf = (end: (typeof rows)[number]['live']) =>
    end === null ? 'not played' : `${end.result ?? 'CANCELLED'} ${formatSigned(BigInt(end.profit), 'usdc')}`
  const table = textTable([
    ['  contest', 'live', 'backtest'],
    ...rows
      .slice(0, MOST_LIVE_ROWS)
      .map(({ contestId, mode, live, backtest }) => [`  ${contestId.slice(0, 8)} ${mode}`, endOf(live), endOf(backtest)]),
  ])
  const reasons = ['why', ...rows.map(({ why }) => why)]
  const more = rows.length > MOST_LIVE_ROWS ? [`  and ${count(rows.length - MOST_LIVE_ROWS)} more: --json has them all`] : []
  return [found, '', ...table.map((line, index) => `${line}  ${reasons[index] ?? ''}`), ...more, '']
}

function refusalLines(bot: BotSummary, other: Other): string[] {
  const others = isPresent(other) ? other.refused : {}
  const codes = [...new Set([...Object.keys(bot.refused), ...Object.keys(others)])].sort()
  if (codes.length === 0) return ['  the guard refused nothing']
  const rows = codes.map((code) => {
    const [times, before] = [bot.refused[code] ?? 0, others[code] ?? 0]
    const compared = [formatFigure(before, 'count'), formatDifference(times, before, 'count')]
    return [`  ${code}`, formatFigure(times, 'count'), ...(isPresent(other) ? compared : [])]
  })
  return textTable([['  refused by the guard', 'times', ...(isPresent(other) ? ['against', 'difference'] : [])], ...rows])
}
