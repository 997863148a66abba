import { InvalidArgumentError } from 'commander'

/** Where a run on logs ends: at a time, in Unix milliseconds, where their sealed contests begin, or at their end, whatever is sealed. */
export type RangeEnd = number | 'sealed' | 'end'

/** As commands offer it. */
export const TO = {
  flags: '--to <time>',
  purpose:
    'leave out what came after (ISO 8601); sealed: end before the contests that are sealed, which is where a run ends by itself; end: look at them, too',
} as const

/** For commander. */
export const rangeEnd = (text: string): RangeEnd => (text === 'sealed' || text === 'end' ? text : instant(text))

const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i

/** A time of day without a zone is UTC, as all that is printed. */
export function instant(text: string): number {
  // `Date.parse` knows no other sign before the time of day: with one it would take the machine's zone.
  const [date, time] = [text.slice(0, 10), text.slice(10).replace(/^[t ]/, 'T')]
  // A 30th of February is a date to it.
  const at = isDate(date) ? Date.parse(`${date}${time}${time === '' || ZONE.test(time) ? '' : 'Z'}`) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('a time as in ISO 8601, such as 2025-07-21T12:00:00Z')
  return at
}

function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
