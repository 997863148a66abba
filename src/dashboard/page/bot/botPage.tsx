import type { BotView } from '../../watch/views.ts'
import { OpenList } from '../fleet/openList.tsx'
import { UNKNOWN, usdcExactText, usdcText } from '../format/usdcText.ts'
import { CapBars } from '../parts/capBars.tsx'
import { Controls } from '../parts/controls.tsx'
import { Gain } from '../parts/gain.tsx'
import { MoneyChart } from '../parts/moneyChart.tsx'
import { LastResults } from '../parts/results.tsx'
import { StreamLag } from '../parts/streamLag.tsx'
import { Tile } from '../parts/tile.tsx'
import { TroubleList } from '../parts/troubleList.tsx'
import { WorthNote } from '../parts/worthNote.tsx'
import { ContestTable } from './contestTable.tsx'
import { ElsewherePage } from './elsewherePage.tsx'
import { HoldingTable } from './holdingTable.tsx'
import { ModeTable } from './modeTable.tsx'
import { NoteLog } from './noteLog.tsx'
import { RefusalTable } from './refusalTable.tsx'
import { StrategyList } from './strategyList.tsx'
import { TallyTable } from './tallyTable.tsx'

const asIs = (value: string) => value

export function BotPage({ view }: { readonly view: BotView }) {
  return view.row.elsewhere === undefined ? <OwnBotPage view={view} /> : <ElsewherePage row={view.row} elsewhere={view.row.elsewhere} />
}

function OwnBotPage({ view }: { readonly view: BotView }) {
  const { row, agentId, curve, holdings, contests, refused, strategies, modes, notes, actions, reveals, swaps } = view
  const { byMode, byOpponents, byStrategy, byDay, byWeek } = view
  return (
    <>
      <div class="heading">
        <h1>
          {row.name} <span class="soft">{row.isDraining ? 'draining' : row.phase}</span>
        </h1>
        <Controls bot={row.name} stopped={row.stopped} isLarge={true} />
      </div>
      {row.troubles.length > 0 && <TroubleList troubles={row.troubles} />}
      <dl class="tiles" aria-label="Now">
        <div class="broad">
          <dt>Equity, USDC</dt>
          <dd>
            <strong>{usdcExactText(row.equity)}</strong>
            <small>
              {usdcText(row.bankroll)} available, {usdcText(row.inPlay)} in play, {usdcText(row.held)} in tokens
            </small>
            <WorthNote unpriced={row.unpriced} pricedAt={row.pricedAt} />
          </dd>
        </div>
        <Tile name="Profit" note={`${row.settled ?? UNKNOWN} contests settled`}>
          <Gain amount={row.profit} />
        </Tile>
        <div class="broad">
          <dt>Lost today</dt>
          <dd>
            <CapBars today={row.today} />
          </dd>
        </div>
        <Tile name="Stream" note={`${row.faults} faults since the start`}>
          <StreamLag stream={row.stream} isCaughtUp={row.isCaughtUp} />
        </Tile>
        <Tile name="Actions" note={`${actions.refused} refused, ${actions.failed} failed, ${actions.unknown} unknown`}>
          {actions.sent} sent
        </Tile>
        <Tile name="Swaps" note={`${swaps.failed} failed`}>
          {swaps.filled} filled
        </Tile>
        <Tile name="Reveals" note="done of those due">
          {reveals.done} of {reveals.due}
        </Tile>
      </dl>
      <section aria-labelledby="open">
        <h2 id="open">Open</h2>
        <OpenList bot={row.name} open={row.open} most={50} canOrder={true} />
      </section>
      <section aria-labelledby="modes">
        <h2 id="modes">Modes</h2>
        <ModeTable modes={modes} />
      </section>
      <section aria-labelledby="holdings">
        <h2 id="holdings">Holdings</h2>
        <HoldingTable bot={row.name} holdings={holdings} />
      </section>
      <section aria-labelledby="money">
        <h2 id="money">Equity and profit</h2>
        <MoneyChart who={row.name} curve={curve} />
      </section>
      <section aria-labelledby="results">
        <h2 id="results">Results</h2>
        <p>
          <LastResults results={row.lastResults} />
        </p>
        <div class="columns">
          <TallyTable name="Mode" tallies={byMode} />
          <TallyTable name="Opponents" tallies={byOpponents} />
          <TallyTable name="Strategy" tallies={byStrategy} text={asIs} />
          <TallyTable name="Day" note="UTC" tallies={byDay} text={asIs} isNewestFirst={true} />
          <TallyTable name="Week" note="UTC, from Monday" tallies={byWeek} text={asIs} isNewestFirst={true} />
        </div>
      </section>
      <section aria-labelledby="contests">
        <h2 id="contests">Contests</h2>
        <ContestTable bot={row.name} contests={contests} />
      </section>
      <div class="columns">
        <section aria-labelledby="refused">
          <h2 id="refused">Refused by the guard</h2>
          <RefusalTable refused={refused} />
        </section>
        <section aria-labelledby="strategies">
          <h2 id="strategies">Strategies</h2>
          <StrategyList bot={row.name} strategies={strategies} />
        </section>
      </div>
      <section aria-labelledby="log">
        <h2 id="log">Log</h2>
        <NoteLog bot={row.name} notes={notes} strategies={strategies.map(({ name }) => name)} />
      </section>
      {agentId !== undefined && (
        <p class="soft">
          Agent <code>{agentId}</code>
        </p>
      )}
    </>
  )
}
