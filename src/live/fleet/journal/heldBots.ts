import type { CornermanError } from '../../../core/error.ts'
import type { FleetConnection } from '../database/fleetConnection.ts'
import type { JournalPlace } from './journalPlace.ts'

/** Why nobody plays a bot before a person has looked at it. */
type HeldFor = 'rolledBack' | 'altered'

// Decided by the database once more, by a write: a host that was behind for a moment holds nothing.
const HOLD = `
  UPDATE cornerman_fleet.bots SET held = 'rolledBack' WHERE bot = $1 AND held IS NULL
    AND (seq < $2 OR (seq = $2 AND chain <> $3) OR EXISTS (SELECT FROM cornerman_fleet.records r WHERE r.bot = $1 AND r.seq = $2 AND r.chain <> $3))
    RETURNING 1`

const NOTE = `
  INSERT INTO cornerman_fleet.copies (bot, host, seq, chain) SELECT $1, $4, $2, $3 FROM cornerman_fleet.bots WHERE bot = $1 AND held = 'rolledBack'
    ON CONFLICT (bot, host) DO UPDATE SET seq = excluded.seq, chain = excluded.chain, at = clock_timestamp()`

/** What a host has found of a journal. */
export interface Finding {
  readonly bot: string
  readonly host: string
  /** How far its copy is. */
  readonly copy: JournalPlace
}

/**
 * Keeps everybody from claiming a bot whose journal is not what it was, and notes how far the copy of this host is, for whoever mends it.
 *
 * @returns whether this one has seen to it; false also where the bot stood still already, or the database is not behind after all
 * @throws InDoubt, or CornermanError as a connection does
 */
export async function holdBot(connection: FleetConnection, { bot, host, copy }: Finding, fault: CornermanError): Promise<boolean> {
  const why = heldFor(fault)
  if (why === undefined) return false
  if (why === 'altered') {
    const held = await connection.ask("UPDATE cornerman_fleet.bots SET held = 'altered' WHERE bot = $1 AND held IS NULL RETURNING 1", [bot])
    return held.length > 0
  }
  const held = await connection.ask(HOLD, [bot, copy.seq, copy.chain])
  await connection.ask(NOTE, [bot, copy.seq, copy.chain, host])
  return held.length > 0
}

/** Undefined for what is no fault of the database's. */
export function heldFor({ code }: CornermanError): HeldFor | undefined {
  if (code === 'FLEET_ROLLED_BACK') return 'rolledBack'
  return code === 'FLEET_RECORD_ALTERED' ? 'altered' : undefined
}
