import { readFileSync } from 'node:fs'
import { readAssets } from '../../backtest/report/assets.ts'
import { html, type Markup } from '../../backtest/report/html.ts'
import { pageOf } from '../../backtest/report/page.ts'
import { toneOf } from '../../backtest/report/tone.ts'
import { chunkDifferences, standardErrorOf } from '../../backtest/statistics/pairedEdge.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { Slice } from '../diagnosis.ts'
import { asSet, type Search, valuesText } from '../document.ts'
import type { TrialLine } from '../ledger/ledgerLines.ts'
import { percent, points } from '../points.ts'
import type { TrialContest } from '../runBlock.ts'
import type { TrialResult } from '../search/search.ts'
import { pointOf } from '../search/space.ts'
import { sentencesOf } from '../sentences.ts'
import { luckPlot } from './luckPlot.ts'
import { chunkPlot, profitPlot } from './runPlots.ts'
import { heatMap, type PlottedTrial, slicePlot } from './trialPlots.ts'

export interface SearchReportOptions {
  readonly search: Search
  /** Both sides on the train time, without a break; undefined without a candidate. */
  readonly candidate: readonly TrialContest[] | undefined
  readonly incumbent: readonly TrialContest[] | undefined
  /** Trials of this time that the ledger knows, those of this search among them. */
  readonly history: readonly TrialLine[]
  /** Whether prices and contests were made up. */
  readonly isSynthetic: boolean
}

const style = (): string => `${readAssets().style}\n${readFileSync(new URL('browser/search.css', import.meta.url), 'utf8')}`

/** A search as one HTML file that asks the network for nothing and runs nothing. */
export function searchReport(options: SearchReportOptions): string {
  const { search, isSynthetic } = options
  const { id, plan, outcome } = search
  const { trainFrom, trainUntil, sealedFrom, sealedUntil } = plan.split
  const body = html`<header>
<h1>Search ${id}</h1>
<p>${outcome.diagnosis.trials} trials on contests from ${day(trainFrom)} to ${day(trainUntil)}; sealed from ${day(sealedFrom)} to ${day(sealedUntil)}.</p>
${
  isSynthetic
    ? html`<p class="synthetic"><strong>SYNTHETIC</strong> These prices were made from a seed, with a drift planted in them: nothing here says anything of a market.</p>
`
    : html``
}</header>
<main>
${sentencesOf(search).map(
  (sentence) => html`<p class="verdict">${sentence}</p>
`,
)}${tiles(search)}${warnings(search)}
${comparison(options)}
${parameters(search)}
${breakdown(search)}
${trialTable(search)}
${historyTable(options)}
${method(search)}</main>
`
  return pageOf({ title: `Search ${id}${isSynthetic ? ' (SYNTHETIC)' : ''}`, style: style(), body })
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const day = (at: number): string => DAY.format(at)
const count = (value: number): string => Math.round(value).toLocaleString('en')
const edge = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : points(value))

function tiles({ outcome, judged }: Search): Markup {
  const { winner, power, diagnosis } = outcome
  if (winner === null) return html``
  const sealed = judged?.look?.paired
  const shown: readonly { title: string; value: string; tone: string; note: string }[] = [
    {
      ...{ title: 'Over the incumbent, searched', value: edge(winner.paired.difference), tone: toneOf(winner.paired.difference) },
      note: `95% interval ${edge(winner.paired.low)} to ${edge(winner.paired.high)}, before selection`,
    },
    {
      ...{ title: 'Over the incumbent, sealed', value: edge(sealed?.difference), tone: sealed ? toneOf(sealed.difference) : 'even' },
      note: sealed
        ? `95% interval ${edge(sealed.low)} to ${edge(sealed.high)}; p = ${(judged?.look?.p ?? 1).toFixed(4)}`
        : 'nobody has looked',
    },
    {
      ...{ title: `The best of ${diagnosis.trials} coins`, value: edge(diagnosis.bestOfCoins), tone: 'even' },
      note: 'what so many tries without skill would show',
    },
    {
      ...{ title: 'Edge a contest', value: edge(winner.edge), tone: toneOf(winner.edge) },
      note: `the incumbent ${edge(winner.incumbentEdge)}; drawdown ${formatUsdc(winner.drawdown)} USDC`,
    },
    ...(power === null
      ? []
      : [
          {
            title: 'Chance of a look to tell',
            value: percent(power.power),
            tone: 'even',
            note: `${count(power.sealedContests)} sealed contests, look ${power.look}`,
          },
        ]),
  ]
  return html`<dl class="tiles">
${shown.map(
  ({
    title,
    value,
    tone,
    note,
  }) => html`<div><dt>${title}</dt><dd><strong class="${tone}">${value}</strong><small>${note}</small></dd></div>
`,
)}</dl>
`
}

