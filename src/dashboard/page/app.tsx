import { useLayoutEffect, useRef } from 'preact/hooks'
import { BotPage } from './bot/botPage.tsx'
import { ContestPage } from './contest/contestPage.tsx'
import { FleetPage } from './fleet/fleetPage.tsx'
import type { SignIn } from './live/session.ts'
import { useLive } from './live/useLive.ts'
import { AheadMs } from './live/useNow.ts'
import { usePlace } from './live/usePlace.ts'
import { Announcer } from './parts/announcer.tsx'
import { ConnectionBanner } from './parts/connectionBanner.tsx'
import { EmptyState } from './parts/emptyState.tsx'
import { Header } from './parts/header.tsx'
import { SignedOut } from './parts/signedOut.tsx'
import { ThemeSwitch } from './parts/themeSwitch.tsx'
import { hashOf } from './route.ts'

export function App({ signedIn }: { readonly signedIn: SignIn }) {
  const place = usePlace()
  const live = useLive(place)
  const { shown, state, aheadMs } = live
  const main = useRef<HTMLElement>(null)
  const key = hashOf(place)
  const isFirst = useRef(true)
  const title = place.kind === 'fleet' ? 'Fleet' : place.kind === 'bot' ? place.bot : `Contest of ${place.bot}`
  const troubled = shown?.frame.bots.filter(({ severity }) => severity === 'alarm' || severity === 'warn').length ?? 0
  // Seen among other tabs too.
  useLayoutEffect(() => {
    document.title = `${troubled === 0 ? '' : `(${troubled}) `}${title} · Cornerman`
  }, [title, troubled])
  // Another place begins at its heading, for the eye and for a screen reader.
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [key])
  // Nothing else is known of this browser, nor for it.
  if (state === 'noSession') return <SignedOut signedIn={signedIn} />
  return (
    <AheadMs.Provider value={aheadMs}>
      <Header place={place} frame={shown?.frame} onSkip={() => main.current?.focus()} />
      <ConnectionBanner state={state} />
      <main ref={main} id="main" tabIndex={-1} aria-label={title}>
        {place.kind === 'fleet' && shown?.fleet !== undefined && <FleetPage {...shown.fleet} />}
        {place.kind === 'bot' && shown?.bot && <BotPage view={shown.bot} />}
        {place.kind === 'contest' && shown?.contest && <ContestPage view={shown.contest} />}
        {shown?.bot === null && (
          <EmptyState title={`There is no bot called ${place.kind === 'fleet' ? '' : place.bot}`}>
            The bots that run now are in the <a href="#/">fleet</a>.
          </EmptyState>
        )}
        {shown?.contest === null && (
          <EmptyState title="This contest is not remembered">
            A bot remembers its newest contests. Those of earlier runs are in its recordings: <code>npm run cornerman -- logs list</code>.
          </EmptyState>
        )}
      </main>
      <Announcer frame={shown?.frame} state={state} />
      <footer>
        <p>
          Times are this browser’s, amounts in USDC. In a terminal, <code>npm run cornerman -- stop --now</code> is the kill switch too.
        </p>
        <ThemeSwitch />
      </footer>
    </AheadMs.Provider>
  )
}
