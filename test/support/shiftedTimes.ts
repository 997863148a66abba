import type { Lie } from './lyingService.ts'

const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/g

/** A service whose times in bodies are off, and whose `Date` header is off alike, is right, or says nothing that can be read. */
export const shiftedBy =
  (offsetMs: number, header: 'shifted' | 'right' | 'missing'): Lie =>
  ({ text, date }) => ({
    text: text.replace(TIME, (time) => JSON.stringify(new Date(Date.parse(JSON.parse(time) as string) + offsetMs).toISOString())),
    date: header === 'right' ? date : header === 'missing' ? '' : dateOf(Date.parse(date) + offsetMs),
  })

/** Whole seconds, as the header has them. */
const dateOf = (ms: number) => new Date(ms).toUTCString()
