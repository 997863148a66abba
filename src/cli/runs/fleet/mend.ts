import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { CornermanError } from '../../../core/error.ts'
import { FleetCopy, mendBot } from '../../../live/fleet/index.ts'
import { withSaid } from '../../control.ts'
import { print } from '../../output.ts'
import { saidTo } from '../start/sharedWord.ts'
import type { ActOptions } from './acts.ts'
import { type BotFleet, withFleet } from './botFleet.ts'
import { expectBot, stateOf } from './fleetState.ts'
import { copyFile } from './journalFiles.ts'

export interface MendOptions extends ActOptions {
  readonly dataDir: string
  /** As it is known to the fleet. */
  readonly hostName?: string
  /** Whatever other hosts have. */
  readonly fromHere?: boolean
}

/**
 * Puts what the database has lost of a bot's journal back, by the copy of this host, and lets the bot play.
 *
 * @throws CornermanError `BOT_UNKNOWN`, `FLEET_NOT_MENDED`, `JOURNAL_IN_USE` while the host runs, or what a fleet is refused with
 */
export async function mend(bot: string, options: MendOptions): Promise<void> {
  await withFleet(options, async (fleet) => {
    const state = await stateOf(fleet)
    expectBot(state, bot)
    const file = copyFile(options.dataDir, bot)
    if (!existsSync(file))
      throw new CornermanError(
        'FLEET_NOT_MENDED',
        `${bot} is not mended: ${file} is not there, so this host has no copy of it: mend it on the host with the longest one`,
      )
    const seal = fleet.sealOf(bot)
    const copy = new FleetCopy({ file, bot, seal })
    try {
      const others = state.hosts.filter((host) => host.isAlive && host.bots.includes(bot)).map(({ host }) => host)
      const { from, to } = await mendBot(fleet.connection, {
        ...{ bot, copy, seal, host: options.hostName ?? hostname(), file: `${file}.taken` },
        ...{ others, isFromHere: options.fromHere === true, beforeFreed: () => stopped(fleet) },
      })
      print(options.json, { bot, from, to, appended: Math.max(0, to - from) }, [
        to > from
          ? `${bot}: records ${from + 1} to ${to}, which the database had lost, are in it again`
          : `${bot}: the database had all of it, up to ${to}`,
        'the fleet is stopped, since an order to stop may be lost with the backup: look at the bots, then cornerman stop --fleet --resume',
      ])
    } finally {
      copy.close()
    }
  })
}

/** Nothing plays until a person resumes, whichever hosts are left. */
async function stopped({ connection, signer, by }: BotFleet): Promise<void> {
  await saidTo(connection, { signer, by, change: (before) => withSaid(before, 'stopped') })
}
