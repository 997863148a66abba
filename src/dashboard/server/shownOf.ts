import type { FrameBot, Place, Shown } from '../stream/shown.ts'
import type { Desk } from '../watch/desk.ts'
import type { BotRow, BotView, ContestView } from '../watch/views.ts'

/** What is sent of a list, should the desk give more: the newest. A page that is open for a day holds no more than this. */
const MOST = { curve: 2000, prices: 1000, tokens: 40, contests: 200, notes: 500, moves: 1000, verdicts: 1000, events: 1000 }

/** What a page at this place is to show now. */
export function shownOf(desk: Desk, place: Place): Shown {
  const { bots, service, isDryRun, stopped, curve } = desk.fleet()
  const frame = { service, isDryRun, stopped, bots: bots.map(frameBotOf) }
  switch (place.kind) {
    case 'fleet':
      return { frame, fleet: { bots, curve: curve.slice(-MOST.curve) } }
    case 'bot':
      return { frame, bot: botOf(desk, place.bot) }
    case 'contest':
      return { frame, contest: contestOf(desk, place.bot, place.contestId) }
  }
}

function frameBotOf({ name, phase, stopped, severity, troubles }: BotRow): FrameBot {
  const worst = troubles.find((trouble) => trouble.severity === severity)
  return {
    ...{ name, phase, stopped },
    ...(severity === undefined ? {} : { severity }),
    ...(worst === undefined ? {} : { message: worst.message }),
  }
}

function botOf(desk: Desk, name: string): BotView | null {
  const view = desk.bot(name)
  if (view === undefined) return null
  const { curve, contests, notes } = view
  // Contests come newest first, the others newest last.
  return { ...view, curve: curve.slice(-MOST.curve), contests: contests.slice(0, MOST.contests), notes: notes.slice(-MOST.notes) }
}

function contestOf(desk: Desk, bot: string, contestId: string): ContestView | null {
  const view = desk.contest(bot, contestId)
  if (view === undefined) return null
  const { moves, verdicts, events } = view
  const prices = Object.entries(view.prices).slice(0, MOST.tokens)
  return {
    ...view,
    prices: Object.fromEntries(prices.map(([mint, series]) => [mint, { ...series, points: series.points.slice(-MOST.prices) }])),
    moves: moves.slice(-MOST.moves),
    verdicts: verdicts.slice(-MOST.verdicts),
    events: events.slice(-MOST.events),
  }
}
