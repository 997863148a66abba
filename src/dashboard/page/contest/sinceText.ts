import { clockText } from '../format/timeText.ts'

/** `1:05`, `−0:05`: minutes and seconds from the start of a contest; the time of day where that is not known. */
export function sinceText(at: number, startsAt: number | undefined): string {
  if (startsAt === undefined) return clockText(at)
  const seconds = Math.round((at - startsAt) / 1000)
  const whole = Math.abs(seconds)
  return `${seconds < 0 ? '−' : ''}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
