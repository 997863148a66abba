import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { CornermanError } from '../../../core/error.ts'
import type { FleetConnection } from '../database/fleetConnection.ts'
import type { Holding } from './fencedCommits.ts'
import type { FleetCopy } from './fleetCopy.ts'
import { type PlayedJournal, putBase, trim } from './journalBases.ts'
import type { JournalPlace } from './journalPlace.ts'
import type { RecordSeal } from './recordSeal.ts'
import { takeBase } from './takenBase.ts'

/** Claims of before without a record: the database may have lost them, and hosts remember their epochs. */
const PAST_EPOCHS = 1000

// A bot stands still while somebody who is no host works on its journal: nobody claims it, and the fence is that of any holder.
const HOLD = `
  UPDATE cornerman_fleet.bots SET epoch = greatest(epoch, $3, (SELECT max(e.epoch) FROM cornerman_fleet.epochs e WHERE e.bot = $1)) + ${PAST_EPOCHS}, run = $4, held = $5
    WHERE bot = $1 AND epoch = $2 AND held IS NOT DISTINCT FROM $6 RETURNING epoch::text`

const FREE = `
  UPDATE cornerman_fleet.bots SET epoch = epoch + 1, run = NULL, held = NULL, moved_to = NULL, seq = $4, chain = $5
    WHERE bot = $1 AND epoch = $2 AND run = $3 RETURNING 1`

/** The row of a bot. */
export interface BotRow extends JournalPlace {
  readonly epoch: number
  readonly run: string | undefined
  readonly held: string | undefined
}

/** Undefined where the fleet does not know the bot. @throws InDoubt */
export async function botRow(connection: FleetConnection, bot: string): Promise<BotRow | undefined> {
  const [row] = await connection.ask<{ epoch: string; run: string | null; seq: string; chain: Buffer; held: string | null }>(
    'SELECT epoch::text, run, seq::text, chain, held FROM cornerman_fleet.bots WHERE bot = $1',
    [bot],
  )
  if (row === undefined) return undefined
  const { epoch, run, seq, chain, held } = row
  return { epoch: Number(epoch), run: run ?? undefined, seq: Number(seq), chain, held: held ?? undefined }
}

export interface HoldRequest {
  readonly bot: string
  readonly row: BotRow
  readonly why: string
  /** An epoch of the bot that there has been: the next one is later. */
  readonly afterEpoch?: number
}

/**
 * Takes a bot that nobody is to claim meanwhile.
 *
 * @throws CornermanError `FLEET_BUSY` where somebody else was first
 */
export async function holdFor(connection: FleetConnection, { bot, row, why, afterEpoch = 0 }: HoldRequest): Promise<Holding> {
  const run = randomUUID()
  const [held] = await connection.ask<{ epoch: string }>(HOLD, [bot, row.epoch, afterEpoch, run, why, row.held ?? null])
  if (held === undefined)
    throw new CornermanError(
      'FLEET_BUSY',
      `${bot}: somebody else has claimed or freed it in this moment: look with cornerman fleet, and try again`,
    )
  return { bot, epoch: Number(held.epoch), run }
}

/** Anybody may claim it again. @throws CornermanError `FLEET_BUSY` */
export async function freeBot(connection: FleetConnection, { bot, epoch, run }: Holding, { seq, chain }: JournalPlace): Promise<void> {
  const freed = await connection.ask(FREE, [bot, epoch, run, seq, chain])
  if (freed.length === 0)
    throw new CornermanError('FLEET_BUSY', `${bot}: somebody else has taken it in this moment: look with cornerman fleet, and try again`)
}

/**
 * Puts the copy into the database as all that there is of the journal, and reads it back before what was there is taken away.
 *
 * @param file is written, and gone again
 * @throws CornermanError `FLEET_BUSY`, or what a base is refused with
 */
export async function replaceJournal(connection: FleetConnection, played: PlayedJournal, file: string): Promise<JournalPlace> {
  const { bot } = played.holding
  const { place } = played.copy
  await connection.ask('DELETE FROM cornerman_fleet.bases WHERE bot = $1 AND upto = $2', [bot, place.seq])
  const put = await putBase(connection, played)
  const taken = put === undefined ? undefined : await readBack(connection, played.seal, bot, place, file)
  if (taken === undefined || taken.seq !== place.seq)
    throw new CornermanError(
      'FLEET_BUSY',
      `${bot}: its journal could not be put into the database: look with cornerman fleet, and try again`,
    )
  await trim(connection, played.holding, place.seq)
  await connection.ask('DELETE FROM cornerman_fleet.records WHERE bot = $1', [bot])
  await connection.ask('DELETE FROM cornerman_fleet.bases WHERE bot = $1 AND upto > $2', [bot, place.seq])
  return place
}

