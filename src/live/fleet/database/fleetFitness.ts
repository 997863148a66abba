import { CornermanError } from '../../../core/error.ts'
import { eachHostOf, type FleetConnection } from './fleetConnection.ts'

/** The oldest PostgreSQL that has what is needed: 13.0. */
const OLDEST = 130_000
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|)$/
/** What says that a commit that is answered is on a disk, and on that of a standby where there is one. */
const SAFE_COMMITS = new Set(['on', 'remote_apply'])

/** What is asked of the database: that a commit stands on another server, too, or what its owner has set up as it is. */
export type Durability = 'standby' | 'asGiven'

/** Something that the database lacks, and what its owner is to do. */
export interface Lack {
  readonly code: 'FLEET_UNFIT' | 'FLEET_NOT_DURABLE'
  readonly words: string
}

/** What a fleet needs of its database, as it was found. */
export interface FleetFitness {
  /** Of PostgreSQL. */
  readonly version: string
  readonly durability: Durability
  readonly synchronousCommit: string
  readonly synchronousStandbyNames: string
  /** Of the connection, as the server sees it. */
  readonly isEncrypted: boolean
  /** Of the database's cluster; undefined where it does not tell. */
  readonly system: string | undefined
  readonly lacking: readonly Lack[]
}

/** Settings that decide whether a confirmed commit survives. Each can be changed while a fleet plays. */
export interface DurabilitySettings {
  readonly fsync: string
  readonly pages: string
  /** `synchronous_commit`. */
  readonly sync: string
  /** `synchronous_standby_names`. */
  readonly names: string
}

interface Settings extends DurabilitySettings {
  readonly version: string
  readonly number: number
  readonly tls: boolean | null
}

/** An expression of SQL. */
export const DURABILITY = `json_build_object('fsync', current_setting('fsync'), 'pages', current_setting('full_page_writes'),
    'sync', current_setting('synchronous_commit'), 'names', current_setting('synchronous_standby_names'))`

const SETTINGS = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS sync,
    current_setting('synchronous_standby_names') AS names, (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls`

/** @throws InDoubt, or CornermanError as a connection does */
export async function fitnessOf(connection: FleetConnection, url: string, durability: Durability): Promise<FleetFitness> {
  const [settings] = await connection.ask<Settings>(SETTINGS)
  if (settings === undefined) throw new Error('a SELECT has no row')
  const { version, sync, names, tls } = settings
  return {
    ...{ version, durability, synchronousCommit: sync, synchronousStandbyNames: names, isEncrypted: tls === true },
    system: await systemOf(connection),
    lacking: lackingIn(settings, isLocal(url), durability),
  }
}

/** The identifier of the database's cluster; undefined where it does not tell. */
export async function systemOf(connection: FleetConnection): Promise<string | undefined> {
  try {
    const [row] = await connection.ask<{ system: string }>('SELECT system_identifier::text AS system FROM pg_control_system()')
    return row?.system
  } catch (thrown) {
    // Not every server lets everybody ask.
    if (thrown instanceof CornermanError && thrown.code === 'FLEET_REFUSED') return undefined
    throw thrown
  }
}

/**
 * Before anything is claimed.
 *
 * @throws CornermanError `FLEET_UNFIT` or `FLEET_NOT_DURABLE`, with all that is lacking
 */
export function expectFit({ lacking }: Pick<FleetFitness, 'lacking'>): void {
  const [first] = lacking
  if (first === undefined) return
  throw new CornermanError(
    first.code,
    `the database of the fleet is not fit for its bots:\n${lacking.map(({ words }) => words).join('\n')}`,
  )
}

function lackingIn({ version, number, tls, ...settings }: Settings, isOnThisMachine: boolean, durability: Durability): Lack[] {
  const unfit = (words: string): Lack => ({ code: 'FLEET_UNFIT', words })
  return [
    ...(number < OLDEST ? [unfit(`it is PostgreSQL ${version}, and 13 or newer is needed`)] : []),
    ...lackingOf(settings, durability),
    ...(isOnThisMachine || tls === true
      ? []
      : [
          unfit(
            'the connection is not encrypted: let the server have TLS, and add ?sslmode=verify-full to the URL, with &sslrootcert=/path/to/ca.pem for a CA of your own',
          ),
        ]),
  ]
}

/** Reasons why a confirmed commit may be lost. */
export function lackingOf({ fsync, pages, sync, names }: DurabilitySettings, durability: Durability): Lack[] {
  const notDurable = (words: string): Lack => ({ code: 'FLEET_NOT_DURABLE', words })
  return [
    ...(fsync === 'on' ? [] : [notDurable('fsync is off, so a power cut may lose what it has answered for: set fsync = on')]),
    ...(pages === 'on' ? [] : [notDurable('full_page_writes is off, so a power cut may damage it: set full_page_writes = on')]),
    ...(SAFE_COMMITS.has(sync)
      ? []
      : [
          notDurable(
            `synchronous_commit is ${sync} for this role, so it answers before a commit is safe: ALTER ROLE … SET synchronous_commit = on`,
          ),
        ]),
    ...(durability === 'standby' && names.trim() === '' ? [notDurable(NO_STANDBY)] : []),
  ]
}

/** While a fleet plays. @param lacking at least one */
export const notDurableAnyMore = (lacking: readonly Lack[]): CornermanError =>
  new CornermanError(
    'FLEET_NOT_DURABLE',
    `the fleet's database does not keep what it answers for as safely as this fleet asks, so its bots enter no contest; what is open is played on. ${lacking.map(({ words }) => words).join('\n')}`,
  )

const NO_STANDBY = `no commit waits for a standby (synchronous_standby_names is empty), so the disk of one machine has all there is. With a standby that follows, as the superuser:
  ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)';
  SELECT pg_reload_conf();
With one machine alone, or a managed database whose standbys are not seen from SQL: durability: 'asGiven' in fleet of the config`

/** Whether each of the hosts of a URL is this machine. */
function isLocal(url: string): boolean {
  return eachHostOf(url).every((one) => {
    const [, host = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/?]*)/i.exec(one) ?? []
    return LOOPBACK.test(host) || host.startsWith('%2F')
  })
}
