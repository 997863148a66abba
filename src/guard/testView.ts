import { usdc } from '../core/usdc.ts'
import type { LimitsView } from '../strategy/view.ts'
import { Reservations } from './reservations.ts'
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
