import { type Mint, tokenOfMint } from '../../core/tokens.ts'
import { tokenValue } from '../../core/tokenValue.ts'
import type { Usdc } from '../../core/usdc.ts'
import { inPlay } from '../books/books.ts'
import type { NewestPrices } from '../prices/newestPrices.ts'
import type { PriceText } from '../prices/priceHistory.ts'
import type { Present } from '../state/present.ts'
import type { Portfolios } from './portfolios.ts'
import type { UnseenCash } from './unseenCash.ts'

/** A token that swaps of a contest have brought and that is not sold yet. */
export interface HoldingValue {
  readonly contestId: string
  readonly mint: Mint
  /** Base units. */
  readonly amount: bigint
  /** The feed's newest price, however old; undefined where there is none. */
  readonly price: PriceText | undefined
  /** In micro-USDC, rounded down; undefined where there is no price, or nobody says what the base units are. */
  readonly value: Usdc | undefined
}

/** What a bot is worth, in micro-USDC. */
export interface Equity {
  /** What can be spent: as the service said last, and what swaps have moved since. Undefined until it was read. */
  readonly available: Usdc | undefined
  /** Stakes in tickets and contests; undefined where neither the service nor the books know them all. */
  readonly inPlay: Usdc | undefined
  readonly holdings: readonly HoldingValue[]
  /** The value of the holdings that have a price. */
  readonly held: Usdc
  /** `available`, `inPlay` and `held` together; undefined where one of them is. */
  readonly total: Usdc | undefined
}

/** What it is worked out of. */
export interface EquitySources {
  readonly present: Present
  readonly portfolios: Portfolios
  readonly prices: NewestPrices
  readonly unseenCash: UnseenCash
}

/** The one place where equity is worked out: whoever shows or tells it has it from here. */
export function equityOf({ present: { books, options }, portfolios, prices, unseenCash }: EquitySources): Equity {
  const bankroll = books.bankroll?.value
  const available = bankroll === undefined ? undefined : bankroll.available + unseenCash.sum
  // Of the same answer, so that a stake on its way is in one of the two.
  const staked = bankroll?.inPlay ?? inPlay(books)
  const holdings = [...portfolios.open.values()].flatMap(({ contestId, holdings: units }) =>
    [...units].map(([mint, amount]): HoldingValue => {
      const [token, price] = [tokenOfMint(mint), options.book.latestText(mint, prices.tick)]
      const value = token === undefined || price === undefined ? undefined : tokenValue(token, amount, price.price)
      return { contestId, mint, amount, price, value }
    }),
  )
  const held = holdings.reduce((sum, { value }) => sum + (value ?? 0n), 0n)
  const total = available === undefined || staked === undefined ? undefined : available + staked + held
  return { available, inPlay: staked, holdings, held, total }
}
