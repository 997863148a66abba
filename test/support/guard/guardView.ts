import type { TokenFacts } from '../../../src/core/tokenFacts.ts'
import { type Mint, SOL_MINT, tokenOf, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { check } from '../../../src/guard/guard.ts'
import { Reservations } from '../../../src/guard/reservations.ts'
import type { SwapQuote } from '../../../src/guard/swapQuote.ts'
import type { Approved, RefusalCode } from '../../../src/guard/verdict.ts'
import type { AgedPrice, Dated, GuardView, JoinableContest, OwnSeat, Playable, TradedContest } from '../../../src/guard/view.ts'
import { type Action, createContest, enqueue, joinContest, type SwapAction } from '../../../src/strategy/action.ts'
import { type GuardConfig, guardConfig } from '../../../src/strategy/guardConfig.ts'
import type { LimitsView } from '../../../src/strategy/view.ts'

// What a rule looks at, for tests: all is well unless the test says otherwise.

/** 12:00 UTC of a day. */
export const NOW_MS = Date.UTC(2025, 6, 21, 12)

export const BONK_MINT: Mint = tokenOf('BONK')?.mint ?? ''
export const WIF_MINT: Mint = tokenOf('WIF')?.mint ?? ''

type Told = 'config' | 'joinable' | 'seat' | 'ticket' | 'sibling' | 'traded' | 'price' | 'token' | 'spentByMode' | 'spentByStrategy'
type Amounts = Readonly<Record<string, bigint>>

export interface ViewChanges extends Partial<Omit<GuardView, Told>> {
  readonly config?: Partial<GuardConfig>
  readonly joinable?: Readonly<Record<string, Partial<JoinableContest>>>
  readonly seats?: Readonly<Record<string, Partial<OwnSeat>>>
  readonly tickets?: readonly string[]
  readonly sibling?: GuardView['sibling']
  readonly traded?: Readonly<Record<string, Partial<Omit<TradedContest, 'held'>> & { readonly held?: Amounts }>>
  /** Changes to SOL at 150 and BONK at 0.00002 USD, each a second old. */
  readonly prices?: Readonly<Record<Mint, AgedPrice | undefined>>
  /** What the bot was told of tokens. */
  readonly tokens?: readonly TokenFacts[]
  readonly spentByMode?: Amounts
  readonly spentByStrategy?: Amounts
}

/** The service's figures as read now: a stake cap of 50 USDC, a daily loss cap of 200, nothing lost or in play. */
export const limits = (changes: Partial<LimitsView> = {}, begunAt = NOW_MS): Dated<LimitsView> => ({
  begunAt,
  value: {
    maxStake: usdc('50'),
    dailyLossCap: usdc('200'),
    lostToday: 0n,
    inPlay: 0n,
    remaining: usdc('200'),
    resetsAt: Date.UTC(2025, 6, 22),
    ...changes,
  },
})

/** Every mode can be played, but for what is changed. */
export const playable = (changes: Partial<Playable> = {}): Playable => ({
  unreadable: () => undefined,
  trialOut: () => undefined,
  unplayedBy: () => undefined,
  path: undefined,
  swapBudget: undefined,
  closed: () => undefined,
  ...changes,
})

const PRICES: Readonly<Record<Mint, AgedPrice>> = {
  [SOL_MINT]: { price: '150', ageMs: 1000 },
  [BONK_MINT]: { price: '0.00002', ageMs: 1000 },
}

/**
 * A running bot that has caught up, with 1,000 USDC, 0.1 SOL, own caps of 5 and 20 USDC, room for three contests, nothing
 * open, and a live contest `c` to trade in. The strategy `ladder` asks.
 */
export function guardView(changes: ViewChanges = {}): GuardView {
  const {
    config,
    joinable = {},
    seats = {},
    tickets = [],
    sibling,
    prices = {},
    tokens = [],
    spentByMode,
    spentByStrategy,
    ...figures
  } = changes
  const { traded = { c: {} }, ...others } = figures
  return {
    now: NOW_MS,
    figuresHoldMs: 60_000,
    runMode: 'running',
    caughtUp: true,
    stopped: 'nothing',
    by: 'ladder',
    limits: limits(),
    available: { value: usdc('1000'), begunAt: NOW_MS },
    lostToday: 0n,
    inPlay: 0n,
    swapLoss: 0n,
    unpriced: undefined,
    streak: { losses: 0, lastAt: 0 },
    unexplained: 0n,
    missingOnChain: 0n,
    unswapped: () => 0,
    clockGapMs: 0,
    smallestStake: undefined,
    stakedInDay: 0n,
    dayStartBankroll: usdc('1000'),
    entriesInMinute: 0,
    drawdown: 0n,
    gasLamports: { value: 100_000_000n, begunAt: NOW_MS },
    wallet: 'wallet',
    swapsInMinute: 0,
    pricesAgeMs: 1000,
    openContests: 0,
    playable: undefined,
    openTickets: 0,
    reservations: new Reservations(),
    ...others,
    config: { ...guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20'), maxOpenContests: 3, maxSlippageBps: 50 }), ...config },
    spentByMode: (mode) => spentByMode?.[mode] ?? 0n,
    spentByStrategy: (strategy) => spentByStrategy?.[strategy] ?? 0n,
    token: (mint) => tokens.find((facts) => facts.mint === mint),
    price: (mint) => (mint in prices ? prices[mint] : PRICES[mint]),
    traded: (contestId) => {
      const contest = traded[contestId]
      if (contest === undefined) return undefined
      const { held = {}, ...rest } = contest
      return { mode: 'pnl_usd', phase: 'live', token: undefined, swaps: 0, ...rest, held: (mint) => held[mint] ?? 0n }
    },
    joinable: (contestId) => {
      const contest = joinable[contestId]
      if (contest === undefined) return undefined
      return {
        mode: 'draft_basket',
        chain: undefined,
        opponents: undefined,
        stake: usdc('1'),
        sidesTaken: [],
        sided: false,
        token: undefined,
        ...contest,
      }
    },
    seat: (contestId) => {
      const seat = seats[contestId]
      return seat === undefined
        ? undefined
        : { mode: 'up_down', phase: 'live', draftable: undefined, commitOpen: false, revealable: false, ...seat }
    },
    ticket: (ticketId) => tickets.includes(ticketId),
    sibling: sibling ?? (() => undefined),
  }
}

// Entries of 1 USDC, and what the ledger may hold already.

export const queue = (stake = usdc('1'), fields: Partial<Omit<Parameters<typeof enqueue>[0], 'stake'>> = {}) =>
  enqueue({ mode: 'draft_basket', durationSec: 20, ...fields, stake })
export const join = (fields: { side?: string } = {}) => joinContest({ contestId: 'c', ...fields })
export const create = (stake = usdc('1'), fields: Partial<Omit<Parameters<typeof createContest>[0], 'stake'>> = {}) =>
  createContest({ mode: 'up_down', chain: 'solana', format: 'duel', durationSec: 20, ...fields, stake })
export const reveal: Action = { type: 'revealPrediction', contestId: 'c' }

/** A ledger that holds these stakes without an outcome. */
export function holding(...stakes: readonly bigint[]): Reservations {
  const reservations = new Reservations()
  for (const [index, stake] of stakes.entries()) {
    reservations.reserve({
      key: `held ${index}`,
      identity: `held ${index}`,
      kind: 'entry',
      stake,
      risk: stake,
      mode: 'up_down',
      by: 'other',
    })
  }
  return reservations
}

/** A ledger with a pending stake of 2 USDC, and one of 4 USDC that was placed. */
export function holdingAndPlaced(): Reservations {
  const reservations = holding(usdc('2'), usdc('4'))
  reservations.place('held 1', 4)
  return reservations
}

/** A ledger in which a swap of 10 USDC that may lose 0.3 has no outcome. */
export function swapping(): Reservations {
  const reservations = new Reservations()
  reservations.reserve({ key: '3:holder:0', identity: 'swap', kind: 'swap', stake: usdc('10'), risk: usdc('0.3') })
  return reservations
}

/** A buy of SOL for 10 USDC in the contest `c`. */
export const buy = (fields: Partial<Omit<SwapAction, 'type'>> = {}): SwapAction => ({
  ...{ type: 'swap', contestId: 'c', from: USDC_MINT, to: SOL_MINT, amount: usdc('10') },
  ...fields,
})

/** A sale of 0.1 SOL, worth 15 USDC. */
export const sell = (fields: Partial<SwapAction> = {}): SwapAction => ({
  ...{ type: 'swap', contestId: 'c', from: SOL_MINT, to: USDC_MINT, amount: 100_000_000n },
  ...fields,
})

/** The contest `c`, in which 0.1 SOL was bought. */
export const holdingSol = (changes: Partial<Omit<TradedContest, 'held'>> = {}): NonNullable<ViewChanges['traded']> => ({
  c: { held: { [SOL_MINT]: 100_000_000n }, ...changes },
})

/** What the guard says of an action in such a view. */
export const codeOf = (action: Action, changes: ViewChanges = {}): RefusalCode | 'approved' => {
  const verdict = check('key', action, guardView(changes))
  return verdict.ok ? 'approved' : verdict.refusal.code
}

/** A swap that was let out. */
export function letOut(action: SwapAction, view: GuardView, key = 'key'): Approved<SwapAction> {
  const verdict = check(key, action, view)
  if (!verdict.ok) throw new Error(verdict.refusal.message)
  return verdict.action
}

/** A quote for 10 USDC at 150 USD a SOL, 10 bps under the feed, with half a percent of slippage. */
export const quoted = (changes: Partial<SwapQuote> = {}): SwapQuote => ({
  from: USDC_MINT,
  to: SOL_MINT,
  inAmount: usdc('10'),
  outAmount: 66_600_000n,
  minOut: 66_267_000n,
  slippageBps: 50,
  impactBps: 4,
  askedAt: NOW_MS - 200,
  ...changes,
})
