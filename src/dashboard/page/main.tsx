import { render } from 'preact'
import { App } from './app.tsx'
import { signIn } from './live/session.ts'
import { applyTheme, savedTheme } from './parts/theme.ts'

const root = document.querySelector('#page')
applyTheme(savedTheme())
const signedIn = await signIn()
// An address with a token may come into a page that is open already.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload()
})
if (root !== null) render(<App signedIn={signedIn} />, root)
