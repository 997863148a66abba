import type { Clock } from '../core/clock.ts'
import { invariant } from '../core/error.ts'
import { isApproved } from '../guard/index.ts'
import type { InputBody, StrategyResult } from './input.ts'
import type { Answer, Ports } from './ports.ts'
import type { SendOrder, Step } from './step.ts'
import { run } from './swaps/errand.ts'

/** Where what comes of an effect goes: in again as an input, or, where it failed, to an end of the bot. */
export interface Feedback {
  enter(body: InputBody): void
  fail(thrown: unknown): void
}

/**
 * Does what each step asks of the world, and feeds what comes of it back as inputs: orders to the service, reads,
 * questions to the DEX, answers that strategies promised, and the one timer. What has nothing to do costs next to nothing:
 * nearly every step is a price that nobody acts on.
 */
export class Effects {
  readonly #ports: Pick<Ports, 'service' | 'clock' | 'swapper'>
  readonly #feedback: Feedback
  readonly #timer: Timer
  #isStopped = false

  constructor(ports: Pick<Ports, 'service' | 'clock' | 'swapper'>, feedback: Feedback) {
    this.#ports = ports
    this.#feedback = feedback
    this.#timer = new Timer(ports.clock, () => feedback.enter({ type: 'timer' }))
  }

  do(step: Step): void {
    if (!step.isQuiet) this.#doAll(step)
    this.#timer.set(step.wakeAt)
  }

  /** What is under way is not heard of any more. */
  stop(): void {
    this.#isStopped = true
    this.#timer.cancel()
  }

  #doAll({ orders, reads, errands, calls }: Step): void {
    const { service, swapper, clock } = this.#ports
    for (const order of orders) this.#send(order)
    for (const request of reads) {
      const begunAt = clock.now()
      this.#begin(service.read(request), (result) => ({ type: 'answer', request, begunAt, result }))
    }
    for (const errand of errands) run(errand, swapper, (answer, inputOf) => this.#begin(answer, inputOf))
    for (const { callId, answer } of calls) this.#begin(settled(answer), (result) => ({ type: 'late', callId, result }))
  }

  #send({ key, action, request }: SendOrder): void {
    const { service, swapper } = this.#ports
    invariant(isApproved(action), 'only what the guard approved is sent', { key })
    if (request.procedure !== 'swap') {
      this.#begin(service.act(request), (outcome) => ({ type: 'outcome', key, outcome }))
      return
    }
    invariant(swapper.carryOut !== undefined, 'a swap is stated only where there is no chain', { key })
    this.#begin(swapper.carryOut(request.input), (result) =>
      result.status === 'rejected' ? { type: 'outcome', key, outcome: result } : { type: 'landing', key, result },
    )
  }

  #begin<T>(answer: Answer<T>, inputOf: (value: T) => InputBody): void {
    const hear = (value: T) => {
      if (!this.#isStopped) this.#feedback.enter(inputOf(value))
    }
    if (typeof answer === 'function') answer(hear)
    else answer.then(hear).catch((thrown: unknown) => this.#feedback.fail(thrown))
  }
}

const settled = (answer: Promise<unknown>): Promise<StrategyResult> =>
  answer.then(
    (value): StrategyResult => ({ ok: true, value }),
    (thrown: unknown): StrategyResult => ({ ok: false, thrown }),
  )

/** The one timer of a bot: for when its newest step wants to be woken. */
class Timer {
  readonly #clock: Clock
  readonly #onFire: () => void
  #at: number | undefined
  #hasFired = false
  #cancel: () => void = () => {}

  constructor(clock: Clock, onFire: () => void) {
    this.#clock = clock
    this.#onFire = () => {
      this.#hasFired = true
      onFire()
    }
  }

  /** One that has fired is set again even for the same time: something became due meanwhile. */
  set(wakeAt: number | undefined): void {
    if (wakeAt === this.#at && !this.#hasFired) return
    this.#cancel()
    this.#at = wakeAt
    this.#hasFired = false
    this.#cancel = wakeAt === undefined ? () => {} : this.#clock.at(wakeAt, this.#onFire)
  }

  cancel(): void {
    this.#cancel()
  }
}
