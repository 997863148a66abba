import type { LogData, PlayedContest, RealmSpan } from '../backtest/index.ts'
import { DAY_MS } from '../core/day.ts'
import { CornermanError } from '../core/error.ts'
import type { Ledger } from './ledger/ledger.ts'
import { isSamePrices, priceSketch } from './ledger/priceSketch.ts'
import type { Seal } from './ledger/seals.ts'
import { anyOverlaps, spansWithin } from './ledger/spans.ts'

/** Contests of the incumbent that a seal needs: with fewer the test by ranges of time has nothing to say. */
const LEAST_SEALED = 90
/** Within it a contest that was entered is joined, or comes to nothing. */
const JOINING_MS = 60_000

/** Of a contest of the incumbent, when it was entered and how long it took: what came of it is none of the split's. */
export type EnteredContest = Pick<PlayedContest, 'enteredAt' | 'startsAt' | 'endedAt' | 'durationSec'>

/** The time of logs in three: what is searched on, a gap, and what is sealed. Unix milliseconds. */
export interface Split {
  /** Contests are entered from `from` on, and before `until`. */
  readonly train: { readonly from: number; readonly until: number; readonly contests: number }
  /** Contests are entered from `from` on, and the logs end at `to`. */
  readonly sealed: { readonly from: number; readonly to: number; readonly contests: number }
  /** What an entry may last: the longest contest of the incumbent, and the time to join it. */
  readonly tailMs: number
}

export interface SealedSplit extends Split {
  readonly seal: Seal
  readonly warnings: readonly { readonly code: 'SAME_PRICES'; readonly message: string }[]
}

export interface SplitOptions {
  readonly spans: readonly RealmSpan[]
  /** The incumbent's, on all of the logs; those that were cancelled count nowhere. */
  readonly contests: readonly EnteredContest[]
  /** The share of the contests that is sealed, above 0 and below 1. */
  readonly holdOut: number
  /** What is sealed of these logs already: its boundary counts. */
  readonly seal: Seal | undefined
  /** Up to when seals of these logs are spent: a new one begins after it. */
  readonly spentUntil: number | undefined
}

/**
 * Splits logs by the incumbent's entry times alone.
 *
 * @throws CornermanError `LOG_TOO_SHORT` where fewer than 90 contests would be sealed, with how many days are missing, or none is left to search on
 */
export function splitOf({ spans, contests, holdOut, seal, spentUntil }: SplitOptions): Split {
  const played = contests.filter(({ startsAt }) => startsAt !== null)
  const entered = played.map(({ enteredAt }) => enteredAt).sort((a, b) => a - b)
  const tailMs = played.reduce(
    (most, { enteredAt, endedAt, durationSec }) => Math.max(most, durationSec * 1000 + JOINING_MS, endedAt - enteredAt),
    JOINING_MS,
  )
  const from = Math.min(...spans.map((span) => span.from))
  const to = Math.max(...spans.map((span) => span.to))
  const boundary = seal?.from ?? Math.max(entered[entered.length - Math.floor(entered.length * holdOut)] ?? to, (spentUntil ?? from) + 1)
  const until = Math.min(seal?.trainUntil ?? boundary, boundary - tailMs)
  const sealedCount = entered.filter((at) => at >= boundary).length
  const trainCount = entered.filter((at) => at < until).length
  if (sealedCount < LEAST_SEALED) {
    const isFresh = seal === undefined && spentUntil === undefined
    throw tooShort(sealedCount, isFresh ? Math.ceil(LEAST_SEALED / holdOut) - entered.length : LEAST_SEALED - sealedCount, entered)
  }
  if (trainCount === 0) {
    throw new CornermanError(
      'LOG_TOO_SHORT',
      `no contest is left to search on before ${new Date(boundary).toISOString()}, where the sealed ones begin: name logs of the time before it, too`,
    )
  }
  return { train: { from, until, contests: trainCount }, sealed: { from: boundary, to, contests: sealedCount }, tailMs }
}

export interface SealOptions extends Pick<SplitOptions, 'contests' | 'holdOut'> {
  readonly data: Pick<LogData, 'spans' | 'prices'>
  /** The key of the incumbent (`botKey`). */
  readonly incumbent: string
  readonly ledger: Ledger
}

/**
 * Splits logs and seals their end, so that nobody looks at it unknowingly: what is sealed of them stays so, with the boundary that it has, and
 * what was recorded since is sealed as well.
 *
 * @throws CornermanError `LOG_TOO_SHORT`, `LEDGER_DAMAGED`
 */
export function sealEnd({ data, contests, holdOut, incumbent, ledger }: SealOptions): SealedSplit {
  const { spans } = data
  const splitBy = (seal: Seal | undefined) => splitOf({ spans, contests, holdOut, seal, spentUntil: ledger.spentUntil(spans) })
  const before = ledger.sealOf(spans)
  const planned = splitBy(before)
  const sealed = spansWithin(spans, planned.sealed.from)
  const prices = priceSketch(data, planned.sealed.from, planned.sealed.to)
  const earlier = ledger.seals().find((other) => !anyOverlaps([other], sealed) && isSamePrices(prices, other.prices))
  const seal = ledger.seal({ spans: sealed, trainUntil: planned.train.until, incumbent, prices })
  const iso = (at: number) => new Date(at).toISOString()
  return {
    // Another process may have sealed meanwhile.
    ...(seal.from === planned.sealed.from ? planned : splitBy(seal)),
    seal,
    warnings:
      earlier === undefined
        ? []
        : [
            {
              code: 'SAME_PRICES',
              message: `the sealed prices repeat those from ${iso(earlier.from)} to ${iso(earlier.to)}, as those of a sandbox do: what was seen then is known now, and a verdict proves as much less`,
            },
          ],
  }
}

function tooShort(sealed: number, missing: number, entered: readonly number[]): CornermanError {
  const spanMs = (entered.at(-1) ?? 0) - (entered[0] ?? 0)
  const days = entered.length < 2 || spanMs === 0 ? undefined : (missing * spanMs) / ((entered.length - 1) * DAY_MS)
  const shown = days === undefined ? 0 : Math.max(0.1, Number(days.toPrecision(2)))
  const said =
    days === undefined ? 'a longer log is needed' : `at the bot's pace about ${shown} ${shown === 1 ? 'day' : 'days'} more would do`
  return new CornermanError(
    'LOG_TOO_SHORT',
    `${sealed} contests of the bot would be sealed, and ${LEAST_SEALED} are the least that a verdict can be drawn from: ${said}`,
    { details: { sealed, missing, ...(days === undefined ? {} : { days }) } },
  )
}
