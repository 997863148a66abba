import { MODES, traitsOf } from '../../contract/modes.ts'
import { CornermanError } from '../../core/error.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { readControl, withModeSaid } from '../control.ts'
import { EXIT } from '../exit.ts'
import { botsOf } from '../journals.ts'
import { type BotModes, type ModeState, modesOf } from '../modesOf.ts'
import { expectBots, obeyedBy, obeyedText, sayControl } from '../operatorWord.ts'
import { isoTime, print } from '../output.ts'
import type { FleetOption } from './fleet/openFleet.ts'

export interface ModesOptions {
  readonly bot?: readonly string[]
  /** The fleet that it is said to, and not the data directory. */
  readonly fleet?: FleetOption
  readonly dataDir: string
  readonly json?: boolean
}

/** Lists how the modes of each bot stand, or opens or closes one. */
export async function modes(command: 'open' | 'close' | undefined, mode: string | undefined, options: ModesOptions): Promise<number> {
  if (command === undefined && options.fleet !== undefined)
    throw new CornermanError('USAGE', 'modes: --fleet goes with open or close. What is closed is listed on each host, from its own copies')
  if (command === undefined) return list(options)
  if (mode === undefined || traitsOf(mode) === undefined) {
    const problem = mode === undefined ? 'say which mode, before the options' : `there is no mode ${mode}`
    throw new CornermanError('USAGE', `modes ${command}: ${problem}: the modes are ${MODES.join(', ')}`)
  }
  return say(command, mode, options)
}

function list({ bot: named, dataDir, json }: ModesOptions): number {
  const whose = { command: 'modes', nothing: 'Nothing is known of it', dataDir }
  expectBots(whose, named ?? [])
  const control = readControl(dataDir)
  const bots = (named === undefined ? botsOf(dataDir).toSorted() : [...new Set(named)]).map((bot) => modesOf(dataDir, bot, control))
  print(json, { bots }, bots.length === 0 ? [`no bot has played on ${dataDir}: no mode is closed so far`] : bots.flatMap(linesOf))
  return bots.some(({ modes }) => modes === null) ? EXIT.failed : EXIT.done
}

async function say(command: 'open' | 'close', mode: string, { bot: named, fleet, dataDir, json }: ModesOptions): Promise<number> {
  const bots = [...new Set(named)]
  const nothing = `Nothing was ${command === 'open' ? 'opened' : 'closed'}`
  const words = { mode, command, bots }
  const whom = bots.length === 0 ? '' : `${bots.join(', ')}: `
  const said = command === 'open' ? `${mode} is open; a stake that is lost in it again closes it` : `${mode} is closed until it is opened`
  if (fleet !== undefined) {
    const { fleetDocument, fleetExit, fleetText, sayToFleet } = await import('./fleet/fleetWord.ts')
    const told = await sayToFleet({ command: 'modes', nothing, fleet }, bots, (before) => withModeSaid(before, words, Date.now()))
    const document = { mode, command, ...(bots.length === 0 ? {} : { bots }), ...fleetDocument(told) }
    print(json, document, [`${whom}${said}; ${fleetText(told)}`])
    return fleetExit(told)
  }
  const whose = { command: 'modes', nothing, dataDir }
  expectBots(whose, bots)
  // A file that cannot be read stops the bots: that is for `stop` to mend.
  const control = withModeSaid(readControl(dataDir), words, Date.now())
  sayControl(whose, control)
  const obeyed = await obeyedBy(dataDir, control)
  const document = { mode, command, ...(bots.length === 0 ? {} : { bots }), ...obeyed }
  print(json, document, [`${whom}${said}; ${obeyedText(dataDir, obeyed)}`])
  return obeyed.silent.length === 0 ? EXIT.done : EXIT.failed
}

function linesOf({ bot, modes, failure }: BotModes): string[] {
  if (modes === null) return [`${bot}: ${failure?.message}`]
  if (modes.length === 0) return [`${bot}: every mode is open so far`]
  const others = modes.length < MODES.length ? ['  every other mode is open so far'] : []
  return [`${bot}:`, ...modes.map((mode) => `  ${lineOf(mode)}`), ...others]
}

const WIDTH = Math.max(...MODES.map((mode) => mode.length))

function lineOf({ mode, state, code, why, since, unplayed, trials, trialAt }: ModeState): string {
  const lost = unplayed.count === 0 ? [] : [`${unplayed.count} unplayed, ${formatUsdc(BigInt(unplayed.staked))} USDC`]
  const sinceWhen = since === null ? '' : ` since ${isoTime(since)}`
  const stands = `${state}${sinceWhen}${why === null ? '' : `: ${why}`}`
  const tried = trials === 0 ? [] : [`${trials} ${trials === 1 ? 'trial' : 'trials'} since`]
  const next = trialAt === null ? 'until it is opened' : `next trial from ${isoTime(trialAt)} on`
  // What cannot be read is opened by another mapping alone.
  const until = state === 'open' ? [] : code === 'MODE_CLOSED' ? [...tried, next] : tried
  return `${mode.padEnd(WIDTH)}  ${[stands, ...lost, ...until].join('; ')}`
}
