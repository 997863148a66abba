import type { ServiceEvent } from '../../contract/events.ts'
import { backoffMs } from '../../core/backoff.ts'
import { SKEW_MS } from '../../core/skew.ts'
import { check, type Hold, identityOf, isEntry } from '../../guard/index.ts'
import { type Action, isMove, isSwap, type ServiceAction } from '../../strategy/action.ts'
import type { EnteringView } from '../../strategy/view.ts'
import type { Strays } from '../answers/strays.ts'
import type { Attribution } from '../books/attribution.ts'
import { joinableOf } from '../books/views.ts'
import { type GuardSight, isRevealable } from '../guardView.ts'
import type { Figures } from '../money/figures.ts'
import type { Plays } from '../playable/plays.ts'
import type { InputOf, Intent } from '../protocol/input.ts'
import { intentKey, strategyOfKey } from '../protocol/intentKey.ts'
import { requestOf } from '../protocol/request.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { Reads } from '../reads.ts'
import type { Refusals } from '../refusals.ts'
import type { CustodySeen } from '../seat/custodyMachine.ts'
import { finalStateOf } from '../seat/finalReads.ts'
import { PredictionCustody } from '../seat/predictionCustody.ts'
import type { Seats } from '../seat/seats.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import type { Tally } from '../tally.ts'
import { describeAction, makesSomething } from './describeAction.ts'
import { EntryEffects, type EntryEffectsOptions } from './entryEffects.ts'
import { entryMachine } from './entryMachine.ts'
import type { Entry, EntryEffect, EntryHappening, EntrySeen, EntryState } from './entryState.ts'
import { OwnedIds } from './ownedIds.ts'
import type { SaidTerms } from './reconciliation.ts'

/** Moves that may be sent again, and whose time may be as short as a time-out: they are looked up before their answer is lost. */
const URGENT: ReadonlySet<ServiceAction['type']> = new Set(['commitPrediction', 'revealPrediction'])
/** An answer is there by then, as a rule. */
const HANGING_MS = 1000
/** However many hang at once, their looks together leave most of the read limit to the stream. */
const EACH_HANGING_MS = 500

/** The least time between two tries of a move whose every answer is lost: none before the second, and then twice as long each time. */
const PAUSE_MS = { first: 250, longest: 2000 }

/** Those that a prediction waits for. */
const MOVES = ['commitPrediction', 'revealPrediction'] as const

/** An action that nothing was heard of yet. */
const UNHEARD = { told: undefined, tries: undefined, failingSince: undefined } as const

interface IntentsOptions extends Pick<EntryEffectsOptions, 'onConcluded' | 'onMoved'> {
  readonly strays: Strays
  readonly reads: Reads
  readonly figures: Figures
  readonly seats: Seats
  readonly attribution: Attribution
  readonly plays: Plays
  readonly tally: Tally
  readonly refusals: Refusals
  /** Shows the guard how things stand. */
  readonly sight: GuardSight
}

/** From an action to its outcome: guard, custody, journal record, order, and what becomes of it by the table of `entryMachine.ts`. */
export class Intents {
  readonly #present: Present
  readonly #options: IntentsOptions
  readonly #figures: Figures
  readonly #seats: Seats
  readonly #ownedIds: OwnedIds
  readonly #effects: EntryEffects
  readonly #open: Lifecycle<EntryState, EntryHappening, EntryEffect, EntrySeen>
  readonly predictions: PredictionCustody
  /** Moves that were sent in vain, in a row, by the identity of the move. */
  readonly #lostInRow = new Map<string, number>()
  #revision = 0
  #entries = 0

