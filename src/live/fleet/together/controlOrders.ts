import type { FleetConnection } from '../database/fleetConnection.ts'
import type { ControlOrder, OrderSigner } from './orderSigner.ts'

const MARK = "md5(concat_ws('|', c.n, c.control, c.by, c.said, c.signature))"

/** SQL: the newest order to all hosts, as a `ControlOrder`; null where there is none. */
export const CONTROL =
  "(SELECT json_build_object('n', n, 'control', control, 'by', by, 'said', said, 'signature', signature) FROM cornerman_fleet.control)"

// A host that lives writes its own count with each beat, so that a count of before is none for long.
const READ = `
  SELECT ${CONTROL} AS control,
    (SELECT ${MARK} FROM cornerman_fleet.control c) AS mark,
    (SELECT max(obeys)::text FROM cornerman_fleet.hosts WHERE seen > clock_timestamp() - interval '1 minute') AS reported`

const WRITE = `
  INSERT INTO cornerman_fleet.control AS c (one, n, control, by, said, signature)
    SELECT 1, $2, $3, $4, $5, $6 WHERE $1::text IS NULL OR EXISTS (SELECT FROM cornerman_fleet.control)
    ON CONFLICT (one) DO UPDATE SET n = excluded.n, control = excluded.control, by = excluded.by, said = excluded.said,
      signature = excluded.signature, at = clock_timestamp()
    WHERE ${MARK} = $1 RETURNING 1`

// A fleet in which a bot was claimed or has a journal has had an order: where that is gone, somebody took it out.
const FIRST = `
  INSERT INTO cornerman_fleet.control (one, n, control, by, said, signature) SELECT 1, $1, $2, $3, $4, $5
    WHERE NOT EXISTS (SELECT FROM cornerman_fleet.epochs) AND NOT EXISTS (SELECT FROM cornerman_fleet.bots WHERE epoch > 0 OR seq > 0)
    ON CONFLICT DO NOTHING`

/** The newest order to all hosts, as the database shows it. */
export interface SeenControl {
  readonly order: ControlOrder | undefined
  /** Digest of the row, signed or not; undefined if there is no row. */
  readonly mark: string | undefined
  /** The highest count that a living host reports. */
  readonly reported: number
}

/** @throws InDoubt */
export async function readOrder(connection: FleetConnection): Promise<SeenControl> {
  const [row] = await connection.ask<{ control: ControlOrder | null; mark: string | null; reported: string | null }>(READ)
  return { order: row?.control ?? undefined, mark: row?.mark ?? undefined, reported: Number(row?.reported ?? 0) }
}

/**
 * Gives an order, where nobody has given one since.
 *
 * @param mark of the row before; undefined where there was none
 * @returns whether it stands; false where somebody was first
 * @throws InDoubt
 */
export async function writeOrder(connection: FleetConnection, mark: string | undefined, order: ControlOrder): Promise<boolean> {
  const { n, control, by, said, signature } = order
  const rows = await connection.ask(WRITE, [mark ?? null, n, control, by, said, signature])
  return rows.length > 0
}

/** Gives the first order of a fleet that has played nothing. Nothing where there is one, or was. @throws InDoubt */
export async function giveFirstOrder(connection: FleetConnection, { n, control, by, said, signature }: ControlOrder): Promise<void> {
  await connection.ask(FIRST, [n, control, by, said, signature])
}

/**
 * Why an order in the database counts as a stop, and what to do; undefined where it holds.
 *
 * @param newest the newest order that was accepted before; undefined where none was
 */
export function refusalOf(order: ControlOrder | undefined, signer: OrderSigner, newest: ControlOrder | undefined): string | undefined {
  if (order === undefined) return `the fleet's database holds no order to play or to stop: ${STOPPED}. ${UNSIGNED}`
  const whose = `order ${order.n} of ${order.by} in the fleet's database`
  if ((order.signature ?? '') === '') return `${whose} is not signed: ${STOPPED}. ${UNSIGNED}`
  if (!signer.hasSigned(order)) return `${whose} was not signed with the key of this fleet: ${STOPPED}. ${WRITTEN}`
  if (newest === undefined || order.n > newest.n || isSameOrder(order, newest)) return undefined
  return `${whose} is older than order ${newest.n} of ${newest.by}, which was given before: ${STOPPED}. A backup was restored, or somebody put an old order back. ${PLAY_ON}`
}

/** A change of the key signs an order anew. */
export const isSameOrder = (a: ControlOrder, b: ControlOrder): boolean =>
  a.n === b.n && a.control === b.control && a.by === b.by && a.said === b.said

const STOPPED = 'it counts as a stop, and no bot stakes anything'
const PLAY_ON = 'To play on: cornerman stop --fleet --resume'
const WRITTEN = `Somebody wrote it without the key: find out who can write to the database. ${PLAY_ON}`
const UNSIGNED = `After an upgrade from a version without signatures, once all hosts run this one: cornerman fleet sign. Otherwise somebody changed it without the key: find out who can write to the database. ${PLAY_ON}`
