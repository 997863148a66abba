import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { mintsDue, runContestDue } from './lifecycle.ts'
import { allDueAt, peekDue } from './schedule.ts'
import type { ContestsState } from './state.ts'
import { expireTicket } from './tickets.ts'
import type { Turn } from './turn.ts'
import type { Command } from './types.ts'

/** Runs every transition due by `now`, those it brings about included, each at its own time. */
export function runDue(turn: Turn, now: number): void {
  const { state } = turn
  for (let due = peekDue(state); due !== undefined && due.at <= now; due = peekDue(state)) {
    state.now = due.at
    state.index.due.pop()
    if (due.type === 'ticket') expireTicket(turn, due.ticket)
    else runContestDue(turn, due.contest)
  }
}

/** When the next transition falls due, Unix milliseconds; null when none will. */
export function nextDue(state: ContestsState): number | null {
  return peekDue(state)?.at ?? null
}

/**
 * The `advance` to apply before anything at `now`: it is of the time the next transition falls due,
 * and carries the prices needed then. Null once nothing is due any more.
 *
 * @param priceAt looks a price up; null where the world has none
 * @example
 * for (let due = dueCommand(state, now, priceAt); due !== null; due = dueCommand(state, now, priceAt)) apply(state, due)
 */
export function dueCommand(state: ContestsState, now: number, priceAt: (mint: Mint, atMs: number) => Price | null): Command | null {
  const at = nextDue(state)
  if (at === null || at > now) return null
  const mints = new Set(allDueAt(state, at).flatMap((due) => (due.type === 'contest' ? mintsDue(due.contest) : [])))
  const prices = [...mints].map((mint) => ({ mint, at, price: priceAt(mint, at) }))
  return prices.length === 0 ? { type: 'advance', now: at } : { type: 'advance', now: at, prices }
}
