import { type Books, type BotStatus, isActive } from '../../pipeline/index.ts'
import { worstOf } from './troubles.ts'
import type { BotRow, OpenRow, Today } from './views.ts'
import type { WatchedBot } from './watched.ts'

/** One line of the fleet. */
export function botRowOf(bot: WatchedBot, seen: Pick<BotRow, 'troubles' | 'stopped' | 'faults' | 'lastResults'>): BotRow {
  const status = bot.status()
  const books = status?.books
  let [settled, profit] = [0, status?.swapProfit ?? 0n]
  for (const tally of books?.byMode.values() ?? []) {
    profit += tally.profit
    settled += Object.values(tally.results).reduce((sum, count) => sum + count, 0)
  }
  return {
    ...seen,
    name: bot.name,
    phase: bot.phase,
    severity: worstOf(seen.troubles),
    isCaughtUp: books?.caughtUp ?? false,
    isDraining: books?.runMode === 'draining',
    bankroll: books?.bankroll === undefined ? undefined : `${books.bankroll.value.available}`,
    inPlay: status?.today === undefined ? undefined : `${status.today.inPlay}`,
    profit: `${profit}`,
    settled,
    today: todayOf(bot, status),
    open: books === undefined ? [] : openOf(books),
    stream: bot.stream(),
    unknown: status?.actions.unknown ?? 0,
  }
}

function todayOf({ config }: WatchedBot, status: BotStatus | undefined): Today {
  const { lost = 0n, inPlay, reserved = 0n } = status?.today ?? {}
  const limits = status?.books.limits?.value
  return {
    lost: `${lost}`,
    inPlay: inPlay === undefined ? undefined : `${inPlay}`,
    reserved: `${reserved}`,
    cap: `${config.guard.dailyLoss}`,
    serviceCap: limits === undefined ? undefined : `${limits.dailyLossCap}`,
    serviceLost: limits === undefined ? undefined : `${limits.lostToday}`,
  }
}

function openOf({ tickets, seats }: Books): readonly OpenRow[] {
  const waiting = [...tickets.values()].map(
    ({ ticketId, mode, stake }): OpenRow => ({
      ...{ kind: 'ticket', id: ticketId, mode, stake: `${stake}` },
      ...{ token: undefined, side: undefined, phase: undefined, startsAt: undefined, endsAt: undefined },
    }),
  )
  const playing = [...seats.values()].filter(isActive).map(
    (seat): OpenRow => ({
      ...{ kind: 'contest', id: seat.contestId, mode: seat.mode, stake: seat.stake === undefined ? undefined : `${seat.stake}` },
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
