/** Whose a task is: the part of the state that is told when it is due. What is anybody's only wakes the bot, and every step looks after it. */
export type TaskOwner =
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

/** Tasks of the bot as a whole. */
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
  /** The answer that a swap waits for is late. */
  swapLate: 'anybody',
  /** Traders are owed the outcome of a swap. */
  tradersTold: 'anybody',
} as const satisfies Readonly<Record<string, TaskOwner>>

/** Kinds of tasks that are each about one thing. */
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
} as const satisfies Readonly<Record<string, TaskOwner>>

/** Of each kind. */
type Owners = typeof OF_BOT & typeof OF_ONE
export type TaskKind = keyof Owners

/**
 * What something is planned for, or read for: a kind, and after a colon the one thing that it is about. A text, since recordings
 * hold it.
 */
export type TaskKey = keyof typeof OF_BOT | `${keyof typeof OF_ONE}:${string}`

type KindsOwnedBy<O extends TaskOwner> = { [K in TaskKind]: Owners[K] extends O ? K : never }[TaskKind]
/** Those that one part of the state is told of. */
export type TaskKeyOf<O extends TaskOwner> = Extract<TaskKey, KindsOwnedBy<O> | `${KindsOwnedBy<O>}:${string}`>

/** A key taken apart: `subjectId` is empty where it is of the bot as a whole. */
interface Parts<K extends TaskKey> {
  readonly kind: K extends `${infer Kind}:${string}` ? Kind : K
  readonly subjectId: string
}

export function parseTaskKey<K extends TaskKey>(key: K): Parts<K> {
  const colon = key.indexOf(':')
  const kind = colon < 0 ? key : key.slice(0, colon)
  return { kind: kind as Parts<K>['kind'], subjectId: key.slice(kind.length + 1) }
}

const OWNERS: ReadonlyMap<string, TaskOwner> = new Map(Object.entries({ ...OF_BOT, ...OF_ONE }))

const LIFECYCLES: ReadonlySet<TaskOwner> = new Set(['swaps', 'figures', 'intents', 'overdue', 'seats', 'reveals', 'finalReads'])

/** Whether the deadlines of a task are those of a lifecycle, which nobody else plans. */
export const plansItself = (key: TaskKey): boolean => LIFECYCLES.has(ownerOf(key))

/** Of one that an older recording holds, and nobody knows any more, too. */
export const ownerOf = (key: TaskKey): TaskOwner => OWNERS.get(parseTaskKey(key).kind) ?? 'anybody'
