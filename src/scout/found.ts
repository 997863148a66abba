import { z } from 'zod'
import { modeSchema } from '../contract/enums.ts'
import { MODE_TRAITS, type PlayKind } from '../contract/modes.ts'
import type { Contest } from '../contract/records.ts'

/** So many settled contests show what a service tells of contests that one has no seat in. */
export const TELLING_CONTESTS = 10

const filled = z.array(z.unknown()).min(1)
/** Not documented: what reads otherwise is as good as missing. */
const stateSchema = z.looseObject({
  picks: z
    .array(z.looseObject({ tokens: filled }))
    .min(1)
    .optional()
    .catch(undefined),
  startPrice: z.string().optional().catch(undefined),
  startPrices: z.record(z.string(), z.string()).optional().catch(undefined),
})

/** How many settled contests told of it, of how many that could. */
export interface Told {
  readonly told: number
  readonly of: number
}

/** What settled contests were found to tell. */
export interface FoundCounts {
  readonly settled: number
  readonly entries: Told
  /** Of every seat. */
  readonly scores: Told
  /** Of drafts. */
  readonly picks: Told
  /** Of modes that a price decides. */
  readonly startPrices: Told
}

class Count implements Told {
  told = 0
  of = 0

  add(isTold: boolean): void {
    this.of += 1
    if (isTold) this.told += 1
  }
}

/** Counts what of settled contests was got: a backtest can do nothing with them without the scores. */
/** Facts of a contest that a backtest needs beside its scores. */
const NEEDED: Readonly<Record<PlayKind, { readonly picks: boolean; readonly startPrices: boolean }>> = {
  swaps: { picks: false, startPrices: false },
  picks: { picks: true, startPrices: true },
  sealedPrice: { picks: false, startPrices: true },
  side: { picks: false, startPrices: true },
}

export class Found implements FoundCounts {
  settled = 0
  readonly entries = new Count()
  readonly scores = new Count()
  readonly picks = new Count()
  readonly startPrices = new Count()

  /** @param state the newest answer about its mode's state; undefined: there was none */
  settledAs({ mode, entries }: Contest, state: unknown): void {
    this.settled += 1
    const seats = entries ?? []
    this.entries.add(seats.length > 0)
    this.scores.add(seats.length > 0 && seats.every(({ score }) => score !== undefined))
    const known = modeSchema.safeParse(mode)
    const shown = stateSchema.safeParse(state).data
    if (!known.success) return
    const needed = NEEDED[MODE_TRAITS[known.data].playedBy]
    if (needed.picks) this.picks.add(shown?.picks !== undefined)
    if (needed.startPrices) this.startPrices.add(shown?.startPrice !== undefined || Object.keys(shown?.startPrices ?? {}).length > 0)
  }
}

/** True where backtests can play against what was recorded. */
export const isOfUse = ({ scores }: FoundCounts): boolean => scores.told > 0

/** What was got, in a sentence. */
export function foundSentence(found: FoundCounts): string {
  const { settled, entries, scores, picks, startPrices } = found
  const part = (what: string, { told, of }: Told) => (of === 0 ? [] : [`${what} of ${told}${of === settled ? '' : ` of ${of}`}`])
  const got = [...part('entries', entries), ...part('scores', scores), ...part('picks', picks), ...part('start prices', startPrices)].join(
    ', ',
  )
  const use = isOfUse(found) ? '' : '; without scores they are of no use for backtests: the prices are'
  return `of ${settled} settled ${settled === 1 ? 'contest' : 'contests'}: ${got}${use}`
}
