import { countable } from '../../../core/tokenFacts.ts'
import { listedToken, type Mint } from '../../../core/tokens.ts'
import { isSale } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'
import type { Refusal } from '../../verdict.ts'
import type { GuardView } from '../../view.ts'

const CODES = { unknown: 'TOKEN_UNKNOWN', contradicted: 'TOKEN_CONTRADICTED', barred: 'TOKEN_BARRED' } as const

/**
 * A token is bought where its decimals are known, it can be sold again, and its issuer has no power that the config does not allow. A sale
 * passes for whatever can be counted: an issuer can change a mint after the token was bought.
 */
export const tokensKnown: SwapRule = (action, view) => {
  const { from, to } = action
  if (isSale(action)) return isCounted(from, view) ? undefined : tokenUnknown(from, view)
  return tokenUnknown(from, view) ?? tokenUnknown(to, view)
}

function isCounted(token: Mint, view: GuardView): boolean {
  const facts = view.token(token)
  return listedToken(token) !== undefined || (facts !== undefined && countable(facts).length > 0)
}

/** Reason not to buy this token. */
export function tokenUnknown(token: Mint, view: GuardView): Refusal | undefined {
  const facts = view.token(token)
  if (facts === undefined) {
    if (listedToken(token) !== undefined) return undefined
    const message = `${token} is not in the table of tokens, so its decimals are not known: name it in market.tokens`
    return { code: 'TOKEN_UNKNOWN', message, numbers: { token } }
  }
  const { symbol, trouble } = facts
  if (trouble === undefined) return undefined
  const code = CODES[trouble.kind]
  return { code, message: `${symbol} (${token}): ${trouble.message}`, numbers: { token, ...trouble.said } }
}
