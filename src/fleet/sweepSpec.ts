import { hash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { CornermanError } from '../core/error.ts'
import type { FleetDatabase } from './database.ts'
import type { FleetKey } from './fleetKey.ts'

/** All that a worker needs to play the blocks of a search, by hash or as it is. Signed: a worker imports nothing else. */
export interface SweepSpec {
  /** SHA-256 of the framework that plays it. */
  readonly framework: string
  /** Names of blobs. */
  readonly log: string
  readonly bundle: string
  /** What else the threads of a worker are given. */
  readonly given: unknown
  /** SHA-256 of the plan of the search. */
  readonly plan: string
}

const PURPOSE = 'sweep'

/** Puts a search where workers find it. What has failed in an earlier run of it is tried anew. @returns the name of the sweep */
export async function putSweep(database: FleetDatabase, key: FleetKey, { given, ...spec }: SweepSpec): Promise<string> {
  const text = JSON.stringify({ ...spec, given: serialize(given).toString('base64') })
  const sweep = hash('sha256', text)
  await database.query(
    `INSERT INTO cornerman_fleet.sweeps (sweep, spec, signature) VALUES ($1, $2, $3)
     ON CONFLICT (sweep) DO UPDATE SET spec = excluded.spec, signature = excluded.signature, seen = now()`,
    [sweep, text, key.sign(PURPOSE, text)],
  )
  await database.query('DELETE FROM cornerman_fleet.faults WHERE sweep = $1', [sweep])
  return sweep
}

/** @throws CornermanError `BUNDLE_UNSIGNED` for what was not put there by somebody who has the key of the fleet */
export async function takeSweep(database: FleetDatabase, key: FleetKey, sweep: string): Promise<SweepSpec> {
  const [row] = await database.query<{ spec: string; signature: string }>(
    'SELECT spec, signature FROM cornerman_fleet.sweeps WHERE sweep = $1',
    [sweep],
  )
  if (row === undefined || hash('sha256', row.spec) !== sweep || !key.hasSigned(PURPOSE, row.spec, row.signature))
    throw new CornermanError(
      'BUNDLE_UNSIGNED',
      `the search ${sweep.slice(0, 12)} was not signed with the key of this fleet: nothing of it was loaded. See who else may write into the database`,
    )
  const { given, ...spec } = JSON.parse(row.spec) as SweepSpec & { readonly given: string }
  return { ...spec, given: deserialize(Buffer.from(given, 'base64')) as unknown }
}
