import { z } from 'zod'
import { chainSchema, formatSchema, laneSchema, modeSchema, opponentsSchema } from './enums.ts'
import { MODES } from './modes.ts'
import { contestSchema, historyItemSchema, modeStateSchema, ticketSchema } from './records.ts'
import { amountSchema, idSchema, instantSchema, lenient, signedAmountSchema } from './scalars.ts'

// Part 4 of the specification: every procedure with its kind, input and output. Inputs are strict
// (what we send is ours to get right); outputs are loose, and lenient where nothing is shown.

/** A read is a GET, may be repeated, and counts against the read limit; an action is a POST. */
export type ProcedureKind = 'read' | 'action'

export interface Procedure<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: ProcedureKind
  readonly input: I
  readonly output: O
}

const read = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ kind: 'read', input, output }) as const
const action = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ kind: 'action', input, output }) as const

const none = z.null()
const loose = z.looseObject({})
/** Named by the specification, its form not shown. Zod takes a bare `z.unknown()` to be required. */
const notShown = z.unknown().optional()
const cursorSchema = z.union([z.string(), z.number()])
/** The service's to choose: it is given back as it was got. */
const streamCursorSchema = z.string().min(1).max(256)
/** Values and bounds are not shown (part 4, "Gaps"): a strategy may know them, and only the type is checked. */
const openText = z.string()
const limitSchema = z.number()

/** Seconds and seats: whole, above 0; how many is the service's to say. */
const countSchema = z.number().int().positive()

const contestInput = z.strictObject({ contestId: idSchema })
const ticketInput = z.strictObject({ ticketId: idSchema })

const contestFilters = z.strictObject({
  lane: laneSchema.optional(),
  modes: z.array(modeSchema).max(MODES.length).optional(),
  chain: chainSchema.optional(),
  format: formatSchema.optional(),
  minStake: amountSchema.optional(),
  maxStake: amountSchema.optional(),
})

const listOf = <T extends z.ZodType>(item: T) => z.looseObject({ items: z.array(item), nextCursor: cursorSchema.nullish() })
const anyListOf = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), listOf(item)], { error: 'a list, or an object with items, and each of them of the known form' })

const ENTRIES: ReadonlySet<string> = new Set(['agent.queue.enqueue', 'agent.contests.create', 'agent.contests.join'])

/** True for a procedure that puts a new stake at risk. */
export const isEntryProcedure = (procedure: string): boolean => ENTRIES.has(procedure)

export const SALT_PATTERN = /^[A-Za-z0-9_-]{16,128}$/

