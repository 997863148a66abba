import { CornermanError } from '../../core/error.ts'

/** As V8 says it of an object that is frozen. The name of the property is in the brackets. */
const WRITES = [
  /^Cannot assign to read only property '(.+)' of (?:object|function) /,
  /^Cannot delete property '(.+)' of /,
  /^Cannot (?:add|define) property (.+), object is not extensible$/,
  /^Cannot redefine property: (.+)$/,
]
const MOST_NAMED = 3
/** More than this is not looked through: a fault must not hold the bot up. */
const MOST_OBJECTS = 20_000

/**
 * What was thrown, as a fault in the framework's words where it comes of a write to something that is frozen.
 *
 * @param given what the strategy was given, by the names it knows it by: the property is looked for there
 */
export function writeFault(thrown: unknown, given: () => object): unknown {
  if (!(thrown instanceof TypeError)) return thrown
  const { message } = thrown
  const property = WRITES.map((form) => form.exec(message)?.[1]).find((name) => name !== undefined)
  if (property === undefined) return thrown
  const paths = pathsTo(property, given())
  const named = paths.slice(0, MOST_NAMED).join(' or ')
  const more = paths.length > MOST_NAMED ? ` (or one of ${paths.length - MOST_NAMED} more)` : ''
  const where = paths.length === 0 ? `the property ${property} of something that cannot be changed` : `${named}${more}`
  return new CornermanError(
    'STRATEGY_WROTE',
    `it wrote to ${where}: what a strategy is given is read-only; make a copy and change that, such as { ...contest, stake }`,
    { details: { property, paths: paths.slice(0, MOST_NAMED) }, cause: thrown },
  )
}

/** Where something frozen has the property, or a list ends before it; nearest first. */
function pathsTo(property: string, given: object): string[] {
  const found: string[] = []
  const seen = new Set<object>([given])
  // A set is walked in the order in which things come into it.
  const paths = new Map<object, string>([[given, '']])
  for (const object of seen) {
    if (seen.size > MOST_OBJECTS) break
    const path = paths.get(object) ?? ''
    const isNext = Array.isArray(object) && String(object.length) === property
    if (Object.isFrozen(object) && (isNext || Object.hasOwn(object, property))) found.push(pathOf(path, property, object))
    for (const [key, item] of Object.entries(object)) {
      if (typeof item !== 'object' || item === null || seen.has(item)) continue
      seen.add(item)
      paths.set(item, pathOf(path, key, object))
    }
  }
  return found
}

function pathOf(path: string, key: string, object: object): string {
  if (Array.isArray(object) && key !== 'length') return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}
