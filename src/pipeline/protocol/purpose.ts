/** Whose a purpose is: the part of the state that is told when it is due. What is anybody's only wakes the bot, and every step looks after it. */
export type PurposeOwner =
  | 'catchUp'
  | 'seats'
  | 'reveals'
  | 'figures'
  | 'finalReads'
  | 'overdue'
  | 'intents'
  | 'swaps'
  | 'strategies'
  | 'path'
  | 'trials'
  | 'anybody'

/** Purposes of the bot as a whole. */
const OF_BOT = {
  /** The service's figures of money. */
  limits: 'figures',
  bankroll: 'figures',
  tickets: 'catchUp',
  seats: 'catchUp',
  /** The read of seats that the start waits for. */
  seatsAtStart: 'catchUp',
  /** All that every step looks after is looked after once more: tickets that are to be cancelled, for one. */
  tend: 'anybody',
  /** The way of a swap is tried again. */
  path: 'path',
  /** A mode that is closed is tried again, and what is open for that is listed. */
  trial: 'trials',
  trialList: 'trials',
  /** A swap has waited for its turn too long. */
  swapQueue: 'anybody',
  /** Traders are owed the outcome of a swap. */
  tradersTold: 'anybody',
} as const satisfies Readonly<Record<string, PurposeOwner>>

/** Kinds of purposes that are each about one thing. */
const OF_ONE = {
  ticket: 'catchUp',
  contest: 'seats',
  /** A mode's state: before the contest is live, and while moves may be made in it. */
  early: 'seats',
  state: 'seats',
  reveal: 'reveals',
  /** How the seats of a live contest stand. */
  standings: 'seats',
  /** A seat may be readied again, a ticket or seat given back again. */
  ready: 'seats',
  leave: 'seats',
  /** What a contest that was settled has come to. */
  finalContest: 'finalReads',
  finalState: 'finalReads',
  overdueTicket: 'overdue',
  overdueSeat: 'overdue',
  /** An action whose answer was lost, by the key of its intent. */
  resolve: 'intents',
  /** A swap by the key of its intent: to be built again, looked up, or told by the balances. */
  swapBuild: 'swaps',
  swap: 'swaps',
  swapBalances: 'swaps',
  /** What a contest left may be sold again. */
  sweep: 'anybody',
  /** The window of a trader opens, and closes. */
  trade: 'anybody',
  tradeEnd: 'anybody',
  /** A policy, by its number, is asked; what others opened is listed for it. */
  decide: 'strategies',
  browse: 'strategies',
  /** A period that a strategy asked for, by the name of its runner, a number and its length. */
  every: 'strategies',
  /** A promised answer has had its time, by the id of the call. */
  call: 'strategies',
} as const satisfies Readonly<Record<string, PurposeOwner>>

/** Of each kind. */
type Owners = typeof OF_BOT & typeof OF_ONE
export type PurposeKind = keyof Owners

/**
 * What something is planned for, or read for: a kind, and after a colon the one thing that it is about. A text, since recordings
 * hold it.
 */
export type Purpose = keyof typeof OF_BOT | `${keyof typeof OF_ONE}:${string}`

type KindsOwnedBy<O extends PurposeOwner> = { [K in PurposeKind]: Owners[K] extends O ? K : never }[PurposeKind]
/** Those that one part of the state is told of. */
export type PurposeOwnedBy<O extends PurposeOwner> = Extract<Purpose, KindsOwnedBy<O> | `${KindsOwnedBy<O>}:${string}`>

/** A purpose taken apart: `about` is empty where it is of the bot as a whole. */
interface Parts<P extends Purpose> {
  readonly kind: P extends `${infer K}:${string}` ? K : P
  readonly about: string
}

export function partsOf<P extends Purpose>(purpose: P): Parts<P> {
  const colon = purpose.indexOf(':')
  const kind = colon < 0 ? purpose : purpose.slice(0, colon)
  return { kind: kind as Parts<P>['kind'], about: purpose.slice(kind.length + 1) }
}

const OWNERS: ReadonlyMap<string, PurposeOwner> = new Map(Object.entries({ ...OF_BOT, ...OF_ONE }))

const LIFECYCLES: ReadonlySet<PurposeOwner> = new Set(['swaps', 'figures', 'intents', 'overdue', 'seats', 'reveals', 'finalReads'])

/** Whether the deadlines of a purpose are those of a lifecycle, which nobody else plans. */
export const plansItself = (purpose: Purpose): boolean => LIFECYCLES.has(ownerOf(purpose))

/** Of one that an older recording holds, and nobody knows any more, too. */
export const ownerOf = (purpose: Purpose): PurposeOwner => OWNERS.get(partsOf(purpose).kind) ?? 'anybody'
