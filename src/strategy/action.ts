import { z } from 'zod'
import { chainSchema, formatSchema, modeSchema, opponentsSchema } from '../contract/enums.ts'
import { CornermanError } from '../core/error.ts'
import { canonicalPrice } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { describeIssue, type IssueNames } from './issue.ts'

// What a strategy asks for. An action is a request: the guard decides whether it is sent. Ids come
// from the contexts; stakes are micro-USDC (`usdc('1')`).

const stake = z.bigint()
const contestId = z.string().min(1)
const durationSec = z.number().int().positive()

const MOST_CHARACTERS = 64

/** The guard says whether there is a mint of that name, and so much of it. */
const swapFields = {
  from: z.string().min(1).max(MOST_CHARACTERS),
  to: z.string().min(1).max(MOST_CHARACTERS),
  /** Base units of `from`. */
  amount: z.bigint(),
  /** The most the swap may slip, in basis points; where it is left out, `guard.maxSlippageBps`. */
  maxSlippageBps: z.number().int().min(0).max(10_000).optional(),
}

export const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('enqueue'),
    mode: modeSchema,
    /** In micro-USDC, as `usdc('1')` gives it. */
    stake,
    /** How long the contest is to last. */
    durationSec,
    /** Whom to be matched with; anybody where it is left out. */
    opponents: opponentsSchema.optional(),
    /** Where it is played; on Solana where it is left out. */
    chain: chainSchema.optional(),
    /** How long the ticket may wait for a match before it expires; where it is left out, as long as the service lets it. */
    waitSec: z.number().int().positive().optional(),
  }),
  z.strictObject({ type: z.literal('cancelTicket'), ticketId: z.string().min(1) }),
  z.strictObject({
    type: z.literal('createContest'),
    mode: modeSchema,
    chain: chainSchema,
    /** `duel`: one against one; `lobby`: several. */
    format: formatSchema,
    /** Of each seat, in micro-USDC, as `usdc('1')` gives it. */
    stake,
    /** How long the contest is to last. */
    durationSec,
    /** Who may join; anybody where it is left out. */
    opponents: opponentsSchema.optional(),
    /** As the service names it. The sandbox knows `public`, and `private`: in no list, and joined by its id alone. */
    visibility: z.string().optional(),
    /** Seats in all. */
    capacity: z.number().int().min(2).optional(),
    /** Seats of a team, for a lobby of teams. */
    teamSize: z.number().int().min(1).optional(),
    /** How long it can be joined. */
    joinWindowSec: z.number().int().positive().optional(),
    /** Of the mode, such as `{ token }`: docs/sandbox.md has those that the sandbox takes. */
    params: z.record(z.string(), z.json()).optional(),
  }),
  z.strictObject({
    type: z.literal('joinContest'),
    contestId,
    /** Contests to try, in this order, where the side that is wanted is taken in the first. */
    orElse: z.array(contestId).optional(),
    /** Of a mode with sides; where it is left out, the bot's predictor is asked. */
    side: z.string().min(1).optional(),
    /** Who readies the seat: the framework, at once, unless it says `policy`. */
    readiedBy: z.enum(['framework', 'policy']).optional(),
  }),
  z.strictObject({ type: z.literal('leaveContest'), contestId }),
  z.strictObject({ type: z.literal('ready'), contestId, ready: z.boolean() }),
  z.strictObject({ type: z.literal('draftPick'), contestId, token: z.string().min(1) }),
  z.strictObject({ type: z.literal('commitPrediction'), contestId, price: z.string() }),
  z.strictObject({ type: z.literal('revealPrediction'), contestId }),
  z.strictObject({
    type: z.literal('swap'),
    /** The live contest it counts for. */
    contestId,
    ...swapFields,
  }),
  z.strictObject({
    type: z.literal('sweep'),
    /** The contest that is over, and whose holdings are sold. */
    contestId,
    ...swapFields,
  }),
])

/** Everything a bot can ask of the service. */
export type Action = z.infer<typeof actionSchema>
export type ActionType = Action['type']
/** Actions that move money on the chain. */
export type SwapAction = ActionOf<'swap' | 'sweep'>
/** Actions that are one POST to the service. */
export type ServiceAction = Exclude<Action, SwapAction>
export type ActionOf<T extends ActionType> = Extract<Action, { type: T }>

type Fields<T extends ActionType> = Omit<ActionOf<T>, 'type'>

/**
 * Queues for a match. Its stake is in play from then on: first as a ticket's, then as a seat's.
 *
 * @example enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 60, waitSec: 30 })
 */
export const enqueue = (fields: Fields<'enqueue'>): Action => ({ type: 'enqueue', ...fields })
/**
 * Takes a ticket back that waits for a match; its stake is free again.
 *
 * @example cancelTicket({ ticketId: 't1' }) // the `ticketId` of one of `tickets`
 */
export const cancelTicket = (fields: Fields<'cancelTicket'>): Action => ({ type: 'cancelTicket', ...fields })
/**
 * Opens a contest and takes its first seat. What is left out is the service's to choose.
 *
 * @example createContest({ mode: 'pnl_usd', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 60, joinWindowSec: 30 })
 */
