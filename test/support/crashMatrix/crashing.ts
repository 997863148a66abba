import { writeFileSync } from 'node:fs'
import { Fleet } from '../../../src/cli/runs/start/fleet.ts'
import { HttpService, SqliteJournal } from '../../../src/live/index.ts'
import type { ActionRequest, JournalRecord, Outcome } from '../../../src/pipeline/index.ts'
import type { ActionType } from '../../../src/strategy/action.ts'
import { type CrashPoint, PROCEDURES, VARIABLES } from './cells.ts'

// The command line, with a process that kills itself at one step of its journal or of its wire; and that leaves word, at
// its end, of what the bots still hold.

const point = process.env[VARIABLES.point] as CrashPoint | undefined
const type = process.env[VARIABLES.type] as ActionType
const status = process.env[VARIABLES.status]

function dieAt(here: CrashPoint): void {
  if (here === point) process.kill(process.pid, 'SIGKILL')
}

/** Intents of the kind that is waited for. */
const keys = new Set<string>()

const { commit } = SqliteJournal.prototype
SqliteJournal.prototype.commit = function (record: JournalRecord): void {
  const starts = record.intents.filter(({ action }) => action.type === type)
  for (const { key } of starts) keys.add(key)
  const sends = record.swaps.some(({ key, signature }) => keys.has(key) && signature === undefined)
  const ends = record.outcomes.some(({ key, status: outcome }) => keys.has(key) && outcome !== 'unknown')
  if (starts.length > 0) dieAt('beforeWrite')
  if (sends) dieAt('beforeTransaction')
  if (ends) dieAt('beforeOutcome')
  commit.call(this, record)
  if (starts.length > 0) dieAt('afterWrite')
  if (sends) dieAt('afterTransaction')
  if (ends) dieAt('afterOutcome')
}

const { act } = HttpService.prototype
HttpService.prototype.act = async function (request: ActionRequest): Promise<Outcome> {
  const isOurs = keys.size > 0 && request.procedure === PROCEDURES[type]
  if (isOurs) dieAt('beforeSend')
  const outcome = await act.call(this, request)
  if (isOurs) dieAt('afterAnswer')
  return outcome
}

const { stop } = Fleet.prototype
Fleet.prototype.stop = async function (): Promise<void> {
  const held = this.bots.map((bot) => ({
    phase: bot.phase,
    unknown: bot.status()?.actions.unknown,
    reserved: bot.status()?.reserved.actions,
  }))
  if (status !== undefined) writeFileSync(status, JSON.stringify(held))
  await stop.call(this)
}

await import('../../../src/cli/main.ts')
