import type { ServiceEvent } from '../../contract/events.ts'
import type { Mint } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import { isEntry, type Refusal } from '../../guard/index.ts'
import { decisionsOf, type Step } from '../../pipeline/index.ts'
import type { Action } from '../../strategy/action.ts'
import type { Fill } from '../../strategy/view.ts'
import { Fingerprint } from './fingerprint.ts'
import { trace } from './trace.ts'

/** How a contest came to its end, as the bot heard of it. */
export type Ending = Extract<ServiceEvent, { type: 'contest.settled' | 'contest.cancelled' }>

/** What is known of a contest the bot plays. */
export interface Played {
  readonly contestId: string
  readonly enteredAt: number
  /** What was asked for: put into words only for whoever reads them. */
  readonly actions: { readonly at: number; readonly action: Action }[]
  readonly fills: Fill[]
  /** Tokens that were picked, predicted or swapped. */
  readonly tokens: Set<Mint>
  ending: Ending | undefined
}

/** Something that happened more than once. */
export interface Occurred {
  readonly message: string
  /** Unix milliseconds of the first time. */
  readonly at: number
  times: number
}

/** Entries that the bot asked for one after the other and could not pay, with none that it could between them. */
export interface Unpaid {
  /** Unix milliseconds of the first. */
  readonly at: number
  /** The smallest stake among them, and what was in the wallet at the last, in micro-USDC. */
  stake: Usdc
  available: Usdc
  times: number
}

/** What one input led to. */
export interface Decided {
  readonly bot: string
  readonly n: number
  /** Unix milliseconds. */
  readonly at: number
  readonly input: Step['input']['type']
  /** Put into words only for whoever asks. */
  readonly decisions: () => ReturnType<typeof decisionsOf>
}

/** Actions that are moves in a contest, beside its swaps. */
const TOLD: ReadonlySet<Action['type']> = new Set(['draftPick', 'commitPrediction', 'joinContest'])

function occurred(known: Map<string, Occurred>, key: string, { message, at }: Omit<Occurred, 'times'>): void {
  const first = known.get(key)
  if (first === undefined) known.set(key, { message, at, times: 1 })
  else first.times += 1
}

/** Writes down what a backtested bot does, step by step. */
export class Chronicle {
  readonly contests = new Map<string, Played>()
  readonly refused: Record<string, number> = {}
  /** Of those, what a strategy asked for and the guard refused since prices were too old. */
  readonly onOldPrices = { swaps: 0, entries: 0 }
  /** Faults of strategies, by strategy. */
  readonly faults = new Map<string, Occurred>()
  /** Actions that the service refused, by what it said. */
  readonly rejected = new Map<string, Occurred>()
  events = 0
  decisions = 0
  expired = 0
  unpaid: Unpaid | undefined
  readonly #bot: string
  readonly #fingerprint = new Fingerprint()
  readonly #onDecision: ((decided: Decided) => void) | undefined

  /** @param onDecision told of every input that led to something */
  constructor(bot: string, onDecision?: (decided: Decided) => void) {
    this.#bot = bot
    this.#onDecision = onDecision
  }

  onStep(step: Step): void {
    const { input, record, refused, isQuiet } = step
    // As nearly every price; an event that leads to nothing is recorded all the same.
    if (isQuiet && record === undefined) return
    if (input.type === 'event') {
      this.events += 1
      if (input.read.ok) this.#onEvent(input.read.event)
    }
    const { at } = input
    if (!isQuiet) {
      for (const note of step.notes) {
        const { level, fields } = note
        if (level === 'error' && typeof fields.strategy === 'string') occurred(this.faults, fields.strategy, { message: note.message, at })
      }
    }
    if (record === undefined) return
    for (const { status, detail = '' } of record.outcomes)
      if (status === 'rejected') occurred(this.rejected, detail.slice(0, detail.indexOf(':')), { message: detail, at })
    this.decisions += record.intents.length + refused.length
    for (const { action, refusal } of refused) {
      this.refused[refusal.code] = (this.refused[refusal.code] ?? 0) + 1
      if (refusal.code === 'BANKROLL' && isEntry(action)) this.#onUnpaid(refusal.numbers, at)
      if (refusal.code !== 'PRICE_STALE') continue
      // What is left over is sold as soon as there is a price: that it waited changes no contest.
      if (action.type === 'swap') this.onOldPrices.swaps += 1
      else if (isEntry(action)) this.onOldPrices.entries += 1
    }
    for (const { action } of record.intents) {
      if (isEntry(action)) this.unpaid = undefined
      this.#onAction(action, at)
    }
    for (const fill of record.fills) this.#onFill(fill)
    if (!trace(step, this.#fingerprint)) return
    this.#onDecision?.({ bot: this.#bot, n: input.n, at, input: input.type, decisions: () => decisionsOf(step) })
  }

  /** SHA-256 over every decision and outcome so far, in order. */
  fingerprint(): string {
    return this.#fingerprint.hex()
  }

  #onUnpaid({ stake, available }: Refusal['numbers'], at: number): void {
    const [asked, had] = [BigInt(stake ?? 0), BigInt(available ?? 0)]
    const { unpaid } = this
    if (unpaid === undefined) this.unpaid = { at, stake: asked, available: had, times: 1 }
    else {
      unpaid.times += 1
      unpaid.available = had
      if (asked < unpaid.stake) unpaid.stake = asked
    }
  }

  #onEvent(event: ServiceEvent): void {
    if (event.type === 'ticket.expired') this.expired += 1
    if (event.type === 'ticket.failed' || !('contestId' in event.data) || typeof event.data.contestId !== 'string') return
    const played = this.#played(event.data.contestId, event.createdAt)
    if (event.type !== 'contest.settled' && event.type !== 'contest.cancelled') return
    played.ending = event
    this.#fingerprint.number(event.createdAt)
    this.#fingerprint.name(event.type)
    if (event.type === 'contest.settled') this.#fingerprint.amount(event.data.profit)
  }

  #onAction(action: Action, at: number): void {
    if (!('contestId' in action) || !TOLD.has(action.type)) return
    const played = this.#played(action.contestId, at)
    played.actions.push({ at, action })
    if (action.type === 'draftPick') played.tokens.add(action.token)
  }

  #onFill(fill: Fill): void {
    const { contestId, at, from, to } = fill
    const played = this.#played(contestId, at)
    played.fills.push(fill)
    played.tokens.add(from).add(to)
  }

  #played(contestId: string, at: number): Played {
    const known = this.contests.get(contestId)
    if (known !== undefined) return known
    const played: Played = { contestId, enteredAt: at, actions: [], fills: [], tokens: new Set(), ending: undefined }
    this.contests.set(contestId, played)
    return played
  }
}