function warnings({ outcome }: Search): Markup {
  if (outcome.warnings.length === 0) return html``
  return html`<aside class="warnings" aria-label="Take care"><ul>
${outcome.warnings.map(
  ({ code, message }) => html`<li><code>${code}</code> ${message}</li>
`,
)}</ul></aside>
`
}

/** The candidate beside the incumbent, and beside luck. */
function comparison({ search, candidate, incumbent }: SearchReportOptions): Markup {
  const { winner, diagnosis } = search.outcome
  if (winner === null || candidate === undefined || incumbent === undefined) return html``
  const sealed = search.judged?.look?.paired?.difference
  return html`<h2>Candidate and incumbent</h2>
<p>The candidate is the incumbent with <code>${asSet(winner.set)}</code>.</p>
<div class="columns charts">
${luckPlot({ trials: diagnosis.trials, error: standardErrorOf(winner.paired), shown: winner.paired.difference, sealed })}
${profitPlot(candidate, incumbent)}
${chunkPlot(chunkDifferences(candidate, incumbent))}
</div>
`
}

const MOST_PAIRS = 3

function parameters({ plan, outcome }: Search): Markup {
  const { dimensions } = plan
  const { importance } = outcome.diagnosis
  const trials = outcome.trials.flatMap(({ index, values, pairedFirst, state }): PlottedTrial[] => {
    if (pairedFirst === undefined || state === 'twin' || index === 0) return []
    return [
      { point: pointOf({ dimensions }, values), value: pairedFirst.mean, kind: index === outcome.winner?.trial ? 'candidate' : 'trial' },
    ]
  })
  if (trials.length === 0) return html``
  const order = dimensions
    .map((dimension, place) => ({ dimension, place, share: importance[place] ?? 0 }))
    .toSorted((a, b) => b.share - a.share)
  const pairs = order.flatMap((one, index) => order.slice(index + 1).map((other) => [one, other] as const)).slice(0, MOST_PAIRS)
  return html`<h2>Parameters</h2>
<p>Each point is a trial, by its paired edge on the first contests, which all trials have played. The ring is the candidate.</p>
<table class="plain importance">
<caption>How much of the differences a parameter tells</caption>
<tbody>
${order.map(
  ({
    dimension,
    share,
  }) => html`<tr><th scope="row"><code>${dimension.name}</code></th><td>${percent(share)}</td><td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="1" width="${(100 * Math.min(1, share)).toFixed(1)}" height="6"/></svg></td></tr>
`,
)}</tbody>
</table>
<div class="columns charts">
${order.map(({ dimension, place }) => slicePlot(dimension, place, trials))}${pairs.map(([one, other]) => heatMap([one.dimension, other.dimension], [one.place, other.place], trials))}</div>
`
}

