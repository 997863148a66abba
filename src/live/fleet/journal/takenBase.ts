import { createWriteStream } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { CornermanError } from '../../../core/error.ts'
import { type FleetConnection, InDoubt } from '../database/fleetConnection.ts'
import type { JournalPlace } from './journalPlace.ts'
import type { RecordSeal } from './recordSeal.ts'

// A record at the place of a base says whether that is of this past; it may be gone already, and then the records behind it do.
const BASES = `
  SELECT b.upto::text, b.epoch::text, b.chain, b.parts FROM cornerman_fleet.bases b
    LEFT JOIN cornerman_fleet.records r ON r.bot = b.bot AND r.seq = b.upto
    WHERE b.bot = $1 AND b.upto > $2 AND b.upto <= $3 AND (r.seq IS NULL OR r.chain = b.chain) ORDER BY b.upto DESC`

const PART = 'SELECT bytes FROM cornerman_fleet.base_parts WHERE bot = $1 AND upto = $2 AND part = $3 AND epoch = $4'

/** Where a piece of a base belongs: no other one can be put in its place, and none left out at the end. */
export const placeOfPart = (upto: number, epoch: number, part: number, isLast: boolean): string =>
  `${upto}|${epoch}|${part}|${isLast ? 'last' : 'more'}`

export interface BaseRequest {
  readonly bot: string
  readonly seal: RecordSeal
  /** Of the copy that there is: a base of before is of no use. */
  readonly after: number
  /** Where the journal stands. */
  readonly upTo: JournalPlace
  /** Is written anew. */
  readonly file: string
}

/**
 * Writes the newest base of a bot that has the past of its journal into a file.
 *
 * @returns where that one stands; undefined where there is none
 * @throws InDoubt
 * @throws CornermanError `FLEET_KEY`, or `FLEET_RECORD_ALTERED` where it is not what was put there: nothing of it is to be used
 */
export async function takeBase(connection: FleetConnection, request: BaseRequest): Promise<JournalPlace | undefined> {
  const { bot, after, upTo } = request
  for (;;) {
    const found = await connection.ask<{ upto: string; epoch: string; chain: Buffer; parts: number }>(BASES, [bot, after, upTo.seq])
    const fitting = found
      .map(({ upto, epoch, chain, parts }): Base => ({ seq: Number(upto), epoch: Number(epoch), chain, parts }))
      .find(({ seq, chain }) => seq < upTo.seq || Buffer.compare(chain, upTo.chain) === 0)
    if (fitting === undefined) return undefined
    if (await isTaken(connection, request, fitting)) return { seq: fitting.seq, chain: fitting.chain }
  }
}

interface Base extends JournalPlace {
  readonly epoch: number
  readonly parts: number
}

/** False where it has been taken away meanwhile: there is a newer one. */
async function isTaken(connection: FleetConnection, request: BaseRequest, base: Base): Promise<boolean> {
  const { bot, seal, file } = request
  let isGone = false
  async function* parts() {
    for (let part = 0; part < base.parts; part++) {
      const [row] = await connection.ask<{ bytes: Buffer }>(PART, [bot, base.seq, part, base.epoch])
      if (row === undefined) {
        isGone = !(await isListed(connection, bot, base))
        throw damaged(bot, base.seq, `part ${part} is missing`)
      }
      yield seal.openPart(placeOfPart(base.seq, base.epoch, part, part === base.parts - 1), row.bytes)
    }
  }
  try {
    await pipeline(Readable.from(parts()), createZstdDecompress(), createWriteStream(file, { mode: 0o600 }))
  } catch (thrown) {
    if (isGone) return false
    if (thrown instanceof InDoubt || thrown instanceof CornermanError || 'syscall' in (thrown as Error)) throw thrown
    throw damaged(bot, base.seq, 'it cannot be unpacked', thrown)
  }
  const place = placeIn(file)
  if (place?.seq !== base.seq || Buffer.compare(place.chain, base.chain) !== 0) throw damaged(bot, base.seq, 'another one is in it')
  return true
}

async function isListed(connection: FleetConnection, bot: string, { seq, epoch }: Base): Promise<boolean> {
  const found = await connection.ask('SELECT FROM cornerman_fleet.bases WHERE bot = $1 AND upto = $2 AND epoch = $3', [bot, seq, epoch])
  return found.length > 0
}

/** How far the journal is that a file has followed; undefined where it says nothing of it. */
export function placeIn(file: string): JournalPlace | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    const [row] = db.prepare("SELECT value FROM meta WHERE key = 'followed'").all() as unknown as { readonly value: string }[]
    const [seq, chain = ''] = row?.value.split(' ') ?? []
    return seq === undefined ? undefined : { seq: Number(seq), chain: Buffer.from(chain, 'hex') }
  } catch {
    return undefined
  } finally {
    db?.close()
  }
}

const damaged = (bot: string, upto: number, words: string, cause?: unknown): CornermanError =>
  new CornermanError(
    'FLEET_RECORD_ALTERED',
    `the base of ${bot} at ${upto} is not what was put there (${words}): somebody has changed the database; stop this bot and look who did`,
    { details: { bot, upto }, ...(cause === undefined ? {} : { cause }) },
  )
