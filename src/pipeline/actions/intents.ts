import type { ServiceEvent } from '../../contract/events.ts'
import { type ExtraPaths, type Found, findField, idText } from '../../contract/paths.ts'
import { isLostRace, meaningOf, saysGone, saysNo } from '../../contract/refusals.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import { CornermanError, unreachable } from '../../core/error.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { check, type Hold, identityOf, isEntry } from '../../guard/index.ts'
import { type Action, isSwap, type ServiceAction } from '../../strategy/action.ts'
import type { EnteringView, OpenContestView } from '../../strategy/view.ts'
import type { Strays } from '../answers/strays.ts'
import { foldAccepted } from '../books/foldAccepted.ts'
import { withoutSeat } from '../books/foldEvent.ts'
import { joinableOf } from '../books/views.ts'
import type { Bot } from '../bot.ts'
import { guardViewOf } from '../guardView.ts'
import type { Figures } from '../money/figures.ts'
import type { InputOf, Intent } from '../protocol/input.ts'
import { intentKey, strategyOfKey } from '../protocol/intentKey.ts'
import type { IntentStatus } from '../protocol/journalRecord.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { type PurposeOwnedBy, partsOf } from '../protocol/purpose.ts'
import { requestOf } from '../protocol/request.ts'
import type { SendOrder } from '../protocol/step.ts'
import { isSaid } from '../reads.ts'
import { SKEW_MS } from '../skew.ts'
import { Claims } from './claims.ts'
import { type Look, lookAt, lookUpOf, type SaidTerms, type ServiceActionType, VERDICTS } from './reconciliation.ts'
import { Vault } from './vault.ts'

/** An approved action without an outcome. */
interface OpenIntent {
  readonly intent: Intent & { readonly action: ServiceAction }
  /** As it was sent; undefined of an earlier run. */
  readonly order: SendOrder | undefined
  /** The contest it joins, as it was listed. */
  readonly listed: OpenContestView | undefined
  /** It joins a contest whose seat was given back before. */
  readonly wasLeft: boolean
  /**
   * Set when its answer was lost. `lateAt`: a read begun then or later must show it; `absences`: those that did not; `gone`: of a
   * leave those that missed the seat.
   */
  lost: Lost | undefined
  /** What the stream has told of before its answer, the contest that it joins or the ticket that it made: should the answer not say, it was taken. */
  told: string | undefined
  /** Requests of it, more than one where it hung, and how many have no answer yet. */
  requests: number
  unanswered: number
  /** Of answers that do not say that it was taken, the one that counts in the end. */
  heard: Outcome | undefined
  /** How often it was sent in vain: of a reveal, which is the same action until it is taken. */
  vain: number
  /** What the last of those tries came to; undefined where there was none. */
  vainly: InVain | undefined
  /** When it may be sent again. */
  againAt: number
  /** When a reveal was last refused: a look from then on is only there to see whether it had been taken before. */
  refusedAt: number
  /**
   * What it comes to unless a look shows that it was taken: of an entry, since a refusal may be wrong, and a second stake be the price of it; of a
   * reveal in a contest that is over, since an earlier request may be why it was refused.
   */
  doubted: InVain | undefined
  /** Since when the service has failed at every look, while the stream could be read; undefined: it did not at the last. */
  failingSince: number | undefined
}

/** An action that was not taken. */
type InVain = Extract<Outcome, { status: 'notSent' | 'rejected' }>

/** Of an action that nothing was heard of yet. */
const UNHEARD = {
  told: undefined,
  heard: undefined,
  vain: 0,
  vainly: undefined,
  againAt: 0,
  refusedAt: Number.POSITIVE_INFINITY,
  doubted: undefined,
  failingSince: undefined,
} as const
type Begun = Omit<OpenIntent, keyof typeof UNHEARD | 'requests' | 'unanswered'>

/** What an action came to. */
export interface Concluded {
  readonly action: ServiceAction
  readonly outcome: Outcome
}

interface Lost {
  readonly since: number
  readonly lateAt: number
  absences: number
  gone: number
  /** The service has taken it, and did not say what it made: no absence can prove that it never happened. */
  readonly isTaken: boolean
}

