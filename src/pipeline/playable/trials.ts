import { traitsOf } from '../../contract/modes.ts'
import { type Action, joinContest } from '../../strategy/action.ts'
import type { OpenContestView } from '../../strategy/view.ts'
import type { Intents } from '../actions/intents.ts'
import type { InputOf } from '../protocol/input.ts'
import type { Reads } from '../reads.ts'
import type { Present } from '../state/present.ts'
import type { ModeRecord } from './modeRecord.ts'
import { modeStatusOf } from './modeStatus.ts'
import type { Modes } from './modes.ts'

/** What stands in the way of a trial may be gone by then. */
const AGAIN_MS = 60_000
const LISTED = 100

interface TrialsOptions {
  readonly present: Present
  readonly modes: Modes
  readonly intents: Intents
  readonly reads: Reads
}

/**
 * Enters one contest of a mode that is closed, with the smallest stake that is known to be taken, once its time has come: a valid move in
 * it opens the mode. It is an entry like any other: caps, budgets and the guard's other rules hold.
 */
export class Trials {
  readonly #options: TrialsOptions

  constructor(options: TrialsOptions) {
    this.#options = options
  }

  /** Plans the next. */
  tend(): void {
    const { present, modes } = this.#options
    const { deadlines, now } = present
    if (!modes.isKept || deadlines.has('trial')) return
    let next = Number.POSITIVE_INFINITY
    for (const { closed } of modes.known) if (closed?.trialAt !== undefined && closed.trialAt < next) next = closed.trialAt
    if (next < Number.POSITIVE_INFINITY) deadlines.set('trial', Math.max(next, now))
  }

  onDue(): void {
    const { present, reads } = this.#options
    const { deadlines, now } = present
    let needsList = false
    for (const record of this.#ready()) {
      if (record.taken === undefined) needsList = true
      else this.#enter(record.mode, record.taken)
    }
    if (needsList) reads.ask('trialList', 'agent.contests.list', { status: 'open', limit: LISTED })
    // Those that could not be begun wait for a while, whatever the reason.
    if ([...this.#ripe()].length > 0) deadlines.set('trial', now + AGAIN_MS)
  }

  /** Contests that others opened were listed: the smallest of each mode is one to try. */
  onAnswer({ request, result }: InputOf<'answer'>): void {
    if (request.purpose !== 'trialList' || !result.ok) return
    const { present } = this.#options
    const open = present.books.openContests?.value ?? []
    for (const { mode, taken } of this.#ready()) {
      if (taken !== undefined) continue
      const found = smallestOf(open.filter((contest) => contest.mode === mode && !present.books.seats.has(contest.contestId)))
      if (found !== undefined) this.#enter(mode, found)
    }
  }

  #enter(mode: string, action: Action): void {
    const { present, intents, modes } = this.#options
    if (action.type !== 'enqueue' && action.type !== 'createContest' && action.type !== 'joinContest') return
    if (!intents.submit(action, 'framework')) return
    // In the same transaction as the entry: no crash makes two of it.
    modes.happened(mode, { type: 'trialBegun' }, present.step)
    present.step.note('info', `${mode} is tried again: one contest is entered to see whether it can be played`, {
      code: 'MODE_TRIED',
      mode,
    })
  }

  /** Modes whose time for a trial has come. */
  *#ripe(): Generator<ModeRecord> {
    const { present, modes } = this.#options
    const { now } = present
    for (const record of modes.known) if (record.closed?.trialAt !== undefined && record.closed.trialAt <= now) yield record
  }

  /** Those of them that nothing stands in the way of. */
  #ready(): ModeRecord[] {
    const { present, modes } = this.#options
    const { books } = present
    if (!books.caughtUp || books.runMode !== 'running' || books.stopped !== 'nothing') return []
    const isBlocked = (mode: string): boolean =>
      // For something else than that it is closed.
      modeStatusOf(modes, { mode, now: present.now }).code !== 'MODE_CLOSED' ||
      this.#isOut(mode) ||
      [...books.siblings.values()].some(({ trial }) => trial === mode)
    return [...this.#ripe()].filter(({ mode }) => !isBlocked(mode))
  }

  /** Whether a ticket, a seat or an entry on its way is of the mode. */
  #isOut(mode: string): boolean {
    const { intents, modes } = this.#options
    const { seats, tickets } = modes.out(mode)
    return seats + tickets > 0 || intents.entering.length > 0
  }
}

/** Where a side is to be named, one that is free. */
function smallestOf(open: readonly OpenContestView[]): Action | undefined {
  const joinable = open.filter(({ filled, capacity, mode, sidesTaken }) => filled < capacity && sideIn(mode, sidesTaken) !== null)
  const [smallest] = joinable.toSorted((a, b) => (a.stake < b.stake ? -1 : a.stake > b.stake ? 1 : 0))
  if (smallest === undefined) return undefined
  const { contestId, mode, sidesTaken } = smallest
  const side = sideIn(mode, sidesTaken)
  return joinContest({ contestId, ...(typeof side === 'string' ? { side: side as 'UP' } : {}) })
}

/** Null: none is free. */
function sideIn(mode: string, taken: readonly string[]): string | null | undefined {
  const sides = traitsOf(mode)?.sides ?? []
  return sides.length === 0 ? undefined : (sides.find((side) => !taken.includes(side)) ?? null)
}
