/** A value as it stands on the wire and in logs: plain JSON, with every bigint as its digits. */
export function plainJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
  return text === undefined ? null : (JSON.parse(text) as unknown)
}
