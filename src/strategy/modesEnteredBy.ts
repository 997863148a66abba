import { MODES, type Mode } from '../contract/modes.ts'
import type { Strategy } from './define.ts'

/** The modes that a strategy names in its parameters `modes` or `mode`. */
export function modesEnteredBy({ params }: Strategy): Mode[] {
  const { mode, modes } = (params ?? {}) as { readonly mode?: unknown; readonly modes?: unknown }
  const named: readonly unknown[] = Array.isArray(modes) ? modes : [mode]
  return MODES.filter((one) => named.includes(one))
}