export const createContest = (fields: Fields<'createContest'>): Action => ({ type: 'createContest', ...fields })
/**
 * Takes a seat in an open contest: one of `openContests`.
 *
 * @example joinContest({ contestId: 'c1', side: 'UP' })
 */
export const joinContest = (fields: Fields<'joinContest'>): Action => ({ type: 'joinContest', ...fields })
/**
 * Gives a seat back while its contest is still open; its stake is free again.
 *
 * @example leaveContest({ contestId: 'c1' }) // the `contestId` of one of `contests`
 */
export const leaveContest = (fields: Fields<'leaveContest'>): Action => ({ type: 'leaveContest', ...fields })
/**
 * Readies a seat, or takes that back. Only for seats that were joined with `readiedBy: 'policy'`: the framework readies all others.
 *
 * @example ready({ contestId: 'c1', ready: true })
 */
export const ready = (fields: Fields<'ready'>): Action => ({ type: 'ready', ...fields })
/**
 * Picks a token in a draft, when it is the bot's turn. A draft picker returns the mint alone; this is for custom strategies.
 *
 * @example draftPick({ contestId: 'c1', token: SOL_MINT })
 */
export const draftPick = (fields: Fields<'draftPick'>): Action => ({ type: 'draftPick', ...fields })
/**
 * Predicts a price, in USD as decimal text. The framework makes the salt and the commitment, keeps both, and reveals in time. A
 * predictor returns `{ price }`; this is for custom strategies.
 *
 * @example commitPrediction({ contestId: 'c1', price: '187.25' })
 */
export const commitPrediction = (fields: Fields<'commitPrediction'>): Action => ({ type: 'commitPrediction', ...fields })

/** A swap that a trader asks for: it counts for the trader's own contest. */
export interface SwapIntent {
  /** Tells it from other actions. */
  readonly type: 'swap'
  /** The token that is given. */
  readonly from: Mint
  /** The token that is bought. */
  readonly to: Mint
  /** What is given, in base units of `from`: for USDC as `usdc('10')` gives it. */
  readonly amount: bigint
  /** The most the swap may slip, in basis points; where it is left out, `guard.maxSlippageBps`. */
  readonly maxSlippageBps?: number | undefined
}

/**
 * Swaps one token for another. A custom strategy names the contest it counts for; a trader leaves `contestId` out, since its swaps
 * count for its own contest.
 *
 * @example swap({ from: USDC_MINT, to: SOL_MINT, amount: usdc('10'), maxSlippageBps: 30 })
 */
export const swap = <F extends Omit<SwapIntent, 'type'> & { readonly contestId?: string }>(fields: F) => ({
  ...fields,
  type: 'swap' as const,
})

/**
 * Sells what a contest that is over has left in the wallet. The framework does this by itself, unless the bot has `sweep: false`.
 *
 * @example sweep({ contestId: 'c1', from: SOL_MINT, to: USDC_MINT, amount: 50_000_000n }) // 0.05 SOL
 */
export const sweep = (fields: Fields<'sweep'>): Action => ({ type: 'sweep', ...fields })

export const isSwap = (action: Action): action is SwapAction => action.type === 'swap' || action.type === 'sweep'

/** True of what plays a contest that was entered. */
export const isMove = (action: Action): action is SwapAction | ActionOf<'draftPick' | 'commitPrediction' | 'revealPrediction'> =>
  isSwap(action) || action.type === 'draftPick' || action.type === 'commitPrediction' || action.type === 'revealPrediction'

const NAMES: IssueNames = { whole: 'what it returned', unknownField: 'no such field of this action' }

/** What nearly every trader emits, read by hand: the schema takes many times as long. Undefined where that is for the schema to say. */
function plainSwapOf(value: unknown): SwapIntent | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== PLAIN_FIELDS) return undefined
  const { type, from, to, amount } = value as Readonly<Record<string, unknown>>
  return type === 'swap' && isMintName(from) && isMintName(to) && typeof amount === 'bigint' ? { type, from, to, amount } : undefined
}

const PLAIN_FIELDS = 4

const isMintName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS

const swapIntentSchema = z.strictObject({ type: z.literal('swap'), ...swapFields })

/**
 * Reads what a trader emitted as a swap.
 *
 * @throws CornermanError `ACTION_INVALID` naming the field, the value and what is allowed
 */
export function readSwapIntent(value: unknown): SwapIntent {
  const plain = plainSwapOf(value)
  if (plain !== undefined) return plain
  const parsed = swapIntentSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => describeIssue(issue, value, NAMES))
  throw new CornermanError('ACTION_INVALID', `a trader emitted something that is not a swap: ${issues.join('; ')}`, { details: { issues } })
}

/**
 * Reads what a strategy returned as an action.
 *
 * @throws CornermanError `ACTION_INVALID` naming the field, the value and what is allowed; `PRICE_INVALID` for a predicted price
 */
export function readAction(value: unknown): Action {
  const parsed = actionSchema.safeParse(value)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => describeIssue(issue, value, NAMES))
    throw new CornermanError('ACTION_INVALID', `a strategy returned something that is not an action: ${issues.join('; ')}`, {
      details: { issues },
    })
  }
  const action = parsed.data
  return action.type === 'commitPrediction' ? { ...action, price: canonicalPrice(action.price) } : action
}
