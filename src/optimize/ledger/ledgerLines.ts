import { z } from 'zod'

// The lines of the ledger: one JSON object each. Readers pass over kinds and fields that they do not know.

const time = z.int()
const hash = z.string().min(1)
const spanFields = { realm: z.string().min(1), from: time, to: time }
/** Unix milliseconds at which it was written. */
const at = time

/** Contests that nobody looks at: those that are entered in a stretch of time. */
const sealSchema = z.object({
  kind: z.literal('seal'),
  at,
  ...spanFields,
  /** Up to here the time is for searching; from here to `from` nothing is entered, so that no contest reaches into the seal. */
  trainUntil: time,
  /** The key of the bot whose entries the boundary was found from. */
  incumbent: hash,
  /** A sketch of the prices, by which they are known again at another time. */
  prices: z.array(z.string()),
})

/** A look at sealed contests, written before they are played. */
const lookSchema = z.object({
  kind: z.literal('look'),
  at,
  id: hash,
  /** Of all looks at this time, from 1. */
  number: z.int().min(1),
  by: z.enum(['promote', 'backtest', 'lookahead']),
  candidate: hash,
  /** Null where nothing was compared. */
  incumbent: hash.nullable(),
  spans: z.array(z.object(spanFields)),
})

/** What a look has shown. */
const answerSchema = z.object({ kind: z.literal('answer'), at, look: hash, answer: z.unknown() })

/** A bot that was played on a stretch of time. */
const trialSchema = z.object({
  kind: z.literal('trial'),
  at,
  ...spanFields,
  /** SHA-256 over every decision and outcome: two trials of one stretch with the same are one. */
  fingerprint: hash,
  /** SHA-256 of code, parameters and guard, which names the bot. */
  key: hash,
  seed: z.number(),
  contests: z.int().min(0),
  /** Profit a unit staked, swaps included; null without a contest. */
  edge: z.number().nullable(),
  /** The sweep that it was a part of. */
  sweep: z.string().optional(),
})

/** A search that has begun. */
const sweepSchema = z.object({
  kind: z.literal('sweep'),
  at,
  id: hash,
  spans: z.array(z.object(spanFields)),
  incumbent: hash,
  seed: z.number(),
})

const lineSchema = z.discriminatedUnion('kind', [sealSchema, lookSchema, answerSchema, trialSchema, sweepSchema])

export type SealLine = z.infer<typeof sealSchema>
export type LookLine = z.infer<typeof lookSchema>
export type TrialLine = z.infer<typeof trialSchema>
export type SweepLine = z.infer<typeof sweepSchema>
export type LedgerLine = z.infer<typeof lineSchema>

/** A line that is as it was written; undefined of a kind that a newer Cornerman writes. */
export function readLedgerLine(json: unknown): LedgerLine | undefined {
  return lineSchema.safeParse(json).data
}
