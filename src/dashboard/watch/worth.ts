import { formatUnits } from '../../core/formatUnits.ts'
import { symbolOf, tokenOfMint } from '../../core/tokens.ts'
import type { Equity } from '../../pipeline/index.ts'
import type { HoldingRow, Worth } from './views.ts'

const NOT_KNOWN: Worth = { equity: undefined, bankroll: undefined, inPlay: undefined, held: undefined, unpriced: 0, pricedAt: undefined }

/** The equity of a bot as it is shown and told everywhere; nothing is known of one whose pipeline does not run. */
export function worthOf(equity: Equity | undefined): Worth {
  if (equity === undefined) return NOT_KNOWN
  const { available, inPlay, holdings, held, total } = equity
  const times = holdings.flatMap(({ price, value }) => (price === undefined || value === undefined ? [] : [price.at]))
  return {
    equity: total?.toString(),
    bankroll: available?.toString(),
    inPlay: inPlay?.toString(),
    held: held.toString(),
    unpriced: holdings.filter(({ value }) => value === undefined).length,
    pricedAt: times.length === 0 ? undefined : Math.min(...times),
  }
}

/** What a bot holds, in the order in which it was bought. */
export const holdingRowsOf = (equity: Equity | undefined): readonly HoldingRow[] =>
  (equity?.holdings ?? []).map(({ contestId, mint, amount, price, value }) => {
    const decimals = tokenOfMint(mint)?.decimals
    return {
      ...{ id: `${contestId} ${mint}`, contestId, mint, symbol: symbolOf(mint), amount: amount.toString() },
      tokens: decimals === undefined ? undefined : formatUnits(amount, decimals),
      ...{ price: price?.price, pricedAt: price?.at, value: value?.toString() },
    }
  })
