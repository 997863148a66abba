import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CornermanError, messageOf } from '../../core/error.ts'
import { type Control, type ControlState, isSameControl, readControl, readRunNotes, stillText, withSaid, writeControl } from '../control.ts'
import { EXIT } from '../exit.ts'
import { botsOf, journalFile } from '../journals.ts'

export interface StopOptions {
  readonly entries?: boolean
  readonly now?: boolean
  readonly resume?: boolean
  readonly bot?: readonly string[]
  readonly dataDir: string
  readonly json?: boolean
}

/** How long a running `start` is waited for to say that it obeys. */
const PATIENCE_MS = 3000
const LOOK_EVERY_MS = 50

const SAID: Readonly<Record<ControlState, string>> = {
  'entries stopped': 'no new entries; what is open is played to its end',
  stopped: 'kill switch: no entries and no swaps; tickets and open seats are taken back, reveals go on',
  running: 'resumed',
}

export async function stop({ entries, now, resume, bot: named, dataDir, json }: StopOptions): Promise<number> {
  const bot = [...new Set(named)]
  const asked: ControlState[] = []
  if (entries === true) asked.push('entries stopped')
  if (now === true) asked.push('stopped')
  if (resume === true) asked.push('running')
  const [state] = asked
  if (state === undefined || asked.length > 1) throw new CornermanError('USAGE', 'stop: say one of --entries, --now and --resume')
  // A typing error here would be a kill switch that stops nobody.
  if (!existsSync(dataDir))
    throw new CornermanError('USAGE', `stop: there is no ${dataDir}: name the bots' data directory with --data-dir. Nothing was stopped`)
  const strangers = bot.filter((name) => !existsSync(journalFile(dataDir, name)))
  if (strangers.length > 0)
    throw new CornermanError(
      'USAGE',
      `stop: no bot ${strangers.join(', ')} has played on ${dataDir}: there is ${botsOf(dataDir).join(', ') || 'none'}. Nothing was stopped`,
    )
  const control = withSaid(lastSaid(dataDir), state, bot)
  try {
    writeControl(dataDir, control, Date.now())
  } catch (cause) {
    const problem = `stop: ${dataDir} cannot be written (${messageOf(cause)}). Nothing was ${state === 'running' ? 'resumed' : 'stopped'}`
    throw new CornermanError('CONTROL_NOT_WRITTEN', `${problem}: make room, or say it as the user whose bots these are`, { cause })
  }
  const { obeying, silent } = await obeyedBy(dataDir, control)
  const told = obeying.length > 0 ? `the bots of process ${obeying.join(', ')} have been told` : ''
  const untold = `process ${silent.join(', ')} has not said that it obeys within ${PATIENCE_MS / 1000} s: look at its log, or end it`
  const nobody = `nothing runs on ${dataDir}: it holds from the next start on`
  const who = [told, silent.length > 0 ? untold : ''].filter((part) => part !== '').join('; ') || nobody
  const whom = bot.length === 0 ? '' : `${bot.join(', ')}: `
  const still = stillText(control, state, bot)
  const rest = still === undefined ? '' : `; ${still}`
  const said = { state, ...(bot.length === 0 ? {} : { bots: bot }), obeying, silent }
  process.stdout.write(json === true ? `${JSON.stringify(said)}\n` : `${whom}${SAID[state]}${rest}; ${who}\n`)
  return silent.length === 0 ? EXIT.done : EXIT.failed
}

/** What stands; where that cannot be read it is said anew, and of all bots the strongest holds until it is. */
function lastSaid(dataDir: string): Control {
  try {
    return readControl(dataDir)
  } catch {
    return { state: 'stopped', bots: {} }
  }
}

/** Waits for whatever runs there to take the state up; both lists are of process ids. */
async function obeyedBy(dataDir: string, control: Control): Promise<{ obeying: number[]; silent: number[] }> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const notes = readRunNotes(dataDir)
    const pids = (obeys: boolean) => notes.filter((note) => isSameControl(note.obeys, control) === obeys).map(({ pid }) => pid)
    if (pids(false).length === 0 || performance.now() >= until) return { obeying: pids(true), silent: pids(false) }
    await delay(LOOK_EVERY_MS)
  }
}
