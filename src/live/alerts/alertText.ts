import type { Occurrence } from '../../pipeline/index.ts'
import type { Severity } from '../../strategy/alertConfig.ts'

const MARKS: Readonly<Record<Severity, string>> = { info: 'ℹ️', warn: '⚠️', alarm: '🚨' }
const MOST_OF_ONE = 500

/** Alerts as plain text, a line each, oldest first: as many whole ones as `most` characters hold, and always the first. */
export function alertText(occurrences: readonly Occurrence[], most: number): { readonly text: string; readonly taken: number } {
  const [first = '', ...others] = occurrences.map(
    ({ severity, bot, message }) => `${MARKS[severity]} ${bot}: ${cut(message.toWellFormed(), MOST_OF_ONE)}`,
  )
  let [text, taken] = [cut(first, most), 1]
  for (const line of others) {
    if (text.length + 1 + line.length > most) break
    text += `\n${line}`
    taken += 1
  }
  return { text, taken }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Text of at most so many characters. Half of an emoji is no text, and receivers refuse it for good: it is cut between graphemes. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > most - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}…`
}
