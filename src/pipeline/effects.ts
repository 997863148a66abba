import { catchError, defer, from, type MonoTypeOperatorFunction, map, Observable, of, type Subject, Subscription } from 'rxjs'

import type { Clock } from '../core/clock.ts'
import { invariant } from '../core/error.ts'
import { isApproved } from '../guard/index.ts'
import type { InputBody, Outcome, ReadRequest } from './input.ts'
import type { Answer, ContestService, Ports } from './ports.ts'
import type { PendingCall, SendOrder, Step } from './step.ts'
import { run } from './swaps/errand.ts'

/**
 * Does what each step asks of the world, and feeds what comes of it back as inputs: orders to the service, reads,
 * questions to the DEX, answers that strategies promised, and the one timer. What has nothing to do costs next to nothing:
 * nearly every step is a price that nobody acts on.
 */
export function effects(
  { service, clock, swapper }: Pick<Ports, 'service' | 'clock' | 'swapper'>,
  feedback$: Subject<InputBody>,
): MonoTypeOperatorFunction<Step> {
  return (step$) =>
    new Observable((subscriber) => {
      const open = new Subscription()
      const timer = new Timer(clock, () => feedback$.next({ type: 'timer' }))
      const error = (thrown: unknown) => subscriber.error(thrown)
      const begin = (input$: Observable<InputBody>) => {
        open.add(input$.subscribe({ next: (body) => feedback$.next(body), error }))
      }
      open.add(
        step$.subscribe({
          next(step) {
            if (step.isQuiet) {
              timer.set(step)
              subscriber.next(step)
              return
            }
            for (const order of step.orders) begin(defer(() => send(order, { service, swapper })))
            for (const request of step.reads) begin(defer(() => read(service, clock, request)))
            for (const errand of step.errands) begin(defer(() => run(swapper, errand)))
            for (const call of step.calls) begin(answerOf(call))
            timer.set(step)
            subscriber.next(step)
          },
          error,
          complete: () => subscriber.complete(),
        }),
      )
      open.add(() => timer.cancel())
      return open
    })
}

function send({ key, action, request }: SendOrder, { service, swapper }: Pick<Ports, 'service' | 'swapper'>): Observable<InputBody> {
  invariant(isApproved(action), 'only what the guard approved is sent', { key })
  if (request.procedure !== 'swap') return outcomeOf(key, service.act(request))
  invariant(swapper.carryOut !== undefined, 'a swap is stated only where there is no chain', { key })
  return outcomeOf(key, swapper.carryOut(request.input))
}

function outcomeOf(key: string, outcome: Answer<Outcome>): Observable<InputBody> {
  return from(outcome).pipe(map((outcome) => ({ type: 'outcome', key, outcome })))
}

function read(service: ContestService, clock: Clock, request: ReadRequest): Observable<InputBody> {
  const begunAt = clock.now()
  return from(service.read(request)).pipe(map((result) => ({ type: 'answer', request, begunAt, result })))
}

function answerOf({ callId, answer }: PendingCall): Observable<InputBody> {
  return from(answer).pipe(
    map((value): InputBody => ({ type: 'late', callId, result: { ok: true, value } })),
    catchError((thrown: unknown) => of<InputBody>({ type: 'late', callId, result: { ok: false, thrown } })),
  )
}

/** The one timer of a bot: for when its newest step wants to be woken. */
class Timer {
  readonly #clock: Clock
  readonly #onFire: () => void
  #at: number | undefined
  #cancel: () => void = () => {}

  constructor(clock: Clock, onFire: () => void) {
    this.#clock = clock
    this.#onFire = onFire
  }

  /** A timer that has fired is set again even for the same time: something became due meanwhile. */
  set({ input, wakeAt }: Step): void {
    if (wakeAt === this.#at && input.type !== 'timer') return
    this.#cancel()
    this.#at = wakeAt
    this.#cancel = wakeAt === undefined ? () => {} : this.#clock.at(wakeAt, this.#onFire)
  }

  cancel(): void {
    this.#cancel()
  }
}
