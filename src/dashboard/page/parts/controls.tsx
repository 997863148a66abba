import { useState } from 'preact/hooks'
import type { Stopped } from '../../watch/views.ts'
import type { Command } from '../live/say.ts'
import { ConfirmDialog } from './confirmDialog.tsx'
import { pure } from './pure.tsx'
import { STATES } from './states.ts'

interface ControlsProps {
  /** Undefined: all bots. */
  readonly bot: string | undefined
  readonly stopped: Stopped
  /** All three switches, not one that leads to them. */
  readonly isLarge: boolean
}

const COMMANDS: readonly { readonly command: Command; readonly name: string; readonly leadsTo: Stopped }[] = [
  { command: 'stopEntries', name: 'Stop entries', leadsTo: 'entries' },
  { command: 'stopAll', name: 'Kill switch', leadsTo: 'all' },
  { command: 'resume', name: 'Resume', leadsTo: 'nothing' },
]

/** The owner's switches. Each asks again before anything is done, and the state beside them is what the bots have been told. */
export const Controls = pure(function Controls({ bot, stopped, isLarge }: ControlsProps) {
  const [asked, setAsked] = useState<readonly Command[]>([])
  const who = bot ?? 'all bots'
  const state = <span class={`stopped ${stopped}`}>{STATES[stopped]}</span>
  const possible = COMMANDS.filter(({ leadsTo }) => leadsTo !== stopped)
  return (
    <div class="controls" role="group" aria-label={`Switches of ${who}`}>
      {isLarge && (
        <>
          <span class="whose">{bot ?? 'All'}</span>
          {state}
        </>
      )}
      {isLarge ? (
        COMMANDS.map(({ command, name, leadsTo }) => (
          <button
            key={command}
            type="button"
            class={command}
            // Focus stays on a button that has just been of use.
            aria-disabled={leadsTo === stopped}
            onClick={() => leadsTo !== stopped && setAsked([command])}
          >
            {name}
            <span class="unseen"> {who}</span>
          </button>
        ))
      ) : (
        <button type="button" onClick={() => setAsked(possible.map(({ command }) => command))}>
          {stopped === 'nothing' ? 'Stop' : 'Resume'}…<span class="unseen"> {who}</span>
        </button>
      )}
      {asked.length > 0 && <ConfirmDialog bot={bot} commands={asked} onClose={() => setAsked([])} />}
    </div>
  )
})
