import { filter, type Observable, scan } from 'rxjs'
import type { Step } from '../../../pipeline/index.ts'

/**
 * Counts the contests that are settled while the bots play. What is read before a bot has caught up happened before this run:
 * a new data directory is told of all that the agent ever played.
 */
export function settledContests<Bot>(change$: Observable<{ readonly bot: Bot; readonly step?: Step }>): Observable<number> {
  const playing = new Set<Bot>()
  return change$.pipe(
    filter(({ bot, step }) => {
      if (step?.input.type === 'caughtUp') playing.add(bot)
      return playing.has(bot) && step !== undefined && isSettled(step)
    }),
    scan((settled) => settled + 1, 0),
  )
}

const isSettled = ({ input }: Step): boolean =>
  input.type === 'event' && !input.recorded && input.read.ok && input.read.event.type === 'contest.settled'
