import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { expireTicket } from './entry/tickets.ts'
import { mintsDue, runContestDue } from './lifecycle.ts'
import { mintsOfFill } from './play/fills.ts'
import { allDueAt, peekDue } from './state/schedule.ts'
import type { ContestsState } from './state/state.ts'
import type { Turn } from './turn.ts'
import type { Command, CommandBody } from './types.ts'

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
  const mints: Mint[] = []
  for (const due of allDueAt(state, at)) {
    if (due.type === 'ticket') continue
    for (const mint of mintsDue(due.contest)) if (!mints.includes(mint)) mints.push(mint)
  }
  return withPrices({ type: 'advance' }, mints, { now: at, priceAt })
}

interface Moment {
  readonly now: number
  /** Looks a price up; null where the world has none. */
  readonly priceAt: (mint: Mint, atMs: number) => Price | null
}

/**
 * A command of `now` with the prices it needs. To be made once `dueCommand` has nothing left by then.
 * As in `apply`, a time before the state's own counts as the state's.
 *
 * @example apply(state, commandAt(state, { type: 'deposit', agentId, amount: 1n }, { now, priceAt }))
 */
export function commandAt(state: ContestsState, body: CommandBody, { now, priceAt }: Moment): Command {
  const at = Math.max(now, state.now)
  return withPrices(body, body.type === 'fill' ? mintsOfFill(state, body, at) : [], { now: at, priceAt })
}

function withPrices(body: CommandBody, mints: readonly Mint[], { now, priceAt }: Moment): Command {
  const prices = mints.map((mint) => ({ mint, at: now, price: priceAt(mint, now) }))
  if (body.type === 'fill') {
    // Put together by name, as the commonest by far: a copy of just anything takes several times as long.
    const { type, agentId, contestId, signature, changes, feeLamports } = body
    const named = { type, agentId, contestId, signature, changes, feeLamports, now }
    return prices.length === 0 ? named : { ...named, prices }
  }
  return prices.length === 0 ? { ...body, now } : { ...body, now, prices }
}
