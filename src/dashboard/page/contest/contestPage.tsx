import { symbolOf } from '../../../core/tokens.ts'
import type { ContestView } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'
import { Instant } from '../parts/instant.tsx'
import { RESULT_WORDS } from '../parts/results.tsx'
import { Tile } from '../parts/tile.tsx'
import { TimeLeft } from '../parts/timeLeft.tsx'
import { EventList } from './eventList.tsx'
import { MoveTable } from './moveTable.tsx'
import { PriceChart } from './priceChart.tsx'
import { ScoreTable } from './scoreTable.tsx'
import { StandingTile } from './standingTile.tsx'
import { VerdictTable } from './verdictTable.tsx'

export function ContestPage({ view }: { readonly view: ContestView }) {
  const { bot, row, prices, moves, verdicts, scores, events, place, capacity, filled } = view
  const { contestId, mode, stake, token, side, phase, startsAt, endsAt, settledAt, versus, result, profit, strategy } = row
  return (
    <>
      <h1>
        {modeText(mode)} <span class="soft">of {bot}</span>
      </h1>
      <dl class="tiles" aria-label="The contest">
        <Tile
          name="State"
          note={
            startsAt !== undefined && (
              <>
                from <Instant at={startsAt} />
              </>
            )
          }
        >
          {result === undefined ? phase : RESULT_WORDS[result]}
        </Tile>
        <Tile
          name="Profit"
          note={
            settledAt !== undefined && (
              <>
                settled <Instant at={settledAt} />
              </>
            )
          }
        >
          <Gain amount={profit} />
        </Tile>
        <Tile name="Stake" note={versus === undefined ? undefined : `against ${versus.toLowerCase()}`}>
          {usdcText(stake)}
        </Tile>
        {phase === 'live' && (
          <Tile name="Time">
            <TimeLeft startsAt={startsAt} endsAt={endsAt} />
          </Tile>
        )}
        <StandingTile scores={scores} place={place} capacity={capacity} filled={filled} />
        {(token !== undefined || side !== undefined) && (
          <Tile name="Token">
            {token !== undefined && symbolOf(token)} {side}
          </Tile>
        )}
      </dl>
      <section aria-labelledby="prices">
        <h2 id="prices">Prices</h2>
        <PriceChart view={view} />
      </section>
      <div class="columns">
        <section aria-labelledby="scores">
          <h2 id="scores">Scores</h2>
          <ScoreTable scores={scores} isLive={phase === 'live'} />
        </section>
        <section aria-labelledby="moves">
          <h2 id="moves">Moves</h2>
          <MoveTable moves={moves} prices={prices} startsAt={startsAt} />
        </section>
      </div>
      <section aria-labelledby="verdicts">
        <h2 id="verdicts">What the guard said</h2>
        <VerdictTable verdicts={verdicts} startsAt={startsAt} />
      </section>
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        <EventList events={events} />
      </section>
      <p class="soft">
        Contest <code>{contestId}</code>
        {strategy !== undefined && `, entered by ${strategy}`}
        {endsAt !== undefined && (
          <>
            , ends <Instant at={endsAt} />
          </>
        )}
      </p>
    </>
  )
}
