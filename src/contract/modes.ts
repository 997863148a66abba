// What the modes of the service are, one row each (part 2 of the specification). Whatever differs from mode to mode derives from here: a new
// mode is a new row, and the compiler names every place that has to decide something about it.

/** The moves of a seat: swaps tagged with the contest, picks of a draft, a price that is sealed and shown, or none after a side was taken. */
export type PlayKind = 'swaps' | 'picks' | 'sealedPrice' | 'side'

/** What differs from one mode to another. */
export interface ModeTraits {
  readonly playedBy: PlayKind
  /** The kind of strategy that plays it. */
  readonly asked: 'trade' | 'draft' | 'predict'
  /** The sandbox's words for the sides of a contest; none: no side is named on joining. */
  readonly sides: readonly string[]
  /** Whether it is won by prices that the bot has to know: without a feed the stake is as good as lost. */
  readonly needsFeed: boolean
  /** Whether a contest is about one token, which its parameters name. */
  readonly needsToken: boolean
  /** Whether a move may be asked for before the contest is live. */
  readonly movesBeforeLive: boolean
  /** What ends a contest before its time: a recorded score is final only where that is known. */
  readonly endsEarly: false | 'target' | 'lastStanding'
}

const BY_SWAPS = {
  playedBy: 'swaps',
  asked: 'trade',
  sides: [],
  needsFeed: true,
  needsToken: false,
  movesBeforeLive: false,
  endsEarly: false,
} as const

export const MODE_TRAITS = {
  pnl_race_pct: BY_SWAPS,
  pnl_usd: BY_SWAPS,
  best_trade: BY_SWAPS,
  draft_basket: { ...BY_SWAPS, playedBy: 'picks', asked: 'draft', needsFeed: false, movesBeforeLive: true },
  price_prediction: { ...BY_SWAPS, playedBy: 'sealedPrice', asked: 'predict', needsToken: true, movesBeforeLive: true },
  up_down: { ...BY_SWAPS, playedBy: 'side', asked: 'predict', sides: ['UP', 'DOWN'], needsFeed: false, needsToken: true },
  target_race: { ...BY_SWAPS, endsEarly: 'target' },
  last_bag_standing: { ...BY_SWAPS, needsToken: true, endsEarly: 'lastStanding' },
  same_token: { ...BY_SWAPS, needsToken: true },
} as const satisfies Record<string, ModeTraits>

type Table = typeof MODE_TRAITS
/** A mode of the service, such as `draft_basket`. */
export type Mode = keyof Table
/** The modes that have these traits. */
export type ModeWhere<T extends Partial<ModeTraits>> = { [M in Mode]: Table[M] extends T ? M : never }[Mode]
type Some<M> = readonly [M, ...M[]]

/**
 * Every mode of the service, in the order of the specification.
 *
 * @example MODES.map((mode) => enqueue({ mode, stake: usdc('1'), durationSec: 60 }))
 */
export const MODES = Object.freeze(Object.keys(MODE_TRAITS)) as unknown as Some<Mode>

/** The modes that have these traits, in the order of the specification: there is one at least. */
export function modesWhere<const T extends Partial<ModeTraits>>(traits: T): Some<ModeWhere<T>> {
  const wanted = Object.entries(traits) as [keyof ModeTraits, unknown][]
  return Object.freeze(MODES.filter((mode) => wanted.every(([trait, value]) => MODE_TRAITS[mode][trait] === value))) as unknown as Some<
    ModeWhere<T>
  >
}

/** Whether this is a mode that is played so: one of a later service is not. */
export const isPlayedBy = <const P extends PlayKind>(mode: string | undefined, how: P): mode is ModeWhere<{ playedBy: P }> =>
  traitsOf(mode)?.playedBy === how

/** Undefined of a mode that a later service has: it is shown by its name, and never entered by a policy. */
export const traitsOf = (mode: string | undefined): ModeTraits | undefined =>
  mode !== undefined && Object.hasOwn(MODE_TRAITS, mode) ? MODE_TRAITS[mode as Mode] : undefined

/**
 * The modes that are played by swaps tagged with the contest: those that a trader may name.
 *
 * @example
 * export default defineTrader({
 *   name: 'still',
 *   modes: TRADING_MODES,
 *   params: z.object({}),
 *   trade: () => of(),
 * })
 */
export const TRADING_MODES = modesWhere({ playedBy: 'swaps' })
/** A mode that is played by swaps. */
export type TradingMode = ModeWhere<{ playedBy: 'swaps' }>
export const isTradingMode = (mode: string): mode is TradingMode => isPlayedBy(mode, 'swaps')

/** The modes in which something is predicted. */
export const PREDICTION_MODES = modesWhere({ asked: 'predict' })
/** A mode in which something is predicted: those that a predictor may name. */
export type PredictionMode = ModeWhere<{ asked: 'predict' }>
