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
 * @returns no step for the empty text: the answer itself
 * @throws CornermanError `CONFIG_INVALID`
 */
export function pathOf(text: string): readonly PathStep[] {
  if (text === '') return []
  const parts = text.split('.').flatMap((part) => part.split(/(?=\[)/))
  if (parts.length > MOST_STEPS) throw invalid(text, `a path has ${MOST_STEPS} steps at most`)
  return parts.map((part, index) => stepOf(part, { isFirst: index === 0, text }))
}

function stepOf(part: string, { isFirst, text }: { readonly isFirst: boolean; readonly text: string }): PathStep {
  const into = SIGNS.get(part)
  if (into === 'wrapper' && !isFirst) throw invalid(text, '^ stands at the start of a path')
  if (into !== undefined) return { into } as PathStep
  if (/^\[?\d+\]?$/.test(part)) throw invalid(text, 'an index names whoever sits there; say rows and by')
  if (part === '' || part.startsWith('[')) throw invalid(text, 'a path is keys joined by dots, with [own], [], ^ and $key')
  return { into: 'key', key: part }
}

const invalid = (text: string, why: string): CornermanError => new CornermanError('CONFIG_INVALID', `${JSON.stringify(text)}: ${why}`)

/** What a path is followed in. */
export interface PathStart {
  /** The record. */
  readonly record: unknown
  /** What wraps it; undefined where nothing does. */
  readonly wrapper?: unknown
  /** The bot's own row or object in it. */
  readonly own?: (() => unknown) | undefined
  /** The bot's own row in a list, or a map, of it. */
  readonly ownRow?: ((rows: unknown) => unknown) | undefined
}

/**
 * What stands at the end of a path: own keys alone are followed.
 *
 * @returns undefined where there is nothing; of a path with `[]` or `$key` a list of what there is
 */
export function valueAt(steps: readonly PathStep[], start: PathStart): unknown {
  let value: unknown = start.record
  for (const [index, step] of steps.entries()) {
    switch (step.into) {
      case 'key':
        if (!isRecord(value) || !Object.hasOwn(value, step.key)) return undefined
        value = value[step.key]
        break
      case 'own':
        value = index === 0 ? start.own?.() : start.ownRow?.(value)
        break
      case 'wrapper':
        value = start.wrapper
        break
      case 'every': {
        const rows = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : undefined
        const rest = steps.slice(index + 1)
        return rest.length === 0 ? rows : rows?.map((row: unknown) => valueAt(rest, { ...start, record: row }))
      }
      case 'mapKey':
        return isRecord(value) && !Array.isArray(value) ? Object.keys(value) : undefined
    }
  }
  return value
}

/** A path made ready to be followed often. */
export function compilePath(steps: readonly PathStep[]): (start: PathStart) => unknown {
  const keys = steps.flatMap((step) => (step.into === 'key' ? [step.key] : []))
  if (keys.length < steps.length) return (start) => valueAt(steps, start)
  const [only] = keys
  if (keys.length === 1 && only !== undefined)
    return ({ record }) => (isRecord(record) && Object.hasOwn(record, only) ? record[only] : undefined)
  return ({ record }) => {
    let value = record
    for (const key of keys) {
      if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined
      value = value[key]
    }
    return value
  }
}

/** Whether it is an object of JSON, or a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
