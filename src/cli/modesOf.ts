import { MODES } from '../contract/modes.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import { modesKept } from '../live/index.ts'
import { freshMode, isOnTrial, type ModeRecord, nextMode, ON_TRIAL, reasonOf, UNPLAYED_LIMITS, unreadableIn } from '../pipeline/index.ts'
import { type Control, modesSaidOf } from './control.ts'
import { journalFile } from './journals.ts'

/** How one mode of a bot stands, as JSON has it. */
export interface ModeState {
  readonly mode: string
  readonly state: 'open' | 'closed'
  /** The guard's, as far as a journal can tell; null of an open one that is not on trial. */
  readonly code: 'SERVICE_UNPROBED' | 'MODE_UNREADABLE' | 'MODE_CLOSED' | 'MODE_ON_TRIAL' | null
  /** The same in words. */
  readonly why: string | null
  /** When it was closed, in Unix milliseconds. */
  readonly since: number | null
  /** Contests that ended without a valid move, over the life of the journal, and their stakes in micro-USDC. */
  readonly unplayed: { readonly count: number; readonly staked: string }
  /** Since it was closed. */
  readonly trials: number
  /** When the next trial may begin, in Unix milliseconds; null where none comes. */
  readonly trialAt: number | null
}

/** Modes of which something is known; null where the journal cannot be read, and then why. */
export interface BotModes {
  readonly bot: string
  readonly modes: readonly ModeState[] | null
  readonly failure?: { readonly code: string; readonly message: string }
}

/** What a bot's journal says of modes, and what the operator has said that no start has taken up yet. */
export function modesOf(dataDir: string, bot: string, control: Control): BotModes {
  try {
    const records = new Map(modesKept(journalFile(dataDir, bot)).map((record) => [record.mode, record]))
    for (const { mode, command, saidAt } of modesSaidOf(control, bot)) {
      const said = { type: 'said', command, saidAt } as const
      records.set(mode, nextMode(records.get(mode) ?? freshMode(mode), said, saidAt, UNPLAYED_LIMITS))
    }
    return { bot, modes: [...records.values()].toSorted((a, b) => placeOf(a) - placeOf(b)).map(stateOfMode) }
  } catch (thrown) {
    const code = thrown instanceof CornermanError ? thrown.code : 'FAILED'
    return { bot, modes: null, failure: { code, message: messageOf(thrown) } }
  }
}

/** Modes of a later service come last. */
function placeOf({ mode }: ModeRecord): number {
  const place = (MODES as readonly string[]).indexOf(mode)
  return place === -1 ? MODES.length : place
}

function stateOfMode(record: ModeRecord): ModeState {
  const {
    mode,
    closed,
    unplayed: { count, staked },
  } = record
  return {
    mode,
    ...standingOf(record),
    since: closed?.at ?? null,
    unplayed: { count, staked: staked.toString() },
    trials: closed?.trials ?? 0,
    // What cannot be read is not tried.
    trialAt: unreadableIn(record) === undefined ? (closed?.trialAt ?? null) : null,
  }
}

function standingOf(record: ModeRecord): Pick<ModeState, 'state' | 'code' | 'why'> {
  const unreadable = unreadableIn(record)
  if (unreadable !== undefined) return { state: 'closed', code: unreadable.code, why: `${unreadable.why}: ${unreadable.remedy}` }
  if (record.closed !== undefined) return { state: 'closed', code: 'MODE_CLOSED', why: reasonOf(record.closed.why) }
  return isOnTrial(record) ? { state: 'open', code: 'MODE_ON_TRIAL', why: ON_TRIAL } : { state: 'open', code: null, why: null }
}
