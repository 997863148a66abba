import type { ConnectionState } from '../live/connection.ts'
import type { SignIn } from '../live/session.ts'

interface ConnectionBannerProps {
  readonly state: ConnectionState
  readonly signedIn: SignIn
}

/** Says that what is shown may be old, and what to do about it. */
export function ConnectionBanner({ state, signedIn }: ConnectionBannerProps) {
  if (state === 'lost')
    return <p class="banner">Connection lost, trying again. What you see is what was known last; the bots play on by themselves.</p>
  if (state !== 'noSession') return null
  return (
    <div class="banner">
      <h1>This browser is not signed in</h1>
      <p>
        {signedIn === 'refused' && 'The token in the address is not the one of this run. '}
        {signedIn === 'tooMany' && 'Too many wrong tokens came from here; the right one is let in at once. '}
        Open the address that <code>npm start</code> printed, with all that is after the <code>#</code>.
      </p>
    </div>
  )
}