/** Reads that must miss an action before it counts as never having happened (law 5). */
const ABSENCES_NEEDED = 2
/** For so long the service must fail at what is over, and not at the stream, before that says that it has no more word on it. */
const FAILS_FOR_MS = 60_000
/** Between those reads, and between looks at what is sent again as soon as it is missed: its time may be short. */
const CHECK_MS = 1000
/** Moves that may be sent again, and whose time may be as short as a time-out: they are looked up before their answer is lost. */
const URGENT: ReadonlySet<ServiceAction['type']> = new Set(['commitPrediction', 'revealPrediction'])
/** An answer is there by then, as a rule. */
const HANGING_MS = 1000
/** However many hang at once, their looks together leave most of the read limit to the stream. */
const EACH_HANGING_MS = 500
/** Requests of one such move: more would not arrive either. */
const MOST_REQUESTS = 3
/** Between tries of a reveal: it stakes nothing, and has its time, which may be a few seconds where the service has a word on it. */
const REVEAL_AGAIN = { firstMs: 500, longestMs: 10_000, longestOfRefusedMs: 2000 }
/** Of several requests: one that was lost may have been taken, and a refusal says more than what never left. */
const WEIGHTS = { notSent: 0, rejected: 1, unknown: 2, accepted: 3 } as const
/** What a list has no room for is told by the stream alone: the look is only there to notice that it has ended. */
const BEYOND_CHECK_MS = 60_000
const TOLD = 'its answer was lost; the event stream shows that it took effect'

/** From an action to its outcome: guard, custody, journal record, order, and what became of it. */
export class Intents {
  readonly #bot: Bot
  readonly #strays: Strays
  readonly #figures: Figures
  readonly #open = new Map<string, OpenIntent>()
  readonly #claims: Claims
  readonly vault: Vault
  /** Actions whose answers do not say what they made, so that each is reported once. */
  readonly #silent = new Set<ServiceActionType>()
  #revision = 0
  #entries = 0

  constructor(bot: Bot, { strays, figures }: { readonly strays: Strays; readonly figures: Figures }) {
    this.#bot = bot
    this.#strays = strays
    this.#figures = figures
    this.#claims = new Claims(bot.attribution, bot.ended)
    this.vault = new Vault(bot)
  }

  /** Another one whenever `actions` gives others. */
  get revision(): number {
    return this.#revision
  }

