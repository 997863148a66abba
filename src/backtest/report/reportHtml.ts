import { describeOrigin, describeRun, describeValue } from '../format/describe.ts'
import type { BacktestRun } from '../result.ts'
import type { BacktestSummary } from '../summary/summary.ts'
import { readAssets } from './assets.ts'
import { botSection } from './botSection.ts'
import { chartDataOf } from './contestData.ts'
import { html, json, type Markup } from './html.ts'
import { pageOf } from './page.ts'

/**
 * A backtest as one HTML file that asks the network for nothing: it opens from a disk, and can be sent and kept.
 *
 * @param against an earlier run, whose figures are set beside this one's
 */
export function reportHtml(run: BacktestRun, summary: BacktestSummary, against?: BacktestSummary): string {
  const body = html`<header>
<h1>Backtest</h1>
<p>${describeRun(summary)}</p>
${navigation(run)}</header>
<main>
${run.bots.flatMap((bot, index) => {
  const figures = summary.bots[index]
  return figures === undefined ? [] : [botSection(bot, figures, against, index)]
})}
${originSection(summary, against)}</main>
${run.bots.map(
  (bot, index) => html`<script type="application/json" id="data-${index}">${json(chartDataOf(bot))}</script>
`,
)}`
  return pageOf({ title: `Backtest ${summary.fingerprint.slice(0, 8)}`, ...readAssets(), body })
}

function navigation({ bots }: BacktestRun): Markup {
  if (bots.length < 2) return html``
  const links = bots.map(
    ({ name }, index) => html`<li><a href="#bot-${index}">${name}</a></li>
`,
  )
  return html`<nav aria-label="Bots"><ul>
${links}</ul></nav>
`
}

/** What the run rests on, and what names it. */
function originSection(summary: BacktestSummary, against: BacktestSummary | undefined): Markup {
  const rows = summary.assumptions.map(
    (figure) =>
      html`<tr><th scope="row">${figure.name}</th><td>${describeValue(figure)}</td><td>${describeOrigin(figure)}</td></tr>
`,
  )
  const compared = against === undefined ? [] : [html`<dt>Against</dt><dd><code>${against.fingerprint}</code></dd>`]
  return html`<section aria-labelledby="origin">
<h2 id="origin">Where this comes from</h2>
<table>
<caption>Assumptions of the fill model</caption>
<thead><tr><th scope="col">Figure</th><th scope="col">Value</th><th scope="col">Origin</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
<dl class="origin"><dt>Logs</dt>${summary.logs.map((log) => html`<dd>${log}</dd>`)}<dt>Fingerprint</dt><dd><code>${summary.fingerprint}</code></dd>${compared}</dl>
<details><summary>How the figures are made</summary>
<p>One settled contest is one observation; its return is profit ÷ stake. Refunded and cancelled contests are none. Ratios are per
contest, not scaled to a year; Sharpe, Sortino, Calmar and the system quality number need 30 observations. Calmar's span is the whole
run. The edge is the mean return; its 95% interval is the percentile bootstrap of 2,000 seeded resamples, from 10 observations on. The
contests needed are those with which a test at 5% finds an edge of this size and spread four times in five. A dash is a figure that is not known.</p>
</details>
</section>
`
}
