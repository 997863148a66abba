import { DAY_MS, dayOf } from './day.ts'

/** The UTC day of an instant in Unix milliseconds, as ISO 8601 writes it: `2026-11-27`. */
export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The week of an instant in Unix milliseconds, as ISO 8601 counts them, Monday to Sunday by UTC: `2026-W48`. */
export function weekText(ms: number): string {
  // A week is of the year that its Thursday is in; day 0 of 1970 was one.
  const thursday = dayOf(ms) - ((dayOf(ms) + 3) % 7) + 3
  const year = new Date(thursday * DAY_MS).getUTCFullYear()
  const week = Math.floor((thursday - dayOf(Date.UTC(year, 0, 1))) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