  /** Actions of which nobody can say yet whether they took effect. */
  get unknown(): number {
    let unknown = 0
    for (const { lost } of this.#open.values()) if (lost !== undefined) unknown += 1
    return unknown
  }

  get openCount(): number {
    return this.#open.size
  }

  /** Entries without an outcome, oldest first: their stakes may be taken, and no ticket or seat shows it. */
  get entering(): readonly EnteringView[] {
    const entering: EnteringView[] = []
    for (const { intent, listed } of this.#open.values()) {
      const { action, stake, at } = intent
      if (!isEntry(action)) continue
      const { type } = action
      if (action.type === 'joinContest') entering.push({ type, mode: listed?.mode, stake, contestId: action.contestId, askedAt: at })
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
    for (const { intent } of this.#open.values()) yield intent.action
  }

  /** Whether an action that would do the same thing is under way. */
  isUnderWay(action: Action): boolean {
    return this.#bot.reservations.pendingTwin(identityOf(action)) !== undefined
  }

  /** When the action that would do the same thing, and is under way, was approved, in Unix milliseconds. */
  underWaySince(action: Action): number | undefined {
    const key = this.#bot.reservations.pendingTwin(identityOf(action))
    return key === undefined ? undefined : this.#open.get(key)?.intent.at
  }

  /** What was sent, or may have been, before the last stop. */
  recover(started: InputOf<'started'>): void {
    const { agenda, now } = this.#bot
    Object.assign(this.#bot.counts, started.counts)
    this.#claims.recover(started.claimed)
    this.#bot.writeSeats({ custody: new Map(started.custody.map((item) => [item.contestId, item])) })
    for (const pending of started.pending) {
      const { action } = pending
      if (isSwap(action)) continue
      const intent = { ...pending, action }
      this.#figures.held({ key: intent.key, identity: identityOf(action), ...this.#heldBy(intent) })
      const lost = this.#lostSince(intent, started)
      const wasLeft = this.#takesBack(action)
      this.#add({
        intent,
        order: undefined,
        listed: undefined,
        wasLeft,
        lost,
      })
      // At once: it can show that it happened, or that a reveal is to be sent again, though not yet that it never did.
      agenda.set(`resolve:${intent.key}`, now)
      this.#bot.step.note('warn', `${intent.action.type} may have been sent before the last stop: looking it up`, { intent: intent.key })
    }
  }

  /**
   * Puts an action before the guard; what it approves is ordered.
   *
   * @param by the strategy that asked, or `framework`
   * @returns whether it was approved
   */
  submit(action: ServiceAction, by: string): boolean {
    const { step, n, now } = this.#bot
    const key = intentKey(n, by, step.ordinal++)
    const verdict = check(key, action, guardViewOf(this.#bot, by))
    if (!verdict.ok) {
      this.#bot.refuse({ strategy: by, action, refusal: verdict.refusal }, action.type)
      return false
    }
    // From here on only what was approved counts: the guard's own copy, which nobody can change.
    const { action: approved } = verdict
    const listed = approved.type === 'joinContest' ? joinableOf(this.#bot.books, approved.contestId) : undefined
    const { stake, risk } = verdict.hold
    const intent = { key, action: approved, at: now, stake, risk }
    if (approved.type === 'commitPrediction') this.vault.take(approved)
    const custody = 'contestId' in approved ? this.#bot.books.custody.get(approved.contestId) : undefined
    const order = { key, action: approved, request: requestOf(approved, custody) }
    const wasLeft = this.#takesBack(approved)
    this.#add({
      intent,
      order,
      listed,
      wasLeft,
      lost: undefined,
    })
    step.intents.push(intent)
    if (isEntry(approved)) this.#entries += 1
    step.note(isEntry(approved) ? 'info' : 'debug', describe(approved, stake), { intent: key, strategy: by })
    step.orders.push(order)
    if (URGENT.has(approved.type)) this.#bot.agenda.set(`resolve:${key}`, now + this.#hangingMs())
    return true
  }

  /** Between two looks at one move that hangs. */
  #hangingMs(): number {
    let urgent = 0
    for (const { intent, lost } of this.#open.values()) if (lost === undefined && URGENT.has(intent.action.type)) urgent += 1
    return Math.max(HANGING_MS, urgent * EACH_HANGING_MS)
  }

  /**
   * The answer to an order, or its loss.
   *
   * @returns what its action came to; undefined while another request of it may say more
   */
  onOutcome({ key, outcome }: InputOf<'outcome'>): Concluded | undefined {
    const open = this.#open.get(key)
    if (open === undefined) return undefined
    open.unanswered -= 1
    const concluded = this.#ofSeveral(open, outcome)
    if (concluded === undefined) return undefined
    if (this.#triesAgain(open, concluded) || this.#doubts(open, concluded)) return undefined
    this.#conclude(open, concluded)
    return { action: open.intent.action, outcome: concluded }
  }

  /** What an answer comes to where the action was sent more than once: undefined while another may say that it was taken. */
  #ofSeveral(open: OpenIntent, outcome: Outcome): Outcome | undefined {
    if (outcome.status === 'accepted' || isWanted(open.intent.action, outcome)) return outcome
    const { heard } = open
    if (heard === undefined || WEIGHTS[outcome.status] > WEIGHTS[heard.status]) open.heard = outcome
    return open.unanswered > 0 ? undefined : open.heard
  }

  /** A reveal that never left, or was refused, stays the same action until it is taken, or its contest is over. */
  #triesAgain(open: OpenIntent, outcome: Outcome): boolean {
    const { agenda, now, step } = this.#bot
    const { intent, order } = open
    const { action, key } = intent
    if (!isInVain(action, outcome) || action.type !== 'revealPrediction' || order === undefined || this.#isOver(action)) return false
    open.vain += 1
    open.vainly = outcome
    open.heard = undefined
    const isRefused = outcome.status === 'rejected' && saysNo(outcome.refusal)
    const longestMs = isRefused ? REVEAL_AGAIN.longestOfRefusedMs : REVEAL_AGAIN.longestMs
    // A word that may be wrong is no reason to lose the stake, and to try once more costs nothing: seldom, while the contest is not over.
    const isLate = outcome.status === 'rejected' && meaningOf(outcome.refusal, action.type) === 'tooLate'
    open.againAt = now + (isLate ? REVEAL_AGAIN.longestMs : Math.min(REVEAL_AGAIN.firstMs * 2 ** (open.vain - 1), longestMs))
    agenda.set(`resolve:${key}`, open.againAt)
    // One of an earlier run may have been taken since it was looked for, and is refused from then on.
    if (isRefused) {
      open.refusedAt = now
      this.#lookUp(open)
    }
    const why = troubleOf(outcome)
    this.#bot.plays.hindered(action.contestId, `refused:${outcome.status === 'rejected' ? outcome.refusal.code : 'NOT_SENT'}`)
    this.vault.revealFailed(action.contestId, why)
    const times = open.vain === 1 ? 'it is tried again until its contest is over' : `${open.vain} times so far`
    if (isSaid(open.vain)) step.note('warn', `${describe(action, 0n)} came to nothing (${why}): ${times}`, { intent: key })
    return true
  }

  /** A reveal that was tried in vain has another time now: it is not tried before; undefined: not until one is known. */
  postponeReveal(contestId: string, until: number | undefined): void {
    for (const open of this.#open.values()) {
      const { action, key } = open.intent
      if (action.type !== 'revealPrediction' || action.contestId !== contestId || !waitsToBeSent(open)) continue
      if (until === undefined) this.#bot.agenda.drop(`resolve:${key}`)
      else this.#bot.agenda.set(`resolve:${key}`, Math.max(open.againAt, until))
    }
  }

  /**
   * A service that refuses what it has done costs a second stake, and a reveal that is refused at last may have been taken before, by a request that
   * was slower than the look at it: before its word counts, it is asked what it shows.
   */
  #doubts(open: OpenIntent, outcome: Outcome): boolean {
    const { action } = open.intent
    if (!isInVain(action, outcome)) return false
    // Where this is the first that was tried, none was taken before.
    const mayBeTaken =
      action.type === 'revealPrediction' && this.#isOver(action) && this.vault.revealTrouble(action.contestId) !== undefined
    if (!mayBeTaken && (outcome.status !== 'rejected' || !isEntry(action))) return false
    open.doubted = outcome
    this.#lookUp(open)
    return true
  }

  /** What is shown of an action whose outcome is doubted. */
  #onDoubtedLook(open: OpenIntent, doubted: InVain, answer: InputOf<'answer'>): Concluded | undefined {
    const { agenda, now, step } = this.#bot
    const { action, key } = open.intent
    const { sight, id } = this.#look(open, answer.result)
    if (VERDICTS[action.type][sight] === 'done') {
      if (isEntry(action)) {
        const told = new CornermanError(
          'REFUSAL_CONTRADICTED',
          `the service has refused ${describe(action, open.intent.stake)} (${troubleOf(doubted)}), and shows that it was taken: it counts as taken`,
        )
        step.note('error', told.message, { code: told.code, intent: key })
      }
      this.#settle(open, { status: 'accepted', made: id, detail: 'it was refused; the service shows that it took effect' })
      return { action, outcome: { status: 'accepted', output: undefined } }
    }
    if (sight === 'unanswered') {
      agenda.set(`resolve:${key}`, now + CHECK_MS)
      return undefined
    }
    this.#conclude(open, doubted)
    return { action, outcome: doubted }
  }

  #send(open: OpenIntent, order: SendOrder): void {
    const { agenda, now, step } = this.#bot
    step.orders.push(order)
    open.unanswered += 1
    agenda.set(`resolve:${open.intent.key}`, now + this.#hangingMs())
  }

  /** A contest is over: what waits to be sent in it comes too late, unless it was taken before. One whose answer was lost is looked up as it is. */
  onContestEnded(contestId: string): void {
    for (const open of this.#open.values()) {
      const { action, key } = open.intent
      if (!('contestId' in action) || action.contestId !== contestId || !waitsToBeSent(open) || open.vainly === undefined) continue
      this.#bot.agenda.drop(`resolve:${key}`)
      this.#doubts(open, open.vainly)
    }
  }

  #conclude(open: OpenIntent, outcome: Outcome): void {
    switch (outcome.status) {
      case 'accepted': {
        this.#accept(open, outcome)
        return
      }
      case 'rejected': {
        const { code, message } = outcome.refusal
        const { action } = open.intent
        if (isWanted(action, outcome)) {
          this.#settle(open, { status: 'accepted', detail: `${code}: ${message}` })
          return
        }
        const status = isLostRace(outcome.refusal, action.type) ? 'lostRace' : 'rejected'
        this.#settle(open, { status, detail: inTries(`${code}: ${message}`, open) })
        return
      }
      case 'notSent':
        this.#settle(open, { status: 'notSent', detail: inTries(outcome.reason, open) })
        return
      case 'unknown':
        this.#lose(open, outcome.reason, outcome)
        return
      default:
        unreachable(outcome)
    }
  }