  constructor(present: Present, options: IntentsOptions) {
    const { strays, reads, figures, seats, attribution, plays, tally, onConcluded, onMoved } = options
    this.#present = present
    this.#options = options
    this.#figures = figures
    this.#seats = seats
    this.#ownedIds = new OwnedIds(attribution, present.ended)
    const seen: CustodySeen = {
      get now() {
        return present.now
      },
      isMoveOpen: (contestId) => MOVES.some((type) => this.isUnderWay({ type, contestId, price: '' })),
      isFinalStateRead: (contestId) => reads.isUnderWay(finalStateOf(contestId)),
    }
    this.predictions = new PredictionCustody(present, { seen, plays, tally, onMoved, onReveal: (contestId) => this.#reveal(contestId) })
    const own = { ownedIds: this.#ownedIds, predictions: this.predictions }
    this.#effects = new EntryEffects(present, { strays, figures, seats, attribution, plays, tally, ...own, onConcluded, onMoved })
    const perform = (effect: EntryEffect, state: EntryState, key: string) => this.#perform(effect, state, key)
    this.#open = new Lifecycle(entryMachine, { present, seen: this.#seenByEntries(), perform })
  }

  /** Another one whenever `actions` gives others. */
  get revision(): number {
    return this.#revision
  }

  /** How many actions may have taken effect or not. */
  get unknown(): number {
    let unknown = 0
    for (const { is } of this.#open.states.values()) if (is === 'unknown') unknown += 1
    return unknown
  }

  /** Their keys, oldest first. */
  get unknownKeys(): readonly string[] {
    return [...this.#open.states].flatMap(([key, { is }]) => (is === 'unknown' ? [key] : []))
  }

  get openCount(): number {
    return this.#open.states.size
  }

  /** Entries without an outcome, oldest first: their stakes may be taken, and no ticket or seat shows it. */
  get entering(): readonly EnteringView[] {
    const entering: EnteringView[] = []
    for (const { entry } of this.#open.states.values()) {
      const { action, stake, at } = entry.intent
      if (!isEntry(action)) continue
      const { type } = action
      if (action.type === 'joinContest') entering.push({ type, mode: entry.listed?.mode, stake, contestId: action.contestId, askedAt: at })
      else entering.push({ type, mode: action.mode, stake, contestId: undefined, askedAt: at })
    }
    return entering
  }

  /** How many entries were let out so far. */
  get entries(): number {
    return this.#entries
  }

  /** Actions without an outcome. */
  *actions(): Generator<ServiceAction> {
    for (const { entry } of this.#open.states.values()) yield entry.intent.action
  }

  /** Whether an action that would do the same thing is under way. */
  isUnderWay(action: Action): boolean {
    return this.#figures.reservations.pendingTwin(identityOf(action)) !== undefined
  }

  /** When the action that would do the same thing, and is under way, was approved, in Unix milliseconds. */
  underWaySince(action: Action): number | undefined {
    const key = this.#figures.reservations.pendingTwin(identityOf(action))
    return key === undefined ? undefined : this.#open.states.get(key)?.entry.intent.at
  }

  /** What was sent, or may have been, before the last stop. */
  recover(started: InputOf<'started'>): void {
    const { now, options, step } = this.#present
    Object.assign(this.#options.tally, started.counts)
    this.#ownedIds.recover(started.claimed)
    this.predictions.recover(started.custody)
    for (const pending of started.pending) {
      const { action, key, at } = pending
      if (isSwap(action)) continue
      const intent = { ...pending, action }
      this.#figures.held({ key, identity: identityOf(action), ...heldBy(intent) })
      const entry: Entry = { intent, listed: undefined, wasLeft: this.#takesBack(action) }
      // Of an earlier run: it was sent within one time-out of its approval, given up after another, and worked off within a third.
      const lateAt = at + 3 * options.timeoutMs + (started.mayArriveForMs ?? 0)
      const doubt = { since: now, lateAt, absences: 0, gone: 0, isTaken: false }
      // At once: it can show that it happened, or that a reveal is to be sent again, though not yet that it never did.
      this.#begin({ is: 'unknown', entry, ...UNHEARD, ...doubt, dueAt: now })
      step.note('warn', `${action.type} may have been sent before the last stop: looking it up`, { intent: key })
    }
  }

  /**
   * Puts an action before the guard; what it approves is ordered.
   *
   * @param by the strategy that asked, or `framework`
   * @returns whether it was approved
   */
  submit(action: ServiceAction, by: string): boolean {
    const { step, n, now } = this.#present
    const key = intentKey(n, by, step.ordinal++)
    const verdict = check(key, action, this.#options.sight(by))
    if (!verdict.ok) {
      const { refusal } = verdict
      this.#options.refusals.add(step, { strategy: by, action, refusal }, action.type)
      if (isMove(action)) this.#options.plays.hindered(action.contestId, `guard:${refusal.code}`, refusal.message)
      return false
    }
    // From here on only what was approved counts: the guard's own copy, which nobody can change.
    const { action: approved } = verdict
    const listed = approved.type === 'joinContest' ? joinableOf(this.#present.books, approved.contestId) : undefined
    const { stake, risk } = verdict.hold
    const intent = { key, action: approved, at: now, stake, risk }
    if (approved.type === 'commitPrediction') this.predictions.take(approved)
    const custody = 'contestId' in approved ? this.#present.books.custody.get(approved.contestId) : undefined
    const order = { key, action: approved, request: requestOf(approved, custody) }
    const entry: Entry = { intent, listed, wasLeft: this.#takesBack(approved) }
    step.intents.push(intent)
    if (isEntry(approved)) {
      this.#entries += 1
      this.#figures.ledger.sent({ key, stake, mode: verdict.hold.mode, by })
    }
    step.note(isEntry(approved) ? 'info' : 'debug', describeAction(approved, stake), { intent: key, strategy: by })
    step.orders.push(order)
    const dueAt = URGENT.has(approved.type) ? now + this.#hangingMs(1) : undefined
    this.#begin({ is: 'sent', entry, order, ...UNHEARD, requests: 1, unanswered: 1, heard: undefined, dueAt })
    return true
  }

  /** Shows a prediction, where it can be shown, and no other reveal of it is under way. */
  #reveal(contestId: string): void {
    const { books } = this.#present
    const { reservations } = this.#figures
    const action = { type: 'revealPrediction', contestId } as const
    if (!books.seats.has(contestId) || !isRevealable(contestId, { books, reservations }) || this.isUnderWay(action)) return
    this.predictions.tell(contestId, { type: this.submit(action, 'framework') ? 'revealing' : 'heldBack' })
  }

  /** The answer to an order, or its loss. */
  onOutcome({ key, outcome }: InputOf<'outcome'>): void {
    this.#open.tell(key, { type: 'answered', outcome })
  }

  /** The operator says that an action without an answer is over. @returns whether there was one */
  close(key: string): boolean {
    if (this.#open.states.get(key)?.is !== 'unknown') return false
    this.#open.tell(key, { type: 'closed' })
    return true
  }

  /** A reveal that was tried in vain has another time now: it is not tried before; undefined: not until one is known. */
  postponeReveal(contestId: string, until: number | undefined): void {
    for (const key of this.#waitingIn(contestId)) this.#open.tell(key, { type: 'postponed', until })
  }

  /** A contest is over: a reveal that waits to be sent comes too late. An action whose answer was lost is looked up as it is. */
  onContestEnded(contestId: string): void {
    for (const identity of this.#lostInRow.keys()) if (identity.endsWith(contestId)) this.#lostInRow.delete(identity)
    for (const key of this.#waitingIn(contestId)) this.#open.tell(key, { type: 'contestEnded' })
  }

  /** It is time to look a lost intent up. */
  onDue(purpose: TaskKeyOf<'intents'>): void {
    this.#open.tell(parseTaskKey(purpose).subjectId, { type: 'due' })
  }

  /**
   * The answer to a look-up: what it shows, and what follows from that (docs/recovery.md).
   *
   * @param againAt when the same read is due again, where it is: in Unix milliseconds
   */
  onLookUp({ request, begunAt, result }: InputOf<'answer'>, againAt: number | undefined): void {
    const { kind, subjectId: key } = parseTaskKey(request.purpose)
    if (kind !== 'resolve') return
    if (againAt !== undefined) this.#open.tell(key, { type: 'unread', at: againAt })
    this.#open.tell(key, { type: 'looked', begunAt, result })
  }

  /** What the stream says of actions in doubt. */
  onEvent(event: ServiceEvent): void {
    if (event.type === 'match.found') this.#ownedIds.onMatch(event.data)
    for (const [key, { entry, told }] of [...this.#open.states]) {
      const { action, at } = entry.intent
      // An older event is of an earlier ticket, or of an earlier seat in the same contest: one that was just given back is told of late.
      if (event.createdAt < (entry.wasLeft ? at : at - SKEW_MS)) continue
      const made = madeByEvent(action, event, this.#ownedIds.taken)
      if (made === undefined) continue
      // One ticket is of one action.
      if (action.type === 'enqueue' && told !== undefined && told !== made) continue
      this.#open.tell(key, { type: 'told', made })
      if (action.type === 'enqueue') return
    }
  }

  /** True while an entry without an outcome may have made any ticket or seat. */
  get mayHaveMade(): boolean {
    for (const action of this.actions()) if (isEntry(action)) return true
    return false
  }

  /** Whether an action of this bot made, took or is about the ticket or contest of this id. */
  names(id: string): boolean {
    for (const action of this.actions()) {
      if ('contestId' in action && action.contestId === id) return true
      if ('ticketId' in action && action.ticketId === id) return true
    }
    return this.#ownedIds.taken.has(id)
  }

  /** Whether an action of this bot made the ticket or took the seat, or may have: one without an outcome yet. */
  accountsFor(id: string): boolean {
    for (const action of this.actions()) {
      if (makesSomething(action) || (action.type === 'joinContest' && action.contestId === id)) return true
    }
    return this.#ownedIds.has(id)
  }

  #begin(state: EntryState): void {
    this.#revision += 1
    this.#open.begin(state.entry.intent.key, state)
  }

  #perform(effect: EntryEffect, state: EntryState, key: string): void {
    if (effect.type === 'lookUp') {
      const at = this.#effects.lookUp(state)
      if (at !== undefined) this.#open.tell(key, { type: 'unread', at })
      return
    }
    if (effect.type === 'provesJoin') {
      this.#proveJoinOf(effect.contestId)
      return
    }
    if (effect.type === 'settled') {
      this.#revision += 1
      const identity = identityOf(state.entry.intent.action)
      if (effect.status === 'notTaken') this.#lostInRow.set(identity, (this.#lostInRow.get(identity) ?? 0) + 1)
      else this.#lostInRow.delete(identity)
    }
    this.#effects.perform(effect, state)
  }

  #pauseMs(action: ServiceAction): number {
    const lost = this.#lostInRow.get(identityOf(action)) ?? 0
    return lost === 0 ? 0 : backoffMs(lost - 1, PAUSE_MS.first, PAUSE_MS.longest)
  }

  #proveJoinOf(contestId: string): void {
    for (const [key, { entry }] of this.#open.states) {
      const { action } = entry.intent
      if (action.type !== 'joinContest' || action.contestId !== contestId) continue
      this.#open.tell(key, { type: 'proved' })
      return
    }
  }

  #waitingIn(contestId: string): readonly string[] {
    const keys: string[] = []
    for (const [key, { is, entry }] of this.#open.states) {
      const { action } = entry.intent
      if (is === 'waiting' && 'contestId' in action && action.contestId === contestId) keys.push(key)
    }
    return keys
  }

  /** @param more of them that are about to be sent */
  #hangingMs(more = 0): number {
    let urgent = more
    for (const { is, entry } of this.#open.states.values()) if (is !== 'unknown' && URGENT.has(entry.intent.action.type)) urgent += 1
    return Math.max(HANGING_MS, urgent * EACH_HANGING_MS)
  }

  /** The terms of tickets that wait, or may. */
  *#queued(): Generator<SaidTerms> {
    yield* this.#present.books.tickets.values()
    for (const action of this.actions()) if (action.type === 'enqueue') yield action
  }

  /** Whether the action joins a contest whose seat was given back: from now on what is heard of it is of the new one. */
  #takesBack(action: Action): boolean {
    return action.type === 'joinContest' && this.#seats.takeBack(action.contestId)
  }

  #seenByEntries(): EntrySeen {
    const present = this.#present
    const { timeoutMs, paths } = present.options
    return {
      timeoutMs,
      paths,
      claimed: this.#ownedIds.taken,
      get now() {
        return present.now
      },
      get caughtUp() {
        return present.books.caughtUp
      },
      queued: () => this.#queued(),
      hangingMs: () => this.#hangingMs(),
      pauseMs: (action) => this.#pauseMs(action),
      isAlone: (key) => !this.#open.states.entries().some(([other, { entry }]) => other !== key && makesSomething(entry.intent.action)),
      isOver: (action) =>
        ('contestId' in action && present.ended.has(action.contestId)) || ('ticketId' in action && present.ended.has(action.ticketId)),
      isForSeat: (contestId) => this.predictions.isForSeat(contestId),
      wasRevealTried: (contestId) => this.predictions.revealTrouble(contestId) !== undefined,
      phaseOf: (contestId) => present.books.seats.get(contestId)?.phase,
    }
  }
}

/** What an intent of an earlier run holds. */
function heldBy({ key, action, stake, risk }: Intent): Hold {
  if (!isEntry(action)) return { kind: 'move', stake, risk }
  const mode = 'mode' in action ? action.mode : undefined
  return { kind: 'entry', stake, risk, mode, by: strategyOfKey(key) }
}

/** The ticket or contest that an event shows an action to have made; undefined where it says nothing of it. */
function madeByEvent(action: ServiceAction, event: ServiceEvent, claimed: ReadonlySet<string>): string | undefined {
  if (action.type === 'joinContest')
    return 'contestId' in event.data && event.data.contestId === action.contestId ? action.contestId : undefined
  if (action.type !== 'enqueue' || (event.type !== 'match.found' && event.type !== 'ticket.failed')) return undefined
  const { ticketId, mode, stake } = event.data
  return !claimed.has(ticketId) && mode === action.mode && stake === action.stake ? ticketId : undefined
}
