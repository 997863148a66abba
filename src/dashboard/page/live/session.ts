const TOKEN = /^#token=(.+)$/

/** What came of showing the token: `none` where the address has none. */
export type SignIn = 'none' | 'done' | 'refused' | 'tooMany' | 'unreachable'

/**
 * Shows the token of the address to the server once, which answers with a cookie that no script can read. The token is
 * gone from the address bar and from this entry of the history before it is sent.
 */
export async function signIn(): Promise<SignIn> {
  const found = TOKEN.exec(location.hash)?.[1]
  if (found === undefined) return 'none'
  history.replaceState(null, '', '#/')
  try {
    const { ok, status } = await post('/session', { token: decodeURIComponent(found) })
    if (ok) return 'done'
    return status === 429 ? 'tooMany' : 'refused'
  } catch {
    return 'unreachable'
  }
}

/** Whether the server still knows this browser; undefined where it cannot be asked. */
export async function hasSession(): Promise<boolean | undefined> {
  try {
    const { status } = await fetch('/session', { cache: 'no-store' })
    return status === 204 ? true : status === 401 ? false : undefined
  } catch {
    return undefined
  }
}

export function post(path: string, content: unknown): Promise<Response> {
  return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) })
}
