import { inspect } from 'node:util'

/** A value as a message shows it, the way one writes it in code: `5n`, `'5'`, `{ a: 1 }`. Never throws; what is long is cut. */
export function show(value: unknown): string {
  return inspect(value, { customInspect: false, depth: 2, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 10, maxStringLength: 100 })
}
