import { unreachable } from '../../core/error.ts'
import { isEntry } from '../../guard/index.ts'
import { isMove, type ServiceAction } from '../../strategy/action.ts'
import type { Strays } from '../answers/strays.ts'
import type { Attribution } from '../books/attribution.ts'
import type { Figures } from '../money/figures.ts'
import type { Plays } from '../playable/plays.ts'
import type { IntentStatus } from '../protocol/journalRecord.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { isSaid } from '../reads.ts'
import type { PredictionCustody } from '../seat/predictionCustody.ts'
import type { Seats } from '../seat/seats.ts'
import type { Present } from '../state/present.ts'
import type { Tally } from '../tally.ts'
import { describeAction } from './describeAction.ts'
import { troubleOf } from './entryAnswers.ts'
import type { EntryEffect, EntryState, InVain } from './entryState.ts'
import type { OwnedIds } from './ownedIds.ts'
import { lookUpOf, type ServiceActionType } from './reconciliation.ts'

export interface EntryEffectsOptions {
  readonly strays: Strays
  readonly figures: Figures
  readonly ownedIds: OwnedIds
  readonly attribution: Attribution
  readonly plays: Plays
  readonly tally: Tally
  readonly seats: Seats
  readonly predictions: PredictionCustody
  /** A valid move was made in a contest. */
  readonly onMoved: (contestId: string) => void
  /** Told of an answer that counts, for whoever acts on it. */
  readonly onConcluded: (action: ServiceAction, outcome: Outcome) => void
}

type Own = Exclude<EntryEffect, { readonly type: 'lookUp' | 'provesJoin' }>
type Settled = Extract<EntryEffect, { readonly type: 'settled' }>

/** Carries out what becomes of an action: in the books, in the step, and for whoever acts on it. */
export class EntryEffects {
  readonly #present: Present
  readonly #options: EntryEffectsOptions
  /** Actions whose answers do not say what they made, so that each is reported once. */
  readonly #silent = new Set<ServiceActionType>()

  constructor(present: Present, options: EntryEffectsOptions) {
    this.#present = present
    this.#options = options
  }

  perform(effect: Own, state: EntryState): void {
    const { step } = this.#present
    const { action, key } = state.entry.intent
    switch (effect.type) {
      case 'order':
        step.orders.push(effect.order)
        return
      case 'note':
        step.note(effect.level, effect.message, effect.fields)
        return
      case 'lost':
        step.outcomes.push({ key, status: 'unknown', detail: effect.reason })
        if (isMove(action)) this.#options.plays.hindered(action.contestId, 'unanswered', effect.reason)
        if (effect.isTaken) return
        step.note('warn', `${action.type}: no answer (${effect.reason}); it counts as done until the service shows otherwise`, {
          intent: key,
        })
        return
      case 'silent':
        if (this.#silent.has(action.type)) return
        this.#silent.add(action.type)
        step.note('debug', `${action.type} was taken, and its answer does not say what it made: that is looked up`, { intent: key })
        return
      case 'vain':
        if (action.type === 'revealPrediction') this.#noteVain(state, effect, action.contestId)
        return
      case 'settled':
        this.#settle(state, effect)
        return
      case 'concluded':
        this.#options.onConcluded(action, effect.outcome)
        return
      default:
        unreachable(effect)
    }
  }

  /** @returns when it is to be looked up, where it has to wait */
  lookUp({ entry }: EntryState): number | undefined {
    const { action, key } = entry.intent
    const { procedure, input } = lookUpOf(action)
    // The table in `reconciliation.ts` pairs each procedure with its own input.
    const read = { procedure, input: input as never, purpose: `resolve:${key}` } as const
    const pausedUntil = this.#options.strays.pausedUntil(read)
    if (pausedUntil === undefined) this.#present.step.reads.push(read)
    return pausedUntil
  }

  #noteVain({ entry }: EntryState, { outcome, count }: { readonly outcome: InVain; readonly count: number }, contestId: string): void {
    const { step } = this.#present
    const { plays } = this.#options
    const { action, key } = entry.intent
    const why = troubleOf(outcome)
    if (outcome.status === 'rejected') plays.hindered(contestId, `refused:${outcome.refusal.code}`, outcome.refusal.message)
    else plays.hindered(contestId, 'refused:NOT_SENT', why)
    this.#options.predictions.tell(contestId, { type: 'revealFailed', why })
    const times = count === 1 ? 'it is tried again until its contest is over' : `${count} times so far`
    if (isSaid(count)) step.note('warn', `${describeAction(action, 0n)} came to nothing (${why}): ${times}`, { intent: key })
  }

