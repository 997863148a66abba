import type { QuoteRefusalCode } from '../../contests/index.ts'
import { CornermanError } from '../../core/error.ts'
import type { JsonAnswer } from '../server/jsonAnswer.ts'

/** An error as Jupiter's Swap API words it. */
export class DexRefusal extends CornermanError {
  readonly answer: JsonAnswer

  constructor(error: string, errorCode?: string) {
    super(errorCode ?? 'DEX_REFUSED', error)
    this.answer = { status: 400, body: errorCode === undefined ? { error } : { error, errorCode } }
  }
}

/** What the price model refuses, in Jupiter's own words. */
export function quoteRefusal(
  code: QuoteRefusalCode,
  { inputMint, outputMint, unknown }: { inputMint: string; outputMint: string; unknown: (mint: string) => boolean },
): DexRefusal {
  switch (code) {
    case 'SAME_TOKEN':
      return new DexRefusal('Circular arbitrage is disabled', 'CIRCULAR_ARBITRAGE_IS_DISABLED')
    case 'UNKNOWN_TOKEN':
    case 'NO_PRICE':
      return new DexRefusal(`The token ${unknown(inputMint) ? inputMint : outputMint} is not tradable`, 'TOKEN_NOT_TRADABLE')
    case 'TOO_LARGE':
      return new DexRefusal(
        'The route plan does not consume all the amount, please lower your input amount',
        'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT',
      )
    case 'SLIPPAGE_INVALID':
      return new DexRefusal('slippageBps must be from 0 to 10000', 'INVALID_SLIPPAGE')
    case 'AMOUNT_INVALID':
    case 'TOO_SMALL':
      return new DexRefusal('No routes found', 'NO_ROUTES_FOUND')
  }
}
