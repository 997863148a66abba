import type { BotRow } from '../../watch/views.ts'
import { UNKNOWN, usdcText } from '../format/usdcText.ts'
import { BotLink } from '../parts/botLink.tsx'
import { CapBars } from '../parts/capBars.tsx'
import { Controls } from '../parts/controls.tsx'
import { ElsewhereNote } from '../parts/elsewhereNote.tsx'
import { Gain } from '../parts/gain.tsx'
import { pure } from '../parts/pure.tsx'
import { LastResults } from '../parts/results.tsx'
import { SeverityMark } from '../parts/severityMark.tsx'
import { STATES } from '../parts/states.ts'
import { StreamLag } from '../parts/streamLag.tsx'
import { WorthNote } from '../parts/worthNote.tsx'
import { OpenList } from './openList.tsx'

/** One bot at a glance. */
export const BotLine = pure(function BotLine({ bot }: { readonly bot: BotRow }) {
  const {
    name,
    phase,
    severity,
    isDraining,
    stopped,
    equity,
    unpriced,
    pricedAt,
    inPlay,
    profit,
    today,
    open,
    lastResults,
    stream,
    isCaughtUp,
    faults,
    unknown,
    elsewhere,
  } = bot
  const state =
    phase === 'elsewhere'
      ? undefined
      : phase !== 'running'
        ? phase
        : isDraining
          ? 'draining'
          : stopped === 'nothing'
            ? undefined
            : STATES[stopped]
  return (
    <tr class={[severity, elsewhere?.isSilent === true ? 'silent' : undefined].filter((name) => name !== undefined).join(' ') || undefined}>
      <th scope="row">
        <BotLink bot={bot} />
        {severity !== undefined && <SeverityMark severity={severity} />}
        {state !== undefined && <span class="state">{state}</span>}
        {elsewhere !== undefined && <ElsewhereNote elsewhere={elsewhere} />}
      </th>
      <td data-name="Equity" class="figure">
        {usdcText(equity)}
        <WorthNote unpriced={unpriced} pricedAt={pricedAt} />
      </td>
      <td data-name="In play" class="figure">
        {usdcText(inPlay)}
      </td>
      <td data-name="Profit" class="figure">
        <Gain amount={profit} />
      </td>
      <td data-name="Lost today" class="wide">
        <CapBars today={today} />
      </td>
      <td data-name="Open" class="wide">
        <OpenList bot={name} open={open} isElsewhere={elsewhere !== undefined} />
      </td>
      <td data-name="Last results" class="double">
        <LastResults results={lastResults} />
      </td>
      <td data-name="Stream">
        {phase === 'elsewhere' ? <span class="soft">{UNKNOWN}</span> : <StreamLag stream={stream} isCaughtUp={isCaughtUp} />}
      </td>
      <td data-name="Faults" class="figure">
        {faults}
        {unknown > 0 && <small class="caution">{unknown} unknown</small>}
      </td>
      <td class="wide">
        <Controls bot={name} stopped={stopped} isLarge={false} />
      </td>
    </tr>
  )
})
