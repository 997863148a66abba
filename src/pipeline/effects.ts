import { catchError, from, type MonoTypeOperatorFunction, map, Observable, of, type Subject, Subscription } from 'rxjs'
import type { Clock } from '../core/clock.ts'
import { invariant } from '../core/error.ts'
import { isApproved } from '../guard/index.ts'
import type { InputBody, Outcome, StrategyResult } from './input.ts'
import type { Answer, Ports } from './ports.ts'
import type { SendOrder, Step } from './step.ts'
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
      const begin = <T>(answer: Answer<T>, inputOf: (value: T) => InputBody) => {
        open.add(from(answer).subscribe({ next: (value) => feedback$.next(inputOf(value)), error }))
      }
      const doAll = ({ orders, reads, errands, calls }: Step) => {
        for (const order of orders) {
          const { key } = order
          begin(send(order, { service, swapper }), (outcome) => ({ type: 'outcome', key, outcome }))
        }
        for (const request of reads) {
          const begunAt = clock.now()
          begin(service.read(request), (result) => ({ type: 'answer', request, begunAt, result }))
        }
        for (const errand of errands) run(errand, swapper, begin)
        for (const { callId, answer } of calls) begin(settled(answer), (result) => ({ type: 'late', callId, result }))
      }
      open.add(
        step$.subscribe({
          next(step) {
            try {
              if (!step.isQuiet) doAll(step)
            } catch (thrown) {
              error(thrown)
              return
            }
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

function send({ key, action, request }: SendOrder, { service, swapper }: Pick<Ports, 'service' | 'swapper'>): Answer<Outcome> {
  invariant(isApproved(action), 'only what the guard approved is sent', { key })
  if (request.procedure !== 'swap') return service.act(request)
  invariant(swapper.carryOut !== undefined, 'a swap is stated only where there is no chain', { key })
  return swapper.carryOut(request.input)
}

const settled = (answer: Promise<unknown>): Observable<StrategyResult> =>
  from(answer).pipe(
    map((value): StrategyResult => ({ ok: true, value })),
    catchError((thrown: unknown) => of<StrategyResult>({ ok: false, thrown })),
  )

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
