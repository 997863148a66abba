import type { Player } from './agentFile.ts'
import type { Fill } from './market.ts'

export const MODES = [
  ...['pnl_race_pct', 'pnl_usd', 'best_trade', 'draft_basket', 'price_prediction'],
  ...['up_down', 'target_race', 'last_bag_standing', 'same_token'],
] as const
export type Mode = (typeof MODES)[number]

/** The service's own words for the sides of `up_down`. */
export const BETS = ['long', 'short'] as const
export type Bet = (typeof BETS)[number]

/**
 * The specification names open, live, settled and cancelled. Between them stand `arming` (all are ready, the countdown runs), `drafting`, and
 * `weighing` (the time is over, the result is not final).
 */
export type Stage = 'open' | 'arming' | 'drafting' | 'live' | 'weighing' | 'settled' | 'cancelled'

export interface Seat {
  readonly player: Player
  /** The entry id of the specification. */
  readonly slip: string
  readonly bet: Bet | null
  isReady: boolean
  commitment: string | null
  guess: string | null
  readonly basket: string[]
  readonly fills: Fill[]
  paid: bigint | null
}

/** Whose turn it is in a draft. */
export interface DraftTurn {
  readonly order: readonly Seat[]
  lap: number
  place: number
  untilMs: number
}

export interface Contest {
  readonly uid: string
  readonly mode: Mode
  readonly chain: 'solana' | 'robinhood'
  readonly format: 'duel' | 'lobby'
  readonly opponents: 'HUMAN' | 'AGENT' | 'ANY'
  readonly stake: bigint
  readonly durationSec: number
  readonly capacity: number
  readonly isHidden: boolean
  readonly isPrivate: boolean
  readonly isOfHouse: boolean
  /** What it is about; null where any token will do. */
  readonly coin: string | null
  readonly joinUntilMs: number
  readonly seats: Seat[]
  stage: Stage
  startsAtMs: number | null
  endsAtMs: number | null
  readonly startPrices: Map<string, number>
  readonly endPrices: Map<string, number>
  draft: DraftTurn | null
}

export const LAPS = 3

export const seatOf = (contest: Contest, userId: string): Seat | undefined => contest.seats.find(({ player }) => player.userId === userId)

export const isOver = ({ stage }: Contest): boolean => stage === 'settled' || stage === 'cancelled'

export const drafterOf = ({ draft, stage }: Contest): Seat | undefined => (stage === 'drafting' ? draft?.order[draft.place] : undefined)

/** The bets nobody has taken; a duel of `up_down` has one of each. */
export const freeBets = ({ mode, seats, format }: Contest): Bet[] =>
  mode !== 'up_down' ? [] : BETS.filter((bet) => format === 'lobby' || seats.every((seat) => seat.bet !== bet))

export const laneOf = ({ seats, opponents }: Contest): 'HUMAN' | 'AGENT' | 'MIXED' => {
  const kinds = new Set(seats.map(({ player }) => player.kind))
  if (opponents !== 'ANY') kinds.add(opponents)
  return kinds.size === 1 ? ([...kinds][0] ?? 'MIXED') : 'MIXED'
}
