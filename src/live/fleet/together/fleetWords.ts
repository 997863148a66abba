import type { FleetConnection } from '../database/fleetConnection.ts'

/** The operator's newest word, as the database of a fleet has it. */
export interface FleetWord {
  /** Counts what was said; 0: nothing so far. */
  readonly n: number
  /** Empty where nothing was said. */
  readonly control: string
}

/** @throws InDoubt */
export async function readWord(connection: FleetConnection): Promise<FleetWord> {
  const [row] = await connection.ask<{ n: string; control: string }>('SELECT n::text, control FROM cornerman_fleet.control')
  return row === undefined ? { n: 0, control: '' } : { n: Number(row.n), control: row.control }
}

/**
 * Says something, where nobody has said anything since.
 *
 * @param by who says it, for a person
 * @returns its number; undefined where somebody was first
 * @throws InDoubt
 */
export async function writeWord(connection: FleetConnection, { n, control }: FleetWord, by: string): Promise<number | undefined> {
  const [row] = await connection.ask<{ n: string }>(
    `INSERT INTO cornerman_fleet.control (one, n, control, by) SELECT 1, 1, $2, $3 WHERE $1::bigint = 0
       OR EXISTS (SELECT FROM cornerman_fleet.control)
       ON CONFLICT (one) DO UPDATE SET n = control.n + 1, control = excluded.control, by = excluded.by, at = clock_timestamp()
       WHERE control.n = $1::bigint RETURNING n::text`,
    [n, control, by],
  )
  return row === undefined ? undefined : Number(row.n)
}
