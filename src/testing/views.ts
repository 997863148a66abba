import { usdc } from '../core/usdc.ts'
import { OPEN_MODES } from '../strategy/openModes.ts'
import type { BotView, ContestView, OpenContestView, StatsView, TicketView } from '../strategy/view.ts'
import { NOW_MS } from './priceWorld.ts'

// What strategies are shown, with any field as the test says.

/**
 * A seat in a contest of 20 seconds that is live from `NOW_MS` on, for 1 USDC.
 *
 * @example contestView({ mode: 'pnl_usd', stake: usdc('2') })
 */
export const contestView = (fields: Partial<ContestView> = {}): ContestView => ({
  contestId: 'c',
  mode: 'draft_basket',
  phase: 'live',
  stake: usdc('1'),
  side: undefined,
  token: undefined,
  startsAt: NOW_MS,
  endsAt: NOW_MS + 20_000,
  capacity: 2,
  filled: 2,
  standings: undefined,
  ...fields,
})

/**
 * A duel of `up_down` on SOL for 1 USDC that can be joined for half a minute, with `UP` taken.
 *
 * @example queueContext({ openContests: [openContestView({ stake: usdc('2') })] })
 */
export const openContestView = (fields: Partial<OpenContestView> = {}): OpenContestView => ({
  contestId: 'open',
  mode: 'up_down',
  format: 'duel',
  chain: 'solana',
  opponents: 'ANY',
  stake: usdc('1'),
  durationSec: 20,
  capacity: 2,
  filled: 1,
  token: 'So11111111111111111111111111111111111111112',
  sidesTaken: ['UP'],
  joinBy: NOW_MS + 30_000,
  ...fields,
})

/**
 * A ticket for 20 seconds of `draft_basket` at 1 USDC.
 *
 * @example queueContext({ tickets: [ticketView({ mode: 'same_token' })] })
 */
export const ticketView = (fields: Partial<TicketView> = {}): TicketView => ({
  ticketId: 'ticket',
  mode: 'draft_basket',
  stake: usdc('1'),
  durationSec: 20,
  ...fields,
})

/**
 * A record without a contest. Amounts are micro-USDC.
 *
 * @example queueContext({ stats: statsView({ settled: 3, profit: usdc('-2.50') }) })
 */
export const statsView = (fields: Partial<StatsView> = {}): StatsView => ({
  settled: 0,
  profit: 0n,
  staked: 0n,
  byMode: {},
  byTerms: [],
  ...fields,
})

/**
 * A bot with 1,000 USDC and nothing open.
 *
 * @example new CustomUnderTest(mine(), botView({ bankroll: { available: usdc('5'), inPlay: 0n } }))
 */
export const botView = (fields: Partial<BotView> = {}): BotView => ({
  limits: {
    maxStake: usdc('50'),
    dailyLossCap: usdc('200'),
    lostToday: 0n,
    inPlay: 0n,
    remaining: usdc('200'),
    resetsAt: NOW_MS + 43_200_000,
  },
  bankroll: { available: usdc('1000'), inPlay: 0n },
  tickets: [],
  entering: [],
  contests: [],
  swappedIn: [],
  modes: OPEN_MODES,
  openContests: [],
  stats: statsView(),
  ...fields,
})
