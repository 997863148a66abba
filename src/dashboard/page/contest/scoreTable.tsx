import type { ScoreRow } from '../../watch/views.ts'
import { UNKNOWN } from '../format/usdcText.ts'

interface ScoreTableProps {
  readonly scores: readonly ScoreRow[]
  readonly isLive: boolean
}

/** The seats and how they stand: by the service where it tells, else the bot's own by its own prices. */
export function ScoreTable({ scores, isLive }: ScoreTableProps) {
  if (scores.length === 0) return <p class="soft">Not known yet: the seats are read once the contest is live.</p>
  const isEstimate = scores.some((row) => row.isEstimate)
  const isSilent = isLive && scores.every((row) => row.isEstimate || row.score === undefined)
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col" class="figure">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {scores.map((row, index) => {
            const { isOwn, who, score } = row
            return (
              <tr key={`${who} ${index}`} class={isOwn ? 'own' : undefined}>
                <th scope="row">
                  {who} {isOwn && <span class="soft">this bot</span>}
                </th>
                <td class="figure">
                  {score === undefined ? UNKNOWN : shortText(score)}
                  {row.isEstimate && <small>by own prices</small>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {isEstimate && (
        <p class="soft legend">
          {isSilent ? 'The service tells no scores before the end. ' : ''}The bot’s own is worked out by its own prices and the rules of the
          sandbox: the service may say otherwise.
        </p>
      )}
    </>
  )
}

/** Scores can have eighteen decimals: so many tell them apart. */
const DECIMALS = /^(-?\d+\.\d{6})\d+$/
const shortText = (score: string) => score.replace(DECIMALS, '$1…')
