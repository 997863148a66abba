import type { FleetConnection } from '../database/fleetConnection.ts'
import type { Holding } from '../journal/fencedCommits.ts'
import type { JournalPlace } from '../journal/journalPlace.ts'

const CLAIM = `
  WITH claimed AS (UPDATE cornerman_fleet.bots SET epoch = epoch + 1, run = $3, moved_to = NULL, wish = nullif(wish, $5)
         WHERE bot = $1 AND epoch = $2 AND held IS NULL
           AND (run IS NULL OR NOT EXISTS (SELECT FROM cornerman_fleet.hosts h WHERE h.run = bots.run AND h.beat <> $4))
         RETURNING epoch, seq, chain),
       noted AS (INSERT INTO cornerman_fleet.epochs (bot, epoch, host, run, version, from_seq)
         SELECT $1, epoch, $5, $3, $6, seq FROM claimed RETURNING 1)
  SELECT epoch::text, seq::text, chain FROM claimed WHERE EXISTS (SELECT FROM noted)`

export interface ClaimRequest {
  readonly bot: string
  /** As its row said: whoever has claimed it since is not claimed from. */
  readonly epoch: number
  /** Of the claimant. */
  readonly run: string
  readonly host: string
  readonly version: string
  /** The beat of its holder, which has been the same for too long; a holder that has made another since keeps it. 0: nobody holds it. */
  readonly beat: number
}

/** A bot that is this host's from now on, with its journal up to there. */
export interface ClaimedBot {
  readonly holding: Holding
  readonly place: JournalPlace
}

/** Makes the rows of bots that have none: nobody holds them yet. @throws InDoubt */
export async function addBots(connection: FleetConnection, bots: readonly string[]): Promise<void> {
  await connection.ask('INSERT INTO cornerman_fleet.bots (bot) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [bots])
}

/**
 * From the commit of it on nothing that the holder before commits is taken.
 *
 * @returns undefined where somebody else was first, the holder is alive, or the bot stands still
 * @throws InDoubt: where it was taken, the row of the bot says so with a later beat
 */
export async function claimBot(connection: FleetConnection, request: ClaimRequest): Promise<ClaimedBot | undefined> {
  const { bot, epoch, run, host, version, beat } = request
  const [row] = await connection.ask<{ epoch: string; seq: string; chain: Buffer }>(CLAIM, [bot, epoch, run, beat, host, version])
  if (row === undefined) return undefined
  return { holding: { bot, epoch: Number(row.epoch), run }, place: { seq: Number(row.seq), chain: row.chain } }
}

/**
 * Lets go of a bot: any other host may claim it at once.
 *
 * @param movedTo the host that is to have it
 * @throws InDoubt
 */
export async function releaseBot(connection: FleetConnection, { bot, epoch, run }: Holding, movedTo?: string): Promise<void> {
  await connection.ask(
    'UPDATE cornerman_fleet.bots SET epoch = epoch + 1, run = NULL, moved_to = $4 WHERE bot = $1 AND epoch = $2 AND run = $3',
    [bot, epoch, run, movedTo ?? null],
  )
}
