import { from, map, mergeMap, Observable, type OperatorFunction } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import { invariant } from '../../core/error.ts'
import { isApproved } from '../../guard/index.ts'
import type { InputBody, PlannedRead, StrategyResult } from '../input.ts'
import type { ContestService } from '../ports.ts'
import type { PendingCall, SendOrder, Step } from '../step.ts'
import type { Swapper } from '../swapper.ts'
import type { Errand } from '../swaps/errand.ts'
import { each } from './each.ts'

// What steps ask of the world, and the inputs that come of it.

/** Each is begun at once, in the order of the list; what comes of it comes when it does. */
const performed =
  <T>(askedIn: (step: Step) => readonly T[], begin: (asked: T) => Observable<InputBody>): OperatorFunction<Step, InputBody> =>
  (step$) =>
    step$.pipe(each(askedIn), mergeMap(begin))

/** Sends orders, each once, to the service or, in a world without a chain, to whoever carries swaps out. */
export const sent = (service: ContestService, swapper: Swapper): OperatorFunction<Step, InputBody> =>
  performed(
    ({ orders }) => orders,
    ({ key, action, request }: SendOrder): Observable<InputBody> => {
      invariant(isApproved(action), 'only what the guard approved is sent', { key })
      if (request.procedure !== 'swap') return service.act(request).pipe(map((outcome) => ({ type: 'outcome', key, outcome })))
      invariant(swapper.carryOut !== undefined, 'a swap is stated only where there is no chain', { key })
      return swapper
        .carryOut(request.input)
        .pipe(
          map((result) => (result.status === 'rejected' ? { type: 'outcome', key, outcome: result } : { type: 'landing', key, result })),
        )
    },
  )

/** Reads of the service. */
export const read = (service: ContestService, clock: Clock): OperatorFunction<Step, InputBody> =>
  performed(
    ({ reads }) => reads,
    (request: PlannedRead): Observable<InputBody> => {
      const begunAt = clock.now()
      return service.read(request).pipe(map((result) => ({ type: 'answer', request, begunAt, result })))
    },
  )

/** Questions to the DEX and the chain, on behalf of swaps. Nothing of it moves money: what does is an order, and the guard's to approve. */
export const asked = (swapper: Swapper): OperatorFunction<Step, InputBody> =>
  performed(
    ({ errands }) => errands,
    (errand: Errand): Observable<InputBody> => {
      const { key } = errand
      switch (errand.kind) {
        case 'quote':
          return swapper.quote(errand.request).pipe(map((result) => ({ type: 'quoted', key, result })))
        case 'build':
          return swapper.build(errand).pipe(map((result) => ({ type: 'built', key, result })))
        case 'landing':
          return swapper.landing(errand.sent).pipe(map((result) => ({ type: 'landing', key, result })))
      }
    },
  )

/** Answers that strategies promised. */
export const awaited = (): OperatorFunction<Step, InputBody> =>
  performed(
    ({ calls }) => calls,
    ({ callId, answer }: PendingCall): Observable<InputBody> =>
      from(settled(answer)).pipe(map((result) => ({ type: 'late', callId, result }))),
  )

const settled = (answer: Promise<unknown>): Promise<StrategyResult> =>
  answer.then(
    (value): StrategyResult => ({ ok: true, value }),
    (thrown: unknown): StrategyResult => ({ ok: false, thrown }),
  )

/** The one timer of a bot, for when it wants to be woken: another time takes the place of the one before, and undefined that of any. */
export const woken =
  (clock: Clock): OperatorFunction<number | undefined, InputBody> =>
  (wakeAt$) =>
    new Observable((subscriber) => {
      let set: number | undefined
      let hasFired = false
      let cancel: () => void = () => {}
      const fire = () => {
        hasFired = true
        subscriber.next({ type: 'timer' })
      }
      subscriber.add(() => cancel())
      subscriber.add(
        wakeAt$.subscribe({
          next: (wakeAt) => {
            // One that has fired is set again even for the same time: something became due meanwhile.
            if (wakeAt === set && !hasFired) return
            cancel()
            set = wakeAt
            hasFired = false
            cancel = wakeAt === undefined ? () => {} : clock.at(wakeAt, fire)
          },
          error: (thrown: unknown) => subscriber.error(thrown),
        }),
      )
    })
