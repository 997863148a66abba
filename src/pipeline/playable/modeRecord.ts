import { backoffMs } from '../../core/backoff.ts'
import { DAY_MS, dayOf } from '../../core/day.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { ActionOf } from '../../strategy/action.ts'
import type { Hindrance } from './hindrance.ts'
import type { DriftedPiece, ModeReading } from './modeReading.ts'

/** After so many contests in a row that ended without a valid move a mode is closed, by why there was none. */
export interface UnplayedLimits {
  /** What a move needs is not there, and will not be in the next contest either. */
  readonly hindered: number
  /** It came too late or was refused, as on a busy machine. Where the mode has never had a valid move it counts as hindered, too. */
  readonly late: number
  /** The strategy wanted nothing, or the guard kept back what it did. */
  readonly abstained: number
}

export const UNPLAYED_LIMITS: UnplayedLimits = { hindered: 1, late: 2, abstained: 3 }

/** So many entries that the service refuses in a row with one code close their mode. */
const MOST_REFUSED = 5
const FIRST_TRIAL_MS = 30 * 60_000
const LONGEST_TRIAL_MS = 6 * 60 * 60_000
const TRIALS_A_DAY = 3

type Cause = keyof UnplayedLimits

/** Why a mode is closed that the operator has closed. */
export const BY_OPERATOR = 'operator'
/** Why a mode is closed of which a piece is not, or was not, where the mapping has it. */
export const BY_DRIFT = 'drift'
/** Prefix of a reason: the service matched an entry of the mode under an unknown name, which follows. */
export const UNNAMED = 'unnamed:'
/** True of a reason that only the operator lifts. */
const isHeld = (closed: ClosedMode | undefined): boolean => closed?.why === BY_OPERATOR || closed?.why.startsWith(UNNAMED) === true
/** What another mapping may mend. */
const OF_MAPPING: readonly string[] = [BY_DRIFT, 'noPiece', 'unread'] satisfies (Hindrance | typeof BY_DRIFT)[]

/** An entry that makes its own ticket or contest: the same can be made again. */
export type MadeEntry = ActionOf<'enqueue' | 'createContest'>

/** What is known of the playing of one mode, over the life of the journal. */
export interface ModeRecord {
  readonly mode: string
  /** Whether a valid move was ever made. */
  readonly hasMoved: boolean
  /** Contests that ended without one, and their stakes, in micro-USDC. */
  readonly unplayed: { readonly count: number; readonly staked: Usdc }
  /** Contests without one, in a row, by cause. */
  readonly inRow: Readonly<Record<Cause, number>>
  /** The newest code with which the service refused entries, and how often in a row. */
  readonly refused: { readonly code: string; readonly times: number } | undefined
  /** The smallest entry that the service has taken. */
  readonly taken: MadeEntry | undefined
  readonly closed: ClosedMode | undefined
  /** How its answers are read, as of the newest start; absent in worlds where nothing is unknown. While a piece has drifted the mode is closed. */
  readonly reading?: ModeReading
  /** When the operator last said something of it, in Unix milliseconds. */
  readonly saidAt?: number
}

export interface ClosedMode {
  /** A hindrance, `operator`, `drift`, or `unnamed:` and the name that is not known. */
  readonly why: string
  /** Contests that closed it, and ended unplayed since, and their stakes. */
  readonly unplayed: number
  readonly stakes: Usdc
  /** Unix milliseconds. */
  readonly at: number
  /** Trials since then, and those of the UTC day of the newest. */
  readonly trials: number
  readonly trialsOfDay: { readonly day: number; readonly count: number }
  /** When the framework may enter one contest to see whether it can be played again; undefined: never of its own accord. */
  readonly trialAt: number | undefined
}

/** What happens to a mode. */
export type ModeHappening =
  /** `isPart`: one pick of a draft, which says nothing of the others. */
  | { readonly type: 'moved'; readonly isPart: boolean }
  | { readonly type: 'unplayed'; readonly hindrance: Hindrance; readonly stake: Usdc; readonly isExplained?: boolean }
  /** A draft in which the service made some of the bot's picks. */
  | { readonly type: 'partlyPlayed'; readonly hindrance: Hindrance; readonly isExplained?: boolean }
  | { readonly type: 'entered'; readonly action: MadeEntry | undefined }
  | { readonly type: 'entryRefused'; readonly code: string }
  /** No move can be made in a contest that is still going on. */
  | { readonly type: 'hindered'; readonly hindrance: Hindrance }
  /** The service does not send swaps. */
  | { readonly type: 'swapsRefused' }
  | { readonly type: 'trialBegun' }
  /** A run has begun, with this mapping. */
  | { readonly type: 'mapped'; readonly reading: Omit<ModeReading, 'drifted'> }
  /** A piece is not where the mapping has it; or is, once more. */
  | { readonly type: 'drifted'; readonly piece: DriftedPiece }
  | { readonly type: 'readable'; readonly piece: string }
  /** The service has put an entry of the mode into one that is not known. */
  | { readonly type: 'unnamed'; readonly as: string }
  /** By the operator. */
  | { readonly type: 'said'; readonly command: 'open' | 'close'; readonly saidAt: number }

