import type { Observable } from 'rxjs'
import type { z } from 'zod'
import type { Mode, TradingMode } from '../contract/enums.ts'
import type { ServiceEvent } from '../contract/events.ts'
import { CornermanError } from '../core/error.ts'
import type { Price } from '../core/price.ts'
import type { Random } from '../core/random.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import type { Action, SwapIntent } from './action.ts'
import { checkBrowse } from './checkBrowse.ts'
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
  StatsView,
  SwapOutcome,
  TicketView,
} from './view.ts'

/** Writes a line to the bot's log, with the strategy's name and the input it was called on. */
export interface StrategyLog {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** What every strategy gets. `now` and `random` belong to the input it is called on. */
export interface StrategyContext<P> {
  readonly params: P
  readonly prices: Prices
  readonly clock: { now(): number }
  /**
   * Keyed by (seed, strategy, number of the input): a replay draws what the live run drew. A backtest draws the same each time, but not what the
   * live run drew, since its inputs are numbered otherwise.
   */
  readonly random: Random
  readonly log: StrategyLog
}

export interface QueueContext<P> extends StrategyContext<P> {
  readonly state: BotView
  readonly limits: LimitsView | undefined
  readonly bankroll: BankrollView | undefined
  readonly tickets: readonly TicketView[]
  readonly contests: readonly ContestView[]
  /** Contests that can be joined, as `browse` asked for them. */
  readonly openContests: readonly OpenContestView[]
  readonly stats: StatsView
}

export interface DraftContext<P> extends StrategyContext<P> {
  readonly contest: ContestView
  readonly draft: {
    readonly available: readonly Mint[]
    readonly mine: readonly Mint[]
    readonly theirs: readonly Mint[]
    /** 0 where the service does not say. */
    readonly round: number
    /** Unix milliseconds after which the service picks for us; undefined where it does not say. */
    readonly pickBy: number | undefined
  }
}

/** What a trader gets, once for each live contest of its modes. */
export interface TradeContext<P> extends StrategyContext<P> {
  readonly contest: ContestView
  /** What the contest's swaps have made: at once as it stands, to every subscriber, then after every fill and before its outcome. */
  readonly positions$: Observable<Positions>
  /** What became of every swap this trader asked for, from now on. */
  readonly outcomes$: Observable<SwapOutcome>
  /** USDC the bot can spend now, in micro-USDC; undefined until the bankroll was read. */
  available(): Usdc | undefined
  /** Fires on the bot's clock, first after one period from being subscribed to. @throws CornermanError `STRATEGY_PERIOD_INVALID` outside of 0.1 to 86400 */
  every(seconds: number): Observable<number>
}

/** The modes in which something is predicted. */
export type PredictionMode = 'price_prediction' | 'up_down'

/** `price` for `price_prediction`, in USD as decimal text; `side` for `up_down`, in the service's word: the sandbox's are `UP` and `DOWN`. */
export type Prediction = { readonly price: Price } | { readonly side: string }

export interface PredictContext<P> extends StrategyContext<P> {
  /** The seat to predict for; for `up_down`, the open contest about to be joined. */
  readonly contest: {
    readonly contestId: string
    readonly mode: PredictionMode
    /** 0n until the service has said it. */
    readonly stake: bigint
    readonly token: Mint | undefined
    /** Where the service does not say: undefined of a seat, 0 of an open contest. */
    readonly durationSec: number | undefined
    readonly startsAt: number | undefined
    readonly endsAt: number | undefined
  }
}

export interface RunContext<P> extends StrategyContext<P> {
  readonly events$: Observable<ServiceEvent>
  readonly contests$: Observable<readonly ContestView[]>
  /** Fires on the bot's clock, first after one period from being subscribed to. @throws CornermanError `STRATEGY_PERIOD_INVALID` outside of 0.1 to 86400 */
  every(seconds: number): Observable<number>
  /** Its `entering` is what was let out and is neither a ticket nor a contest yet: count it where entries are counted. */
  state(): BotView
}

type Later<T> = T | Promise<T>
type Maybe<T> = T | null | undefined

/** Which open contests to read for the policy, as `agent.contests.list` filters them. */
export interface Browse {
  readonly modes?: readonly Mode[]
  readonly minStake?: Usdc
  readonly maxStake?: Usdc
}

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
}

