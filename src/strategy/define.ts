import type { Observable } from 'rxjs'
import type { z } from 'zod'
import type { ServiceEvent } from '../contract/events.ts'
import { PREDICTION_MODES, type PredictionMode, type TradingMode } from '../contract/modes.ts'
import { CornermanError } from '../core/error.ts'
import type { Price } from '../core/price.ts'
import type { Random } from '../core/random.ts'
import { readOnlyCopy } from '../core/readOnly.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import type { Action, SwapIntent } from './action.ts'
import { type Answer, answerOf } from './answer.ts'
import { type Browse, checkBrowse } from './checkBrowse.ts'
import { checkDefinition } from './checkDefinition.ts'
import { describeIssue, type IssueNames } from './issue.ts'
import { isSecret, shownParams } from './shownParams.ts'
import type {
  BankrollView,
  BotView,
  ContestView,
  LimitsView,
  OpenContestView,
  Positions,
  Prices,
  StandingView,
  StatsView,
  SwapOutcome,
  TicketView,
} from './view.ts'

/** Writes a line to the bot's log, with the strategy's name; the bot's page shows it too. `fields` are data, and nothing secret. */
export interface StrategyLog {
  /** For looking closely: the log leaves it out. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** For the course of things. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** For something that its owner should look at. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** What every strategy is given. `clock` and `random` belong to the input that it is called on. */
export interface StrategyContext<P> {
  /** As the config gives them, with defaults filled in. */
  readonly params: P
  readonly prices: Prices
  /** The service's time, in Unix milliseconds: use it in place of `Date.now()`, so that a replay decides as the live run did. */
  readonly clock: { now(): number }
  /**
   * Random numbers, to be used in place of `Math.random()`. They depend on the bot's `seed`, the strategy's name and the number of the
   * input alone, so that a replay draws what the live run drew. A backtest draws the same numbers each time, but not those of
   * the live run, since its inputs are numbered differently.
   */
  readonly random: Random
  readonly log: StrategyLog
}

/** What a queue policy is given each time it is asked. */
export interface QueueContext<P> extends StrategyContext<P> {
  /** All of the fields below in one object, and `swappedIn`: the same that a custom strategy's `state()` gives. */
  readonly state: BotView
  /** The service's caps for this agent. The bot asks no policy before they were read. */
  readonly limits: LimitsView | undefined
  /** What the wallet has. The bot asks no policy before it was read. */
  readonly bankroll: BankrollView | undefined
  /** Tickets that wait in the match queue. */
  readonly tickets: readonly TicketView[]
  /** Seats this bot has taken, in contests that are not over. */
  readonly contests: readonly ContestView[]
  /** Contests of others that can be joined, as `browse` asked for them, read every 4 seconds; none without `browse`. */
  readonly openContests: readonly OpenContestView[]
  /** By mode, whether it is open: an entry into one that is not is refused. */
  readonly modes: BotView['modes']
  /** The bot's own results so far. */
  readonly stats: StatsView
}

/** What a draft picker is given when it is this bot's turn. */
export interface DraftContext<P> extends StrategyContext<P> {
  readonly contest: ContestView
  readonly draft: {
    /** Tokens that can be picked now: the answer is one of them. */
    readonly available: readonly Mint[]
    /** Tokens this bot has picked so far. */
    readonly mine: readonly Mint[]
    /** Tokens its opponents have picked so far. */
    readonly theirs: readonly Mint[]
    /** As the service counts it; 0 where it does not say. */
    readonly round: number
    /** Unix milliseconds after which the service picks in the bot's place; undefined where it does not say. */
    readonly pickBy: number | undefined
  }
}

/** What a trader is given, once for each live contest of its modes. */
export interface TradeContext<P> extends StrategyContext<P> {
  /** As it was when its window opened; `standings()` has how it stands now. */
  readonly contest: ContestView
  /** What the contest's swaps have made: on subscribing how it stands, and from then on after every fill, before that fill's outcome. */
  readonly positions$: Observable<Positions>
  /** What became of each swap this trader asked for, from now on. */
  readonly outcomes$: Observable<SwapOutcome>
  /** What the bot can spend now, in micro-USDC; undefined until the bankroll was read. */
  available(): Usdc | undefined
  /** The seats and how they stand, as the service showed them last; undefined until it has. */
  standings(): readonly StandingView[] | undefined
  /**
   * Emits the time, in Unix milliseconds, once every so many seconds, the first time one period after it is subscribed to. Periods
   * that end while the event stream cannot be read are skipped.
   *
   * @param seconds 0.1 to 86400
   * @throws CornermanError `STRATEGY_PERIOD_INVALID` outside of that
   * @example every(5).pipe(map(() => available()))
   */
  every(seconds: number): Observable<number>
}

export type { PredictionMode } from '../contract/modes.ts'

/** `price` for `price_prediction`, in USD as decimal text; `side` for `up_down`, in the service's word: the sandbox's are `UP` and `DOWN`. */
export type Prediction = { readonly price: Price } | { readonly side: string }

/** What a predictor is given each time it is asked. */
export interface PredictContext<P> extends StrategyContext<P> {
  /** The contest to predict in; in `up_down` one that is about to be joined. */
  readonly contest: {
    readonly contestId: string
    readonly mode: PredictionMode
    /** In micro-USDC; 0n until the service has said it. */
    readonly stake: Usdc
    /** The token whose price is predicted; undefined where the service does not say: nothing can be predicted then. */
    readonly token: Mint | undefined
    /** Where the service does not say: undefined in `price_prediction`, 0 in `up_down`. */
    readonly durationSec: number | undefined
    /** Unix milliseconds; undefined where it is not known, as always in `up_down`. */
    readonly startsAt: number | undefined
    /** Unix milliseconds; undefined where it is not known, as always in `up_down`. */
    readonly endsAt: number | undefined
    /** Seats in all; undefined until the service has said it. */
    readonly capacity?: number | undefined
    /** Seats taken; undefined until the service has said it. */
    readonly filled?: number | undefined
    /** Who sits there, as the service showed it last; undefined until it has, as always before joining. */
    readonly standings?: readonly StandingView[] | undefined
  }
}

/** What a draft picker is asked about. */
export type DraftTurn = Pick<DraftContext<unknown>, 'contest' | 'draft'>
/** What a predictor is asked about. */
export type PredictionDue = PredictContext<unknown>['contest']

/**
 * What a custom strategy hears of, by the stream that tells it; on subscribing nothing is said, `state()` has how things stand. In
 * `draftTurn$`, `predictionDue$` and `policyTurn$` it is told before a strategy of that kind is asked, which is not asked any more where
 * the custom strategy has answered.
 */
export interface CustomStreams {
  /** Every event of the service from now on, in order. Those of an outage come once it is over. */
  readonly events$: ServiceEvent
  /** The bot's seats, each time one is taken, changes or ends. */
  readonly contests$: readonly ContestView[]
  /** It is the bot's turn in a draft, as a draft picker is asked: `draftPick({ contestId, token })` answers it. */
  readonly draftTurn$: DraftTurn
  /** A price can be committed to, as a predictor is asked: `commitPrediction({ contestId, price })` answers it. */
  readonly predictionDue$: PredictionDue
  /** A contest that is played by swaps has gone live: once for each. */
  readonly contest$: ContestView
  /**
   * What the bot knows of itself, whenever queue policies are asked which contests to enter: after everything that becomes of a ticket or
   * a contest, and every 5 seconds, but never while an entry of the bot has no outcome.
   */
  readonly policyTurn$: BotView
}

/** By stream: what it told last, as a fault calls it. */
export const TOLD_AS = {
  events$: 'event',
  contests$: 'contests',
  draftTurn$: 'draftTurn',
  predictionDue$: 'predictionDue',
  contest$: 'contest',
  policyTurn$: 'policyTurn',
} as const satisfies Record<keyof CustomStreams, string>
export const CUSTOM_STREAMS = Object.keys(TOLD_AS) as readonly (keyof CustomStreams)[]

/** What a custom strategy is given, once for the life of the bot. */
export interface RunContext<P> extends StrategyContext<P>, Observables<CustomStreams> {
  /** As in a trader's context, for the life of the bot. @throws CornermanError `STRATEGY_PERIOD_INVALID` outside of 0.1 to 86400 seconds */
  every(seconds: number): Observable<number>
  /** What the bot knows of itself now. Its `entering` is what was let out and is neither a ticket nor a contest yet: count it where entries are counted. */
  state(): BotView
}

export type Observables<T> = { readonly [K in keyof T]: Observable<T[K]> }
type Later<T> = T | Promise<T>
type Maybe<T> = T | null | undefined

interface Bound<K extends string> {
  readonly kind: K
  readonly name: string
  /** As they may be shown: its functions have the secrets among them, and nothing else. */
  readonly params: unknown
  /** What its parameters say of themselves, for who shows them. */
  readonly paramsSchema: z.ZodObject
  /** Whether it calls out, to a model or an API: its answers are played back in a replay, not asked for again. */
  readonly external: boolean
  /** The text of its functions, for telling one version of it from another. */
  readonly code: string
  /** The same strategy with some parameters changed: names and values as in the config. Throws as its making does. */
  readonly remade: (changes: Readonly<Record<string, unknown>>) => Strategy
}

/** What every definition has. */
interface Named<P> {
  /** A letter, then up to 39 letters, digits, `-` or `_`. Logs, recordings and budgets call the strategy by it. */
  readonly name: string
  /** A zod object: it checks the config, documents the parameters, and fills in their defaults. */
  readonly params: P
  /** True for a strategy that calls out, to a model or an API: a replay plays its recorded answers back and does not ask again. */
  readonly external?: boolean
}

/** A queue policy with its parameters, as the framework runs it and a test calls it. */
export interface QueuePolicy extends Bound<'queue'> {
  /** How often it is asked where nothing happens, in seconds. */
  readonly everySec: number
  readonly browse: Browse | undefined
  decide(context: QueueContext<unknown>): Later<Maybe<readonly Action[]>>
}
/** A draft picker with its parameters, as the framework runs it and a test calls it. */
export interface DraftPicker extends Bound<'draft'> {
  pick(context: DraftContext<unknown>): Later<Maybe<Mint>>
}
/** A predictor with its parameters, as the framework runs it and a test calls it. */
export interface Predictor extends Bound<'predict'> {
  readonly modes: readonly string[]
  predict(context: PredictContext<unknown>): Later<Maybe<Prediction>>
}
/** A custom strategy with its parameters, as the framework runs it and a test calls it. */
export interface CustomStrategy extends Bound<'custom'> {
  run(context: RunContext<unknown>): Observable<Action>
}
/** A trader with its parameters, as the framework runs it and a test calls it. */
export interface Trader extends Bound<'trade'> {
  readonly modes: readonly string[]
  trade(context: TradeContext<unknown>): Observable<SwapIntent>
}
/** A strategy of any kind with its parameters: an element of `bots[].strategies`. */
export type Strategy = QueuePolicy | DraftPicker | Predictor | Trader | CustomStrategy

/**
 * What `define…` returns: call it with parameters, in the config, to make a strategy.
 *
 * @throws CornermanError `STRATEGY_PARAMS_INVALID`, or `STRATEGY_INVALID` for what `browse` returns: strategy, field, value, and what
 *   is allowed
 */
export interface Definition<P extends z.ZodType, S extends Strategy> {
  (params?: z.input<P>): S
  readonly strategyName: string
  readonly kind: S['kind']
  readonly paramsSchema: P
}

type Params = z.ZodObject

/**
 * Defines a strategy that decides which contests to enter. It is asked once the bot has caught up with the event stream, after
 * everything that becomes of a ticket or a contest, and every `everySec` seconds (0.1 to 86400, default 5), but never while an
 * entry of the bot has no outcome: what `tickets` and `contests` show is all that was entered. It answers with a list of actions;
 * an empty one, null or undefined means none. The answer may be a promise, or an observable, whose first value counts if it comes in
 * time (`strategyTimeoutMs`).
 *
 * @throws CornermanError `STRATEGY_NAME_INVALID`, `STRATEGY_PERIOD_INVALID`, or `STRATEGY_INVALID` for any other part of the definition
 * @example
 * export default defineQueuePolicy({
 *   name: 'always',
 *   params: z.object({ stake: z.bigint().default(usdc('1')) }),
 *   decide: ({ params, tickets, contests }) =>
 *     tickets.length + contests.length > 0 ? [] : [enqueue({ mode: 'draft_basket', stake: params.stake, durationSec: 20 })],
 * })
 */
export function defineQueuePolicy<P extends Params>(
  definition: Named<P> & {
    readonly everySec?: number
    readonly browse?: (params: z.output<P>) => Browse | undefined
    decide(context: QueueContext<z.output<P>>): Answer<Maybe<readonly Action[]>>
  },
): Definition<P, QueuePolicy> {
  return define('queue', definition, (params) => ({
    everySec: definition.everySec ?? 5,
    browse: checkBrowse(definition.name, definition.browse?.(params)),
    decide: (context) => answerOf(definition.decide({ ...context, params })),
  }))
}

/**
 * Defines a strategy that picks a token when it is the bot's turn in a draft. It answers with one of `draft.available`; null or
 * undefined leaves the pick to the service. As `decide` of a policy it may answer with a promise or an observable.
 *
 * @throws CornermanError `STRATEGY_NAME_INVALID`, or `STRATEGY_INVALID` for any other part of the definition
 * @example
 * export default defineDraftPicker({
 *   name: 'rising',
 *   params: z.object({ lookbackSec: z.number().int().min(5).max(3600).default(60) }),
 *   pick({ params, draft, prices }) {
 *     const rise = (mint: Mint) => prices.change(mint, params.lookbackSec) ?? 0
 *     return draft.available.toSorted((a, b) => rise(b) - rise(a))[0]
 *   },
 * })
 */
export function defineDraftPicker<P extends Params>(
  definition: Named<P> & {
    pick(context: DraftContext<z.output<P>>): Answer<Maybe<Mint>>
  },
): Definition<P, DraftPicker> {
  return define('draft', definition, (params) => ({ pick: (context) => answerOf(definition.pick({ ...context, params })) }))
}

/**
 * Defines a strategy that predicts: in `price_prediction` a price, asked for while the service takes commitments; in `up_down` a
 * side, asked for when a contest is joined without one. Null or undefined predicts nothing. `modes` are the modes it is asked in,
 * both where it is left out. As `decide` of a policy it may answer with a promise or an observable. The framework makes the
 * commitment, keeps its salt, and reveals.
 *
 * @throws CornermanError `STRATEGY_NAME_INVALID`, or `STRATEGY_INVALID` for any other part of the definition
 * @example
 * export default definePredictor({
 *   name: 'unchanged',
 *   modes: ['price_prediction'],
 *   params: z.object({}),
 *   predict({ contest, prices }) {
 *     const price = contest.token === undefined ? undefined : prices.text(contest.token)
 *     return price === undefined ? null : { price }
 *   },
 * })
 */
export function definePredictor<P extends Params>(
  definition: Named<P> & {
    readonly modes?: readonly PredictionMode[]
    predict(context: PredictContext<z.output<P>>): Answer<Maybe<Prediction>>
  },
): Definition<P, Predictor> {
  return define('predict', definition, (params) => ({
    modes: definition.modes ?? PREDICTION_MODES,
    predict: (context) => answerOf(definition.predict({ ...context, params })),
  }))
}

/**
 * Defines a strategy that trades. `trade` is called once for each live contest of its modes and returns an observable of the swaps
 * it wants, which is unsubscribed from when the contest ends. A wallet makes one swap at a time; up to 16 more wait their turn, for
 * 10 seconds at most.
 *
 * @throws CornermanError `STRATEGY_NAME_INVALID`, or `STRATEGY_INVALID` for any other part of the definition
 * @example
 * export default defineTrader({
 *   name: 'once',
 *   modes: ['pnl_usd'],
 *   params: z.object({ amount: z.bigint().default(usdc('10')) }),
 *   trade: ({ params }) => of(swap({ from: USDC_MINT, to: SOL_MINT, amount: params.amount })),
 * })
 */
export function defineTrader<P extends Params>(
  definition: Named<P> & {
    readonly modes: readonly TradingMode[]
    trade(context: TradeContext<z.output<P>>): Observable<SwapIntent>
  },
): Definition<P, Trader> {
  return define('trade', definition, (params) => ({
    modes: definition.modes,
    trade: (context) => definition.trade({ ...context, params }),
  }))
}

/**
 * Defines a strategy of the most general kind: `run` is called once, with observables of everything the bot hears, and returns an
 * observable of the actions it wants. The other kinds have the questions asked for them; take this one when a decision depends on
 * several of them.
 *
 * @throws CornermanError `STRATEGY_NAME_INVALID`, or `STRATEGY_INVALID` for any other part of the definition
 * @example
 * export default defineStrategy({
 *   name: 'oneAtOnce',
 *   params: z.object({ stake: z.bigint().default(usdc('1')) }),
 *   run: ({ params, every, state }) =>
 *     every(5).pipe(
 *       filter(() => state().tickets.length + state().contests.length === 0),
 *       map(() => enqueue({ mode: 'draft_basket', stake: params.stake, durationSec: 20 })),
 *     ),
 * })
 */
export function defineStrategy<P extends Params>(
  definition: Named<P> & {
    run(context: RunContext<z.output<P>>): Observable<Action>
  },
): Definition<P, CustomStrategy> {
  return define('custom', definition, (params) => ({ run: (context) => definition.run({ ...context, params }) }))
}

function define<P extends Params, S extends Strategy>(
  kind: S['kind'],
  definition: Named<P>,
  bind: (params: z.output<P>) => Omit<S, keyof Bound<string>>,
): Definition<P, S> {
  checkDefinition(kind, definition)
  const { name, params: paramsSchema, external = false } = definition
  // A misspelt parameter would otherwise be dropped and its default played with. Who says `loose` means it.
  // The same schema, closed: of its type the compiler knows only that it is an object's.
  const closed = paramsSchema.def.catchall === undefined ? (paramsSchema.strict() as Params as P) : paramsSchema
  const code = Object.values(definition)
    .filter((part) => typeof part === 'function')
    .map(String)
    .join('\n')
  const create = (input?: z.input<P>): S => {
    const given = input ?? {}
    const parsed = closed.safeParse(given)
    if (!parsed.success) throw paramsError(name, given, paramsSchema, parsed.error)
    // Of the strategy alone, and the same at every question: who gave them keeps theirs.
    const params = readOnlyCopy(parsed.data)
    // `kind` and the bound methods are of one S by the callers above; a spread cannot show that.
    return Object.freeze({
      kind,
      name,
      params: shownParams(params),
      paramsSchema: paramsSchema as Params,
      external,
      code,
      remade: (changes: Readonly<Record<string, unknown>>): Strategy => create({ ...given, ...changes } as z.input<P>),
      ...bind(params),
    } as S)
  }
  return Object.assign(create, { strategyName: name, kind, paramsSchema })
}

function paramsError(name: string, input: unknown, paramsSchema: Params, error: z.ZodError): CornermanError {
  const allowed = Object.keys(paramsSchema.shape)
  const names: IssueNames = {
    whole: 'its parameters',
    unknownField: `no such parameter; there is ${allowed.join(', ') || 'none'}`,
    isSecret: (path, value) => typeof value === 'string' && isSecret(value, path.join('.')),
  }
  const issues = error.issues.map((issue) => describeIssue(issue, input, names))
  return new CornermanError('STRATEGY_PARAMS_INVALID', `strategy ${name}: ${issues.join('; ')}`, { details: { strategy: name, issues } })
}
