import { CornermanError } from '../../../core/error.ts'
import type { FleetConnection } from './fleetConnection.ts'
import { FleetServers } from './fleetServers.ts'

const SYSTEM = `
  INSERT INTO cornerman_fleet.facts SELECT 'system', system_identifier::text FROM pg_control_system() ON CONFLICT DO NOTHING`

/**
 * Sees that the database is the one that the fleet was made on; the first that comes is. Nothing where it does not tell.
 *
 * @throws InDoubt
 * @throws CornermanError `FLEET_OTHER_DATABASE`
 */
export async function expectSystem(connection: FleetConnection, url: string): Promise<void> {
  try {
    await connection.ask(SYSTEM)
    const [row] = await connection.ask<{ stated: string; found: string }>(
      `SELECT value AS stated, (SELECT system_identifier::text FROM pg_control_system()) AS found FROM cornerman_fleet.facts WHERE key = 'system'`,
    )
    if (row === undefined) return
    if (row.stated !== row.found)
      throw new CornermanError(
        'FLEET_OTHER_DATABASE',
        `this database is not the one that the fleet was made on (cluster ${row.found}, and it was ${row.stated}): a copy, or a wrong URL. If it was moved and the old one is off for good: cornerman fleet accept-database. Nothing was claimed`,
      )
    FleetServers.of(url).expect(row.stated)
  } catch (thrown) {
    // Not every server lets everybody ask.
    if (!(thrown instanceof CornermanError) || thrown.code !== 'FLEET_REFUSED') throw thrown
  }
}
