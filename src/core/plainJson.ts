/** A value as it stands on the wire and in logs: plain JSON, with every bigint as its digits. */
export const plainJson = (value: unknown): unknown => plain(value) ?? null

/** Undefined for what JSON has no word for. Copied piece by piece: every decision goes through here, and a text in between costs the most. */
function plain(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value + 0 : null
    case 'bigint':
      return value.toString()
    case 'object':
      return value === null ? null : Array.isArray(value) ? Array.from(value, plainJson) : plainObject(value)
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined
  }
}

function plainObject(value: object): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return inWords(value)
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') return inWords(value)
    const part = plain(item)
    if (part !== undefined) copy[key] = part
  }
  return copy
}

/** What is no plain object says itself what it is in JSON. */
function inWords(value: object): unknown {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}
