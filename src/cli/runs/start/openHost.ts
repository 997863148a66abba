import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expectFit, expectSystem, FleetConnection, fitnessOf, OrderSigner, openBotTables } from '../../../live/fleet/index.ts'
import type { Config } from '../../../strategy/config.ts'
import type { Logger } from '../../log.ts'
import { expectKey, expectOrder, fleetSettings } from '../fleet/botFleet.ts'
import type { FleetOption } from '../fleet/openFleet.ts'
import { versionOf } from '../fleet/version.ts'
import { AwaitDatabase } from './awaitDatabase.ts'
import type { HostSettings } from './hostedBots.ts'
import { NewestOrder } from './newestOrder.ts'
import { SharedWord } from './sharedWord.ts'

export interface HostOptions {
  readonly fleet: FleetOption | undefined
  readonly hostName?: string | undefined
  /** Where the config was read. */
  readonly configFile: string
  readonly dataDir: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Of all bots, whichever of them this host plays. */
  readonly config: Config
}

/**
 * What this process needs to be a host of a fleet. The tables are made where there are none.
 *
 * @throws CornermanError `SECRET_MISSING`, `FLEET_KEY`, `FLEET_PACKAGES`, `FLEET_UNFIT`, `FLEET_NOT_DURABLE`, `FLEET_NEWER`,
 *   `FLEET_OTHER_DATABASE`, `FLEET_UNREACHABLE` or `FLEET_REFUSED`
 */
export async function openHost({ fleet: option, hostName, configFile, dataDir, config, log }: HostOptions): Promise<HostSettings> {
  const { url, key, durability, silenceMs } = await fleetSettings({ fleet: option, config: configFile })
  const connection = new FleetConnection({ url })
  const waiting = new AwaitDatabase({ url, log })
  try {
    const fleet = await waiting.untilDone(() => openBotTables(connection))
    await waiting.untilDone(() => expectKey(connection, key))
    expectFit(await waiting.untilDone(() => fitnessOf(connection, url, durability)))
    await waiting.untilDone(() => expectSystem(connection, url))
    const host = hostName ?? hostname()
    const signer = new OrderSigner(key, fleet)
    await waiting.untilDone(() => expectOrder(connection, signer, host))
    waiting.done()
    const newest = new NewestOrder(join(dataDir, 'fleet', 'newest-order.json'), fleet)
    return {
      ...{ url, fleet, silenceMs, durability, host, signer },
      keys: key.all,
      run: randomUUID(),
      version: versionOf(config),
      word: new SharedWord({ url, host, signer, newest, onTrouble: (words) => log.warn(words) }),
    }
  } finally {
    connection.close()
  }
}