  #settle(state: EntryState, { status, made, detail }: Settled): void {
    const { step } = this.#present
    const { tally } = this.#options
    const { key } = state.entry.intent
    // What never arrived and is sent anew is one action with that.
    if (status !== 'notTaken') tally.sent += 1
    if (status === 'accepted') this.#accept(state, made)
    else this.#fail(state, status, detail)
    step.outcomes.push({ key, status, ...(made === undefined ? {} : { made }), ...(detail === undefined ? {} : { detail }) })
  }

  #accept({ entry, tries }: EntryState, made: string | undefined): void {
    const { now, step } = this.#present
    const { attribution, figures, ownedIds, onMoved, seats, predictions } = this.#options
    const { intent, listed } = entry
    const { key, action } = intent
    if (tries !== undefined)
      step.note('info', `${describeAction(action, 0n)} was taken, after ${tries.count} tries in vain`, { intent: key })
    if (isEntry(action) || action.type === 'cancelTicket' || action.type === 'leaveContest') figures.stakeMoved()
    figures.placed(key)
    this.#acceptInLedger(action, key, made)
    if (made !== undefined) ownedIds.add(made, key)
    if (action.type === 'draftPick') onMoved(action.contestId)
    if (action.type === 'commitPrediction') predictions.tell(action.contestId, { type: 'committed' })
    if (action.type === 'revealPrediction') predictions.tell(action.contestId, { type: 'revealed' })
    if (action.type === 'cancelTicket') attribution.forget(action.ticketId)
    seats.onAccepted({ intent, listed, made, now })
  }

  #acceptInLedger(action: ServiceAction, key: string, made: string | undefined): void {
    const { ledger } = this.#options.figures
    if (action.type === 'cancelTicket') ledger.gaveBack(action.ticketId)
    if (action.type === 'leaveContest') ledger.gaveBack(action.contestId)
    if (!isEntry(action)) return
    const contradiction = ledger.accepted(key, made)
    if (contradiction === undefined) return
    const message = `the service contradicts itself: ${contradiction}. Both stakes count until the service ends both`
    this.#present.step.note('error', message, { intent: key, ...(made === undefined ? {} : { made }) })
  }

  #fail({ entry }: EntryState, status: Settled['status'], detail: string | undefined): void {
    const { step } = this.#present
    const { figures, seats, tally, predictions } = this.#options
    const { key, action } = entry.intent
    figures.released(key)
    if (isEntry(action)) {
      figures.ledger.refused(key, status !== 'notSent')
      if (status !== 'notSent') figures.stakeMoved()
    }
    // What was heard meanwhile was of the seat before.
    if (entry.wasLeft && action.type === 'joinContest') seats.end(action.contestId)
    if (action.type === 'revealPrediction') predictions.tell(action.contestId, { type: 'revealFailed', why: detail ?? status })
    const isHarmless = status === 'lostRace' || status === 'notTaken'
    if (!isHarmless) tally.failed += 1
    step.note(isHarmless ? 'info' : 'warn', `${action.type} ${CAME_TO[status] ?? 'failed'}: ${detail}`, { intent: key })
  }
}

/** In words, where it is not simply failed. */
const CAME_TO: Partial<Record<IntentStatus, string>> = {
  lostRace: 'came too late',
  notTaken: 'is to be sent anew',
  notSent: 'was not sent',
}
