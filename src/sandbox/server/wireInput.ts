import { TRPCError } from '@trpc/server'
import superjson, { type SuperJSONResult } from 'superjson'

/** Levels of objects and lists an input may have. */
const DEEPEST = 16

/**
 * Reads the `{"json": …, "meta": …}` of a call. `meta` is superjson's: what a foreign client sent as a big
 * integer or a date is put back into the text that the specification has (part 1, "Wire format").
 *
 * @throws TRPCError `BAD_REQUEST` for another form, for too deep a value, and for types the wire does not have
 */
export function readWireInput(wire: unknown): unknown {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) {
    throw notEnveloped()
  }
  // Taken for no input, all that was asked for would be left out without a word.
  if (!Object.hasOwn(wire, 'json') && Object.keys(wire).some((key) => key !== 'meta')) throw notEnveloped()
  requirePlain(wire, 0)
  return asText(deserialize(wire))
}

const notEnveloped = () => new TRPCError({ code: 'BAD_REQUEST', message: 'the input must have the form {"json": <input>}' })

function deserialize(wire: object): unknown {
  try {
    return superjson.deserialize({ json: null, ...wire } as SuperJSONResult)
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'the meta beside json is not what superjson writes', cause })
  }
}

/** Checked first, and not by recursion to the end: everything after this may recurse. */
function requirePlain(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw new TRPCError({ code: 'BAD_REQUEST', message: 'no field may be named __proto__' })
  if (depth > DEEPEST) throw new TRPCError({ code: 'BAD_REQUEST', message: `the input is nested over ${DEEPEST} levels deep` })
  for (const part of Object.values(value)) requirePlain(part, depth + 1)
}

function asText(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(asText)
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'an input is made of objects, lists, text, numbers, true, false and null' })
  }
  return Object.fromEntries(Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, asText(part)]])))
}
