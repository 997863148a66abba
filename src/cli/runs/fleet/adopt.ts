import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import { CornermanError } from '../../../core/error.ts'
import { type BotRow, botRow, FleetCopy, freeBot, holdFor, replaceJournal } from '../../../live/fleet/index.ts'
import { SqliteJournal } from '../../../live/index.ts'
import { journalFile } from '../../journals.ts'
import { print } from '../../output.ts'
import type { ActOptions } from './acts.ts'
import { type BotFleet, expectOrder, withFleet } from './botFleet.ts'
import { adoptedFile, copyFile } from './journalFiles.ts'

const ADOPTING = 'adopting'

/**
 * Makes the journal that a bot has on this host alone that of the bot in the fleet. The file is named otherwise then, so that nobody plays it on.
 *
 * @param dataDir that of before
 * @throws CornermanError `FLEET_NOT_ADOPTED` in words, `JOURNAL_IN_USE`, or what a fleet is refused with
 */
export async function adopt(bot: string, dataDir: string, options: ActOptions): Promise<void> {
  await withFleet(options, async (fleet) => {
    const file = journalFile(dataDir, bot)
    const adopted = adoptedFile(dataDir, bot)
    await expectOrder(fleet.connection, fleet.signer, fleet.by)
    const row = await rowFor(fleet, bot)
    const isCutOff = row.held === ADOPTING && existsSync(adopted) && !existsSync(file)
    if (!existsSync(file) && !isCutOff)
      throw notAdopted(bot, `${file} is not there${existsSync(adopted) ? `: it was adopted before (${adopted})` : ''}`)
    const temporary = `${copyFile(dataDir, bot)}.adopting`
    mkdirSync(dirname(temporary), { recursive: true, mode: 0o700 })
    removeAll(temporary)
    const journal = new SqliteJournal(isCutOff ? adopted : file)
    try {
      const agentId = journal.agentId
      if (agentId === undefined) throw notAdopted(bot, `${file} is the journal of no agent: nothing was played with it`)
      await expectAgent(fleet, bot, agentId)
      journal.vacuumInto(temporary)
      // Under its lock: nothing is added to it from here on.
      const records = await put(fleet, { bot, row, temporary, agentId, from: resolve(dataDir) }, () => {
        if (!isCutOff) renameSync(file, adopted)
      })
      print(options.json, { bot, agentId, file, adopted, record: records }, [
        `${bot}: the journal of ${file} is that of the fleet from now on`,
        `the file is ${adopted} now: keep it until the fleet has played for a while`,
      ])
    } finally {
      journal.close()
      removeAll(temporary)
    }
  })
}

interface Adoption {
  readonly bot: string
  readonly row: BotRow
  readonly temporary: string
  readonly agentId: string
  /** The data directory, for a person. */
  readonly from: string
}

async function put(fleet: BotFleet, { bot, row, temporary, agentId, from }: Adoption, onPut: () => void): Promise<number> {
  const { connection } = fleet
  const seal = fleet.sealOf(bot)
  const copy = new FleetCopy({ file: temporary, bot, seal })
  try {
    // No row is before it: whoever has no copy takes the base.
    copy.begin({ seq: 1, chain: createHash('sha256').update(randomBytes(32)).digest() })
    const holding = await holdFor(connection, { bot, row, why: ADOPTING })
    const place = await replaceJournal(connection, { holding, copy, seal }, `${temporary}.taken`)
    onPut()
    await fleet.ask('INSERT INTO cornerman_fleet.facts VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [
      `adopted ${bot}`,
      JSON.stringify({ agentId, host: hostname(), from, by: fleet.by }),
    ])
    await freeBot(connection, holding, place)
    return place.seq
  } finally {
    copy.close()
  }
}

/** @throws CornermanError `FLEET_NOT_ADOPTED` where the fleet has a past of the bot, or it is played */
async function rowFor(fleet: BotFleet, bot: string): Promise<BotRow> {
  await fleet.ask('INSERT INTO cornerman_fleet.bots (bot) VALUES ($1) ON CONFLICT DO NOTHING', [bot])
  const row = await botRow(fleet.connection, bot)
  if (row === undefined) throw notAdopted(bot, 'it was taken out of the fleet in this moment')
  if (row.seq > 0) {
    const before = (await adoptions(fleet)).get(bot)
    throw notAdopted(
      bot,
      before === undefined
        ? `the fleet has a journal of it already, with ${row.seq} records: two pasts cannot be one`
        : `the journal of ${before.from} on ${before.host} was adopted already: two pasts cannot be one. What this one has open is to be played to its end on its own, without --fleet, before the fleet goes on`,
    )
  }
  if (row.held !== undefined && row.held !== ADOPTING) throw notAdopted(bot, `it stands still (${row.held})`)
  if (row.run !== undefined && row.held !== ADOPTING)
    throw notAdopted(bot, 'a host plays it already, with a new journal: stop the hosts, and adopt before they start')
  return row
}

interface AdoptedBefore {
  readonly agentId: string
  readonly host: string
  readonly from: string
}

async function adoptions(fleet: BotFleet): Promise<ReadonlyMap<string, AdoptedBefore>> {
  const rows = await fleet.ask<{ bot: string; value: string }>(
    "SELECT substring(key FROM 9) AS bot, value FROM cornerman_fleet.facts WHERE key LIKE 'adopted %'",
  )
  return new Map(rows.map(({ bot, value }) => [bot, JSON.parse(value) as AdoptedBefore]))
}

/** One agent, one bot: another name for it would count its caps twice. */
async function expectAgent(fleet: BotFleet, bot: string, agentId: string): Promise<void> {
  const other = [...(await adoptions(fleet))].find(([name, before]) => name !== bot && before.agentId === agentId)
  if (other !== undefined) throw notAdopted(bot, `its journal is of the agent ${agentId}, whose journal was adopted as that of ${other[0]}`)
}

const removeAll = (file: string): void => {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true })
}

const notAdopted = (bot: string, words: string): CornermanError =>
  new CornermanError('FLEET_NOT_ADOPTED', `${bot} is not adopted: ${words}`)
