import type { Usdc } from '../../core/usdc.ts'
import { type Books, type BotStatus, profitOf, statsOf } from '../../pipeline/index.ts'
import { worstOf } from './troubles.ts'
import type { BotRow, OpenRow, Today } from './views.ts'
import type { WatchedBot } from './watched.ts'
import { worthOf } from './worth.ts'

/** Of all settled contests of the journal, and of the swaps of those that are over: what is not sold yet counts at its newest price. */
export const lifeProfitOf = ({ books, swapProfit, unsoldProfit }: BotStatus): Usdc => profitOf(books.byMode) + swapProfit + unsoldProfit

/** One line of the fleet. */
export function botRowOf(bot: WatchedBot, seen: Pick<BotRow, 'troubles' | 'stopped' | 'faults' | 'lastResults'>): BotRow {
  const status = bot.status()
  const books = status?.books
  const today = status?.today()
  return {
    ...seen,
    name: bot.name,
    phase: bot.phase,
    severity: worstOf(seen.troubles),
    isCaughtUp: books?.caughtUp ?? false,
    isDraining: books?.runMode === 'draining',
    ...worthOf(status?.equity),
    profit: status === undefined ? undefined : lifeProfitOf(status).toString(),
    settled: books === undefined ? undefined : statsOf(books).settled,
    today: todayOf(bot, today, books),
    open: books === undefined ? [] : openOf(books),
    stream: bot.stream(),
    unknown: status?.actions.unknown ?? 0,
  }
}

function todayOf({ config }: WatchedBot, today: ReturnType<BotStatus['today']>, books: Books | undefined): Today {
  const limits = books?.limits?.value
  return {
    lost: today?.lost.toString(),
    inPlay: today?.inPlay.toString(),
    reserved: today?.reserved.toString(),
    cap: config.guard.dailyLoss.toString(),
    serviceCap: limits?.dailyLossCap.toString(),
    serviceLost: limits?.lostToday.toString(),
  }
}

function openOf({ tickets, seats }: Books): readonly OpenRow[] {
  const waiting = [...tickets.values()].map(
    ({ ticketId, mode, stake }): OpenRow => ({
      ...{ kind: 'ticket', id: ticketId, mode, stake: stake?.toString() },
      ...{ token: undefined, side: undefined, phase: undefined, startsAt: undefined, endsAt: undefined },
    }),
  )
  const playing = [...seats.values()].map(
    (seat): OpenRow => ({
      ...{ kind: 'contest', id: seat.contestId, mode: seat.mode, stake: seat.stake?.toString() },
      ...{
        token: seat.token,
        side: seat.side,
        phase: seat.phase === 'live' ? 'live' : 'open',
        startsAt: seat.startsAt,
        endsAt: seat.endsAt,
      },
    }),
  )
  const endOf = ({ endsAt }: OpenRow) => endsAt ?? Number.POSITIVE_INFINITY
  return [...playing, ...waiting].toSorted((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(a) - endOf(b)))
}
