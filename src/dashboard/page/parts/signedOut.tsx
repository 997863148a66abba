import type { SignIn } from '../live/session.ts'
import { EmptyState } from './emptyState.tsx'

const WHY: Readonly<Partial<Record<SignIn, string>>> = {
  refused: 'The token in the address is not the one of this run. ',
  tooMany: 'Too many wrong tokens came from here; the right one is let in at once. ',
}

/** The page for whoever has no session, and all of it: how to get in. */
export function SignedOut({ signedIn }: { readonly signedIn: SignIn }) {
  return (
    <main>
      <EmptyState title="This browser is not signed in">
        {WHY[signedIn]}Open the address that <code>npm start</code> printed, with all that is after the <code>#</code>.
      </EmptyState>
    </main>
  )
}
