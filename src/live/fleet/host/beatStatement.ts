import { DURABILITY, type DurabilitySettings } from '../database/fleetFitness.ts'
import { CONTROL } from '../together/controlOrders.ts'
import type { SeenOrder } from '../together/fleetOrders.ts'
import type { ControlOrder } from '../together/orderSigner.ts'

/** Entries are counted in so many parts, so that one that is gone has a small part of them sent again. */
const BUCKETS = 256
const BUCKET = `(hashtext(bot) & ${BUCKETS - 1})`

// One statement: what it shows is from a primary that can commit. Of bots, entries and wakes it shows what was written since the snapshot of an
// earlier beat: each version of a row is of the transaction `xmin`, and what that snapshot did not show is of none before $4. A server that was started
// since may have another past, and shows all. What was deleted is found by the counts.
export const BEAT = `
  WITH mine AS (UPDATE cornerman_fleet.hosts SET beat = beat + 1, obeys = $2, unheard = $3, seen = clock_timestamp() WHERE run = $1 RETURNING 1),
    look AS (SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server, pg_snapshot_xmin(pg_current_snapshot())::text AS mark,
      CASE WHEN extract(epoch FROM pg_postmaster_start_time())::text = $5 THEN age($4::text::xid) ELSE ${2 ** 31 - 1} END AS since)
  SELECT EXISTS (SELECT FROM mine) AS registered, (SELECT server FROM look) AS server, (SELECT mark FROM look) AS mark,
    (SELECT coalesce(json_agg(json_build_object('run', run, 'host', host, 'beat', beat, 'version', version, 'digest', digest,
       'agents', CASE WHEN digest <> ALL($6::text[]) THEN agents END, 'obeys', obeys, 'draining', draining, 'unheard', unheard, 'page', page)), '[]')
       FROM cornerman_fleet.hosts, LATERAL (SELECT md5(array_to_string(agents, ',')) AS digest) AS d) AS hosts,
    (SELECT coalesce(json_agg(json_build_object('bot', bot, 'epoch', epoch, 'run', run, 'seq', seq, 'chain', encode(chain, 'hex'),
       'movedTo', moved_to, 'wish', wish, 'held', held)), '[]') FROM cornerman_fleet.bots b, look WHERE age(b.xmin) <= since) AS bots,
    (SELECT count(*)::int FROM cornerman_fleet.bots) AS "botCount",
    (SELECT coalesce(json_agg(json_build_object('bot', bot, 'key', key, 'entry', entry, 'bucket', ${BUCKET})), '[]')
       FROM cornerman_fleet.entries e, look WHERE age(e.xmin) <= since OR ${BUCKET} = ANY($7::int[])) AS entries,
    (SELECT coalesce(json_object_agg(bucket, n), '{}')
       FROM (SELECT ${BUCKET} AS bucket, count(*) AS n FROM cornerman_fleet.entries GROUP BY 1) AS c) AS "entryCounts",
    (SELECT coalesce(json_object_agg(bot, n), '{}') FROM cornerman_fleet.wakes w, look WHERE age(w.xmin) <= since) AS wakes,
    (SELECT coalesce(json_agg(json_build_object('id', o.id, 'bot', o.bot) ORDER BY o.at), '[]')
       FROM cornerman_fleet.orders o JOIN cornerman_fleet.bots b ON b.bot = o.bot AND b.run = $1
       WHERE o.run IS NULL AND o.at > clock_timestamp() - interval '20 seconds') AS orders,
    ${CONTROL} AS control,
    ${DURABILITY} AS durability,
    (SELECT version FROM cornerman_fleet.wanted) AS wanted, (SELECT value FROM cornerman_fleet.facts WHERE key = 'bots') AS tables`

export interface BeatRow {
  readonly registered: boolean
  /** When the server was started. */
  readonly server: string
  /** Lower bound of the transactions that write from now on. The number never wraps. */
  readonly mark: string
  readonly hosts: readonly StatedHost[]
  /** Changed ones only. */
  readonly bots: readonly StatedBot[]
  readonly botCount: number
  /** Changed ones, and all entries of the requested buckets. */
  readonly entries: readonly StatedEntry[]
  readonly entryCounts: Readonly<Record<string, number>>
  readonly wakes: Readonly<Record<string, number>>
  readonly orders: readonly SeenOrder[]
  readonly control: ControlOrder | null
  readonly wanted: string | null
  readonly durability: DurabilitySettings
  /** The version of the tables. */
  readonly tables: string | null
}

export interface HostRow {
  readonly run: string
  readonly host: string
  readonly beat: number
  readonly version: string
  readonly agents: readonly string[]
  readonly obeys: number
  readonly draining: boolean
  /** How long it has asked the service in vain, in milliseconds; 0 where it has answers, null where it has not asked. */
  readonly unheard: number | null
  readonly page: string | null
}

/** `agents` is null where the digest is one that was sent before. */
export type StatedHost = Omit<HostRow, 'agents'> & { readonly digest: string; readonly agents: readonly string[] | null }

export interface BotRow {
  readonly bot: string
  readonly epoch: number
  readonly run: string | null
  readonly seq: number
  readonly chain: Buffer
  readonly movedTo: string | null
  readonly wish: string | null
  readonly held: string | null
}

/** `chain` in hexadecimal. */
export type StatedBot = Omit<BotRow, 'chain'> & { readonly chain: string }

export interface StatedEntry {
  readonly bot: string
  readonly key: string
  readonly entry: string
  readonly bucket: number
}