export const procedures = {
  'agent.me': read(
    none,
    z.looseObject({
      agent: z.looseObject({ handle: z.string().optional().catch(undefined) }),
      bankroll: z.looseObject({ available: amountSchema }),
      exposure: notShown,
      rank: notShown,
      stats: notShown,
      activeContests: z.array(contestSchema).optional().catch(undefined),
      openTickets: z.array(ticketSchema).optional().catch(undefined),
    }),
  ),
  'agent.profile': read(none, z.looseObject({ profile: notShown, wallet: notShown, caps: notShown })),
  'agent.bankroll': read(
    none,
    z.looseObject({
      available: amountSchema,
      wallet: amountSchema.optional().catch(undefined),
      vault: amountSchema.optional().catch(undefined),
      inPlay: amountSchema.optional().catch(undefined),
      gasLamports: amountSchema.optional().catch(undefined),
      walletAddress: z.string().optional().catch(undefined),
    }),
  ),
  'agent.limits': read(
    none,
    z.looseObject({
      maxStake: amountSchema,
      dailyLossCap: amountSchema,
      lostToday: amountSchema,
      inPlay: amountSchema,
      remaining: signedAmountSchema,
      // Nothing is decided by it: an odd one, or none where nothing was lost, must not hide what is.
      resetsAt: lenient(instantSchema),
    }),
  ),
  'agent.rank': read(none, loose),
  'agent.stats': read(none, z.looseObject({ overall: notShown, agents: notShown, humans: notShown, mixed: notShown })),
  'agent.history': read(
    z.strictObject({ versus: laneSchema.optional(), cursor: cursorSchema.nullish(), limit: limitSchema.optional() }),
    listOf(historyItemSchema),
  ),
  'agent.leaderboard': read(
    z.strictObject({
      metric: openText.optional(),
      period: openText.optional(),
      cursor: z.number().int().min(0).nullish(),
      limit: limitSchema.optional(),
    }),
    z.looseObject({ items: z.array(loose), nextCursor: cursorSchema.nullish(), computedAt: notShown, me: notShown }),
  ),
  'agent.events': read(
    z.union([
      z.strictObject({ latest: z.literal(true) }),
      z.strictObject({ after: streamCursorSchema.nullable(), limit: limitSchema.optional() }),
    ]),
    z.looseObject({ events: z.array(z.unknown()).default([]), cursor: z.string().nullable() }),
  ),

  'agent.queue.enqueue': action(
    z.strictObject({
      mode: modeSchema,
      stake: amountSchema,
      durationSec: countSchema,
      opponents: opponentsSchema.optional(),
      chain: chainSchema.optional(),
      waitSec: countSchema.optional(),
    }),
    ticketSchema,
  ),
  'agent.queue.get': read(ticketInput, ticketSchema),
  'agent.queue.list': read(none, anyListOf(ticketSchema)),
  'agent.queue.cancel': action(ticketInput, ticketSchema),

  'agent.contests.list': read(
    contestFilters.extend({
      status: z.enum(['open', 'live']).optional(),
      sort: openText.optional(),
      cursor: cursorSchema.nullish(),
      limit: limitSchema.optional(),
    }),
    anyListOf(contestSchema),
  ),
  'agent.contests.counts': read(contestFilters, loose),
  'agent.contests.get': read(contestInput, contestSchema),
  'agent.contests.mine': read(none, anyListOf(contestSchema)),
  'agent.contests.create': action(
    z.strictObject({
      mode: modeSchema,
      chain: chainSchema,
      format: formatSchema,
      stake: amountSchema,
      durationSec: countSchema,
      opponents: opponentsSchema.optional(),
      visibility: openText.optional(),
      capacity: countSchema.optional(),
      teamSize: countSchema.optional(),
      joinWindowSec: countSchema.optional(),
      params: z.record(z.string(), z.json()).optional(),
    }),
    contestSchema,
  ),
  'agent.contests.join': action(z.strictObject({ contestId: idSchema, side: z.string().min(1).max(32).optional() }), contestSchema),
  'agent.contests.leave': action(contestInput, contestSchema),
  'agent.contests.ready': action(z.strictObject({ contestId: idSchema, ready: z.boolean().optional() }), contestSchema),

  'agent.modes.state': read(contestInput, modeStateSchema),
  'agent.modes.draftPick': action(z.strictObject({ contestId: idSchema, token: z.string().min(32).max(44) }), modeStateSchema),
  'agent.modes.commitPrediction': action(
    z.strictObject({ contestId: idSchema, commitment: z.string().regex(/^[0-9a-f]{64}$/) }),
    modeStateSchema,
  ),
  'agent.modes.revealPrediction': action(
    z.strictObject({ contestId: idSchema, value: z.string().min(1).max(64), salt: z.string().min(1).max(256) }),
    modeStateSchema,
  ),

  'agent.trade.signAndSend': action(
    z.strictObject({ transaction: openText, contestId: idSchema.optional() }),
    z.looseObject({
      signature: z.string(),
      status: z.string(),
      contestId: idSchema.nullish(),
      programs: z.array(z.string()).optional().catch(undefined),
    }),
  ),
  'agent.tx.status': read(z.strictObject({ signature: openText }), loose),
} as const satisfies Record<string, Procedure>

export type ProcedureName = keyof typeof procedures
export const PROCEDURE_NAMES = Object.keys(procedures) as ProcedureName[]

type NamesOfKind<K extends ProcedureKind> = { [N in ProcedureName]: (typeof procedures)[N]['kind'] extends K ? N : never }[ProcedureName]
export type ReadName = NamesOfKind<'read'>
export type ActionName = NamesOfKind<'action'>

/** What a caller passes: amounts as bigint, times as Unix milliseconds. */
export type ProcedureInput<N extends ProcedureName> = z.output<(typeof procedures)[N]['input']>
/** What a caller gets back, decoded. */
export type ProcedureOutput<N extends ProcedureName> = z.output<(typeof procedures)[N]['output']>
/** An answer on the wire by a service that shows every field of the contract: amounts as digits, times as ISO text. */
export type ProcedureAnswer<N extends ProcedureName> = Whole<z.input<(typeof procedures)[N]['output']>>

/** Requires the named fields at every depth, but in `you`: the rest of the own seat stands in `entries`. */
type Whole<T> = T extends readonly (infer I)[]
  ? readonly Whole<I>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]-?: K extends 'you' ? T[K] : Whole<Exclude<T[K], undefined>> }
    : T

export const isProcedureName = (name: string): name is ProcedureName => Object.hasOwn(procedures, name)
