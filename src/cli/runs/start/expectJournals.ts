import { existsSync } from 'node:fs'
import { CornermanError } from '../../../core/error.ts'
import { journalFile } from '../../journals.ts'
import { adoptedFile, copyFile } from '../fleet/journalFiles.ts'

export interface ExpectedJournals {
  readonly dataDir: string
  readonly bots: readonly string[]
  readonly isInFleet: boolean
}

/**
 * Before a bot begins another journal, while the one that it has lies elsewhere: what that has open would be held by nobody.
 *
 * @throws CornermanError `BOT_IN_FLEET` where it plays in a fleet, and is not started so; `FLEET_NOT_ADOPTED` where it has played alone
 */
export function expectJournals({ dataDir, bots, isInFleet }: ExpectedJournals): void {
  for (const bot of bots) {
    const own = journalFile(dataDir, bot)
    if (isInFleet) {
      if (existsSync(own)) throw notAdopted(bot, own, dataDir)
      continue
    }
    const ofFleet = [adoptedFile(dataDir, bot), copyFile(dataDir, bot)].find((file) => existsSync(file))
    if (ofFleet !== undefined) throw inFleet(bot, ofFleet)
  }
}

const notAdopted = (bot: string, own: string, dataDir: string): CornermanError =>
  new CornermanError(
    'FLEET_NOT_ADOPTED',
    `${bot} has played alone on this host, and a fleet would begin anew, without what is open in ${own}. Make that its journal there, before any host plays it: cornerman fleet adopt ${bot} ${dataDir}. Where the fleet has another one already, play this one to its end first, without --fleet, in a data directory that is no fleet's`,
    { details: { bot, file: own } },
  )

const inFleet = (bot: string, ofFleet: string): CornermanError =>
  new CornermanError(
    'BOT_IN_FLEET',
    `${bot} plays in a fleet (${ofFleet} is there), and a journal of its own would play its agent a second time: start it with --fleet. Where there is no such fleet any more, move that file away`,
    { details: { bot, file: ofFleet } },
  )
