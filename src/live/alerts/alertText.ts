import type { Occurrence } from '../../pipeline/index.ts'
import type { Severity } from '../../strategy/alertConfig.ts'

const MARKS: Readonly<Record<Severity, string>> = { info: 'ℹ️', warn: '⚠️', alarm: '🚨' }
const MOST_OF_ONE = 500

/** Alerts as plain text, a line each, oldest first: as many whole ones as `most` characters hold, and always the first. */
export function alertText(occurrences: readonly Occurrence[], most: number): { readonly text: string; readonly taken: number } {
  const [first = '', ...others] = occurrences.map(({ severity, bot, message }) => `${MARKS[severity]} ${bot}: ${cut(message, MOST_OF_ONE)}`)
  let [text, taken] = [cut(first, most), 1]
  for (const line of others) {
    if (text.length + 1 + line.length > most) break
    text += `\n${line}`
    taken += 1
  }
  return { text, taken }
}

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)
