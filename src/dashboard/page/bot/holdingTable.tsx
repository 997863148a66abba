import type { HoldingRow } from '../../watch/views.ts'
import { agoText } from '../format/timeText.ts'
import { UNKNOWN, usdcText } from '../format/usdcText.ts'
import { useNow } from '../live/useNow.ts'
import { OrderButton } from '../order/orderButton.tsx'
import { hashOf } from '../route.ts'

interface HoldingTableProps {
  readonly bot: string
  readonly holdings: readonly HoldingRow[]
}

/** The tokens that contests' swaps have brought, at the feed's newest prices. */
export function HoldingTable({ bot, holdings }: HoldingTableProps) {
  if (holdings.length === 0) return <p class="soft">No tokens are held.</p>
  return (
    <table class="holdings">
      <thead>
        <tr>
          <th scope="col">Token</th>
          {['Amount', 'Price, USD', 'Value, USDC'].map((column) => (
            <th key={column} scope="col" class="figure">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {holdings.map((holding) => (
          <HoldingLine key={holding.id} bot={bot} holding={holding} />
        ))}
      </tbody>
    </table>
  )
}

function HoldingLine({ bot, holding }: { readonly bot: string; readonly holding: HoldingRow }) {
  const { contestId, mint, symbol, amount, tokens, price, pricedAt, value } = holding
  const now = useNow()
  return (
    <tr>
      <th scope="row">
        <span title={mint}>{symbol}</span>
        <small>
          of <a href={hashOf({ kind: 'contest', bot, contestId })}>a contest</a>
        </small>
        <OrderButton
          {...{ bot, order: { type: 'sell', contestId, mint, amount }, name: 'Sell' }}
          question={`Sell ${tokens ?? `${amount} base units of`} ${symbol}?`}
          explained="All of it is sold for USDC, within the limits of the guard. The contest counts the sale as it counts any swap of its own."
        />
      </th>
      <td class="figure">{tokens ?? `${amount} base units`}</td>
      <td class="figure">
        {price ?? UNKNOWN}
        {pricedAt === undefined ? <small class="caution">no price</small> : <small>{agoText(now - pricedAt)} old</small>}
      </td>
      <td class="figure">
        {usdcText(value)}
        {value === undefined && <small class="caution">not in equity</small>}
      </td>
    </tr>
  )
}
