import { NEVER } from 'rxjs'
import { systemClock } from '../../core/systemClock.ts'
import { type Present, PriceBook } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import { isIsolated } from '../../strategy/isIsolated.ts'
import { ProcessIsolation } from './processIsolation.ts'

/** Before its first input. */
const nothingYet: Present = {
  moment: () => ({ n: 0, at: systemClock.now(), tick: 0 }),
  isCaughtUp: () => false,
  tick$: NEVER,
}

/**
 * Starts the processes of the isolated strategies of a bot, as a start of the bot does, and ends them again: nothing is asked of them.
 *
 * @param files the config file, and the data directory, which no process may read
 * @returns the names of those strategies
 * @throws CornermanError `STRATEGY_UNFIT` where the config does not load in a process of its own, or gives other strategies there
 */
export async function tryIsolated(
  { file, dataDir }: { readonly file: string; readonly dataDir: string },
  bot: BotConfig,
): Promise<string[]> {
  if (!bot.strategies.some((strategy) => isIsolated(bot, strategy))) return []
  const isolation = new ProcessIsolation({ file, dataDir, bot, book: new PriceBook(), clock: systemClock, log: () => {} })
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
