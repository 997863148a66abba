import type { ContestView } from '../../watch/views.ts'
import { UNKNOWN } from '../format/usdcText.ts'
import { Tile } from '../parts/tile.tsx'

/** Whether the bot is winning, as far as anybody can say. */
export function StandingTile({ scores, place, capacity, filled }: Pick<ContestView, 'scores' | 'place' | 'capacity' | 'filled'>) {
  const scored = scores.filter(({ score }) => score !== undefined).length
  const isEstimate = scores.some((row) => row.isEstimate)
  const seats = capacity === undefined ? undefined : `${filled ?? UNKNOWN} of ${capacity} seats taken`
  return (
    <Tile name="Standing" note={place !== undefined && isEstimate ? 'by its own prices' : seats}>
      {place === undefined ? <span class="soft">not known</span> : `${place} of ${scored}`}
    </Tile>
  )
}
