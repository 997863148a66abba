import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { FleetKey } from '../../../fleet/fleetKey.ts'
import { frameworkOf } from '../../../fleet/framework.ts'
import { FleetConnection, openBotTables } from '../../../live/fleet/index.ts'
import { ROOT } from '../../root.ts'
import { databaseUrl, type FleetOption } from '../fleet/openFleet.ts'
import type { HostSettings } from './hostedBots.ts'

export interface HostOptions {
  readonly fleet: FleetOption
  readonly hostName?: string | undefined
  readonly silenceMs: number
}

/**
 * What this process needs to be a host of a fleet.
 *
 * @throws CornermanError `SECRET_MISSING`, `FLEET_KEY`, `FLEET_PACKAGES`, `FLEET_UNFIT` or `FLEET_REFUSED`
 */
export async function openHost({ fleet: option, hostName, silenceMs }: HostOptions): Promise<HostSettings> {
  const key = new FleetKey(process.env.CORNERMAN_FLEET_KEY ?? '')
  const url = databaseUrl(option)
  const connection = new FleetConnection({ url })
  try {
    const fleet = await openBotTables(connection)
    return { ...{ url, fleet, silenceMs }, keys: [key.bytes], run: randomUUID(), host: hostName ?? hostname(), version: frameworkOf(ROOT) }
  } finally {
    connection.close()
  }
}
