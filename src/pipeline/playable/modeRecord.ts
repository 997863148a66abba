import { DAY_MS, dayOf } from '../../core/day.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Hindrance } from './hindrance.ts'

/** After so many contests in a row that ended without a valid move a mode is closed, by why there was none. */
export interface UnplayedLimits {
  /** What a move needs is not there, and will not be in the next contest either. */
  readonly hindered: number
  /** It came too late or was refused, as on a busy machine: at the first where the mode has never had a valid move. */
  readonly late: number
  /** The strategy wanted nothing. */
  readonly abstained: number
}

/** So many entries that the service refuses in a row with one code close their mode. */
const MOST_REFUSED = 5
const FIRST_TRIAL_MS = 30 * 60_000
const LONGEST_TRIAL_MS = 6 * 60 * 60_000
const TRIALS_A_DAY = 3

type Cause = keyof UnplayedLimits

/** What is known of the playing of one mode, over the life of the journal. */
export interface ModeRecord {
  readonly mode: string
  /** Whether a valid move was ever made: before, one seat at a time. */
  readonly hasMoved: boolean
  /** Contests without one, in a row, by cause. */
  readonly inRow: Readonly<Record<Cause, number>>
  /** The newest code with which the service refused entries, and how often in a row. */
  readonly refused: { readonly code: string; readonly times: number } | undefined
  readonly closed: ClosedMode | undefined
}

export interface ClosedMode {
  readonly why: string
  /** What the contests came to that closed it. */
  readonly unplayed: number
  readonly stakes: Usdc
  /** Unix milliseconds. */
  readonly at: number
  /** Trials since then that came to nothing, and those of the UTC day of the newest. */
  readonly trials: number
  readonly trialsOfDay: { readonly day: number; readonly count: number }
  /** When the framework may enter one contest to see whether it can be played again; undefined: never of its own accord. */
  readonly trialAt: number | undefined
}

/** What happens to a mode. */
export type ModeHappening =
  | { readonly type: 'moved' }
  | { readonly type: 'unplayed'; readonly hindrance: Hindrance; readonly stake: Usdc }
  | { readonly type: 'entered' }
  | { readonly type: 'entryRefused'; readonly code: string }
  /** By the operator. */
  | { readonly type: 'opened' }
  | { readonly type: 'closedByOperator' }

const NONE_IN_ROW = { hindered: 0, late: 0, abstained: 0 } as const

export const freshMode = (mode: string): ModeRecord => ({
  mode,
  hasMoved: false,
  inRow: NONE_IN_ROW,
  refused: undefined,
  closed: undefined,
})

/** The record after something has happened at `now`, in Unix milliseconds. */
export function nextMode(record: ModeRecord, happening: ModeHappening, now: number, limits: UnplayedLimits): ModeRecord {
  switch (happening.type) {
    case 'moved':
      return { ...record, hasMoved: true, inRow: NONE_IN_ROW, refused: undefined, closed: undefined }
    case 'entered':
      return { ...record, refused: undefined }
    case 'unplayed':
      return afterUnplayed(record, happening, now, limits)
    case 'entryRefused': {
      const { code } = happening
      const times = record.refused?.code === code ? record.refused.times + 1 : 1
      const after = { ...record, refused: { code, times } }
      return times < MOST_REFUSED ? after : close(after, { why: `refused:${code}`, unplayed: 0, stakes: 0n }, now)
    }
    case 'opened':
      return { ...record, inRow: NONE_IN_ROW, refused: undefined, closed: undefined }
    case 'closedByOperator': {
      const by = close(record, { why: 'operator', unplayed: 0, stakes: 0n }, now)
      return by.closed === undefined ? by : { ...by, closed: { ...by.closed, trialAt: undefined } }
    }
  }
}

function afterUnplayed(
  record: ModeRecord,
  { hindrance, stake }: Extract<ModeHappening, { type: 'unplayed' }>,
  now: number,
  limits: UnplayedLimits,
): ModeRecord {
  const cause = causeOf(hindrance)
  if (cause === undefined) return record
  // What was entered on trial, or before it was closed.
  if (record.closed !== undefined) return close(record, { why: hindrance, unplayed: 1, stakes: stake }, now)
  const inRow = { ...record.inRow, [cause]: record.inRow[cause] + 1 }
  const most = cause === 'late' && !record.hasMoved ? 1 : limits[cause]
  const after = { ...record, inRow }
  return inRow[cause] < most ? after : close(after, { why: hindrance, unplayed: inRow[cause], stakes: stake }, now)
}

function close(record: ModeRecord, { why, unplayed, stakes }: Pick<ClosedMode, 'why' | 'unplayed' | 'stakes'>, now: number): ModeRecord {
  const { closed } = record
  const day = dayOf(now)
  const isAgain = closed !== undefined
  const trials = isAgain ? closed.trials + 1 : 0
  const trialsOfDay = { day, count: isAgain ? (closed.trialsOfDay.day === day ? closed.trialsOfDay.count : 0) + 1 : 0 }
  const next = now + Math.min(FIRST_TRIAL_MS * 2 ** trials, LONGEST_TRIAL_MS)
  const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS
  return {
    ...record,
    closed: {
      ...{ why, trials, trialsOfDay, at: closed?.at ?? now },
      ...{ unplayed: (closed?.unplayed ?? 0) + unplayed, stakes: (closed?.stakes ?? 0n) + stakes },
      // What the operator closed stays so.
      trialAt: isAgain && closed.trialAt === undefined ? undefined : trialsOfDay.count < TRIALS_A_DAY ? next : Math.max(next, tomorrow),
    },
  }
}

/** What a process that did not run has missed closes nothing: undefined. */
function causeOf(hindrance: Hindrance): Cause | undefined {
  if (hindrance === 'down') return undefined
  if (hindrance === 'abstained') return 'abstained'
  return hindrance === 'tooLate' || hindrance.startsWith('refused:') ? 'late' : 'hindered'
}
