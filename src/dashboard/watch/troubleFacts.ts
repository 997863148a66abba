import type { BotStatus } from '../../pipeline/index.ts'
import type { Stopped, StreamView } from './views.ts'
import type { NewestPrices, WatchedBot } from './watched.ts'

/** All that the troubles of a bot are worked out from. */
export interface TroubleFacts {
  readonly bot: Pick<WatchedBot, 'phase' | 'failure' | 'config'>
  readonly status: BotStatus | undefined
  readonly book: Pick<NewestPrices, 'latestText' | 'tick'>
  readonly stream: StreamView
  readonly stopped: Stopped
  readonly now: number
  /** Since when there has been an action whose answer is lost; undefined while there is none. */
  readonly unknownSince: number | undefined
  /** Today's figures as they were last known, and since when they are not; undefined while they are. */
  readonly today: ReturnType<BotStatus['today']>
  readonly todayUnknownSince: number | undefined
  /** The newest contests that were settled without a valid move. */
  readonly unplayed: readonly Unplayed[]
}

/** A contest that was settled without a valid move. */
export interface Unplayed {
  /** When that was known, in Unix milliseconds. */
  readonly at: number
  readonly contestId: string
  readonly message: string
}
