import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

// What is known for certain of a probe, besides the answers: the events, and the moves with what became of them.

const eventSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  createdAt: z.string(),
  data: z.record(z.string(), z.unknown()),
})

const text = z.string().optional()
const moveSchema = z.looseObject({
  /** Unix milliseconds: when its answer had arrived. */
  at: z.number(),
  /** Unix milliseconds: when it was sent; of older recordings it is not known. */
  sentAt: z.number().optional(),
  /** Such as `enqueue`, `joinContest`, `draftPick`, `commitPrediction`, `revealPrediction`, `swap`. */
  type: z.string(),
  mode: text,
  contestId: text,
  ticketId: text,
  token: text,
  side: text,
  entryId: text,
  commitment: text,
  price: text,
  accepted: z.boolean(),
  /** What a refused one was refused with. */
  code: text,
  /** What it was made of: an accepted move proves these places. */
  began: z.array(z.object({ piece: z.string(), place: z.string() })).default([]),
})

const factsSchema = z.looseObject({
  version: z.literal(1),
  /** Base address. */
  service: z.string(),
  /** Unix milliseconds. */
  startedAt: z.number(),
  /** As the service sent them, oldest first. */
  events: z.array(eventSchema),
  moves: z.array(moveSchema),
})

/** An event as the service sent it. */
export type FactEvent = Readonly<z.output<typeof eventSchema>>
/** A move of the bot's, and what the service said to it. */
export type FactMove = Readonly<z.output<typeof moveSchema>>
export interface Facts {
  readonly version: 1
  readonly service: string
  readonly startedAt: number
  readonly events: readonly FactEvent[]
  readonly moves: readonly FactMove[]
}

/** Of the folder of a probe. */
export const FACTS_FILE = 'facts.json'

/**
 * Reads the facts of a probe's folder.
 *
 * @throws SyntaxError or ZodError if it holds something else
 */
export const readFacts = (folder: string): Facts => factsSchema.parse(JSON.parse(readFileSync(join(folder, FACTS_FILE), 'utf8')))