const NONE_IN_ROW = { hindered: 0, late: 0, abstained: 0 } as const

export const freshMode = (mode: string): ModeRecord => ({
  mode,
  hasMoved: false,
  unplayed: { count: 0, staked: 0n },
  inRow: NONE_IN_ROW,
  refused: undefined,
  taken: undefined,
  closed: undefined,
})

/** The record after something has happened at `now`, in Unix milliseconds: the same one where that changes nothing. */
export function nextMode(record: ModeRecord, happening: ModeHappening, now: number, limits: UnplayedLimits): ModeRecord {
  switch (happening.type) {
    case 'moved': {
      // A contest that goes on with other places than those of the mapping opens nothing.
      const closed = isHeld(record.closed) || hasDrifted(record) ? record.closed : undefined
      const inRow = happening.isPart || Object.values(record.inRow).every((count) => count === 0) ? record.inRow : NONE_IN_ROW
      const isNews = !record.hasMoved || closed !== record.closed || inRow !== record.inRow
      return isNews ? { ...record, hasMoved: true, inRow, closed } : record
    }
    case 'entered': {
      const { action } = happening
      const isSmaller = action !== undefined && (record.taken === undefined || action.stake < record.taken.stake)
      const taken = isSmaller ? action : record.taken
      return record.refused === undefined && !isSmaller ? record : { ...record, refused: undefined, taken }
    }
    case 'unplayed': {
      const { count, staked } = record.unplayed
      const lost = { ...record, unplayed: { count: count + 1, staked: staked + happening.stake } }
      return counted(lost, happening, now, limits)
    }
    case 'partlyPlayed':
      return counted({ ...record, hasMoved: true }, happening, now, limits)
    case 'entryRefused': {
      const { code } = happening
      const times = record.refused?.code === code ? record.refused.times + 1 : 1
      const after = { ...record, refused: { code, times } }
      return times < MOST_REFUSED ? after : close(after, { why: `refused:${code}`, unplayed: 0, stakes: 0n }, now)
    }
    case 'hindered': {
      const isEnough = record.closed === undefined && record.inRow.hindered + 1 >= limits.hindered
      return isEnough ? close(record, { why: happening.hindrance, unplayed: 0, stakes: 0n }, now) : record
    }
    case 'swapsRefused':
      return close(record, { why: 'swap:service', unplayed: 0, stakes: 0n }, now)
    case 'trialBegun':
      return record.closed === undefined ? record : { ...record, closed: afterTrial(record.closed, now) }
    case 'mapped':
      return afterMapped(record, happening.reading, now)
    case 'drifted':
      return afterDrifted(record, happening.piece, now)
    case 'readable':
      return afterReadable(record, happening.piece, now)
    case 'unnamed': {
      const { closed } = close(record, { why: UNNAMED + happening.as, unplayed: 0, stakes: 0n }, now)
      return { ...record, closed: closed && { ...closed, trialAt: undefined } }
    }
    case 'said': {
      const { command, saidAt } = happening
      if (record.saidAt !== undefined && saidAt <= record.saidAt) return record
      const said = { ...record, saidAt }
      if (command === 'open') {
        const open = { ...said, inRow: NONE_IN_ROW, refused: undefined, closed: undefined }
        // What cannot be read is opened by nobody's word.
        return hasDrifted(record) ? close(open, { why: BY_DRIFT, unplayed: 0, stakes: 0n }, now) : open
      }
      const { closed } = close(said, { why: BY_OPERATOR, unplayed: 0, stakes: 0n }, now)
      return { ...said, closed: closed && { ...closed, trialAt: undefined } }
    }
  }
}

/** Counts a contest without a move of the bot, or without all of them: enough of them in a row close the mode. */
function counted(
  record: ModeRecord,
  happening: Extract<ModeHappening, { type: 'unplayed' | 'partlyPlayed' }>,
  now: number,
  limits: UnplayedLimits,
): ModeRecord {
  const { hindrance, isExplained = false } = happening
  const cause = isExplained ? undefined : causeOf(hindrance)
  if (cause === undefined) return record
  const stakes = happening.type === 'unplayed' ? happening.stake : 0n
  // What was entered on trial, or before it was closed.
  if (record.closed !== undefined) return close(record, { why: hindrance, unplayed: 1, stakes }, now)
  const inRow = { ...record.inRow, [cause]: record.inRow[cause] + 1 }
  const most = cause === 'late' && !record.hasMoved ? Math.min(limits.hindered, limits.late) : limits[cause]
  const after = { ...record, inRow }
  return inRow[cause] < most ? after : close(after, { why: hindrance, unplayed: inRow[cause], stakes }, now)
}

