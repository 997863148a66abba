import { CornermanError } from '../../../core/error.ts'
import type { BotStatus } from '../../../pipeline/index.ts'
import type { FleetBot } from './fleetBot.ts'

/** What a bot leaves to the next run. */
export interface LeftOpen {
  /** Ids of contests with a seat of the bot, and of tickets that wait. */
  readonly contests: readonly string[]
  readonly tickets: readonly string[]
  /** Contests whose prediction is committed to and not shown yet. */
  readonly predictions: readonly string[]
  /** Actions that may have been taken, and have no outcome. */
  readonly actions: number
}

/** @returns undefined where nothing is open */
export function leftOpenBy({ books, actions }: Pick<BotStatus, 'books' | 'actions'>): LeftOpen | undefined {
  const committed = [...books.custody.values()].filter(({ status }) => status === 'committed')
  const left: LeftOpen = {
    contests: [...books.seats.keys()],
    tickets: [...books.tickets.keys()],
    predictions: committed.map(({ contestId }) => contestId),
    actions: actions.unknown,
  }
  const isNothing = left.contests.length + left.tickets.length + left.predictions.length + left.actions === 0
  return isNothing ? undefined : left
}

/** What bots leave to the next run, for a person. */
export function leftOpenText(lefts: readonly (LeftOpen | undefined)[]): string {
  const count = (of: (left: LeftOpen) => number) => lefts.reduce((sum, left) => sum + (left === undefined ? 0 : of(left)), 0)
  const parts = [
    `${count(({ contests }) => contests.length)} contests`,
    `${count(({ tickets }) => tickets.length)} tickets`,
    `${count(({ predictions }) => predictions.length)} predictions to reveal`,
  ]
  const actions = count((left) => left.actions)
  return `${parts.join(', ')}${actions === 0 ? '' : `, ${actions} actions without an outcome`}`
}

/** Why a bot that plays ends in doubt: nobody knows what it has open. Undefined where what is open is known, and goes on. */
export function doubtOf(bot: Pick<FleetBot, 'phase' | 'hasCaughtUp' | 'life'>): CornermanError | undefined {
  const status = bot.phase === 'running' ? bot.life() : undefined
  if (status === undefined) return undefined
  const left = `left open: ${leftOpenText([leftOpenBy(status)])}`
  const next = 'start again once the service answers, and compare with agent.contests.mine'
  if (!bot.hasCaughtUp)
    return new CornermanError(
      'NEVER_CAUGHT_UP',
      `the event stream, the tickets or the contests were never read to their end: nothing was entered; ${left}; ${next}`,
    )
  const { actions, books, overdueReveals } = status
  const doubts = [
    ...(actions.unknown > 0 ? [`of ${actions.unknown} actions nobody knows whether they were taken`] : []),
    ...(overdueReveals.length > 0 ? [`${overdueReveals.length} reveals that were due came to nothing yet`] : []),
    ...(books.caughtUp ? [] : ['what became of the rest could not be read at the end']),
  ]
  return doubts.length === 0 ? undefined : new CornermanError('LEFT_UNACCOUNTED', `${doubts.join('; ')}; ${left}; ${next}`)
}
