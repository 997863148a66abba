import { FleetDatabase } from '../../../fleet/database.ts'
import { FleetKey } from '../../../fleet/fleetKey.ts'
import { frameworkOf } from '../../../fleet/framework.ts'
import { JobQueue } from '../../../fleet/jobQueue.ts'
import { openTables } from '../../../fleet/tables.ts'
import { revealSecret } from '../../loadConfig.ts'
import { ROOT } from '../../root.ts'

/** What `--fleet` says: a URL, `env:NAME`, or nothing, which is `env:FLEET_DATABASE_URL`. */
export type FleetOption = string | true

export interface Fleet {
  readonly database: FleetDatabase
  readonly key: FleetKey
  /** SHA-256 of this installation. */
  readonly framework: string
}

/**
 * Connects to the database of a fleet, and makes its tables where there are none.
 *
 * @param patienceMs how long a statement is tried again while the database is away
 * @throws CornermanError `SECRET_MISSING`, `FLEET_KEY`, `FLEET_PACKAGES`, `FLEET_UNREACHABLE`, `FLEET_UNFIT`
 */
export async function openFleet(option: FleetOption, patienceMs: number, onTrouble: (words: string) => void): Promise<Fleet> {
  const key = new FleetKey(process.env.CORNERMAN_FLEET_KEY ?? '')
  const database = await FleetDatabase.connect({ url: databaseUrl(option), patienceMs, onTrouble })
  try {
    await openTables(database, key)
    return { database, key, framework: frameworkOf(ROOT) }
  } catch (thrown) {
    await database.close()
    throw thrown
  }
}

/** @throws CornermanError what a database is refused with */
export async function openQueue({ database, framework }: Fleet): Promise<JobQueue> {
  try {
    return await JobQueue.open(database, framework)
  } catch (thrown) {
    await database.close()
    throw thrown
  }
}

const NAMED = 'env:'

/** @throws CornermanError `SECRET_MISSING` */
export function databaseUrl(option: FleetOption): string {
  if (option !== true && !option.startsWith(NAMED)) return option
  return revealSecret({ secret: option === true ? 'FLEET_DATABASE_URL' : option.slice(NAMED.length) }, '--fleet')
}
