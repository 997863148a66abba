import type { FleetDatabase } from './database.ts'

const OLD = "now() - interval '30 days'"

/** Takes out the searches that nobody has begun or resumed for a month, with all that is theirs, and workers long gone. What is needed again is put there again. */
export async function dropOld(database: FleetDatabase): Promise<void> {
  const ofNoSearch = ['results', 'attempts', 'faults'].map(
    (table) => `DELETE FROM cornerman_fleet.${table} WHERE sweep NOT IN (SELECT sweep FROM cornerman_fleet.sweeps)`,
  )
  await database.query(
    [
      `DELETE FROM cornerman_fleet.blobs WHERE put < ${OLD}`,
      `DELETE FROM cornerman_fleet.workers WHERE seen < ${OLD}`,
      `DELETE FROM cornerman_fleet.sweeps WHERE seen < ${OLD}`,
      ...ofNoSearch,
    ].join(';'),
  )
}
