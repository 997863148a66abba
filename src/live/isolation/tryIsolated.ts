import { NEVER } from 'rxjs'
import { systemClock } from '../../core/systemClock.ts'
import { type Present, PriceBook } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { isIsolated } from '../../strategy/isIsolated.ts'
import { WorkerIsolation } from './workerIsolation.ts'

/** Before its first input. */
const nothingYet: Present = {
  moment: () => ({ n: 0, at: systemClock.now(), tick: 0 }),
  isCaughtUp: () => false,
  tick$: NEVER,
}

/**
 * Starts the worker of every isolated strategy of a bot, as a start of the bot does, and ends it again: nothing is asked of it.
 *
 * @param file the config file
 * @returns the names of those strategies
 * @throws CornermanError `STRATEGY_UNFIT` where the config does not load in a worker, or gives other strategies there
 */
export async function tryIsolated(file: string, bot: BotConfig): Promise<string[]> {
  const isolation = new WorkerIsolation({ file, bot, book: new PriceBook(), clock: systemClock, log: () => {} })
  const names: string[] = []
  try {
    for (const [place, strategy] of bot.strategies.entries()) {
      if (!isIsolated(bot, strategy)) continue
      names.push(strategy.name)
      isolation.standInFor(strategy, place, nothingYet)
    }
    await isolation.ready()
    return names
  } finally {
    await isolation.close()
  }
}
