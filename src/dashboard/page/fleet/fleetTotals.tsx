import type { BotRow } from '../../watch/views.ts'
import { sumOf, usdcExactText, usdcText } from '../format/usdcText.ts'
import { Gain } from '../parts/gain.tsx'
import { Tile } from '../parts/tile.tsx'
import { WorthNote } from '../parts/worthNote.tsx'

export function FleetTotals({ bots }: { readonly bots: readonly BotRow[] }) {
  const total = (of: (bot: BotRow) => string | undefined) => sumOf(bots.map(of))
  const unknown = (of: (bot: BotRow) => string | undefined) => bots.filter((bot) => of(bot) === undefined).length
  const unread = unknown(({ equity }) => equity)
  const unknownLosses = unknown(({ today }) => today.lost)
  const times = bots.flatMap(({ pricedAt }) => pricedAt ?? [])
  const oldest = times.length === 0 ? undefined : Math.min(...times)
  const open = bots.flatMap((bot) => bot.open)
  const contests = open.filter(({ kind }) => kind === 'contest').length
  return (
    <dl class="tiles" aria-label="All bots together">
      <div class="broad">
        <dt>Equity, USDC</dt>
        <dd>
          <strong>{usdcExactText(total(({ equity }) => equity))}</strong>
          <small>
            {usdcText(total(({ bankroll }) => bankroll))} available, {usdcText(total(({ inPlay }) => inPlay))} in play,{' '}
            {usdcText(total(({ held }) => held))} in tokens
          </small>
          {unread > 0 && <small class="caution">without {unread === 1 ? 'a bot' : `${unread} bots`} not read yet</small>}
          <WorthNote unpriced={bots.reduce((sum, { unpriced }) => sum + unpriced, 0)} pricedAt={oldest} />
        </dd>
      </div>
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
