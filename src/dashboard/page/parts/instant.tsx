import { clockText, instantText } from '../format/timeText.ts'

interface InstantProps {
  readonly at: number
  /** The time of day alone. */
  readonly isOfToday?: boolean
}

/** A point in time, to the second and never broken. */
export function Instant({ at, isOfToday = false }: InstantProps) {
  return <time dateTime={new Date(at).toISOString()}>{isOfToday ? clockText(at) : instantText(at)}</time>
}
