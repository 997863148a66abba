import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { FleetKey } from '../../../fleet/fleetKey.ts'
import { FleetConnection, openBotTables } from '../../../live/fleet/index.ts'
import type { Config } from '../../../strategy/config.ts'
import { databaseUrl, type FleetOption } from '../fleet/openFleet.ts'
import { versionOf } from '../fleet/version.ts'
import type { HostSettings } from './hostedBots.ts'
import { SharedWord } from './sharedWord.ts'

export interface HostOptions {
  readonly fleet: FleetOption
  readonly hostName?: string | undefined
  readonly silenceMs: number
  /** Of all bots, whichever of them this host plays. */
  readonly config: Config
}

/**
 * What this process needs to be a host of a fleet.
 *
 * @throws CornermanError `SECRET_MISSING`, `FLEET_KEY`, `FLEET_PACKAGES`, `FLEET_UNFIT` or `FLEET_REFUSED`
 */
export async function openHost({ fleet: option, hostName, silenceMs, config }: HostOptions): Promise<HostSettings> {
  const key = new FleetKey(process.env.CORNERMAN_FLEET_KEY ?? '')
  const url = databaseUrl(option)
  const connection = new FleetConnection({ url })
  try {
    const fleet = await openBotTables(connection)
    const host = hostName ?? hostname()
    const word = new SharedWord(url, host)
    return { ...{ url, fleet, silenceMs, host, word }, keys: [key.bytes], run: randomUUID(), version: versionOf(config) }
  } finally {
    connection.close()
  }
}
