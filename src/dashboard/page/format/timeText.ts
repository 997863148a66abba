const two = (value: number) => String(value).padStart(2, '0')

/** `4:05`, `1:02:30`, `3 d 4 h`: what is left, to the second while that matters. */
export function leftText(durationMs: number): string {
  const seconds = Math.max(0, Math.ceil(durationMs / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** `2 s`, `3 min`, `5 h`, `2 d`: how long ago, no finer than one cares. */
export function agoText(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
})

/** `12:04:09`, in the browser's time. */
export const clockText = (at: number): string => clock.format(at)

/** `22 Nov, 12:04:09`, in the browser's time. */
export const instantText = (at: number): string => dayAndClock.format(at)
