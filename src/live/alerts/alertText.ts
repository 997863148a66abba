import type { Occurrence } from '../../pipeline/index.ts'
import type { Severity } from '../../strategy/alertConfig.ts'

const MARKS: Readonly<Record<Severity, string>> = { info: 'ℹ️', warn: '⚠️', alarm: '🚨' }
const MOST_OF_ONE = 500

/** Alerts as plain text, a line each, oldest first; never longer than `most` characters. */
export function alertText(occurrences: readonly Occurrence[], most: number): string {
  const lines = occurrences.map(({ severity, bot, message }) => `${MARKS[severity]} ${bot}: ${cut(message, MOST_OF_ONE)}`)
  return cut(lines.join('\n'), most)
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)
