// JSON has no bigint. Here one is the text `n:<digits>`, and text that could be taken for one, or for
// the escape itself, gets `s:` put before it. Everything else is plain JSON.
const BIGINT = 'n:'
const TEXT = 's:'

/** JSON text of plain data with bigints in it: `decodeExact` gives it back as it was. */
export function encodeExact(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return BIGINT + item.toString()
    return typeof item === 'string' && (item.startsWith(BIGINT) || item.startsWith(TEXT)) ? TEXT + item : item
  })
}

/** @throws SyntaxError for text that `encodeExact` did not write */
export function decodeExact(text: string): unknown {
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== 'string') return item
    if (item.startsWith(BIGINT)) return BigInt(item.slice(BIGINT.length))
    return item.startsWith(TEXT) ? item.slice(TEXT.length) : item
  })
}
