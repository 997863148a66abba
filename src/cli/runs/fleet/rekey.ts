import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { botRow, FleetCopy, freeBot, holdFor, readOrder, replaceJournal, writeOrder } from '../../../live/fleet/index.ts'
import { EXIT } from '../../exit.ts'
import { print } from '../../output.ts'
import type { ActOptions } from './acts.ts'
import { type BotFleet, withFleet } from './botFleet.ts'

const LOOK_MS = 1000

export interface RekeyOptions extends ActOptions {
  /** How long it is waited for those that are played, in milliseconds. */
  readonly for: number
}

/** What is sealed of each bot: the first bytes name the key. */
const SEALED = `
  SELECT b.bot, b.run IS NOT NULL AS "isPlayed", b.held,
    (SELECT coalesce(json_agg(DISTINCT encode(substring(r.body FOR 4), 'hex')), '[]') FROM cornerman_fleet.records r WHERE r.bot = b.bot) AS records,
    (SELECT coalesce(json_agg(DISTINCT encode(substring(p.bytes FOR 4), 'hex')), '[]') FROM cornerman_fleet.base_parts p WHERE p.bot = b.bot) AS parts
  FROM cornerman_fleet.bots b ORDER BY b.bot`

interface SealedRow {
  readonly bot: string
  readonly isPlayed: boolean
  readonly held: string | null
  readonly records: readonly string[]
  readonly parts: readonly string[]
}

/**
 * Sees to it that nothing is sealed with the key before any more: hosts that have both put a base of what they play, and those bots that nobody
 * plays are done here.
 *
 * @returns 1 where something is left
 * @throws CornermanError `FLEET_KEY` where one key alone is given, or what a fleet is refused with
 */
export function rekey(options: RekeyOptions): Promise<number> {
  return withFleet(options, async (fleet) => {
    const { key } = fleet.settings
    if (key.all.length < 2)
      throw new CornermanError(
        'FLEET_KEY',
        'a key is changed with both of them: CORNERMAN_FLEET_KEY=NEW,BEFORE, or fleet.key: [secret(…), secret(…)] in the config, on every host',
      )
    const done: string[] = []
    for (const { bot, isPlayed, held } of await left(fleet)) {
      if ((isPlayed && held !== 'rekeying') || (held !== null && held !== 'rekeying')) continue
      await resealed(fleet, bot)
      done.push(bot)
    }
    const end = performance.now() + options.for
    let waiting = await left(fleet)
    while (waiting.some(({ held }) => held === null) && performance.now() < end) {
      await sleep(LOOK_MS)
      waiting = await left(fleet)
    }
    const isDone = waiting.length === 0
    if (isDone) await signedAnew(fleet)
    if (isDone) await fleet.ask("UPDATE cornerman_fleet.facts SET value = $1 WHERE key = 'key'", [key.check])
    print(options.json, { isDone, done, left: waiting.map(({ bot, isPlayed, held }) => ({ bot, isPlayed, held })) }, [
      ...(done.length === 0 ? [] : [`sealed with the new key here: ${done.join(', ')}`]),
      ...waiting.map(
        ({ bot, held }) =>
          `${bot}: ${held === null ? 'its host has not put a base under the new key yet: start that host with both keys' : `it stands still (${held}): see to that first`}`,
      ),
      isDone
        ? 'nothing is sealed with the key before any more: take it out of the config or the environment of every host, and start them anew'
        : 'run it once more then',
    ])
    return isDone ? EXIT.done : EXIT.failed
  })
}

/** The order that holds goes on to hold, under the same number. */
async function signedAnew({ connection, signer }: BotFleet): Promise<void> {
  const { order, mark } = await readOrder(connection)
  if (order === undefined || order.said === null || !signer.hasSigned(order)) return
  await writeOrder(connection, mark, signer.signed({ ...order, said: order.said }))
}

/** Of which bots something is sealed with another key than the first. */
async function left(fleet: BotFleet): Promise<readonly SealedRow[]> {
  const rows = await fleet.ask<SealedRow>(SEALED)
  return rows.filter(({ bot, records, parts }) => {
    const seal = fleet.sealOf(bot)
    return ![...records, ...parts].every((id) => seal.isOfFirstKey(Buffer.from(id, 'hex')))
  })
}

/** A bot that nobody plays. @throws CornermanError `FLEET_BUSY` */
async function resealed(fleet: BotFleet, bot: string): Promise<void> {
  const { connection } = fleet
  const row = await botRow(connection, bot)
  if (row === undefined) return
  const holding = await holdFor(connection, { bot, row, why: 'rekeying' })
  const folder = mkdtempSync(join(tmpdir(), 'cornerman-rekey-'))
  const seal = fleet.sealOf(bot)
  const copy = new FleetCopy({ file: join(folder, 'copy.db'), bot, seal })
  try {
    await copy.catchUp(connection, row)
    await freeBot(connection, holding, await replaceJournal(connection, { holding, copy, seal }, join(folder, 'taken.db')))
  } finally {
    copy.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
