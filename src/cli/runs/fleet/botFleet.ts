import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { FleetKey } from '../../../fleet/fleetKey.ts'
import {
  type Durability,
  FleetConnection,
  giveFirstOrder,
  InDoubt,
  OrderSigner,
  openBotTables,
  RecordSeal,
} from '../../../live/fleet/index.ts'
import type { Config } from '../../../strategy/config.ts'
import { controlJson, everythingPlays } from '../../control.ts'
import { loadConfig, revealSecret } from '../../loadConfig.ts'
import { databaseUrl, expectUrl, type FleetOption } from './openFleet.ts'

const PATIENCE_MS = 10_000
const AGAIN_MS = 300
const SILENCE_MS = 3500
/** A base has parts of 1 MiB. */
const ANSWER_MS = 10_000

/** Where a fleet is, as a command line has it. */
export interface FleetPlace {
  readonly fleet?: FleetOption | undefined
  /** What of it is read is `fleet`, where the file is there. */
  readonly config: string
}

/** The settings of a fleet. */
export interface FleetSettings {
  readonly url: string
  readonly key: FleetKey
  readonly durability: Durability
  readonly silenceMs: number
}

/**
 * By the command line, the config and the environment, in this order.
 *
 * @throws CornermanError `SECRET_MISSING`, `FLEET_KEY`, or as a config does
 */
export async function fleetSettings({ fleet: option, config: file }: FleetPlace): Promise<FleetSettings> {
  const fleet = existsSync(file) ? (await loadConfig(file)).fleet : undefined
  const key = statedKey(fleet) ?? process.env.CORNERMAN_FLEET_KEY ?? ''
  const { durability = 'standby', silenceMs = SILENCE_MS } = fleet ?? {}
  const url =
    option === undefined && fleet?.database !== undefined
      ? expectUrl(revealSecret(fleet.database, 'fleet.database'), `fleet.database: ${fleet.database.secret}`)
      : databaseUrl(option ?? true)
  return { url, key: new FleetKey(key), durability, silenceMs }
}

/** The key as the config names it, its newest part first. @throws CornermanError `SECRET_MISSING` */
export const statedKey = (fleet: Config['fleet']): string | undefined => fleet?.key?.map((one) => revealSecret(one, 'fleet.key')).join()

/** The fleet as a command finds it, which waits for its database for a while. */
export class BotFleet {
  readonly settings: FleetSettings
  readonly connection: FleetConnection
  /** The id of the fleet. */
  readonly id: string
  /** Who asks, for a person. */
  readonly by = `${userInfo().username}@${hostname()}`

  private constructor(settings: FleetSettings, connection: FleetConnection, id: string) {
    this.settings = settings
    this.connection = connection
    this.id = id
  }

  /**
   * @param makes the tables, where there are none
   * @throws CornermanError `FLEET_UNREACHABLE`, `FLEET_UNFIT` where there is no fleet, `FLEET_NEWER`, `FLEET_KEY`, `FLEET_PACKAGES` or `FLEET_REFUSED`
   */
  static async open(place: FleetPlace, makes = false): Promise<BotFleet> {
    const settings = await fleetSettings(place)
    const connection = new FleetConnection({ url: settings.url, answerMs: ANSWER_MS })
    try {
      const id = await patiently(async () => {
        if (!makes) await expectTables(connection)
        return openBotTables(connection)
      })
      await patiently(() => expectKey(connection, settings.key))
      const fleet = new BotFleet(settings, connection, id)
      if (makes) await patiently(() => expectOrder(connection, fleet.signer, fleet.by))
      return fleet
    } catch (thrown) {
      connection.close()
      throw thrown
    }
  }

  /** A statement that comes to the same when it is run twice. @throws CornermanError `FLEET_UNREACHABLE`, or as a connection does */
  ask<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return patiently(() => this.connection.ask<R>(text, values))
  }

  get signer(): OrderSigner {
    return new OrderSigner(this.settings.key, this.id)
  }

  sealOf(bot: string): RecordSeal {
    return new RecordSeal({ keys: this.settings.key.all, fleet: this.id, bot })
  }

  close(): void {
    this.connection.close()
  }
}

/** Opens a fleet for as long as `use` needs it. @throws as both */
export async function withFleet<T>(place: FleetPlace, use: (fleet: BotFleet) => Promise<T>): Promise<T> {
  const fleet = await BotFleet.open(place)
  try {
    return await patiently(() => use(fleet), 0)
  } finally {
    fleet.close()
  }
}

/**
 * While nobody can say what became of it.
 *
 * @throws CornermanError `FLEET_UNREACHABLE` when the patience is over
 */
export async function patiently<T>(act: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await act()
    } catch (thrown) {
      if (!(thrown instanceof InDoubt)) throw thrown
      if (performance.now() >= until) throw unreachable(thrown)
      await sleep(AGAIN_MS)
    }
  }
}

export const unreachable = (thrown: unknown): CornermanError =>
  new CornermanError(
    'FLEET_UNREACHABLE',
    `the database of the fleet does not answer (${messageOf(thrown)}): see that it runs, and what the URL names`,
    { retryable: true, cause: thrown },
  )

async function expectTables(connection: FleetConnection): Promise<void> {
  const [row] = await connection.ask<{ there: boolean }>("SELECT to_regclass('cornerman_fleet.records') IS NOT NULL AS there")
  if (row?.there !== true)
    throw new CornermanError('FLEET_UNFIT', 'this database holds no fleet yet: cornerman fleet init makes its tables')
}

/** A fleet that has played nothing begins with the order to play: from then on a fleet without an order is stopped. @throws InDoubt */
export async function expectOrder(connection: FleetConnection, signer: OrderSigner, by: string): Promise<void> {
  const now = Date.now()
  await giveFirstOrder(connection, signer.signed({ n: 1, control: controlJson(everythingPlays, now), by, said: now }))
}

/**
 * Sees that the key is that of the fleet; the first one that comes is.
 *
 * @throws InDoubt
 * @throws CornermanError `FLEET_KEY`
 */
export async function expectKey(connection: FleetConnection, key: FleetKey): Promise<void> {
  await connection.ask("INSERT INTO cornerman_fleet.facts VALUES ('key', $1) ON CONFLICT DO NOTHING", [key.check])
  const [row] = await connection.ask<{ value: string }>("SELECT value FROM cornerman_fleet.facts WHERE key = 'key'")
  if (key.fits(row?.value ?? '')) return
  throw new CornermanError(
    'FLEET_KEY',
    'CORNERMAN_FLEET_KEY: the fleet of this database has another key: set the one that its other hosts have, or name another database',
  )
}
