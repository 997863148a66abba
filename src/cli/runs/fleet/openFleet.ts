import { CornermanError } from '../../../core/error.ts'
import { FleetDatabase } from '../../../fleet/database.ts'
import { FleetKey } from '../../../fleet/fleetKey.ts'
import { frameworkOf } from '../../../fleet/framework.ts'
import { JobQueue } from '../../../fleet/jobQueue.ts'
import { openTables } from '../../../fleet/tables.ts'
import { eachHostOf } from '../../../live/fleet/index.ts'
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

/** @throws CornermanError `SECRET_MISSING`, or `SECRET_INVALID` where it is no URL of a database */
export function databaseUrl(option: FleetOption): string {
  if (option !== true && !option.startsWith(NAMED)) return expectUrl(option, '--fleet')
  const secret = option === true ? 'FLEET_DATABASE_URL' : option.slice(NAMED.length)
  return expectUrl(revealSecret({ secret }, '--fleet'), secret)
}

const ENCODED = 'write those of user and password in percent-encoding: % as %25, # as %23, @ as %40, / as %2F, : as %3A, ? as %3F'

/**
 * @param named where it stands: it is not repeated, for its password
 * @throws CornermanError `SECRET_INVALID`
 */
export function expectUrl(url: string, named: string): string {
  if (url.includes('#'))
    throw new CornermanError(
      'SECRET_INVALID',
      `${named}: a URL ends at its first #, so the database cannot be found. If that is a character of the password, ${ENCODED}`,
    )
  // A path is that of a socket on this machine.
  const isUrl = /^(?:\/|socket:)/.test(url) || eachHostOf(url).every((one) => URL.canParse(one) && /^postgres(?:ql)?:\/\//i.test(one))
  if (isUrl && (url.match(/@/g) ?? []).length <= 1) return url
  throw new CornermanError(
    'SECRET_INVALID',
    `${named} holds no URL of a database, such as postgres://user:password@host:5432/database. Where characters of the password are those of a URL, ${ENCODED}`,
  )
}
