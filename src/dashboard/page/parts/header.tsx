import type { Frame, Place } from '../../stream/shown.ts'
import { hashOf } from '../route.ts'
import { Controls } from './controls.tsx'

interface HeaderProps {
  readonly place: Place
  readonly frame: Frame | undefined
  readonly onSkip: () => void
}

/** On every page: where one is, what is played on, who else needs a look, and the switches for all. */
export function Header({ place, frame, onSkip }: HeaderProps) {
  const others = frame?.bots.filter(({ name, severity }) => severity !== undefined && place.kind !== 'fleet' && name !== place.bot) ?? []
  const worst = others.some(({ severity }) => severity === 'alarm') ? 'alarm' : 'warn'
  return (
    <header class="top">
      <button type="button" class="skip" onClick={onSkip}>
        Skip to the content
      </button>
      <div class="where">
        <nav aria-label="Where you are">
          <ol>
            <li>
              <a class="brand" href="#/" aria-current={place.kind === 'fleet' ? 'page' : undefined}>
                Cornerman
              </a>
            </li>
            {place.kind !== 'fleet' && (
              <li>
                <a href={hashOf({ kind: 'bot', bot: place.bot })} aria-current={place.kind === 'bot' ? 'page' : undefined}>
                  {place.bot}
                </a>
              </li>
            )}
            {place.kind === 'contest' && (
              <li>
                <a href={hashOf(place)} aria-current="page">
                  contest
                </a>
              </li>
            )}
          </ol>
        </nav>
        {frame !== undefined && <span class="service">{frame.service}</span>}
        {frame?.isDryRun && <span class="badge warn">Dry run: nothing is sent</span>}
        {others.length > 0 && (
          <a class={`badge ${worst}`} href="#/">
            {others.length === 1 ? `${others[0]?.name} needs a look` : `${others.length} other bots need a look`}
          </a>
        )}
      </div>
      {frame !== undefined && <Controls bot={undefined} stopped={frame.stopped} isLarge={true} />}
    </header>
  )
}
