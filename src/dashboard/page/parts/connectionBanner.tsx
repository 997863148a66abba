import type { ConnectionState } from '../live/connection.ts'

/** Says that what is shown may be old, and what to do about it. */
export function ConnectionBanner({ state }: { readonly state: ConnectionState }) {
  if (state !== 'lost') return null
  return <p class="banner">Connection lost, trying again. What you see is what was known last; the bots play on by themselves.</p>
}
