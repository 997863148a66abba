import { CornermanError } from '../../core/error.ts'

interface Ordered {
  readonly name: string
  readonly after: readonly string[]
}

/**
 * Sorts parts so that each comes after those that it names; where none is named the order of the list stays.
 *
 * @throws a `CornermanError` that names the part, for a name that stands twice, one that is unknown, and a cycle
 */
export function inOrder<P extends Ordered>(parts: readonly P[]): readonly P[] {
  const byName = new Map<string, P>()
  for (const part of parts) {
    if (byName.has(part.name)) throw wrong(`the part ${part.name} is declared twice: give one of the two another name`)
    byName.set(part.name, part)
  }
  const sorted: P[] = []
  const done = new Set<string>()
  const place = (part: P, way: readonly string[]) => {
    if (done.has(part.name)) return
    if (way.includes(part.name))
      throw wrong(`the parts ${[...way.slice(way.indexOf(part.name)), part.name].join(' after ')}: a cycle. Take one "after" away`)
    for (const name of part.after) {
      const before = byName.get(name)
      if (before === undefined) throw wrong(`the part ${part.name} comes after ${name}, and there is no such part`)
      place(before, [...way, part.name])
    }
    done.add(part.name)
    sorted.push(part)
  }
  for (const part of parts) place(part, [])
  return sorted
}

export const wrong = (message: string): CornermanError => new CornermanError('PART_DECLARED_WRONG', message)
