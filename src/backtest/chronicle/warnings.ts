import { median } from 'simple-statistics'
import type { ModeWarning } from '../../strategy/modeWarnings.ts'
import { formatFigure } from '../format/figures.ts'
import type { PlayedContest, Warning } from '../result.ts'
import type { Occurred } from './chronicle.ts'

export interface WarningsOptions {
  readonly modes: readonly ModeWarning[]
  readonly contests: readonly Pick<PlayedContest, 'durationSec' | 'result' | 'others'>[]
  /** How many of a kind the guard refused since prices were too old. */
  readonly onOldPrices: Readonly<Record<'swaps' | 'entries', number>>
  /** Of the bot's guard, in milliseconds. */
  readonly maxPriceAgeMs: number
  /** The usual time between two prices of the log, in milliseconds. */
  readonly stepMs: number
  /** By strategy, and by what the service said. */
  readonly faults: ReadonlyMap<string, Occurred>
  readonly rejected: ReadonlyMap<string, Occurred>
  /** Tickets and contests that are not over. */
  readonly open: number
  /** How long each ticket waited for an opponent of the log, and how long one usually waits, in milliseconds. */
  readonly waitsMs: readonly number[]
  readonly usualWaitMs: number
}

/** What makes a result say less of a strategy than it seems to: modes that nobody plays, what went wrong, and prices that come too seldom for what was played on them. */
export function warningsOf(options: WarningsOptions): Warning[] {
  const { modes, faults, rejected } = options
  const found = [
    ...modes,
    ...[...faults.values()].map((fault): Warning => ({ code: 'STRATEGY_FAILED', message: `${timesOf(fault)}: ${fault.message}` })),
    ...[...rejected.values()].map(
      (fault): Warning => ({
        code: 'ACTIONS_REJECTED',
        message: `the service refused ${fault.times === 1 ? 'an action' : 'actions'}, ${timesOf(fault)}: ${fault.message}`,
      }),
    ),
    ...[
      onOldPrices(options, 'swaps'),
      onOldPrices(options, 'entries'),
      contestsBetweenPrices(options),
      waited(options),
      openAtTheEnd(options),
    ],
  ]
  return found.filter((warning) => warning !== undefined)
}

const timesOf = ({ times, at }: Occurred): string =>
  times === 1 ? `once, at ${new Date(at).toISOString()}` : `${count(times)} times, first at ${new Date(at).toISOString()}`

/** A few nearly always are: it is told where they could change the result. */
function openAtTheEnd({ open, contests }: WarningsOptions): Warning | undefined {
  if (open * 10 <= contests.length) return undefined
  const message = `${open === 1 ? 'one ticket or contest was' : `${count(open)} tickets or contests were`} not over when the log ended: no figure has them`
  return { code: 'OPEN_AT_THE_END', message }
}

/** What follows for the result. */
const ON_OLD_PRICES = {
  swaps: {
    code: 'SWAPS_ON_OLD_PRICES',
    follows: 'Live they would have been made: modes of swaps come out otherwise here; try them on a recording',
  },
  entries: {
    code: 'ENTRIES_ON_OLD_PRICES',
    follows:
      'Live these contests would have been entered: a token the bot holds, or all of them, had no fresh price; try it on a recording',
  },
} as const

function onOldPrices({ onOldPrices: refused, maxPriceAgeMs, stepMs }: WarningsOptions, of: 'swaps' | 'entries'): Warning | undefined {
  const stale = refused[of]
  if (stale === 0 || stepMs <= maxPriceAgeMs) return undefined
  const [step, age] = [seconds(stepMs), seconds(maxPriceAgeMs)]
  const times = stale === 1 ? 'once' : `${count(stale)} times`
  const { code, follows } = ON_OLD_PRICES[of]
  return {
    code,
    message: `${of} were refused for old prices ${times}: the log has one every ${step}, guard.maxPriceAgeMs is ${age}. ${follows}`,
  }
}

/** Of a contest that was recorded the log has the prices that decided it. */
function contestsBetweenPrices({ contests, stepMs }: WarningsOptions): Warning | undefined {
  const decided = contests.filter(({ result }) => result !== null)
  const unrecorded = decided.filter(({ others }) => others.every(({ source }) => source === 'reference'))
  const short = unrecorded.filter(({ durationSec }) => durationSec * 1000 < stepMs).length
  if (short === 0) return undefined
  return {
    code: 'CONTESTS_BETWEEN_PRICES',
    message: `${count(short)} of ${count(decided.length)} contests were shorter than the ${seconds(stepMs)} between two prices of the log: what decided them was drawn by the seed, as docs/backtest.md says`,
  }
}

/**
 * A ticket that came after the opponent it would have met waits for the next one of the log, although live it would have met somebody else
 * meanwhile. It is told where the contests could be a tenth more.
 */
function waited({ waitsMs, usualWaitMs, contests }: WarningsOptions): Warning | undefined {
  if (waitsMs.length === 0 || contests.length === 0) return undefined
  const waitMs = median([...waitsMs])
  const usualTurnMs = usualWaitMs + 1000 * median(contests.map(({ durationSec }) => durationSec))
  if ((waitMs - usualWaitMs) * 10 <= usualTurnMs) return undefined
  return {
    code: 'WAITED_FOR_THE_LOG',
    message: `tickets waited ${toTenths(waitMs)} for an opponent of the log, in the median, where ${toTenths(usualWaitMs)} is usual: live the bot would play more contests than here. What a contest brings stands; sums, and what is earned in a time, do not`,
  }
}

const toTenths = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const count = (value: number): string => formatFigure(value, 'count')
const seconds = (ms: number): string => `${ms / 1000} s`