/** What every definition has. */
interface Named<P> {
  readonly name: string
  readonly params: P
  /** Set for a strategy that calls out, to a model or an API: a replay plays its recorded answers back and does not ask again. */
  readonly external?: boolean
}

/** Strategies with their parameters, as the framework runs them. */
export interface QueuePolicy extends Bound<'queue'> {
  readonly everySec: number
  readonly browse: Browse | undefined
  decide(context: QueueContext<unknown>): Later<Maybe<readonly Action[]>>
}
export interface DraftPicker extends Bound<'draft'> {
  pick(context: DraftContext<unknown>): Later<Maybe<Mint>>
}
export interface Predictor extends Bound<'predict'> {
  readonly modes: readonly string[]
  predict(context: PredictContext<unknown>): Later<Maybe<Prediction>>
}
export interface CustomStrategy extends Bound<'custom'> {
  run(context: RunContext<unknown>): Observable<Action>
}
export interface Trader extends Bound<'trade'> {
  readonly modes: readonly string[]
  trade(context: TradeContext<unknown>): Observable<SwapIntent>
}
export type Strategy = QueuePolicy | DraftPicker | Predictor | Trader | CustomStrategy

/** What a definition gives: called with parameters in the config, it is a strategy. */
export interface Definition<P extends z.ZodType, S extends Strategy> {
  (params?: z.input<P>): S
  readonly strategyName: string
  readonly kind: S['kind']
  readonly paramsSchema: P
}

type Params = z.ZodObject

/**
 * Decides which contests to enter: called once the bot has caught up, after every ticket or contest
 * outcome, and every `everySec` (0.1 to 86400, default 5), but never while an entry of the bot has no outcome: what
 * `tickets` and `contests` show is all that was entered.
 *
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
    decide(context: QueueContext<z.output<P>>): Later<Maybe<readonly Action[]>>
  },
): Definition<P, QueuePolicy> {
  return define('queue', definition, (params) => ({
    everySec: definition.everySec ?? 5,
    browse: checkBrowse(definition.name, definition.browse?.(params)),
    decide: (context) => definition.decide({ ...context, params }),
  }))
}

/** Picks a token when it is this agent's turn in a draft: one of `draft.available`. */
export function defineDraftPicker<P extends Params>(
  definition: Named<P> & {
    pick(context: DraftContext<z.output<P>>): Later<Maybe<Mint>>
  },
): Definition<P, DraftPicker> {
  return define('draft', definition, (params) => ({ pick: (context) => definition.pick({ ...context, params }) }))
}

/**
 * Predicts: a price when the commit window is open, a side when `up_down` is joined without one.
 * `modes` says for which modes it is asked; without it, for both.
 */
export function definePredictor<P extends Params>(
  definition: Named<P> & {
    readonly modes?: readonly PredictionMode[]
    predict(context: PredictContext<z.output<P>>): Later<Maybe<Prediction>>
  },
): Definition<P, Predictor> {
  return define('predict', definition, (params) => ({
    modes: definition.modes ?? ['price_prediction', 'up_down'],
    predict: (context) => definition.predict({ ...context, params }),
  }))
}

/**
 * Trades in a live contest of its modes, from its start to its end: observables in, swaps out. One swap of a
 * wallet is under way at a time; further ones wait their turn.
 *
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

/** The general strategy: observables of the bot's whole world in, actions out. */
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
    // `kind` and the bound methods are of one S by the callers above; a spread cannot show that.
    return { kind, name, params: shownParams(parsed.data), paramsSchema: paramsSchema as Params, external, code, ...bind(parsed.data) } as S
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
