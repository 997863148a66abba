import { type ExtraPaths, type Found, findField, idText } from '../../contract/paths.ts'
import { isLostRace, meaningOf, saysNo } from '../../contract/refusals.ts'
import { backoffMs } from '../../core/backoff.ts'
import { unreachable } from '../../core/error.ts'
import { isEntry } from '../../guard/index.ts'
import type { Action } from '../../strategy/action.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { after, type Move } from '../state/lifecycle.ts'
import type { Doubted, EntryEffect, EntryHappening, EntrySeen, EntryState, InVain, Sent, Unknown, Waiting } from './entryState.ts'

// What follows from the answer to an action, and from its loss.

/** Between tries of a reveal: it stakes nothing, and has its time, which may be a few seconds where the service has a word on it. */
const REVEAL_AGAIN = { firstMs: 500, longestMs: 10_000, longestOfRefusedMs: 2000 }
/** Of several requests: one that was lost may have been taken, and a refusal says more than what never left. */
const WEIGHTS = { notSent: 0, rejected: 1, unknown: 2, accepted: 3 } as const
const TOLD = 'its answer was lost; the event stream shows that it took effect'

export type EntryMove = Move<EntryState, EntryEffect>
export type HappeningOf<T extends EntryHappening['type']> = Extract<EntryHappening, { readonly type: T }>

export const stay = (state: EntryState, ...effects: readonly EntryEffect[]): EntryMove => ({ state, effects })
export const followed = (move: EntryMove, effect: EntryEffect): EntryMove => ({ ...move, effects: [...move.effects, effect] })

type Settled = Omit<Extract<EntryEffect, { readonly type: 'settled' }>, 'type'>

/** It has its outcome. */
export const settled = ({ status, made, detail }: Pick<Settled, 'status'> & Partial<Settled>): EntryMove => ({
  state: undefined,
  effects: [{ type: 'settled', status, made, detail }],
})

export function onAnswered(state: Sent, { outcome }: HappeningOf<'answered'>, seen: EntrySeen): EntryMove {
  const { action } = state.entry.intent
  const unanswered = state.unanswered - 1
  const isCertain = outcome.status === 'accepted' || isWanted(action, outcome)
  const heard = isCertain ? state.heard : heavier(state.heard, outcome)
  const answer = isCertain ? outcome : heard
  const next: Sent = { ...state, unanswered, heard }
  // Another request may say that it was taken.
  if (answer === undefined || (!isCertain && unanswered > 0)) return stay(next)
  if (isInVain(action, answer)) {
    const doubted = tryAgain(next, answer, seen) ?? doubt(next, answer, seen)
    if (doubted !== undefined) return doubted
  }
  return followed(conclude(next, answer, seen), { type: 'concluded', outcome: answer })
}

const heavier = (one: Outcome | undefined, other: Outcome): Outcome =>
  one === undefined || WEIGHTS[other.status] > WEIGHTS[one.status] ? other : one

/** A reveal that never left, or was refused, stays the same action until it is taken, or its contest is over. */
function tryAgain({ is: _, unanswered, heard: __, ...state }: Sent, outcome: InVain, seen: EntrySeen): EntryMove | undefined {
  const { action } = state.entry.intent
  if (action.type !== 'revealPrediction' || seen.isOver(action)) return undefined
  const count = (state.tries?.count ?? 0) + 1
  const isRefused = outcome.status === 'rejected' && saysNo(outcome.refusal)
  const longestMs = isRefused ? REVEAL_AGAIN.longestOfRefusedMs : REVEAL_AGAIN.longestMs
  // A word that may be wrong is no reason to lose the stake, and to try once more costs nothing: seldom, while the contest is not over.
  const isLate = outcome.status === 'rejected' && meaningOf(outcome.refusal, action.type) === 'tooLate'
  const againAt = seen.now + (isLate ? REVEAL_AGAIN.longestMs : backoffMs(count - 1, REVEAL_AGAIN.firstMs, longestMs))
  const refusedAt = isRefused ? seen.now : state.tries?.refusedAt
  const waiting: Waiting = { is: 'waiting', ...state, tries: { count, last: outcome, againAt, refusedAt }, dueAt: againAt }
  // One of an earlier run may have been taken since it was looked for, and is refused from then on.
  return stay(waiting, ...(isRefused ? [{ type: 'lookUp' } as const] : []), { type: 'vain', outcome, count })
}

/**
 * A service that refuses what it has done costs a second stake, and a reveal that is refused at last may have been taken before, by a request that
 * was slower than the look at it: before its word counts, it is asked what it shows.
 */
function doubt(state: Sent | Waiting, outcome: InVain, seen: EntrySeen): EntryMove | undefined {
  const { action } = state.entry.intent
  // Where this is the first that was tried, none was taken before.
  const mayBeTaken = action.type === 'revealPrediction' && seen.isOver(action) && seen.wasRevealTried(action.contestId)
  if (!mayBeTaken && (outcome.status !== 'rejected' || !isEntry(action))) return undefined
  const { entry, told, tries, failingSince, dueAt } = state
  const doubted: Doubted = { is: 'doubted', entry, told, tries, failingSince, dueAt, doubted: outcome }
  return stay(doubted, { type: 'lookUp' })
}

