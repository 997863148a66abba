import type { BotRow } from '../../watch/views.ts'
import { sumOf, usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'
import { Tile } from '../parts/tile.tsx'

export function FleetTotals({ bots }: { readonly bots: readonly BotRow[] }) {
  const total = (of: (bot: BotRow) => string | undefined) => sumOf(bots.map(of))
  const unknown = (of: (bot: BotRow) => string | undefined) => bots.filter((bot) => of(bot) === undefined).length
  const unread = unknown(({ bankroll }) => bankroll)
  const unknownLosses = unknown(({ today }) => today.lost)
  const open = bots.flatMap((bot) => bot.open)
  const contests = open.filter(({ kind }) => kind === 'contest').length
  return (
    <dl class="tiles" aria-label="All bots together">
      <Tile name="Bankroll" note={unread === 0 ? undefined : `${unread} not read yet`}>
        {usdcText(total(({ bankroll }) => bankroll))}
      </Tile>
      <Tile name="In play">{usdcText(total(({ inPlay }) => inPlay))}</Tile>
      <Tile name="Profit" note={`${bots.reduce((sum, { settled }) => sum + (settled ?? 0), 0)} contests settled`}>
        <Gain amount={total(({ profit }) => profit)} />
      </Tile>
      <Tile
        name="Lost today"
        note={`of ${usdcText(total(({ today }) => today.cap))} allowed${unknownLosses === 0 ? '' : `, ${unknownLosses} not known`}`}
      >
        {usdcText(total(({ today }) => today.lost))}
      </Tile>
      <Tile name="Open" note={`${open.length - contests} waiting for a match`}>
        {contests}
      </Tile>
    </dl>
  )
}
