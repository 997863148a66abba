import { figuresOf, formatDifference, formatFigure, formatInterval, formatSigned } from '../format/figures.ts'
import type { BotRun } from '../result.ts'
import type { BacktestSummary, BotSummary } from '../summary/summary.ts'
import { breakdownTables } from './breakdownTables.ts'
import { html, type Markup } from './html.ts'
import { toneOf } from './tone.ts'

/** All of one bot. The browser draws the curve and the contests into the places left for them. */
export function botSection(bot: BotRun, summary: BotSummary, against: BacktestSummary | undefined, index: number): Markup {
  const other = against?.bots.find(({ name }) => name === bot.name)
  const missing = against !== undefined && other === undefined ? [html`<p>The other run has no bot of this name.</p>`] : []
  return html`<section class="bot" id="bot-${index}" aria-labelledby="bot-${index}-name">
<h2 id="bot-${index}-name">${bot.name}</h2>
${missing}${verdict(summary)}${headline(summary, other)}${warningList(summary)}
<h3>Equity and drawdown</h3>
<div class="curve" data-bot="${index}" role="img" aria-label="${curveInWords(summary)}"></div>
<h3>Results</h3>
${breakdownTables(bot, summary, other)}
<div class="columns">
${figureTable(summary, other)}
<div>
${refusalTable(summary, other)}
${strategyList(summary)}
</div>
</div>
<h3>Contests</h3>
<div class="contests" data-bot="${index}"><noscript>The list of contests needs JavaScript.</noscript></div>
</section>
`
}

interface Tile {
  readonly title: string
  readonly value: string
  readonly note: string
  readonly tone?: string
}

/** What the run comes to, in sentences. */
function verdict({ headline: found, tried, ruined }: BotSummary): Markup {
  const sentences = [
    ...(found === undefined ? [] : [found.sentence]),
    ...(tried === null ? [] : [tried.sentence]),
    ...(ruined === null ? [] : [`${ruined.sentence}.`]),
  ]
  return html`${sentences.map(
    (sentence) => html`<p class="verdict">${sentence}</p>
`,
  )}`
}

/** What one looks for first; nothing where nothing is to be told. */
function headline(bot: BotSummary, other: BotSummary | undefined): Markup {
  const { edge, metrics } = bot
  const { contests, profit: made, staked } = bot.headline ?? bot
  if (contests.settled === 0 && bot.contests.settled > 0) return html``
  const profit = BigInt(made)
  const tiles: readonly Tile[] = [
    {
      ...{ title: 'Profit', value: `${formatSigned(profit, 'usdc')} USDC`, tone: toneOf(profit) },
      note: `${formatFigure(metrics.roi, 'percent')} of ${formatFigure(BigInt(staked), 'usdc')} staked`,
    },
    {
      ...{ title: 'Edge a contest', value: formatSigned(edge.mean, 'percent'), tone: toneOf(edge.mean) },
      note: `95% interval ${formatInterval(edge)}`,
    },
    {
      ...{ title: 'Contests', value: formatFigure(contests.settled, 'count') },
      note:
        edge.contestsNeeded === null
          ? 'how many it takes to tell the edge from 0 is not known'
          : `${formatFigure(edge.contestsNeeded, 'count')} would tell this edge from 0`,
    },
    {
      ...{ title: 'Win rate', value: formatFigure(metrics.winRate, 'percent') },
      note: `${contests.won} won, ${contests.lost} lost, ${contests.drawn} drawn`,
    },
    {
      ...{ title: 'Maximum drawdown', value: formatFigure(metrics.maxDrawdown, 'percent') },
      note: `longest losing streak ${formatFigure(metrics.longestLosingStreak, 'count')}`,
    },
  ]
  const change =
    other === undefined ? '' : `${formatDifference(profit, BigInt((other.headline ?? other).profit), 'usdc')} USDC against the other run`
  return html`<dl class="tiles">
${tiles.map(({ title, value, note, tone = '' }, index) => {
  const compared = index === 0 && change !== '' ? [html`<small>${change}</small>`] : []
  return html`<div><dt>${title}</dt><dd><strong class="${tone}">${value}</strong><small>${note}</small>${compared}</dd></div>
`
})}</dl>
`
}

function warningList({ warnings }: BotSummary): Markup {
  if (warnings.length === 0) return html``
  const items = warnings.map(
    ({ message }) => html`<li>${message}</li>
`,
  )
  return html`<aside class="warnings" aria-label="Take care"><ul>
${items}</ul></aside>
`
}

function curveInWords({ name, bankroll, profit, metrics, headline: found }: BotSummary): string {
  const [from, to] = [BigInt(bankroll), BigInt(bankroll) + BigInt((found ?? { profit }).profit)]
  return `Equity of ${name}, from ${formatFigure(from, 'usdc')} to ${formatFigure(to, 'usdc')} USDC; the largest drawdown is ${formatFigure(metrics.maxDrawdown, 'percent')}`
}

function figureTable(bot: BotSummary, other: BotSummary | undefined): Markup {
  const rows = figuresOf(bot).map(({ name, unit, of }) => {
    const compared =
      other === undefined ? [] : [html`<td>${formatFigure(of(other), unit)}</td><td>${formatDifference(of(bot), of(other), unit)}</td>`]
    return html`<tr><th scope="row">${name}</th><td>${formatFigure(of(bot), unit)}</td>${compared}</tr>
`
  })
  return html`<table class="${layoutOf(other)}">
<caption>Figures</caption>
<thead><tr><th scope="col">Figure</th>${valueHeads('This run', other)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
`
}

/** Three columns of values are more than a narrow screen holds beside their names. */
const layoutOf = (other: BotSummary | undefined) => (other === undefined ? 'plain' : 'blocks compared')

function valueHeads(own: string, other: BotSummary | undefined): Markup {
  if (other === undefined) return html`<th scope="col">${own}</th>`
  return html`<th scope="col">${own}</th><th scope="col">Against</th><th scope="col">Difference</th>`
}

function refusalTable(bot: BotSummary, other: BotSummary | undefined): Markup {
  const codes = [...new Set([...Object.keys(bot.refused), ...Object.keys(other?.refused ?? {})])].sort()
  if (codes.length === 0) return html`<h4>Refused by the guard</h4><p>Nothing.</p>`
  const rows = codes.map((code) => {
    const [times, before] = [bot.refused[code] ?? 0, other?.refused[code] ?? 0]
    const compared =
      other === undefined ? [] : [html`<td>${formatFigure(before, 'count')}</td><td>${formatDifference(times, before, 'count')}</td>`]
    return html`<tr><th scope="row"><code>${code}</code></th><td>${formatFigure(times, 'count')}</td>${compared}</tr>
`
  })
  return html`<table class="${layoutOf(other)}">
<caption>Refused by the guard</caption>
<thead><tr><th scope="col">Code</th>${valueHeads('Times', other)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
`
}

function strategyList({ strategies, config }: BotSummary): Markup {
  const items = strategies.map(
    ({ kind, name, params, code }) => html`<li><strong>${name}</strong> (${kind})
<pre>${JSON.stringify(params, undefined, 2) ?? 'no parameters'}</pre>
<small>code <code>${code}</code></small></li>
`,
  )
  return html`<h4>Strategies</h4>
<ul class="strategies">
${items}</ul>
<p><small>config <code>${config}</code></small></p>
`
}