async function readBack(connection: FleetConnection, seal: RecordSeal, bot: string, upTo: JournalPlace, file: string) {
  try {
    return await takeBase(connection, { bot, seal, after: upTo.seq - 1, upTo, file })
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  }
}

export interface MendRequest {
  readonly bot: string
  readonly host: string
  readonly copy: FleetCopy
  readonly seal: RecordSeal
  /** Other hosts that are alive and could play the bot: each may have seen more of it. */
  readonly others: readonly string[]
  /** What this host has is to be the journal, whatever else there is. */
  readonly isFromHere: boolean
  /** The journal is whole again, and nobody may claim the bot yet. */
  readonly beforeFreed?: () => Promise<void>
  /** Is written, and gone again. */
  readonly file: string
}

/** What was put into the database: records behind `from`, up to `to`. */
export interface Mended {
  readonly from: number
  readonly to: number
}

/**
 * Puts back what the database lacks of the journal of a bot that stands still, by the copy of this host, and lets it play.
 *
 * @throws CornermanError `BOT_UNKNOWN`, `FLEET_NOT_MENDED` in words, or `FLEET_BUSY`
 */
export async function mendBot(connection: FleetConnection, request: MendRequest): Promise<Mended> {
  const { bot, copy, seal, isFromHere, file } = request
  const row = await botRow(connection, bot)
  if (row === undefined) throw new CornermanError('BOT_UNKNOWN', `the fleet knows no bot ${bot}`)
  if (row.held === undefined) throw notMended(bot, 'it does not stand still, so there is nothing to mend')
  if (!isFromHere) await expectLongest(connection, request, row)
  const { place } = copy
  const holding = await holdFor(connection, { bot, row, why: row.held, afterEpoch: copy.passed(place.seq)?.epoch ?? 0 })
  await replaceJournal(connection, { holding, copy, seal }, file)
  await request.beforeFreed?.()
  await freeBot(connection, holding, place)
  await connection.ask('DELETE FROM cornerman_fleet.copies WHERE bot = $1', [bot])
  return { from: row.seq, to: place.seq }
}

async function expectLongest(connection: FleetConnection, { bot, host, copy, others }: MendRequest, row: BotRow): Promise<void> {
  const { seq, chain } = copy.place
  if (seq < row.seq)
    throw notMended(
      bot,
      `the database has it up to ${row.seq}, and the copy of this host only up to ${seq}: mend it on the host with the longest copy`,
    )
  const known = seq === row.seq ? chain : row.seq === 0 ? row.chain : copy.passed(row.seq)?.chain
  if (known === undefined)
    throw notMended(
      bot,
      `the database has it up to ${row.seq}, which is too long ago for the copy of this host to say whether it is the same past`,
    )
  if (Buffer.compare(known, row.chain) !== 0)
    throw notMended(bot, `at ${row.seq} the database has another past than the copy of this host, so something was played in between`)
  const noted = await connection.ask<{ host: string; seq: string; chain: Buffer }>(
    'SELECT host, seq::text, chain FROM cornerman_fleet.copies WHERE bot = $1 AND host <> $2 ORDER BY copies.seq DESC',
    [bot, host],
  )
  const longer = noted.find((one) => Number(one.seq) > seq || (Number(one.seq) === seq && Buffer.compare(one.chain, chain) !== 0))
  if (longer !== undefined) throw notMended(bot, `${longer.host} has it up to ${longer.seq}, and this host up to ${seq}: mend it there`)
  const unknown = others.filter((one) => one !== host && !noted.some((seen) => seen.host === one))
  if (unknown.length > 0)
    throw notMended(bot, `${unknown.join(', ')} may have a longer copy, and ${unknown.length === 1 ? 'has' : 'have'} not said so`)
}

const notMended = (bot: string, words: string): CornermanError =>
  new CornermanError('FLEET_NOT_MENDED', `${bot} is not mended: ${words}. With --from-here the copy of this host is taken as it is`)
