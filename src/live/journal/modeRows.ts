import { z } from 'zod'
import { decodeExact, encodeExact } from '../../core/exactJson.ts'
import { freshMode, type ModeRecord, nextMode, UNPLAYED_LIMITS, unreadableIn } from '../../pipeline/index.ts'

// A mode's record as a row: whole in `numbers`, and in columns what others ask for.

export interface ModeRow {
  readonly mode: string
  readonly numbers: string
}

const amount = z.bigint().min(0n)
const count = z.number().int().min(0)
const modeSchema = z.looseObject({
  mode: z.string(),
  hasMoved: z.boolean(),
  unplayed: z.looseObject({ count, staked: amount }),
  inRow: z.looseObject({ hindered: count, late: count, abstained: count }),
  refused: z.looseObject({ code: z.string(), times: count }).optional(),
  taken: z.looseObject({ type: z.enum(['enqueue', 'createContest']), stake: amount }).optional(),
  closed: z
    .looseObject({
      why: z.string(),
      unplayed: count,
      stakes: amount,
      at: z.number(),
      trials: count,
      trialsOfDay: z.looseObject({ day: z.number().int(), count }),
      trialAt: z.number().optional(),
    })
    .optional(),
  reading: z
    .looseObject({
      hash: z.string().optional(),
      lacks: z.array(z.string()),
      isOnTrial: z.boolean(),
      drifted: z.array(z.looseObject({ piece: z.string(), place: z.string() })),
    })
    .optional(),
  saidAt: z.number().optional(),
})

/** Undefined where it is not what was written. */
export function modeOf({ mode, numbers }: ModeRow): ModeRecord | undefined {
  let stored: unknown
  try {
    stored = decodeExact(numbers)
  } catch {
    return undefined
  }
  const read = modeSchema.safeParse(stored)
  return read.success && read.data.mode === mode ? (read.data as ModeRecord) : undefined
}

/** The same; where nobody can say any more what closed the mode, it stays closed. */
export const modeOrClosed = (row: ModeRow): ModeRecord =>
  modeOf(row) ?? nextMode(freshMode(row.mode), { type: 'said', command: 'close', saidAt: 0 }, 0, UNPLAYED_LIMITS)

export const modeFault = ({ mode }: ModeRow): string =>
  `table modes, row ${mode}: it is not what was written, and the mode counts as closed: open it with cornerman modes open ${mode}`

/** @param at of the input that changed it, in Unix milliseconds */
export function rowOfMode(record: ModeRecord, at: number): [string, string, string, string, number, number, number | null] {
  const { mode, closed } = record
  const unreadable = unreadableIn(record)?.code
  const state = closed === undefined && unreadable === undefined ? 'open' : 'closed'
  return [mode, state, unreadable ?? closed?.why ?? '', encodeExact(record), closed?.at ?? at, closed?.trials ?? 0, closed?.trialAt ?? null]
}
