import type { Result } from '../../../contract/enums.ts'
import { pure } from './pure.tsx'

const LETTERS: Readonly<Record<Result, string>> = { WIN: 'W', LOSS: 'L', DRAW: 'D', REFUND: 'R' }
export const RESULT_WORDS: Readonly<Record<Result, string>> = { WIN: 'won', LOSS: 'lost', DRAW: 'draw', REFUND: 'refunded' }

/** The newest results, oldest first. */
export const LastResults = pure(function LastResults({ results }: { readonly results: readonly Result[] }) {
  if (results.length === 0) return <span class="soft">none yet</span>
  const words = results.map((result) => RESULT_WORDS[result]).join(', ')
  return (
    <span class="results" role="img" aria-label={`Last results, oldest first: ${words}`}>
      {results.map((result, index) => (
        <span key={index} class={result.toLowerCase()}>
          {LETTERS[result]}
        </span>
      ))}
    </span>
  )
})