  #accept(open: OpenIntent, { output }: Extract<Outcome, { status: 'accepted' }>): void {
    const { action } = open.intent
    const { options, step } = this.#bot
    const made = madeBy(action, output, options.paths)
    if (made.found) {
      if (action.type === 'leaveContest') this.#proveJoinOf(action.contestId)
      this.#settle(open, { status: 'accepted', made: made.value })
      return
    }
    // What an action answers is not specified: its ticket or contest is found by its event, or in the lists.
    if (!this.#silent.has(action.type)) {
      this.#silent.add(action.type)
      step.note('debug', `${action.type} was taken, and its answer does not say what it made: that is looked up`, {
        intent: open.intent.key,
      })
    }
    // The money that it moved is asked for once that is found, which it is by the next answer: its reservation holds until then.
    this.#lose(open, 'the answer does not say what it made', { isTaken: true })
  }

  /** The service has taken a seat back: it had been given, whatever became of the answer that says so. */
  #proveJoinOf(contestId: string): void {
    for (const open of this.#open.values()) {
      const { action } = open.intent
      if (action.type !== 'joinContest' || action.contestId !== contestId) continue
      this.#settle(open, { status: 'accepted', made: contestId, detail: 'before its answer came, the service has taken the seat back' })
      return
    }
  }

  /** It is time to look a lost intent up. */
  onDue(purpose: PurposeOwnedBy<'intents'>): void {
    const open = this.#open.get(partsOf(purpose).about)
    if (open === undefined) return
    const { order } = open
    if (waitsToBeSent(open) && order !== undefined) this.#send(open, order)
    else this.#lookUp(open)
  }

  /** The answer to a look at what hangs. */
  #onEarlyLook(open: OpenIntent, { request, begunAt, result }: InputOf<'answer'>): void {
    const { agenda, now, step } = this.#bot
    const { action } = open.intent
    const { sight, id } = this.#look(open, result)
    // A state of another seat, in a contest that was left and joined again, says nothing of a move of this one.
    const isOfThisSeat = !('contestId' in action) || this.vault.isForSeat(action.contestId)
    const verdict = isOfThisSeat ? VERDICTS[action.type][sight] : 'wait'
    if (verdict === 'done') {
      this.#settle(open, { status: 'accepted', made: id, detail: 'it has no answer yet; the service shows that it took effect' })
      return
    }
    if (open.unanswered === 0 && begunAt >= open.refusedAt) return
    const isMissing = verdict === 'again' && !this.#isOver(action)
    if (isMissing && open.order !== undefined && open.requests < MOST_REQUESTS) {
      step.orders.push(open.order)
      open.requests += 1
      open.unanswered += 1
      step.note('info', `${action.type} has no answer yet, and the service does not show it: it is sent once more`, {
        intent: open.intent.key,
      })
    }
    agenda.set(request.purpose, now + this.#hangingMs())
  }

  #lookUp({ intent }: OpenIntent): void {
    const { procedure, input } = lookUpOf(intent.action)
    // The table in `reconciliation.ts` pairs each procedure with its own input.
    const read = { procedure, input: input as never, purpose: `resolve:${intent.key}` } as const
    const pausedUntil = this.#strays.pausedUntil(read)
    if (pausedUntil === undefined) this.#bot.step.reads.push(read)
    else this.#bot.agenda.soon(read.purpose, pausedUntil)
  }

  /**
   * The answer to such a look-up: what it shows, and what follows from that (docs/recovery.md).
   *
   * @returns what an action came to whose outcome was doubted
   */
  onLookUp(answer: InputOf<'answer'>): Concluded | undefined {
    const { kind, about } = partsOf(answer.request.purpose)
    const open = kind === 'resolve' ? this.#open.get(about) : undefined
    if (open === undefined) return undefined
    if (open.doubted !== undefined) return this.#onDoubtedLook(open, open.doubted, answer)
    this.#onLook(open, answer)
    return undefined
  }

  #onLook(open: OpenIntent, answer: InputOf<'answer'>): void {
    const { request, begunAt, result } = answer
    const { agenda, now, options } = this.#bot
    const { intent, lost } = open
    if (lost === undefined) {
      this.#onEarlyLook(open, answer)
      return
    }
    const { sight, id } = this.#look(open, result)
    const verdicts = VERDICTS[intent.action.type]
    const isLate = begunAt >= lost.lateAt
    let nextMs = sight === 'beyond' ? BEYOND_CHECK_MS : options.timeoutMs
    switch (verdicts[sight]) {
      case 'done':
        if (intent.action.type === 'leaveContest') {
          // It shows by what is not there: a list may lack the newest seat, or that of a contest which was played to its end.
          if (!isLate || this.#bot.books.seats.get(intent.action.contestId)?.phase === 'live') break
          lost.gone += 1
          nextMs = CHECK_MS
          if (lost.gone < ABSENCES_NEEDED) break
        }
        this.#settle(open, { status: 'accepted', made: id, detail: 'its answer was lost; the service shows that it took effect' })
        return
      case 'again':
        if (begunAt < lost.since) break
        this.#settle(open, { status: 'notTaken', detail: 'the service shows that it was not taken' })
        return
      case 'absence':
        // What is over need not show any more: the stream has told of it, once it is read.
        if (!isLate || lost.isTaken || !this.#bot.books.caughtUp) break
        lost.absences += 1
        nextMs = CHECK_MS
        if (lost.absences < ABSENCES_NEEDED) break
        this.#settle(open, { status: 'absent', detail: `${ABSENCES_NEEDED} reads do not show it` })
        return
      case 'wait':
        break
    }
    if (verdicts.missing === 'again') nextMs = CHECK_MS
    agenda.set(request.purpose, now < lost.lateAt ? Math.min(now + nextMs, lost.lateAt) : now + nextMs)
  }

  #look(open: OpenIntent, result: InputOf<'answer'>['result']): Look {
    const { intent } = open
    const { action } = intent
    const isCertain =
      open.lost?.isTaken === true && ![...this.#open.values()].some((other) => other !== open && makesSomething(other.intent.action))
    const context = { intent, claimed: this.#claims.taken, queued: this.#queued(), isCertain, paths: this.#bot.options.paths }
    const look: Look = result.ok ? lookAt(result.output, action, context) : { sight: 'unanswered' }
    const hasNoWord = result.ok ? look.sight === 'silent' : this.#hasNoWord(open, result.refusal)
    if (result.ok) open.failingSince = undefined
    // Of what is over the service may show nothing any more.
    return hasNoWord && this.#isOver(action) ? { sight: 'over' } : look
  }

  /** Whether a look that failed says that the service has nothing to show: one that fails for a while does not, nor a list that it fails at. */
  #hasNoWord(open: OpenIntent, refusal: ServiceRefusal | undefined): boolean {
    const { books, now } = this.#bot
    const { action } = open.intent
    if (refusal === undefined || lookUpOf(action).input === null) return false
    if (saysGone(refusal)) return true
    open.failingSince = books.caughtUp && this.#isOver(action) ? (open.failingSince ?? now) : undefined
    return open.failingSince !== undefined && now - open.failingSince >= FAILS_FOR_MS
  }

  /** The terms of tickets that wait, or may. */
  *#queued(): Generator<SaidTerms> {
    yield* this.#bot.books.tickets.values()
    for (const action of this.actions()) if (action.type === 'enqueue') yield action
  }

  /** What the stream says of actions in doubt. */
  onEvent(event: ServiceEvent): void {
    if (event.type === 'match.found') this.#claims.onMatch(event.data)
    for (const open of [...this.#open.values()]) {
      const { action, at } = open.intent
      // An older event is of an earlier ticket, or of an earlier seat in the same contest: one that was just given back is told of late.
      const since = open.wasLeft ? at : at - SKEW_MS
      if (event.createdAt < since) continue
      const made = madeByEvent(action, event, this.#claims.taken)
      if (made === undefined) continue
      // One ticket is of one action.
      if (action.type === 'enqueue' && open.told !== undefined && open.told !== made) continue
      if (open.lost === undefined) open.told = made
      else this.#settle(open, { status: 'accepted', made, detail: TOLD })
      if (action.type === 'enqueue') return
    }
  }

  /** Whether an action of this bot made, took or is about the ticket or contest of this id. */
  names(id: string): boolean {
    for (const action of this.actions()) {
      if ('contestId' in action && action.contestId === id) return true
      if ('ticketId' in action && action.ticketId === id) return true
    }
    return this.#claims.taken.has(id)
  }

  /** Whether an action of this bot made the ticket or took the seat, or may have: one without an outcome yet. */
  accountsFor(id: string): boolean {
    for (const { intent } of this.#open.values()) {
      const { action } = intent
      if (makesSomething(action) || (action.type === 'joinContest' && action.contestId === id)) return true
    }
    return this.#claims.has(id)
  }

  #add(begun: Begun): void {
    const requests = begun.order === undefined ? 0 : 1
    this.#open.set(begun.intent.key, { ...begun, ...UNHEARD, requests, unanswered: requests })
    this.#revision += 1
  }

  /** What an intent of an earlier run holds. */
  #heldBy({ key, action, stake, risk }: Intent): Hold {
    if (!isEntry(action)) return { kind: 'move', stake, risk }
    const mode = 'mode' in action ? action.mode : undefined
    return { kind: 'entry', stake, risk, mode, by: strategyOfKey(key) }
  }

  #lose(
    open: OpenIntent,
    reason: string,
    { isTaken = false, mayArriveForMs = 0 }: { isTaken?: boolean; mayArriveForMs?: number } = {},
  ): void {
    const { agenda, now, options, step } = this.#bot
    const { action } = open.intent
    // A ticket may be another's, of the same terms, unless it is certain that there is one of this.
    const { told } = open
    if (told !== undefined && (action.type === 'joinContest' || (isTaken && !this.#claims.taken.has(told)))) {
      this.#settle(open, { status: 'accepted', made: told, detail: TOLD })
      return
    }
    // One that was held back was sent later than it was approved, and may arrive until the service has given up on it.
    const lateAt = Math.max(open.intent.at + 2 * options.timeoutMs, now + Math.max(options.timeoutMs, mayArriveForMs))
    open.lost = { since: now, lateAt, absences: 0, gone: 0, isTaken }
    agenda.set(`resolve:${open.intent.key}`, Math.max(now, open.lost.lateAt))
    // A look at once too: it can show that the action happened, though not yet that it did not.
    this.#lookUp(open)
    step.outcomes.push({ key: open.intent.key, status: 'unknown', detail: reason })
    if (isTaken) return
    step.note('warn', `${open.intent.action.type}: no answer (${reason}); it counts as done until the service shows otherwise`, {
      intent: open.intent.key,
    })
  }

  /** Of an earlier run: it was sent within one time-out of its approval, given up after another, and worked off within a third. */
  #lostSince({ at }: Intent, { mayArriveForMs = 0 }: InputOf<'started'>): Lost {
    const { now, options } = this.#bot
    return { since: now, lateAt: at + 3 * options.timeoutMs + mayArriveForMs, absences: 0, gone: 0, isTaken: false }
  }

  /** Whether the action joins a contest whose seat was given back: from now on what is heard of it is of the new one. */
  #takesBack(action: Action): boolean {
    return action.type === 'joinContest' && this.#bot.ended.delete(action.contestId)
  }

  /** Whether the ticket or contest the action is about has come to its end. */
  #isOver(action: Action): boolean {
    const { ended } = this.#bot
    return ('contestId' in action && ended.has(action.contestId)) || ('ticketId' in action && ended.has(action.ticketId))
  }

  #settle(open: OpenIntent, outcome: { status: IntentStatus; made?: string | undefined; detail?: string }): void {
    const { agenda, now, step } = this.#bot
    const figures = this.#figures
    const { key, action } = open.intent
    const { status, made, detail } = outcome
    this.#open.delete(key)
    this.#revision += 1
    agenda.drop(`resolve:${key}`)
    // What never arrived and is sent anew is one action with that.
    if (status !== 'notTaken') this.#bot.counts.sent += 1
    if (status === 'accepted') {
      if (open.vain > 0) step.note('info', `${describe(action, 0n)} was taken, after ${open.vain} tries in vain`, { intent: key })
      if (isEntry(action) || action.type === 'cancelTicket' || action.type === 'leaveContest') figures.stakeMoved()
      figures.placed(key)
      if (made !== undefined) this.#claims.add(made, key)
      if (action.type === 'draftPick') this.#bot.moved(action.contestId)
      if (action.type === 'commitPrediction') this.vault.confirm(action.contestId)
      if (action.type === 'revealPrediction') this.vault.move(action.contestId, 'revealed')
      if (action.type === 'cancelTicket') this.#bot.attribution.forget(action.ticketId)
      this.#bot.writeSeats(foldAccepted(this.#bot.books, { intent: open.intent, listed: open.listed, made, now }, this.#bot.ended))
    } else {
      figures.released(key)
      // What was heard meanwhile was of the seat before.
      if (open.wasLeft && action.type === 'joinContest')
        this.#bot.writeSeats(withoutSeat(this.#bot.books, action.contestId, this.#bot.ended))
      if (action.type === 'revealPrediction') this.vault.revealFailed(action.contestId, detail ?? status)
      const isHarmless = status === 'lostRace' || status === 'notTaken'
      if (!isHarmless) this.#bot.counts.failed += 1
      step.note(isHarmless ? 'info' : 'warn', `${action.type} ${CAME_TO[status] ?? 'failed'}: ${detail}`, { intent: key })
    }
    step.outcomes.push({ key, status, ...(made === undefined ? {} : { made }), ...(detail === undefined ? {} : { detail }) })
  }
}

