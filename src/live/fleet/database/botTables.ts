import { CornermanError } from '../../../core/error.ts'
import type { FleetConnection } from './fleetConnection.ts'

/** Of the tables of bots: another number is another form of them. */
const VERSION = '1'
/** The lock of whoever makes tables of a fleet, those of searches included. */
const LOCK = 7_253_118
const NO_RIGHT = '42501'

// `bots` and `hosts` are changed in place all day: the room that is left in their pages keeps dead rows from slowing every commit.
// A bot's epoch is part of a unique index for the lock alone: whoever changes it waits for those who hold the row FOR KEY SHARE, and a commit, which
// leaves it alone, does not.
const TABLES = `
  SELECT pg_advisory_xact_lock(${LOCK});
  CREATE SCHEMA IF NOT EXISTS cornerman_fleet;
  CREATE TABLE IF NOT EXISTS cornerman_fleet.facts (key text PRIMARY KEY, value text NOT NULL);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.hosts (run uuid PRIMARY KEY, host text NOT NULL, beat bigint NOT NULL DEFAULT 0, obeys bigint NOT NULL DEFAULT 0,
    version text NOT NULL, agents text[] NOT NULL, page text, draining boolean NOT NULL DEFAULT false,
    unheard bigint, seen timestamptz NOT NULL DEFAULT clock_timestamp()) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.bots (bot text PRIMARY KEY, epoch bigint NOT NULL DEFAULT 0, run uuid, seq bigint NOT NULL DEFAULT 0,
    chain bytea NOT NULL DEFAULT '', touched bigint NOT NULL DEFAULT 0, moved_to text, wish text, held text,
    UNIQUE (bot, epoch)) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.epochs (bot text, epoch bigint, host text NOT NULL, run uuid NOT NULL, version text NOT NULL, from_seq bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (bot, epoch));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.records (bot text, seq bigint, epoch bigint NOT NULL, chain bytea NOT NULL, body bytea NOT NULL, PRIMARY KEY (bot, seq));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.bases (bot text, upto bigint, epoch bigint NOT NULL, chain bytea NOT NULL, parts int NOT NULL, PRIMARY KEY (bot, upto));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.base_parts (bot text, upto bigint, part int, epoch bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (bot, upto, part));
  ALTER TABLE cornerman_fleet.base_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE TABLE IF NOT EXISTS cornerman_fleet.copies (bot text, host text, seq bigint NOT NULL, chain bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (bot, host));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.entries (bot text, key text, epoch bigint NOT NULL, place text UNIQUE, trial text UNIQUE, entry text NOT NULL, PRIMARY KEY (bot, key));
  CREATE TABLE IF NOT EXISTS cornerman_fleet.control (one int PRIMARY KEY CHECK (one = 1), n bigint NOT NULL, control text NOT NULL, by text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(), said bigint, signature text);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.wanted (one int PRIMARY KEY CHECK (one = 1), n bigint NOT NULL, version text NOT NULL, by text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE TABLE IF NOT EXISTS cornerman_fleet.wakes (bot text PRIMARY KEY, n bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.orders (id uuid PRIMARY KEY, bot text NOT NULL, ordered text NOT NULL, by text NOT NULL,
    run uuid, answer text, at timestamptz NOT NULL DEFAULT clock_timestamp(), epoch bigint, said bigint, signature text);
  CREATE TABLE IF NOT EXISTS cornerman_fleet.chores (chore text PRIMARY KEY, run uuid NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE TABLE IF NOT EXISTS cornerman_fleet.frames (run uuid PRIMARY KEY, n bigint NOT NULL, body bytea NOT NULL) WITH (fillfactor = 50);
  INSERT INTO cornerman_fleet.facts VALUES ('bots', '${VERSION}'), ('fleet', gen_random_uuid()::text) ON CONFLICT DO NOTHING;
`

/** Columns and indexes missing in older tables of the same version. Older hosts go on without them. */
const LACKS = `
  SELECT NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'cornerman_fleet.control'::regclass AND attname = 'signature') AS signatures,
    NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = 'cornerman_fleet.bots'::regclass AND i.indisunique AND i.indisvalid
      AND (SELECT array_agg(a.attname::text ORDER BY a.attname) FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey::int2[]))
        = ARRAY['bot', 'epoch']) AS epochs`

const UPGRADE = {
  signatures: `
    ALTER TABLE cornerman_fleet.control ADD COLUMN IF NOT EXISTS said bigint, ADD COLUMN IF NOT EXISTS signature text;
    ALTER TABLE cornerman_fleet.orders ADD COLUMN IF NOT EXISTS epoch bigint, ADD COLUMN IF NOT EXISTS said bigint,
      ADD COLUMN IF NOT EXISTS signature text;`,
  epochs: 'ALTER TABLE cornerman_fleet.bots ADD CONSTRAINT bots_bot_epoch_key UNIQUE (bot, epoch);',
} as const

/** @throws CornermanError `FLEET_UNFIT` where the role may not */
async function upgrade(connection: FleetConnection): Promise<void> {
  const lacking = async () => {
    const [row] = await connection.ask<Readonly<Record<keyof typeof UPGRADE, boolean>>>(LACKS)
    return (['signatures', 'epochs'] as const).filter((one) => row?.[one] === true)
  }
  for (const one of await lacking()) {
    try {
      await connection.ask(`SELECT pg_advisory_xact_lock(${LOCK}); ${UPGRADE[one]}`)
    } catch (thrown) {
      // Another host may have been first.
      if (!(await lacking()).includes(one)) continue
      if (!(thrown instanceof CornermanError) || thrown.details?.code !== NO_RIGHT) throw thrown
      throw new CornermanError(
        'FLEET_UNFIT',
        'the tables of this fleet are of an older Cornerman, and this role may not change them: run cornerman fleet init once, as their owner. Hosts of before play on meanwhile',
        { cause: thrown },
      )
    }
  }
}

/**
 * Makes the tables of bots where there are none, and adds what those of an older Cornerman lack.
 *
 * @returns the id of the fleet
 * @throws CornermanError `FLEET_NEWER`, or `FLEET_UNFIT` where they are of another version
 */
export async function openBotTables(connection: FleetConnection): Promise<string> {
  const [found] = await connection.ask<{ there: boolean }>("SELECT to_regclass('cornerman_fleet.records') IS NOT NULL AS there")
  if (found?.there === true) await upgrade(connection)
  else await connection.ask(TABLES)
  const rows = await connection.ask<{ key: string; value: string }>(
    "SELECT key, value FROM cornerman_fleet.facts WHERE key IN ('bots', 'fleet')",
  )
  const facts = new Map(rows.map(({ key, value }) => [key, value]))
  const [version, fleet] = [facts.get('bots'), facts.get('fleet')]
  if (version === VERSION && fleet !== undefined) return fleet
  expectKnownTables(version, 'nothing was claimed')
  throw new CornermanError(
    'FLEET_UNFIT',
    `this database cannot hold the bots of a fleet: its tables are of version ${version}, and ${VERSION} is needed. Give each version of Cornerman a database of its own`,
  )
}

/**
 * Whoever knows the tables plays on them.
 *
 * @param version as they state it; undefined where they do not
 * @param what has become of the bots, for a person
 * @throws CornermanError `FLEET_NEWER`
 */
export function expectKnownTables(version: string | undefined, what: string): void {
  if (version === undefined || !(Number(version) > Number(VERSION))) return
  throw new CornermanError(
    'FLEET_NEWER',
    `the tables of this fleet are of version ${version}, and this Cornerman knows them up to ${VERSION}: update it on this host; ${what}`,
  )
}
