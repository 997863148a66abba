import { CornermanError } from './error.ts'
import { type Token, takeUp } from './tokens.ts'

/**
 * Takes up tokens beside the table, so that amounts of them can be counted and are shown by their names. A bot swaps none of them for
 * that: the guard goes by what the bot itself was told.
 *
 * @throws CornermanError `TOKENS_DISAGREE` where another decimals or program is known of the mint
 */
export function learnTokens(tokens: readonly Token[]): void {
  for (const token of tokens) {
    const known = takeUp(token)
    if (known !== undefined) throw disagreement(known, token)
  }
}

function disagreement(known: Token, token: Token): CornermanError {
  const [one, other] = [known, token].map(({ decimals, tokenProgram }) => `${decimals} decimals of ${tokenProgram}`)
  const message = `${token.mint} (${token.symbol}) is said to have ${other}, and is known with ${one}: a mint has one of each for ever; put market.tokens right, or leave the log out`
  return new CornermanError('TOKENS_DISAGREE', message, { details: { mint: token.mint, known: known.decimals, said: token.decimals } })
}
