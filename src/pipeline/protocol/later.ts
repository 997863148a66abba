/** Fields of events and records that hold an instant, once they are read. */
const INSTANTS: ReadonlySet<string> = new Set(['createdAt', 'expiresAt', 'startsAt', 'endsAt', 'resetsAt', 'settledAt'])

/** The same, with every instant in it moved. */
export function later<T>(told: T, byMs: number): T {
  return byMs === 0 ? told : (moved(told, byMs) as T)
}

function moved(told: unknown, byMs: number): unknown {
  if (Array.isArray(told)) return told.map((item: unknown) => moved(item, byMs))
  if (typeof told !== 'object' || told === null) return told
  return Object.fromEntries(
    Object.entries(told).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'number' && INSTANTS.has(key) ? value + byMs : moved(value, byMs),
    ]),
  )
}
