import { CornermanError } from '../../core/error.ts'

// Where a piece stands in an answer: keys joined by dots, and a few signs for what no key names. `entries[own].id`, `^.lockAt`, `pool.$key`.

/** One step into an answer. */
export type PathStep =
  | { readonly into: 'key'; readonly key: string }
  /** The bot's own row of a list; at the start: the own row of the record, or its own object. */
  | { readonly into: 'own' }
  /** Each row of a list: what follows has a value for each. */
  | { readonly into: 'every' }
  /** Beside the record, in what wraps it. */
  | { readonly into: 'wrapper' }
  /** The key of a map's entry itself. */
  | { readonly into: 'mapKey' }

const SIGNS: ReadonlyMap<string, PathStep['into']> = new Map([
  ['[own]', 'own'],
  ['[]', 'every'],
  ['^', 'wrapper'],
  ['$key', 'mapKey'],
])
const MOST_STEPS = 12

/**
 * Reads a path.
 *
 * @param where named in the error, such as `service.shapes.pieces.turn.at`
 * @returns no step for the empty text: the answer itself
 * @throws CornermanError `CONFIG_INVALID`
 */
export function pathOf(text: string, where: string): readonly PathStep[] {
  if (text === '') return []
  const parts = text.split('.').flatMap((part) => part.split(/(?=\[)/))
  if (parts.length > MOST_STEPS) throw invalid(where, text, `a path has ${MOST_STEPS} steps at most`)
  return parts.map((part, index) => stepOf(part, { isFirst: index === 0, text, where }))
}

function stepOf(
  part: string,
  { isFirst, text, where }: { readonly isFirst: boolean; readonly text: string; readonly where: string },
): PathStep {
  const into = SIGNS.get(part)
  if (into === 'wrapper' && !isFirst) throw invalid(where, text, '^ stands at the start of a path')
  if (into !== undefined) return { into } as PathStep
  if (/^\[?\d+\]?$/.test(part)) throw invalid(where, text, 'an index names whoever sits there; say rows and by')
  if (part === '' || part.startsWith('[')) throw invalid(where, text, 'a path is keys joined by dots, with [own], [], ^ and $key')
  return { into: 'key', key: part }
}

const invalid = (where: string, text: string, why: string): CornermanError =>
  new CornermanError('CONFIG_INVALID', `${where}: ${JSON.stringify(text)}: ${why}`)

/** What a path is followed in. */
export interface Place {
  /** The record. */
  readonly record: unknown
  /** What wraps it; undefined where nothing does. */
  readonly wrapper?: unknown
  /** The bot's own row or object in it, where one was found. */
  readonly own?: unknown
}

/**
 * What stands at the end of a path: own keys alone are followed.
 *
 * @returns undefined where there is nothing; of a path with `[]` or `$key` a list of what there is
 */
export function valueAt(steps: readonly PathStep[], place: Place): unknown {
  let value: unknown = place.record
  for (const [index, step] of steps.entries()) {
    switch (step.into) {
      case 'key':
        if (!isRecord(value) || !Object.hasOwn(value, step.key)) return undefined
        value = value[step.key]
        break
      case 'own':
        value = place.own
        break
      case 'wrapper':
        value = place.wrapper
        break
      case 'every': {
        if (!Array.isArray(value)) return undefined
        const rest = steps.slice(index + 1)
        return rest.length === 0 ? value : value.map((row: unknown) => valueAt(rest, { ...place, record: row }))
      }
      case 'mapKey':
        return isRecord(value) && !Array.isArray(value) ? Object.keys(value) : undefined
    }
  }
  return value
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
