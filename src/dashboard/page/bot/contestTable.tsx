import { useState } from 'preact/hooks'
import { symbolOf } from '../../../core/tokens.ts'
import type { ContestRow } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { UNKNOWN, usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'
import { Instant } from '../parts/instant.tsx'
import { RESULT_WORDS } from '../parts/results.tsx'
import { saveAs } from '../parts/saveAs.ts'
import { TimeLeft } from '../parts/timeLeft.tsx'
import { hashOf } from '../route.ts'
import { contestsShown, type Shown, SORTS, type SortKey, stateOf } from './contestOrder.ts'
import { contestsCsv } from './contestsCsv.ts'

const COLUMNS: readonly { readonly name: string; readonly sort?: SortKey; readonly looks?: string }[] = [
  { name: 'Contest', sort: 'contest' },
  { name: 'When', sort: 'when', looks: 'spare' },
  { name: 'Stake', sort: 'stake', looks: 'figure' },
  { name: 'Strategy', looks: 'spare' },
  { name: 'Against', looks: 'spare' },
  { name: 'State' },
  { name: 'Profit', sort: 'profit', looks: 'figure' },
]

const STATE_WORDS: Readonly<Record<string, string>> = RESULT_WORDS

const FIRST_SHOWN: Shown = { mode: undefined, strategy: undefined, state: undefined, sort: 'when', isReversed: false }

interface ContestTableProps {
  readonly bot: string
  readonly contests: readonly ContestRow[]
}

/** The newest contests: those that one wants to see, in the order one wants them in, and the same as a file. */
export function ContestTable({ bot, contests }: ContestTableProps) {
  const [shown, setShown] = useState(FIRST_SHOWN)
  if (contests.length === 0) return <p class="soft">None yet. A contest is here from the moment the bot has a seat in it.</p>
  const rows = contestsShown(contests, shown)
  const choose = (change: Partial<Shown>) => setShown((before) => ({ ...before, ...change }))
  return (
    <>
      <form class="filters" aria-label="Which contests are shown">
        <Choice name="Mode" values={contests.map(({ mode }) => mode)} text={modeText} onChoose={(mode) => choose({ mode })} />
        <Choice name="Strategy" values={contests.map(({ strategy }) => strategy)} onChoose={(strategy) => choose({ strategy })} />
        <Choice
          name="State"
          values={contests.map(stateOf)}
          text={(state) => STATE_WORDS[state] ?? state}
          onChoose={(state) => choose({ state })}
        />
        <output>
          {rows.length} of {contests.length}
        </output>
        <button type="button" onClick={() => saveAs(`contests-${bot}.csv`, 'text/csv', contestsCsv(rows))}>
          Export CSV
        </button>
      </form>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard */}
      <div class="scroll" role="group" aria-labelledby="contests" tabIndex={0}>
        <table class="contests">
          <thead>
            <tr>
              {COLUMNS.map(({ name, sort, looks }) => (
                <th key={name} scope="col" class={looks} aria-sort={sort === undefined || sort !== shown.sort ? undefined : orderOf(shown)}>
                  {sort === undefined ? (
                    name
                  ) : (
                    <button
                      type="button"
                      class="sort"
                      onClick={() => choose({ sort, isReversed: sort === shown.sort && !shown.isReversed })}
                    >
                      {name}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ContestLine key={row.contestId} bot={bot} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const orderOf = ({ sort, isReversed }: Shown) => ((SORTS[sort].first === 1) !== isReversed ? 'ascending' : 'descending')

interface ChoiceProps {
  readonly name: string
  readonly values: readonly (string | undefined)[]
  readonly text?: (value: string) => string
  readonly onChoose: (value: string | undefined) => void
}

function Choice({ name, values, text = (value) => value, onChoose }: ChoiceProps) {
  const known = [...new Set(values)].filter((value) => value !== undefined).toSorted()
  return (
    <label>
      {name}{' '}
      <select onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : value)}>
        <option value="">all</option>
        {known.map((value) => (
          <option key={value} value={value}>
            {text(value)}
          </option>
        ))}
      </select>
    </label>
  )
}

function ContestLine({ bot, row }: { readonly bot: string; readonly row: ContestRow }) {
  const { contestId, mode, strategy, stake, token, side, phase, startsAt, endsAt, settledAt, versus, result, profit } = row
  const at = settledAt ?? startsAt
  return (
    <tr>
      <th scope="row">
        <a href={hashOf({ kind: 'contest', bot, contestId })}>{modeText(mode)}</a>{' '}
        <span class="soft">
          {token !== undefined && symbolOf(token)} {side}
        </span>
        {at !== undefined && (
          <small class="narrow">
            <Instant at={at} />
          </small>
        )}
      </th>
      <td class="spare">{at === undefined ? UNKNOWN : <Instant at={at} />}</td>
      <td class="figure">{usdcText(stake)}</td>
      <td class="spare">{strategy ?? UNKNOWN}</td>
      <td class="spare">{versus?.toLowerCase() ?? UNKNOWN}</td>
      <td>
        {phase === 'live' && <TimeLeft startsAt={startsAt} endsAt={endsAt} />}
        {phase !== 'live' && (result === undefined ? phase : <span class={`result ${result.toLowerCase()}`}>{RESULT_WORDS[result]}</span>)}
      </td>
      <td class="figure">
        <Gain amount={profit} />
      </td>
    </tr>
  )
}