/** Closes a mode; one that is closed is tried again no sooner for it. */
function close(record: ModeRecord, { why, unplayed, stakes }: Pick<ClosedMode, 'why' | 'unplayed' | 'stakes'>, now: number): ModeRecord {
  const { closed } = record
  const lost = { unplayed: (closed?.unplayed ?? 0) + unplayed, stakes: (closed?.stakes ?? 0n) + stakes }
  // Only the operator opens a held mode, so its reason stays.
  if (isHeld(closed) && closed !== undefined && why !== BY_OPERATOR) return { ...record, closed: { ...closed, ...lost } }
  const tried = closed ?? { at: now, trials: 0, trialsOfDay: { day: dayOf(now), count: 0 } }
  return { ...record, closed: { ...tried, why: hasDrifted(record) ? BY_DRIFT : why, ...lost, trialAt: nextTrial(tried, now) } }
}

const hasDrifted = ({ reading }: ModeRecord): boolean => reading !== undefined && reading.drifted.length > 0

/** Another mapping may have the pieces where they are: one contest shows it. */
function afterMapped(record: ModeRecord, { hash, lacks, isOnTrial }: Omit<ModeReading, 'drifted'>, now: number): ModeRecord {
  const { reading: before, closed } = record
  const isSame = before !== undefined && before.hash === hash
  if (isSame && before.isOnTrial === isOnTrial && before.lacks.join() === lacks.join()) return record
  const after = { ...record, reading: { hash, lacks, isOnTrial, drifted: isSame ? before.drifted : [] } }
  const isMended = before !== undefined && !isSame && closed !== undefined && OF_MAPPING.includes(closed.why)
  return isMended ? { ...after, closed: { ...closed, trials: 0, trialAt: now } } : after
}

function afterDrifted(record: ModeRecord, piece: DriftedPiece, now: number): ModeRecord {
  const { reading } = record
  if (reading === undefined || reading.drifted.some((known) => known.piece === piece.piece)) return record
  const after = { ...record, reading: { ...reading, drifted: [...reading.drifted, piece] } }
  return close(after, { why: BY_DRIFT, unplayed: 0, stakes: 0n }, now)
}

/** One that is tried for the first time is tried at once; what comes and goes is not. */
function afterReadable(record: ModeRecord, piece: string, now: number): ModeRecord {
  const { reading, closed } = record
  const drifted = reading?.drifted.filter((known) => known.piece !== piece)
  if (reading === undefined || drifted === undefined || drifted.length === reading.drifted.length) return record
  const after = { ...record, reading: { ...reading, drifted } }
  if (closed === undefined || isHeld(closed) || drifted.length > 0) return after
  return { ...after, closed: { ...closed, trialAt: closed.trials === 0 ? now : nextTrial(closed, now) } }
}

function afterTrial(closed: ClosedMode, now: number): ClosedMode {
  const day = dayOf(now)
  const trialsOfDay = { day, count: (closed.trialsOfDay.day === day ? closed.trialsOfDay.count : 0) + 1 }
  const tried = { ...closed, trials: closed.trials + 1, trialsOfDay }
  return { ...tried, trialAt: nextTrial(tried, now) }
}

/** Later each time, and of a day no more than three. */
function nextTrial({ trials, trialsOfDay }: Pick<ClosedMode, 'trials' | 'trialsOfDay'>, now: number): number {
  const next = now + backoffMs(trials, FIRST_TRIAL_MS, LONGEST_TRIAL_MS)
  const day = dayOf(now)
  const isSpent = trialsOfDay.day === day && trialsOfDay.count >= TRIALS_A_DAY
  return isSpent ? Math.max(next, (day + 1) * DAY_MS) : next
}

/** What the operator or a process that did not run kept from being played closes nothing: undefined. */
function causeOf(hindrance: Hindrance): Cause | undefined {
  if (hindrance === 'down' || hindrance === 'paused' || hindrance === 'guard:KILL_SWITCH') return undefined
  // Its own limits are the bot's choice, like what its strategy wants.
  if (hindrance === 'abstained' || hindrance === 'failed' || hindrance.startsWith('guard:')) return 'abstained'
  return ['tooLate', 'unanswered', 'swap:failed'].includes(hindrance) || hindrance.startsWith('refused:') ? 'late' : 'hindered'
}
