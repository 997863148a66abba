import { usdc } from '../core/usdc.ts'
import { type Action, createContest, enqueue, joinContest } from '../strategy/action.ts'
import type { LimitsView } from '../strategy/view.ts'
import { check } from './guard.ts'
import { Reservations } from './reservations.ts'
import type { RefusalCode } from './verdict.ts'
import type { Dated, GuardView, JoinableContest, OwnSeat } from './view.ts'

// What a rule looks at, for tests: all is well unless the test says otherwise.

/** 12:00 UTC of a day. */
export const NOW_MS = Date.UTC(2025, 6, 21, 12)

export interface ViewChanges extends Partial<Omit<GuardView, 'joinable' | 'seat' | 'ticket' | 'sibling'>> {
  readonly joinable?: Readonly<Record<string, Partial<JoinableContest>>>
  readonly seats?: Readonly<Record<string, Partial<OwnSeat>>>
  readonly tickets?: readonly string[]
  readonly sibling?: GuardView['sibling']
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

/** A running bot that has caught up, with 1,000 USDC, own caps of 5 and 20 USDC, room for three contests, and nothing open. */
export function guardView({ joinable = {}, seats = {}, tickets = [], sibling, ...changes }: ViewChanges = {}): GuardView {
  return {
    now: NOW_MS,
    config: { maxStake: usdc('5'), dailyLoss: usdc('20'), maxOpenContests: 3, maxSlippageBps: 50 },
    runMode: 'running',
    caughtUp: true,
    limits: limits(),
    available: { value: usdc('1000'), begunAt: NOW_MS },
    lostToday: 0n,
    inPlay: 0n,
    openContests: 0,
    openTickets: 0,
    reservations: new Reservations(),
    ...changes,
    joinable: (contestId) => {
      const contest = joinable[contestId]
      return contest === undefined ? undefined : { stake: usdc('1'), sidesTaken: [], sided: false, ...contest }
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

export const queue = (stake = usdc('1'), fields: { durationSec?: number; mode?: 'up_down' | 'draft_basket' } = {}) =>
  enqueue({ mode: 'draft_basket', durationSec: 20, ...fields, stake })
export const join = (fields: { side?: string } = {}) => joinContest({ contestId: 'c', ...fields })
export const create = (stake = usdc('1')) => createContest({ mode: 'up_down', chain: 'solana', format: 'duel', stake, durationSec: 20 })
export const reveal: Action = { type: 'revealPrediction', contestId: 'c' }

/** A ledger that holds these stakes without an outcome. */
export function holding(...stakes: readonly bigint[]): Reservations {
  const reservations = new Reservations()
  for (const [index, stake] of stakes.entries()) reservations.reserve({ key: `held ${index}`, identity: `held ${index}`, stake })
  return reservations
}

/** A ledger with a pending stake of 2 USDC, and one of 4 USDC that was placed. */
export function holdingAndPlaced(): Reservations {
  const reservations = holding(usdc('2'), usdc('4'))
  reservations.place('held 1', NOW_MS)
  return reservations
}

/** What the guard says of an action in such a view. */
export const codeOf = (action: Action, changes: ViewChanges = {}): RefusalCode | 'approved' => {
  const verdict = check('key', action, guardView(changes))
  return verdict.ok ? 'approved' : verdict.refusal.code
}
