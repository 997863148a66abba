import { commitmentOf } from '../contract/commitment.ts'
import { unreachable } from '../core/error.ts'
import { formatUsdc, type Usdc } from '../core/usdc.ts'
import { check, type GuardView, identityOf, isEntry } from '../guard/index.ts'
import type { Action, ActionOf } from '../strategy/action.ts'
import type { Bot } from './bot.ts'
import { evidenceOf, lookUpOf } from './evidence.ts'
import { withSeat, withoutSeat, withoutTicket } from './foldEvent.ts'
import { guardViewOf } from './guardView.ts'
import type { ActionCounts, Custody, CustodyStatus, InputOf, Intent, Outcome } from './input.ts'
import { isLostRace } from './lostRace.ts'
import type { IntentStatus } from './ports.ts'
import { requestOf } from './request.ts'
import type { OpenContestView } from '../strategy/view.ts'
import type { Seat } from './state.ts'

/** An approved action without an outcome. */
interface OpenIntent {
  readonly intent: Intent
  /** The contest it joins, as it was listed. */
  readonly listed: OpenContestView | undefined
  /** Set when its answer was lost: reads that were begun late enough and did not show it. */
  lost: { readonly since: number; absences: number } | undefined
}

/** Reads that must miss an action before it counts as never having happened (law 5). */
const ABSENCES_NEEDED = 2
const RESOLVE = 'resolve:'

/** From an action to its outcome: guard, custody, journal record, order, and what became of it. */
export class Intents {
  readonly #bot: Bot
  readonly #open = new Map<string, OpenIntent>()
  /** Tickets and contests that are accounted for by an intent. */
  readonly #claimed = new Set<string>()
  #counts = { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0 }

  constructor(bot: Bot) {
    this.#bot = bot
  }

