import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { CONTROL, type ControlOrder } from '../../../live/fleet/index.ts'
import type { BotFleet } from './botFleet.ts'

/** A host that lives has made two beats by then. */
const LOOK_MS = 1200

export interface StatedHost {
  readonly host: string
  readonly run: string
  readonly version: string
  /** The bots it could play. */
  readonly bots: readonly string[]
  readonly isDraining: boolean
  /** The operator's word that it obeys. */
  readonly obeys: number
  readonly page: string | null
  /** For how long the service has not answered it, in milliseconds; 0 where it has, null where it has not asked. */
  readonly unheardMs: number | null
  /** Since its newest beat, by the clock of the database. */
  readonly silentSeconds: number
  /** It made a beat while it was looked at. */
  readonly isAlive: boolean
}

export interface StatedBot {
  readonly bot: string
  readonly epoch: number
  readonly seq: number
  readonly chain: string
  /** The run that has it. */
  readonly run: string | null
  readonly host: string | null
  /** Unix milliseconds of its newest claim. */
  readonly since: number | null
  readonly held: string | null
  readonly wish: string | null
  readonly movedTo: string | null
}

export interface FleetState {
  readonly hosts: readonly StatedHost[]
  readonly bots: readonly StatedBot[]
  readonly wanted: { readonly n: number; readonly version: string; readonly by: string } | null
  /** As it was said, JSON. */
  readonly control: ControlOrder | null
  /** Of the database's cluster, as the fleet knows it. */
  readonly system: string | undefined
}

const STATE = `
  SELECT (SELECT coalesce(json_agg(json_build_object('host', host, 'run', run, 'beat', beat, 'version', version, 'bots', agents, 'isDraining', draining,
      'obeys', obeys, 'page', page, 'unheardMs', unheard, 'silentSeconds', round(extract(epoch FROM clock_timestamp() - seen))) ORDER BY host, seen DESC), '[]')
      FROM cornerman_fleet.hosts) AS hosts,
    (SELECT coalesce(json_agg(json_build_object('bot', b.bot, 'epoch', b.epoch, 'seq', b.seq, 'chain', encode(b.chain, 'hex'), 'run', b.run,
      'host', h.host, 'since', (SELECT round(extract(epoch FROM max(e.at)) * 1000) FROM cornerman_fleet.epochs e WHERE e.bot = b.bot),
      'held', b.held, 'wish', b.wish, 'movedTo', b.moved_to) ORDER BY b.bot), '[]')
      FROM cornerman_fleet.bots b LEFT JOIN cornerman_fleet.hosts h ON h.run = b.run) AS bots,
    (SELECT json_build_object('n', n, 'version', version, 'by', by) FROM cornerman_fleet.wanted) AS wanted,
    ${CONTROL} AS control,
    (SELECT value FROM cornerman_fleet.facts WHERE key = 'system') AS system`

type Row = Omit<FleetState, 'hosts' | 'system'> & {
  readonly hosts: readonly (Omit<StatedHost, 'isAlive'> & { readonly beat: number })[]
  readonly system: string | null
}

/** Looks twice, to tell who is alive. @throws CornermanError `FLEET_UNREACHABLE`, or as a connection does */
export async function stateOf(fleet: BotFleet): Promise<FleetState> {
  const before = new Map((await rowOf(fleet)).hosts.map(({ run, beat }) => [run, beat]))
  await sleep(LOOK_MS)
  const row = await rowOf(fleet)
  // Of a run that has ended nothing is of interest but what it holds.
  const holders = new Set(row.bots.map(({ run }) => run))
  const hosts = row.hosts.map(({ beat, ...host }) => ({ ...host, isAlive: before.get(host.run) !== beat }))
  const names = new Set<string>()
  const shown = hosts
    .toSorted((a, b) => Number(b.isAlive) - Number(a.isAlive))
    .filter((one) => {
      const isFirst = !names.has(one.host)
      names.add(one.host)
      return isFirst || one.isAlive || holders.has(one.run)
    })
  return { ...row, system: row.system ?? undefined, hosts: shown.toSorted((a, b) => (a.host < b.host ? -1 : 1)) }
}

/** At once, without a look at who is alive. @throws as `stateOf` */
export async function botsOf(fleet: BotFleet): Promise<readonly StatedBot[]> {
  return (await rowOf(fleet)).bots
}

async function rowOf(fleet: BotFleet): Promise<Row> {
  const [row] = await fleet.ask<Row>(STATE)
  if (row === undefined) throw new Error('a SELECT has no row')
  return row
}

/** @throws CornermanError `BOT_UNKNOWN` */
export function expectBot({ bots }: Pick<FleetState, 'bots'>, bot: string): StatedBot {
  const found = bots.find((one) => one.bot === bot)
  if (found !== undefined) return found
  const names = bots.map((one) => one.bot)
  throw new CornermanError(
    'BOT_UNKNOWN',
    `${bot}: the fleet knows no such bot; ${names.length === 0 ? 'it has none yet' : `it has ${names.join(', ')}`}`,
  )
}

/** The host of that name that is alive. @throws CornermanError `HOST_UNKNOWN` */
export function expectHost({ hosts }: Pick<FleetState, 'hosts'>, name: string): StatedHost {
  const alive = hosts.filter(({ isAlive }) => isAlive)
  const found = alive.find(({ host }) => host === name)
  if (found !== undefined) return found
  const isSilent = hosts.some(({ host }) => host === name)
  const others = alive.length === 0 ? 'no host is' : `those that are: ${alive.map(({ host }) => host).join(', ')}`
  throw new CornermanError('HOST_UNKNOWN', `${name}: ${isSilent ? 'that host is not alive' : 'the fleet knows no such host'}; ${others}`)
}