function breakdown({ outcome }: Search): Markup {
  const { byMode, folds } = outcome.diagnosis
  if (folds.length === 0) return html``
  const row = (
    name: string,
    slice: Slice,
  ) => html`<tr><th scope="row">${name}</th><td>${edge(slice.edge)}<small>${count(slice.contests)} contests</small></td><td>${edge(slice.edgeAgainst)}<small>${count(slice.against)} contests</small></td></tr>
`
  const head = (first: string) =>
    html`<thead><tr><th scope="col">${first}</th><th scope="col">Candidate</th><th scope="col">Incumbent</th></tr></thead>`
  return html`<div class="columns">
<table class="plain"><caption>By mode</caption>${head('Mode')}<tbody>
${Object.entries(byMode).map(([mode, slice]) => row(mode, slice))}</tbody></table>
<table class="plain"><caption>By fifth of the time</caption>${head('From')}<tbody>
${folds.map((fold) => row(day(fold.from), fold))}</tbody></table>
</div>
`
}

function trialTable({ outcome }: Search): Markup {
  const { trials, winner } = outcome
  const rows = trials
    .filter(({ state }) => state !== 'twin')
    .toSorted((a, b) => b.rung - a.rung || (b.paired?.mean ?? -1) - (a.paired?.mean ?? -1))
    .map((trial) => trialRow(trial, winner?.trial))
  const twins = trials.length - rows.length
  return html`<details><summary>All ${rows.length} trials${twins > 0 ? `, and ${twins} that were the same as another` : ''}</summary>
<div class="wide"><table class="plain">
<thead><tr><th scope="col">Parameters</th><th scope="col">Paired edge</th><th scope="col">Edge</th><th scope="col">Drawdown</th><th scope="col">Contests</th><th scope="col">Rung</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>
</details>
`
}

function trialRow({ index, values, paired, edge: own, drawdown, contests, rung, state }: TrialResult, winner: number | undefined): Markup {
  const role = index === winner ? ' (candidate)' : index === 0 ? ' (incumbent)' : state === 'failed' ? ' (failed)' : ''
  const interval = paired === undefined ? '' : `${edge(paired.low)} to ${edge(paired.high)}`
  return html`<tr><th scope="row">${`${valuesText(values)}${role}`}</th><td>${edge(paired?.mean)}<small>${interval}</small></td><td>${edge(own)}</td><td>${formatUsdc(drawdown)}</td><td>${count(contests)}</td><td>${rung}</td></tr>
`
}

/** What else was tried on this time: each search as one row, backtests one by one. */
function historyTable({ history }: SearchReportOptions): Markup {
  if (history.length === 0) return html``
  const groups = [...Map.groupBy(history, ({ sweep, fingerprint }) => sweep ?? `backtest ${fingerprint.slice(0, 8)}`)]
  const rows = groups.map(([name, trials]) => {
    const edges = trials.flatMap((trial) => (trial.edge === null ? [] : [trial.edge]))
    const different = new Set(trials.map(({ fingerprint }) => fingerprint)).size
    return html`<tr><th scope="row">${name}<small>${day(Math.min(...trials.map(({ at }) => at)))}</small></th><td>${count(different)}</td><td>${edges.length === 0 ? '–' : edge(Math.max(...edges))}</td></tr>
`
  })
  return html`<table class="plain"><caption>What the ledger knows of this time</caption>
<thead><tr><th scope="col">Search or backtest</th><th scope="col">Trials</th><th scope="col">Best edge</th></tr></thead>
<tbody>
${rows}</tbody></table>
`
}

function method({ plan, outcome }: Search): Markup {
  return html`<details><summary>How this was made</summary>
<p>The train time was cut into ${plan.blocks.length} blocks, each played by a bot of its own. Points were chosen by ${plan.search === 'tpe' ? 'a tree-structured Parzen estimator' : 'chance'} from seed ${plan.seed};
those that fell behind were dropped early. ${count(outcome.spent)} contests were played. A paired edge is the difference of what two sides make a unit staked, on the same ranges of time; its interval is Student's over those ranges
and counts no selection: the best of many trials looks better than it is, which is why some contests are sealed. Software ${plan.software.cornerman}, Node ${plan.software.node}; log <code>${plan.log.slice(0, 16)}</code>, code <code>${plan.code.slice(0, 16)}</code>.</p>
</details>
`
}
