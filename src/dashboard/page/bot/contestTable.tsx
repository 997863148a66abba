import { symbolOf } from '../../../core/tokens.ts'
import type { ContestRow } from '../../watch/views.ts'
import { modeText } from '../format/modeText.ts'
import { instantText } from '../format/timeText.ts'
import { UNKNOWN, usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'
import { RESULT_WORDS } from '../parts/results.tsx'
import { TimeLeft } from '../parts/timeLeft.tsx'
import { hashOf } from '../route.ts'

/** The newest contests, newest first. */
export function ContestTable({ bot, contests }: { readonly bot: string; readonly contests: readonly ContestRow[] }) {
  if (contests.length === 0) return <p class="soft">None yet. A contest is here from the moment the bot has a seat in it.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard
    <div class="scroll" role="group" aria-labelledby="contests" tabIndex={0}>
      <table class="contests">
        <thead>
          <tr>
            <th scope="col">Contest</th>
            <th scope="col" class="spare">
              When
            </th>
            <th scope="col" class="figure">
              Stake
            </th>
            <th scope="col" class="spare">
              Against
            </th>
            <th scope="col">State</th>
            <th scope="col" class="figure">
              Profit
            </th>
          </tr>
        </thead>
        <tbody>
          {contests.map((row) => (
            <ContestLine key={row.contestId} bot={bot} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ContestLine({ bot, row }: { readonly bot: string; readonly row: ContestRow }) {
  const { contestId, mode, stake, token, side, phase, startsAt, endsAt, settledAt, versus, result, profit } = row
  const at = settledAt ?? startsAt
  return (
    <tr>
      <th scope="row">
        <a href={hashOf({ kind: 'contest', bot, contestId })}>{modeText(mode)}</a>{' '}
        <span class="soft">
          {token !== undefined && symbolOf(token)} {side}
        </span>
      </th>
      <td class="spare">{at === undefined ? UNKNOWN : instantText(at)}</td>
      <td class="figure">{usdcText(stake)}</td>
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
