import { plainJson } from '../../core/plainJson.ts'
import type { Note } from '../../pipeline/index.ts'
import type { NoteRow } from './views.ts'

/** Names under which nothing is shown, though nothing secret is meant to be logged. */
const SECRETS: ReadonlySet<string> = new Set(['key', 'agentKey', 'salt', 'secret'])
/** A strategy may log what it likes; what is shown of a line has an end. */
const MOST_TEXT = 2000

export function noteRowOf({ level, message, fields }: Note, at: number): NoteRow {
  const { strategy, contestId, ...rest } = fields
  const shown = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, SECRETS.has(name) ? '[secret]' : bounded(value)]))
  return { at, level, message: message.slice(0, MOST_TEXT), strategy: textOf(strategy), contestId: textOf(contestId), fields: shown }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function bounded(value: unknown): unknown {
  const plain = plainJson(value)
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain)
  return text.length <= MOST_TEXT ? plain : `${text.slice(0, MOST_TEXT)}…`
}