export function conclude(state: EntryState, outcome: Outcome, seen: EntrySeen): EntryMove {
  const { action } = state.entry.intent
  switch (outcome.status) {
    case 'accepted':
      return accept(state, outcome, seen)
    case 'rejected': {
      const { code, message } = outcome.refusal
      if (isWanted(action, outcome)) return settled({ status: 'accepted', detail: `${code}: ${message}` })
      const status = isLostRace(outcome.refusal, action.type) ? 'lostRace' : 'rejected'
      return settled({ status, detail: inTries(`${code}: ${message}`, state) })
    }
    case 'notSent':
      return settled({ status: 'notSent', detail: inTries(outcome.reason, state) })
    case 'unknown':
      return lose(state, outcome, seen)
    default:
      return unreachable(outcome)
  }
}

function accept(state: EntryState, { output }: Extract<Outcome, { status: 'accepted' }>, seen: EntrySeen): EntryMove {
  const { action } = state.entry.intent
  const made = madeBy(action, output, seen.paths)
  if (made.found) {
    const proves: readonly EntryEffect[] = action.type === 'leaveContest' ? [{ type: 'provesJoin', contestId: action.contestId }] : []
    return after(proves, settled({ status: 'accepted', made: made.value }))
  }
  // What an action answers is not specified: its ticket or contest is found by its event, or in the lists. The money that it moved is asked for once that
  // is found, which it is by the next answer: its reservation holds until then.
  return after<EntryState, EntryEffect>(
    [{ type: 'silent' }],
    lose(state, { reason: 'the answer does not say what it made', isTaken: true }, seen),
  )
}

interface Lost {
  readonly reason: string
  readonly isTaken?: boolean
  readonly mayArriveForMs?: number
}

function lose(state: EntryState, { reason, isTaken = false, mayArriveForMs = 0 }: Lost, seen: EntrySeen): EntryMove {
  const { entry, told, tries, failingSince } = state
  const { action, at } = entry.intent
  const { now, timeoutMs } = seen
  // A ticket may be another's, of the same terms, unless it is certain that there is one of this.
  if (told !== undefined && (action.type === 'joinContest' || (isTaken && !seen.claimed.has(told))))
    return settled({ status: 'accepted', made: told, detail: TOLD })
  // One that was held back was sent later than it was approved, and may arrive until the service has given up on it.
  const lateAt = Math.max(at + 2 * timeoutMs, now + Math.max(timeoutMs, mayArriveForMs))
  const doubt = { since: now, lateAt, absences: 0, gone: 0, isTaken, dueAt: lateAt }
  // A look at once too: it can show that the action happened, though not yet that it did not.
  return stay({ is: 'unknown', entry, told, tries, failingSince, ...doubt }, { type: 'lookUp' }, { type: 'lost', reason, isTaken })
}

/** An answer that nobody waits for any more, as a replay may have one: only that it was taken says more than is known. */
export function onLateAnswer(state: Waiting | Doubted | Unknown, { outcome }: HappeningOf<'answered'>, seen: EntrySeen): EntryMove {
  if (outcome.status !== 'accepted' && !isWanted(state.entry.intent.action, outcome)) return stay(state)
  return followed(conclude(state, outcome, seen), { type: 'concluded', outcome })
}

/** The stream tells what it made. */
export const onTold = (state: EntryState, { made }: HappeningOf<'told'>): EntryMove =>
  state.is === 'unknown' ? settled({ status: 'accepted', made, detail: TOLD }) : stay({ ...state, told: made })

export function onProved({ entry }: EntryState): EntryMove {
  const { action } = entry.intent
  const made = 'contestId' in action ? action.contestId : undefined
  return settled({ status: 'accepted', made, detail: 'before its answer came, the service has taken the seat back' })
}

export const onClosed = (): EntryMove => settled({ status: 'absent', detail: 'the operator has closed it' })

/** A contest is over: what waits to be sent in it comes too late, unless it was taken before. */
export function onContestEnded(state: Waiting, _: HappeningOf<'contestEnded'>, seen: EntrySeen): EntryMove {
  const unplanned = { ...state, dueAt: undefined }
  const { last } = state.tries
  return doubt(unplanned, last, seen) ?? followed(conclude(unplanned, last, seen), { type: 'concluded', outcome: last })
}

export const onPostponed = (state: Waiting, { until }: HappeningOf<'postponed'>): EntryMove =>
  stay({ ...state, dueAt: until === undefined ? undefined : Math.max(state.tries.againAt, until) })

/** Whether a refusal says that what was wanted is so: there is no seat to give back, or the price is shown. Of an entry it does not say which. */
export const isWanted = (action: Action, outcome: Outcome): boolean =>
  outcome.status === 'rejected' && !isEntry(action) && meaningOf(outcome.refusal, action.type) === 'done'

const inTries = (why: string, { tries }: EntryState): string => (tries === undefined ? why : `${why}, in ${tries.count} tries`)

/** Whether what was wanted was not taken, and is not so. */
const isInVain = (action: Action, outcome: Outcome): outcome is InVain =>
  outcome.status === 'notSent' || (outcome.status === 'rejected' && !isWanted(action, outcome))

/** Why an action was not taken, or may not have been. */
export const troubleOf = (outcome: Exclude<Outcome, { status: 'accepted' }>): string =>
  outcome.status === 'rejected' ? `${outcome.refusal.code}: ${outcome.refusal.message}` : outcome.reason

/** The ticket or contest that an accepted action accounts for: what it made, or the contest it joined; of others nothing. */
function madeBy(action: Action, output: unknown, paths: ExtraPaths): Found<string | undefined> {
  if (action.type === 'enqueue') return findField(output, 'ticketId', idText, paths)
  if (action.type === 'createContest') return findField(output, 'contestId', idText, paths)
  return { found: true, value: action.type === 'joinContest' ? action.contestId : undefined }
}
