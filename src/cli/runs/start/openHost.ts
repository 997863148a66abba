import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { expectSystem, FleetConnection, openBotTables } from '../../../live/fleet/index.ts'
import type { Config } from '../../../strategy/config.ts'
import { expectKey, fleetSettings, patiently } from '../fleet/botFleet.ts'
import { expectFitness } from '../fleet/init.ts'
import type { FleetOption } from '../fleet/openFleet.ts'
import { versionOf } from '../fleet/version.ts'
import type { HostSettings } from './hostedBots.ts'
import { SharedWord } from './sharedWord.ts'

export interface HostOptions {
  readonly fleet: FleetOption | undefined
  readonly hostName?: string | undefined
  /** Where the config was read. */
  readonly configFile: string
  /** Of all bots, whichever of them this host plays. */
  readonly config: Config
}

/**
 * What this process needs to be a host of a fleet. The tables are made where there are none.
 *
 * @throws CornermanError `SECRET_MISSING`, `FLEET_KEY`, `FLEET_PACKAGES`, `FLEET_UNFIT`, `FLEET_NOT_DURABLE`, `FLEET_NEWER`,
 *   `FLEET_OTHER_DATABASE`, `FLEET_UNREACHABLE` or `FLEET_REFUSED`
 */
export async function openHost({ fleet: option, hostName, configFile, config }: HostOptions): Promise<HostSettings> {
  const { url, key, durability, silenceMs } = await fleetSettings({ fleet: option, config: configFile })
  const connection = new FleetConnection({ url })
  try {
    const fleet = await patiently(() => openBotTables(connection))
    await patiently(() => expectKey(connection, key))
    await expectFitness(connection, { url, durability })
    await patiently(() => expectSystem(connection, url))
    const host = hostName ?? hostname()
    return {
      ...{ url, fleet, silenceMs, host },
      keys: key.all,
      run: randomUUID(),
      version: versionOf(config),
      word: new SharedWord(url, host),
    }
  } finally {
    connection.close()
  }
}
