import { deserialize, serialize } from 'node:v8'
import { CornermanError, messageOf } from '../../core/error.ts'
import type { StrategyResult } from '../../pipeline/index.ts'

/** About a thousand actions: what is larger is a fault, and never crosses to the bot. */
const MAX_BYTES = 256 * 1024
const MAX_TEXT = 2000

/** What a strategy said, as it crosses from its process. */
export type Packed =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: string | undefined; readonly message: string; readonly stack: string | undefined }

/** In its process: what cannot cross, or is too much, is a fault of the strategy. */
export function packed(result: StrategyResult): Packed {
  if (!result.ok) return packedFault(result.thrown)
  try {
    const bytes = serialize(result.value)
    if (bytes.length <= MAX_BYTES) return { ok: true, bytes }
    throw new CornermanError('ANSWER_TOO_LARGE', `what it returned takes ${bytes.length} bytes, and ${MAX_BYTES} is the most`)
  } catch (thrown) {
    if (thrown instanceof CornermanError) return packedFault(thrown)
    return packedFault(new CornermanError('ANSWER_NOT_PLAIN', `what it returned is not plain data: ${messageOf(thrown)}`))
  }
}

/** On the bot's side. What was tampered with is a fault too. */
export function unpacked(result: Packed): StrategyResult {
  if (!result.ok) return { ok: false, thrown: faultOf(result) }
  try {
    return { ok: true, value: deserialize(result.bytes) as unknown }
  } catch (thrown) {
    return { ok: false, thrown }
  }
}

function packedFault(thrown: unknown): Packed {
  const code = thrown instanceof CornermanError ? thrown.code : undefined
  const stack = thrown instanceof Error && typeof thrown.stack === 'string' ? thrown.stack.slice(0, MAX_TEXT) : undefined
  return { ok: false, code, message: messageOf(thrown).slice(0, MAX_TEXT), stack }
}

function faultOf({ code, message, stack }: Extract<Packed, { ok: false }>): Error {
  if (code !== undefined) return new CornermanError(code, message)
  return Object.assign(new Error(message), stack === undefined ? {} : { stack })
}