function describe(action: ServiceAction, stake: Usdc): string {
  const what = 'mode' in action ? ` ${action.mode}` : 'contestId' in action ? ` ${action.contestId}` : ''
  return `${action.type}${what}${stake === 0n ? '' : ` for ${formatUsdc(stake)} USDC`}`
}

/** In words, where it is not simply failed. */
const CAME_TO: Partial<Record<IntentStatus, string>> = {
  lostRace: 'came too late',
  notTaken: 'is to be sent anew',
  notSent: 'was not sent',
}

/** Whether a refusal says that what was wanted is so: there is no seat to give back, or the price is shown. Of an entry it does not say which. */
export const isWanted = (action: Action, outcome: Outcome): boolean =>
  outcome.status === 'rejected' && !isEntry(action) && meaningOf(outcome.refusal, action.type) === 'done'

const inTries = (why: string, { vain }: OpenIntent): string => (vain === 0 ? why : `${why}, in ${vain} tries`)

/** Whether it was tried in vain, and is to be tried again. */
const waitsToBeSent = ({ vain, lost, doubted, unanswered }: OpenIntent): boolean =>
  vain > 0 && lost === undefined && doubted === undefined && unanswered === 0

/** Whether what was wanted was not taken, and is not so. */
const isInVain = (action: Action, outcome: Outcome): outcome is InVain =>
  outcome.status === 'notSent' || (outcome.status === 'rejected' && !isWanted(action, outcome))

