import { type Intent, type IntentOutcome, type PriceHistory, strategyOfKey } from '../../pipeline/index.ts'
import type { Fill } from '../../strategy/view.ts'
import { ContestRecord, type Feed } from './contestRecord.ts'
import { actionText, fillMove, moveOf } from './describe.ts'
import type { ContestRow, VerdictRow } from './views.ts'

/** Contests that are over, of one bot. */
const MOST_CLOSED = 100

/** The contests of one bot: all that are open, and the newest of those that are over. */
export class Contests {
  readonly book: PriceHistory
  readonly #records = new Map<string, ContestRecord>()
  /** Actions without an outcome, by the key of their intent. */
  readonly #underWay = new Map<string, Intent>()
  #closedCount = 0

  constructor(book: PriceHistory) {
    this.book = book
  }

  find(contestId: string): ContestRecord | undefined {
    return this.#records.get(contestId)
  }

  of(contestId: string): ContestRecord {
    const known = this.#records.get(contestId)
    if (known !== undefined) return known
    const record = new ContestRecord(contestId)
    this.#records.set(contestId, record)
    return record
  }

  /** One has just ended: the oldest that has goes, where there are too many. */
  closed(): void {
    this.#closedCount += 1
    if (this.#closedCount <= MOST_CLOSED) return
    for (const [contestId, record] of this.#records) {
      if (!record.isOver) continue
      this.#records.delete(contestId)
      this.#closedCount -= 1
      return
    }
  }

  /** Time goes by: prices are forgotten that a contest still needs. */
  look(feed: Feed): void {
    for (const record of this.#records.values()) if (!record.isOver) record.keepStart(feed)
  }

  /** Newest first. */
  rows(): readonly ContestRow[] {
    return [...this.#records.values()].map(({ row }) => row).toReversed()
  }

  /** Of the run before, and not yet looked up. */
  pending(intents: readonly Intent[]): void {
    for (const intent of intents) this.#underWay.set(intent.key, intent)
  }

  approved(intents: readonly Intent[]): void {
    this.pending(intents)
    for (const intent of intents) if ('contestId' in intent.action) this.find(intent.action.contestId)?.verdict(verdictOf(intent))
  }

  outcomes(outcomes: readonly IntentOutcome[], at: number): void {
    for (const { key, status } of outcomes) {
      const intent = this.#underWay.get(key)
      if (intent === undefined || status === 'unknown') continue
      this.#underWay.delete(key)
      if (status === 'accepted') this.#accepted(intent, at)
    }
  }

  filled(fill: Fill): void {
    this.find(fill.contestId)?.filled(fill)
    this.find(fill.contestId)?.move({ at: fill.at, strategy: strategyOfKey(fill.key), ...fillMove(fill) })
  }

  /** A contest begins to be remembered with the seat in it: a race for a seat that was lost leaves nothing. */
  #accepted(intent: Intent, at: number): void {
    const move = moveOf(intent.action)
    if (move === undefined || !('contestId' in intent.action)) return
    const { contestId } = intent.action
    if (this.find(contestId) === undefined) this.of(contestId).verdict(verdictOf(intent))
    this.of(contestId).move({ at, strategy: strategyOfKey(intent.key), ...move })
  }
}

function verdictOf({ key, action, at }: Intent): VerdictRow {
  return { at, strategy: strategyOfKey(key), action: action.type, verdict: 'approved', code: undefined, text: actionText(action) }
}
