import { formatDifference, formatFigure, formatInterval, formatSigned } from '../format/figures.ts'
import type { BotRun } from '../result.ts'
import { type BreakdownBy, breakdown, type Group } from '../statistics/breakdown.ts'
import { headlineOf } from '../statistics/ground.ts'
import type { BotSummary } from '../summary/summary.ts'
import { INTERVAL_SEED } from '../summary/summaryOf.ts'
import { html, type Markup } from './html.ts'
import { intervalPlot, type Scale, scaleHead, scaleOf } from './intervalPlot.ts'
import { toneOf } from './tone.ts'

const TITLES: Readonly<Record<BreakdownBy, string>> = {
  mode: 'Mode',
  opponents: 'Opponents',
  stake: 'Stake',
  duration: 'Duration',
  hour: 'Hour of the end, UTC',
}

/** Results by mode, opponents, stake, duration and hour; by mode with the profit's difference from the other run's. */
export function breakdownTables(bot: BotRun, summary: BotSummary, other: BotSummary | undefined): Markup {
  const contests = headlineOf(bot)
  const tables = (Object.keys(TITLES) as BreakdownBy[]).map((by) => {
    const title = TITLES[by]
    if (by === 'mode') return table({ title, groups: breakdown(bot.contests, by, INTERVAL_SEED), byMode: summary.byMode, other })
    return contests.length === 0 ? html`` : table({ title, groups: breakdown(contests, by, INTERVAL_SEED) })
  })
  return html`${tables}`
}

interface TableOf {
  readonly title: string
  readonly groups: readonly Group[]
  /** Where the groups are modes: the bot's own summary of each, and the other run's bot. */
  readonly byMode?: BotSummary['byMode']
  readonly other?: BotSummary | undefined
}

function table({ title, groups, byMode, other }: TableOf): Markup {
  const scale = scaleOf(groups.map(({ edge }) => edge))
  return html`<table class="blocks breakdown">
<caption>By ${title.charAt(0).toLowerCase()}${title.slice(1)}</caption>
<thead><tr><th scope="col">${title}</th><th scope="col">Profit</th><th scope="col">Edge, 95% interval</th><th scope="col">Contests needed</th><th scope="col" class="plot">${scaleHead(scale)}</th></tr></thead>
<tbody>
${groups.map((group) => row(group, scale, { reason: byMode?.[group.label]?.tooCoarse?.reason, other }))}</tbody>
</table>
`
}

interface RowOf {
  /** Why it is not in the headline, where it is not. */
  readonly reason: string | undefined
  readonly other: BotSummary | undefined
}

function row(group: Group, scale: Scale, { reason, other }: RowOf): Markup {
  const { label, profit, staked, edge } = group
  const before = BigInt(other?.byMode[label]?.profit ?? 0)
  const compared = other === undefined ? [] : [html`<small>difference ${formatDifference(profit, before, 'usdc')}</small>`]
  const left = reason === undefined ? [] : [html`<small>Not in the figures above. ${reason}.</small>`]
  return html`<tr${reason === undefined ? html`` : html` class="left-out"`}>
<th scope="row">${label}<small>${record(group)}</small>${left}</th>
<td><span class="${toneOf(profit)}">${formatSigned(profit, 'usdc')}</span><small>of ${formatFigure(staked, 'usdc')}</small>${compared}</td>
<td>${formatSigned(edge.mean, 'percent')}<small>${formatInterval(edge)}</small></td>
<td>${formatFigure(edge.contestsNeeded, 'count')}</td>
<td class="plot">${intervalPlot(edge, scale)}</td>
</tr>
`
}

function record({ won, lost, drawn, refunded, cancelled }: Group): string {
  const parts = [
    `${won} won`,
    `${lost} lost`,
    ...(drawn > 0 ? [`${drawn} drawn`] : []),
    ...(refunded > 0 ? [`${refunded} refunded`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ]
  return parts.join(', ')
}