/** Why an action was not taken, or may not have been. */
export const troubleOf = (outcome: Exclude<Outcome, { status: 'accepted' }>): string =>
  outcome.status === 'rejected' ? `${outcome.refusal.code}: ${outcome.refusal.message}` : outcome.reason

const makesSomething = (action: Action): boolean => action.type === 'enqueue' || action.type === 'createContest'

/** The ticket or contest that an event shows an action to have made; undefined where it says nothing of it. */
function madeByEvent(action: ServiceAction, event: ServiceEvent, claimed: ReadonlySet<string>): string | undefined {
  if (action.type === 'joinContest')
    return 'contestId' in event.data && event.data.contestId === action.contestId ? action.contestId : undefined
  if (action.type !== 'enqueue' || (event.type !== 'match.found' && event.type !== 'ticket.failed')) return undefined
  const { ticketId, mode, stake } = event.data
  return !claimed.has(ticketId) && mode === action.mode && stake === action.stake ? ticketId : undefined
}

/** The ticket or contest that an accepted action accounts for: what it made, or the contest it joined; of others nothing. */
function madeBy(action: Action, output: unknown, paths: ExtraPaths): Found<string | undefined> {
  if (action.type === 'enqueue') return findField(output, 'ticketId', idText, paths)
  if (action.type === 'createContest') return findField(output, 'contestId', idText, paths)
  return { found: true, value: action.type === 'joinContest' ? action.contestId : undefined }
}
