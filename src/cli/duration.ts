import { InvalidArgumentError } from 'commander'

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Reads `90s`, `5m`, `2h` as milliseconds. */
export function durationMs(text: string): number {
  const match = DURATION.exec(text)
  const ms = match === null ? 0 : Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]
  if (!(ms > 0)) throw new InvalidArgumentError('a duration is a number above 0 and its unit: 90s, 5m, 2h')
  return ms
}

/** `75s`, `2m05s`, `3h10m`: how long something takes, for a person. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 100) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`
}
