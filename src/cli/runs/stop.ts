import { CornermanError } from '../../core/error.ts'
import { type Control, type ControlState, readControl, stillText, withSaid } from '../control.ts'
import { EXIT } from '../exit.ts'
import { botsOf } from '../journals.ts'
import { expectBots, obeyedBy, obeyedText, sayControl } from '../operatorWord.ts'
import { print } from '../output.ts'
import type { FleetOption } from './fleet/openFleet.ts'

export interface StopOptions {
  readonly entries?: boolean
  readonly now?: boolean
  readonly resume?: boolean
  readonly bot?: readonly string[]
  /** The fleet that it is said to, and not the data directory. */
  readonly fleet?: FleetOption
  readonly dataDir: string
  readonly json?: boolean
}

const SAID: Readonly<Record<ControlState, string>> = {
  'entries stopped': 'no new entries; what is open is played to its end',
  stopped: 'kill switch: no entries and no swaps; tickets and open seats are taken back, reveals go on',
  running: 'resumed',
}

export async function stop({ entries, now, resume, bot: named, fleet, dataDir, json }: StopOptions): Promise<number> {
  const bot = [...new Set(named)]
  const asked: ControlState[] = []
  if (entries === true) asked.push('entries stopped')
  if (now === true) asked.push('stopped')
  if (resume === true) asked.push('running')
  const [state] = asked
  if (state === undefined || asked.length > 1) throw new CornermanError('USAGE', 'stop: say one of --entries, --now and --resume')
  if (fleet !== undefined) return stopFleet(fleet, state, bot, json)
  const whose = { command: 'stop', nothing: `Nothing was ${state === 'running' ? 'resumed' : 'stopped'}`, dataDir }
  expectBots({ ...whose, nothing: 'Nothing was stopped' }, bot)
  const control = withSaid(lastSaid(dataDir), state, bot)
  sayControl(whose, control)
  const obeyed = await obeyedBy(dataDir, control)
  const closed = state === 'running' ? await closedModes(dataDir, control, bot) : []
  const whom = bot.length === 0 ? '' : `${bot.join(', ')}: `
  const still = stillText(control, state, bot)
  const rest = still === undefined ? '' : `; ${still}`
  const opens =
    closed.length === 0 ? '' : `; closed as before: ${closed.map(({ bot, mode, why }) => `${mode} of ${bot} (${why})`).join(', ')}`
  const said = { state, ...(bot.length === 0 ? {} : { bots: bot }), ...(closed.length === 0 ? {} : { closed }), ...obeyed }
  const text = `${whom}${SAID[state]}${rest}${opens}; ${obeyedText(dataDir, obeyed)}`
  process.stdout.write(json === true ? `${JSON.stringify(said)}\n` : `${text}\n`)
  return obeyed.silent.length === 0 ? EXIT.done : EXIT.failed
}

async function stopFleet(fleet: FleetOption, state: ControlState, bot: readonly string[], json: boolean | undefined): Promise<number> {
  const { fleetDocument, fleetExit, fleetText, sayToFleet } = await import('./fleet/fleetWord.ts')
  const whose = { command: 'stop', nothing: `Nothing was ${state === 'running' ? 'resumed' : 'stopped'}`, fleet }
  const said = await sayToFleet(whose, bot, (before) => withSaid(before, state, bot))
  const whom = bot.length === 0 ? '' : `${bot.join(', ')}: `
  const still = stillText(said.control, state, bot)
  const rest = still === undefined ? '' : `; ${still}`
  const document = { state, ...(bot.length === 0 ? {} : { bots: bot }), ...fleetDocument(said) }
  print(json, document, [`${whom}${SAID[state]}${rest}; ${fleetText(said)}`])
  return fleetExit(said)
}

interface ClosedMode {
  readonly bot: string
  readonly mode: string
  readonly why: string | null
}

/** To play on opens no mode. Where nobody can say which are closed, nothing is said of it: it keeps nobody from resuming. */
async function closedModes(dataDir: string, control: Control, named: readonly string[]): Promise<readonly ClosedMode[]> {
  try {
    // A kill switch waits for none of this.
    const { modesOf } = await import('../modesOf.ts')
    const bots = named.length === 0 ? botsOf(dataDir).toSorted() : named
    const modes = bots.flatMap((bot) => (modesOf(dataDir, bot, control).modes ?? []).map((mode) => ({ bot, ...mode })))
    return modes.filter(({ state }) => state === 'closed').map(({ bot, mode, why }) => ({ bot, mode, why }))
  } catch {
    return []
  }
}

/** What stands; where that cannot be read it is said anew, and of all bots the strongest holds until it is. */
function lastSaid(dataDir: string): Control {
  try {
    return readControl(dataDir)
  } catch {
    return { state: 'stopped', bots: {} }
  }
}
