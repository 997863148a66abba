import type { ProcedureInput } from '../../contract/procedures.ts'
import { saysNo } from '../../contract/refusals.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { QueuePolicy, Strategy } from '../../strategy/define.ts'
import type { Intents } from '../actions/intents.ts'
import type { Proposal } from '../flow/proposal.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { InputOf } from '../protocol/input.ts'
import { parseTaskKey, type TaskKey } from '../protocol/taskKey.ts'
import type { Reads } from '../reads.ts'
import type { Present } from '../state/present.ts'
import type { Calls } from './calls.ts'
import type { Customs } from './customs.ts'

const BROWSE_EVERY_MS = 4000
/** Of open contests at a time; a service that takes no such limit is asked without one. */
const BROWSE_LIMIT = 100
/** After an action came to nothing, how long its policy waits before it is asked again. */
const AFTER_FAILURE_MS = 1000
const CUSTOMS_TOLD_EVERY_MS = 5000
/** An entry whose outcome is not known for so long is told of, and again. */
const SAY_HELD_MS = 60_000

interface PoliciesOptions {
  readonly present: Present
  readonly strategies: readonly Strategy[]
  readonly calls: Calls
  readonly customs: Customs
  readonly intents: Intents
  readonly reads: Reads
  readonly path: PathWatch
}

/** The bot's queue policies, and when they are asked: custom strategies that listen are told in their turn, after the last of them. */
export class Policies {
  readonly #present: Present
  readonly #calls: Calls
  readonly #customs: Customs
  readonly #intents: Intents
  readonly #reads: Reads
  readonly #path: PathWatch
  readonly #policies: readonly QueuePolicy[]
  /** Whether one of them wants to be shown the contests that others opened. */
  readonly #isBrowsing: boolean
  #wantsDecision = true
  #browseLimit: number | undefined = BROWSE_LIMIT
  /** The one that is asked first at the next decision: those that an entry kept from being asked come before the one that made it. */
  #first = 0
  /** An entry has kept one of them from being asked. */
  #isHeld = false
  #saidHeldAt = Number.NEGATIVE_INFINITY

  constructor({ present, strategies, calls, customs, intents, reads, path }: PoliciesOptions) {
    this.#present = present
    this.#calls = calls
    this.#customs = customs
    this.#intents = intents
    this.#reads = reads
    this.#path = path
    this.#policies = strategies.filter((strategy) => strategy.kind === 'queue')
    this.#isBrowsing = this.#policies.some(({ browse }) => browse !== undefined)
  }

  /** Whether they are to be asked at the next input. */
  get isWaiting(): boolean {
    return this.#wantsDecision
  }

  /** Whether they are to be asked, or one of them again. */
  get haveTurn(): boolean {
    return this.#wantsDecision || this.#isHeld
  }

  /** A ticket or contest has come to something: they are asked again in this step. */
  wantDecision(): void {
    this.#wantsDecision = true
  }

  /** An action came to nothing: they are asked again, a little later. */
  wantDecisionSoon(): void {
    const { deadlines, now } = this.#present
    for (const index of this.#periodsMs.keys()) deadlines.soon(`decide:${index}`, now + AFTER_FAILURE_MS)
  }

  /** What others opened was listed, or could not be. */
  onAnswer({ request, result }: InputOf<'answer'>): void {
    if (parseTaskKey(request.purpose).kind !== 'browse') return
    this.#present.deadlines.set(request.purpose, this.#present.now + BROWSE_EVERY_MS)
    if (result.ok) this.#wantsDecision = true
    else if (saysNo(result.refusal)) this.#browseLimit = undefined
  }

  /** Whether they may be asked now, and one of them is to be: while an entry has no outcome nothing shows it, and none is. */
  areDue(): boolean {
    const { books } = this.#present
    if (!books.caughtUp) return false
    if (this.#isHeld && !this.#isEntering()) {
      this.#isHeld = false
      this.wantDecisionSoon()
    }
    if (books.runMode !== 'running' || books.stopped !== 'nothing' || books.limits === undefined || books.bankroll === undefined)
      return false
    this.browse()
    // They would ask for what is refused until it is known whether swaps come through.
    if (this.#path.isUnseen) return false
    return this.#wantsDecision
  }

  /** Asks them in turn, each of which sees all that was entered. */
  *decide(): Generator<Proposal> {
    const { deadlines, now } = this.#present
    this.#wantsDecision = false
    const periodsMs = this.#periodsMs
    for (const [index, periodMs] of periodsMs.entries()) deadlines.set(`decide:${index}`, now + periodMs)
    const { length } = periodsMs
    const from = this.#first
    for (let asked = 0; asked < length; asked++) {
      if (this.#isEntering()) {
        this.#hold()
        return
      }
      const index = (from + asked) % length
      this.#first = (index + 1) % length
      const strategy = this.#policies[index]
      yield* strategy === undefined ? this.#customs.decide() : this.#calls.call({ kind: 'decide', strategy })
    }
  }

  /** Lists what others opened, for those who want to be shown it. */
  browse(): void {
    if (!this.#isBrowsing) return
    const { deadlines, books } = this.#present
    this.#policies.forEach(({ browse }, index) => {
      const purpose: TaskKey = `browse:${index}`
      if (
        browse === undefined ||
        books.runMode !== 'running' ||
        books.stopped !== 'nothing' ||
        deadlines.has(purpose) ||
        this.#reads.isUnderWay(purpose)
      )
        return
      // The contract's own filters, though nobody may write into these.
      const filters = browse as Pick<ProcedureInput<'agent.contests.list'>, 'modes' | 'minStake' | 'maxStake'>
      const limit = this.#browseLimit === undefined ? {} : { limit: this.#browseLimit }
      this.#reads.ask(purpose, 'agent.contests.list', { ...filters, status: 'open', ...limit })
    })
  }

  /** How long until each is asked again. */
  get #periodsMs(): readonly number[] {
    const ofPolicies = this.#policies.map(({ everySec }) => everySec * 1000)
    return this.#customs.hear('policyTurn$') ? [...ofPolicies, CUSTOMS_TOLD_EVERY_MS] : ofPolicies
  }

  #isEntering(): boolean {
    return this.#intents.entering.length > 0 || this.#calls.isJoining
  }

  /** Says it, where it takes long: nothing is entered meanwhile. */
  #hold(): void {
    const { now, step } = this.#present
    this.#isHeld = true
    const [oldest] = this.#intents.entering
    if (oldest === undefined || now - oldest.askedAt < SAY_HELD_MS || now - this.#saidHeldAt < SAY_HELD_MS) return
    this.#saidHeldAt = now
    const { type, stake, askedAt } = oldest
    const seconds = Math.round((now - askedAt) / 1000)
    step.note('warn', `no policy is asked: what became of ${type} for ${formatUsdc(stake)} USDC is not known since ${seconds} s`, {
      type,
      stake,
    })
  }
}
