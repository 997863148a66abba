import type { Observable } from 'rxjs'
import type { BotView, ContestView, FleetView } from './views.ts'

/** What the page and its server ask. Views are made when they are asked for; asking changes nothing. */
export interface Desk {
  fleet(): FleetView
  /** Undefined where there is no such bot. */
  bot(name: string): BotView | undefined
  /** Undefined where there is no such bot, or the contest is not remembered. */
  contest(bot: string, contestId: string): ContestView | undefined
  /**
   * Whose views have changed, synchronously with the bot and as often as it happens: whoever draws gathers them. Also of
   * every bot when a trouble comes or goes by time alone.
   */
  readonly changed$: Observable<{ readonly bot: string }>
}
