/** Shorter parts of an address are words of its API; keys are longer. */
const SHORTEST_PATH_KEY = 12
const SHORTEST_QUERY_KEY = 4

/** What of an address may be a key: credentials, values of the query, long parts of the path. */
export function secretsIn(url: string): string[] {
  const { username, password, searchParams, pathname } = new URL(url)
  return [
    username,
    password,
    ...[...searchParams.values()].filter((value) => value.length >= SHORTEST_QUERY_KEY),
    ...pathname.split('/').filter((part) => part.length >= SHORTEST_PATH_KEY),
  ]
}

/** Makes a function that strikes secrets out of a text, in whatever form of an address they come. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), decoded(secret)])
  // The longest first: a secret within another would leave the rest of it standing.
  const known = [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length)
  return (text) => known.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret)
  } catch {
    return secret
  }
}
