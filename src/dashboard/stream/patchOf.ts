import type { Json, JsonObject, Patch } from './patch.ts'

/** What names an entry of a list: one that kept its place and its name is changed, not replaced. */
const NAMES = ['name', 'id', 'contestId', 'code'] as const

/** @returns what makes `after` of `before`; undefined where they are the same */
export function patchOf(before: Json, after: Json): Patch | undefined {
  if (before === after) return undefined
  if (isList(before) && isList(after)) return listPatch(before, after)
  if (isObject(before) && isObject(after)) return objectPatch(before, after)
  return { set: after }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

function objectPatch(before: JsonObject, after: JsonObject): Patch | undefined {
  const changed = Object.entries(after).flatMap(([key, value]): [string, Patch][] => {
    const patch = Object.hasOwn(before, key) ? patchOf(before[key] ?? null, value) : { set: value }
    return patch === undefined ? [] : [[key, patch]]
  })
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  // From entries, which make a field even of the name `__proto__`.
  const fields = Object.fromEntries(changed)
  if (gone.length > 0) return { fields, gone }
  return changed.length === 0 ? undefined : { fields }
}

type Piece = Extract<Patch, { list: unknown }>['list'][number]

/** Entries are found again by their text, wherever they stood. */
function listPatch(before: readonly Json[], after: readonly Json[]): Patch | undefined {
  const texts = before.map((entry) => JSON.stringify(entry))
  const places = new Map(texts.map((text, index) => [text, index]))
  const pieces: Piece[] = []
  let [from, count] = [0, 0]
  let added: Json[] = []
  const close = () => {
    if (count > 0) pieces.push([from, count])
    if (added.length > 0) pieces.push({ add: added })
    count = 0
    added = []
  }
  for (const [index, entry] of after.entries()) {
    const text = JSON.stringify(entry)
    // The next of the run first, since an entry may stand there more than once.
    const next = count > 0 ? from + count : index
    const place = texts[next] === text ? next : places.get(text)
    if (place !== undefined && count > 0 && place === from + count) {
      count += 1
      continue
    }
    const changed = place === undefined ? changeOf(before[index], entry) : undefined
    if (place !== undefined || changed !== undefined || added.length === 0) close()
    if (place !== undefined) [from, count] = [place, 1]
    else if (changed !== undefined) pieces.push({ at: index, patch: changed })
    else added.push(entry)
  }
  close()
  const [only] = pieces
  const isSame = before.length === after.length && (pieces.length === 0 || (pieces.length === 1 && Array.isArray(only) && only[0] === 0))
  return isSame ? undefined : { list: pieces }
}

function changeOf(old: Json | undefined, entry: Json): Patch | undefined {
  if (!isObject(old) || !isObject(entry)) return undefined
  const name = NAMES.find((key) => Object.hasOwn(old, key))
  return name !== undefined && old[name] === entry[name] ? patchOf(old, entry) : undefined
}
