import type { Json, JsonObject, Patch } from './patch.ts'

/** The value after the change. What has not changed in it is the very same object as before, so that nobody need draw it again. */
export function patched(before: Json, patch: Patch): Json {
  if ('set' in patch) return patch.set
  if ('fields' in patch) return patchedObject(before as JsonObject, patch)
  const old = before as readonly Json[]
  return patch.list.flatMap((piece) => {
    if (isRun(piece)) return old.slice(piece[0], piece[0] + piece[1])
    return 'add' in piece ? [...piece.add] : [patched(old[piece.at] ?? null, piece.patch)]
  })
}

const isRun = (piece: unknown): piece is readonly [number, number] => Array.isArray(piece)

function patchedObject(before: JsonObject, { fields, gone = [] }: Extract<Patch, { fields: unknown }>): JsonObject {
  const kept = Object.entries(before).filter(([key]) => !gone.includes(key))
  const changed = Object.entries(fields).map(([key, patch]) => [key, patched(before[key] ?? null, patch)] as const)
  return Object.fromEntries([...kept, ...changed])
}
