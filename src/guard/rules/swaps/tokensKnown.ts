import { tokenOfMint } from '../../../core/tokens.ts'
import type { SwapRule } from '../../rule.ts'

/** Without its decimals an amount of a token has no value. */
export const tokensKnown: SwapRule = ({ from, to }) => {
  const unknown = [from, to].find((mint) => tokenOfMint(mint) === undefined)
  if (unknown === undefined) return undefined
  return {
    code: 'TOKEN_UNKNOWN',
    message: `${unknown} is not in the table of tokens, so its decimals are not known`,
    numbers: { token: unknown },
  }
}
