import { listedToken, type Mint } from '../../../core/tokens.ts'
import type { SwapRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'
import type { GuardView } from '../../view.ts'

/** Without its decimals an amount of a token has no value. A token beside the table is one of `market.tokens`, or none of the bot's. */
export const tokensKnown: SwapRule = ({ from, to }, view) => tokenUnknown(from, view) ?? tokenUnknown(to, view)

/** Why nobody can count this token. */
export function tokenUnknown(token: Mint, view: GuardView): Refusal | undefined {
  const facts = view.token(token)
  if (facts === undefined) {
    if (listedToken(token) !== undefined) return undefined
    const message = `${token} is not in the table of tokens, so its decimals are not known: name it in market.tokens`
    return { code: 'TOKEN_UNKNOWN', message, numbers: { token } }
  }
  const { symbol, trouble } = facts
  if (trouble === undefined) return undefined
  const code = trouble.kind === 'contradicted' ? 'TOKEN_CONTRADICTED' : 'TOKEN_UNKNOWN'
  return { code, message: `${symbol} (${token}): ${trouble.message}`, numbers: { token, ...trouble.said } }
}
