import { CornermanError } from '../core/error.ts'
import type { FleetDatabase } from './database.ts'
import type { FleetKey } from './fleetKey.ts'

/** Of the tables: another number is another form of them. */
const VERSION = '1'
/** Any number that nobody else takes. */
const LOCK = 7_253_118

const TABLES = `
  SELECT pg_advisory_xact_lock(${LOCK});
  CREATE SCHEMA IF NOT EXISTS cornerman_fleet;
  CREATE TABLE IF NOT EXISTS cornerman_fleet.facts (key text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.blobs (hash text, part int, parts int NOT NULL, bytes bytea NOT NULL, put timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (hash, part));
  ALTER TABLE cornerman_fleet.blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE TABLE IF NOT EXISTS cornerman_fleet.sweeps (sweep text PRIMARY KEY, spec text NOT NULL, signature text NOT NULL, seen timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS cornerman_fleet.results (sweep text, job text, body text NOT NULL, worker text NOT NULL, signature text NOT NULL DEFAULT '', PRIMARY KEY (sweep, job));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.attempts (sweep text, job text, attempt text, cause text NOT NULL, PRIMARY KEY (sweep, job, attempt));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.faults (sweep text, job text, code text NOT NULL, message text NOT NULL, PRIMARY KEY (sweep, job));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.workers (worker text PRIMARY KEY, host text NOT NULL, pid int NOT NULL, framework text NOT NULL, software text NOT NULL,
    threads int NOT NULL, playing int NOT NULL, played bigint NOT NULL, began timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now());
`

/** Tables of before are changed only where they have to be: it takes the rights of their owner. */
async function addSignatures(database: FleetDatabase): Promise<void> {
  const rows = await database.query(
    "SELECT FROM pg_attribute WHERE attrelid = 'cornerman_fleet.results'::regclass AND attname = 'signature' AND NOT attisdropped",
  )
  if (rows.length === 0)
    await database.query("ALTER TABLE cornerman_fleet.results ADD COLUMN IF NOT EXISTS signature text NOT NULL DEFAULT ''")
}

/**
 * Makes the tables of a fleet where there are none, and sees that they are of the same fleet.
 *
 * @throws CornermanError `FLEET_KEY` where another key made them, `FLEET_UNFIT` where they may not be made, or are of another version
 */
export async function openTables(database: FleetDatabase, key: FleetKey): Promise<void> {
  const [found] = await database.query<{ there: boolean }>("SELECT to_regclass('cornerman_fleet.workers') IS NOT NULL AS there")
  if (found?.there !== true) await database.query(TABLES)
  await addSignatures(database)
  const facts = { version: VERSION, key: key.check }
  for (const [name, value] of Object.entries(facts))
    await database.query('INSERT INTO cornerman_fleet.facts VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, value])
  const rows = await database.query<{ key: string; value: string }>('SELECT key, value FROM cornerman_fleet.facts')
  const stated = new Map(rows.map((row) => [row.key, row.value]))
  if (stated.get('version') !== VERSION)
    throw new CornermanError(
      'FLEET_UNFIT',
      `this database cannot hold a fleet: its tables are of version ${stated.get('version')}, and ${VERSION} is needed. Give each version of Cornerman a database of its own`,
    )
  if (!key.fits(stated.get('key') ?? ''))
    throw new CornermanError(
      'FLEET_KEY',
      'CORNERMAN_FLEET_KEY: the fleet of this database has another key: set the one that its other hosts have, or name another database',
    )
}