  get counts(): ActionCounts & { readonly unknown: number } {
    let unknown = 0
    for (const { lost } of this.#open.values()) if (lost !== undefined) unknown += 1
    return { ...this.#counts, unknown }
  }

  get openCount(): number {
    return this.#open.size
  }

  /** Actions without an outcome. */
  *actions(): Generator<Action> {
    for (const { intent } of this.#open.values()) yield intent.action
  }

  /** Whether an action that would do the same thing is under way. */
  isUnderWay(action: Action): boolean {
    return this.#bot.reservations.pendingTwin(identityOf(action)) !== undefined
  }

  /** What was sent, or may have been, before the last stop. */
  recover(started: InputOf<'started'>): void {
    const { books, reservations, agenda, now } = this.#bot
    this.#counts = { ...started.counts }
    for (const id of started.claimed) this.#claimed.add(id)
    this.#bot.books = { ...books, custody: new Map(started.custody.map((item) => [item.contestId, item])) }
    for (const intent of started.pending) {
      reservations.reserve({ key: intent.key, identity: identityOf(intent.action), stake: intent.stake })
      this.#open.set(intent.key, { intent, listed: undefined, lost: { since: intent.at, absences: 0 } })
      agenda.set(RESOLVE + intent.key, Math.max(now, intent.at + 2 * this.#bot.options.timeoutMs))
      this.#bot.step.note('warn', `${intent.action.type} may have been sent before the last stop: looking it up`, { intent: intent.key })
    }
  }

  /**
   * Puts an action before the guard; what it approves is ordered.
   *
   * @param by the strategy that asked, or `framework`
   * @returns whether it was approved
   */
  submit(action: Action, by: string): boolean {
    const { step, n, now } = this.#bot
    const key = `${n}:${by}:${step.ordinal++}`
    const view = this.#guardView()
    const verdict = check(key, action, view)
    if (!verdict.ok) {
      const { refusal } = verdict
      this.#counts.refused += 1
      step.refused.push({ strategy: by, action, refusal })
      step.note('info', `refused ${action.type}: ${refusal.message}`, { code: refusal.code, strategy: by, ...refusal.numbers })
      return false
    }
    const listed = action.type === 'joinContest' ? this.#bot.books.openContests?.value.find((item) => item.contestId === action.contestId) : undefined
    const intent: Intent = { key, action, at: now, stake: listed?.stake ?? ('stake' in action ? action.stake : 0n) }
    if (action.type === 'commitPrediction') this.#takeIntoCustody(action)
    if (action.type === 'joinContest') this.#bot.ended.delete(action.contestId)
    const custody = 'contestId' in action ? this.#bot.books.custody.get(action.contestId) : undefined
    this.#open.set(key, { intent, listed, lost: undefined })
    step.intents.push(intent)
    step.note(isEntry(action) ? 'info' : 'debug', describe(action, intent.stake), { intent: key, strategy: by })
    step.orders.push({ key, action: verdict.action, request: requestOf(action, custody) })
    return true
  }

  /**
   * The answer to an order, or its loss.
   *
   * @returns the action it is about
   */
  onOutcome({ key, outcome }: InputOf<'outcome'>): Action | undefined {
    const open = this.#open.get(key)
    if (open === undefined) return undefined
    this.#conclude(open, outcome)
    return open.intent.action
  }

  #conclude(open: OpenIntent, outcome: Outcome): void {
    switch (outcome.status) {
      case 'accepted': {
        const made = madeBy(open.intent.action, outcome)
        if (made === undefined && makesSomething(open.intent.action)) {
          this.#lose(open, 'the answer does not say what it made')
        } else {
          this.#settle(open, { status: 'accepted', made })
        }
        return
      }
      case 'rejected': {
        const { code, message } = outcome.refusal
        const lostRace = isLostRace(open.intent.action, code)
        this.#settle(open, { status: lostRace ? 'lostRace' : 'rejected', detail: `${code}: ${message}` })
        return
      }
      case 'notSent':
        this.#settle(open, { status: 'notSent', detail: outcome.reason })
        return
      case 'unknown':
        this.#lose(open, outcome.reason)
        return
      default:
        unreachable(outcome)
    }
  }

  /** It is time to look a lost intent up. */
  lookUp(purpose: string): void {
    if (!purpose.startsWith(RESOLVE)) return
    const open = this.#open.get(purpose.slice(RESOLVE.length))
    if (open === undefined) return
    const { procedure, input } = lookUpOf(open.intent.action)
    // The table in `evidence.ts` pairs each procedure with its own input.
    this.#bot.step.reads.push({ procedure, input: input as never, purpose })
  }

  /** The answer to such a look-up. */
  onLookUp({ request, begunAt, result }: InputOf<'answer'>): void {
    const open = this.#open.get(request.purpose.slice(RESOLVE.length))
    if (!request.purpose.startsWith(RESOLVE) || open?.lost === undefined) return
    const { agenda, now, options } = this.#bot
    const evidence = result.ok ? evidenceOf(result.output, { intent: open.intent, claimed: this.#claimed, paths: options.paths }) : undefined
    if (evidence?.happened) {
      this.#settle(open, { status: 'accepted', made: evidence.id, detail: 'its answer was lost; the service shows that it took effect' })
      return
    }
    if (evidence !== undefined && begunAt >= open.lost.since + 2 * options.timeoutMs) open.lost.absences += 1
    if (open.lost.absences >= ABSENCES_NEEDED) {
      this.#settle(open, { status: 'absent', detail: `${ABSENCES_NEEDED} reads do not show it` })
      return
    }
    agenda.set(request.purpose, now + options.timeoutMs)
  }

  /** The stream speaks of a contest: a seat in it was taken, if that was in doubt. */
  onContestHeard(contestId: string): void {
    for (const open of [...this.#open.values()]) {
      const { action } = open.intent
      if (open.lost === undefined || action.type !== 'joinContest' || action.contestId !== contestId) continue
      this.#settle(open, { status: 'accepted', detail: 'its answer was lost; the event stream shows that it took effect' })
    }
  }

  /** Moves a prediction on; one that is revealed, missed or dropped leaves custody. */
  setCustody(contestId: string, status: CustodyStatus): void {
    const { books, step } = this.#bot
    const held = books.custody.get(contestId)
    if (held === undefined) return
    if (status === 'revealed' || status === 'missed') this.#counts[status] += 1
    const custody = new Map(books.custody)
    if (status === 'made' || status === 'committed') custody.set(contestId, { ...held, status })
    else custody.delete(contestId)
    this.#bot.books = { ...books, custody }
    step.custody.push({ ...held, status })
  }

  #guardView(): GuardView {
    const { books, reservations, options, now } = this.#bot
    return guardViewOf({ books, reservations, config: options.config.guard, now })
  }

  #lose(open: OpenIntent, reason: string): void {
    const { agenda, now, options, step } = this.#bot
    open.lost = { since: now, absences: 0 }
    agenda.set(RESOLVE + open.intent.key, now + 2 * options.timeoutMs)
    // A look at once too: it can show that the action happened, though not yet that it did not.
    this.lookUp(RESOLVE + open.intent.key)
    step.outcomes.push({ key: open.intent.key, status: 'unknown', detail: reason })
    step.note('warn', `${open.intent.action.type}: no answer (${reason}); it counts as done until the service shows otherwise`, {
      intent: open.intent.key,
    })
  }

  #settle(open: OpenIntent, outcome: { status: IntentStatus; made?: string | undefined; detail?: string }): void {
    const { agenda, now, reservations, step } = this.#bot
    const { key, action } = open.intent
    const { status, made, detail } = outcome
    this.#open.delete(key)
    agenda.drop(RESOLVE + key)
    this.#counts.sent += 1
    if (status === 'accepted') {
      reservations.place(key, now)
      if (made !== undefined) this.#claimed.add(made)
      this.#accept(open, made)
    } else {
      reservations.release(key)
      if (status !== 'lostRace') this.#counts.failed += 1
      step.note(status === 'lostRace' ? 'info' : 'warn', `${action.type} ${status === 'lostRace' ? 'came too late' : 'failed'}: ${detail}`, { intent: key })
    }
    step.outcomes.push({ key, status, ...(made === undefined ? {} : { made }), ...(detail === undefined ? {} : { detail }) })
  }

  /** The books after an accepted action. Events say the same later: both ways round are allowed. */
  #accept({ intent: { action, stake }, listed }: OpenIntent, made: string | undefined): void {
    const bot = this.#bot
    const seat = (contestId: string, change: Partial<Seat>) => {
      bot.books = withSeat(bot.books, contestId, change, bot.ended)
    }
    switch (action.type) {
      case 'enqueue':
        if (made !== undefined && !bot.ended.has(made)) {
          const { mode, durationSec } = action
          bot.books = { ...bot.books, tickets: new Map(bot.books.tickets).set(made, { ticketId: made, mode, stake, durationSec }) }
        }
        return
      case 'cancelTicket':
        bot.books = withoutTicket(bot.books, action.ticketId, bot.ended)
        return
      case 'createContest':
        if (made !== undefined) seat(made, { mode: action.mode, stake, ready: false })
        return
      case 'joinContest':
        seat(action.contestId, {
          stake,
          side: action.side,
          ready: bot.books.seats.get(action.contestId)?.ready ?? false,
          readiedBy: action.readiedBy ?? 'framework',
          ...(listed === undefined ? {} : { mode: listed.mode, token: listed.token }),
        })
        return
      case 'leaveContest':
        bot.books = withoutSeat(bot.books, action.contestId, bot.ended)
        return
      case 'ready':
        seat(action.contestId, { ready: action.ready })
        return
      case 'draftPick':
        seat(action.contestId, { turn: undefined, movedAt: bot.now })
        return
      case 'commitPrediction':
        this.setCustody(action.contestId, 'committed')
        seat(action.contestId, { committed: true, commitBy: undefined, movedAt: bot.now })
        return
      case 'revealPrediction':
        this.setCustody(action.contestId, 'revealed')
        return
      default:
        unreachable(action)
    }
  }

  /** Makes the salt and the commitment, once a contest: a second attempt commits to the same. */
  #takeIntoCustody(action: ActionOf<'commitPrediction'>): void {
    const { books, options, step } = this.#bot
    const { contestId, price } = action
    const entryId = books.seats.get(contestId)?.entryId
    if (books.custody.has(contestId) || entryId === undefined) return
    const salt = options.salt()
    const custody: Custody = { contestId, entryId, price, salt, commitment: commitmentOf(price, salt, entryId), status: 'made' }
    this.#bot.books = { ...books, custody: new Map(books.custody).set(contestId, custody) }
    step.custody.push(custody)
  }
}

function describe(action: Action, stake: Usdc): string {
  const what = 'mode' in action ? ` ${action.mode}` : 'contestId' in action ? ` ${action.contestId}` : ''
  return `${action.type}${what}${stake === 0n ? '' : ` for ${formatUsdc(stake)} USDC`}`
}

const makesSomething = (action: Action): boolean => action.type === 'enqueue' || action.type === 'createContest'

/** The id of what an accepted action made, where it makes something and the answer says what. */
function madeBy(action: Action, outcome: Extract<Outcome, { status: 'accepted' }>): string | undefined {
  const output = outcome.output as { ticketId?: unknown; contestId?: unknown } | undefined
  const id = action.type === 'enqueue' ? output?.ticketId : action.type === 'createContest' ? output?.contestId : undefined
  return typeof id === 'string' ? id : undefined
}
