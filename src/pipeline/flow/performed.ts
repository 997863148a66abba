import { from, Observable, type OperatorFunction } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import { invariant } from '../../core/error.ts'
import { isApproved } from '../../guard/index.ts'
import type { InputBody, StrategyResult } from '../protocol/input.ts'
import type { ContestService, Ports } from '../protocol/ports.ts'
import type { SendOrder, Step } from '../protocol/step.ts'
import type { Swapper } from '../protocol/swapper.ts'
import type { SwapRequest } from '../protocol/swapRequest.ts'
import { Listener } from './listener.ts'

/** Takes what is asked of the world, and what input an answer to it is. */
type Ask = <T>(answer$: Observable<T>, inputOf: (answer: T) => InputBody) => void

/**
 * Does what steps ask of the world, each thing at once and in its order, and gives what comes of it, when it comes: answers of the service,
 * of the DEX and the chain, and of strategies that promised one. `mergeMap` for each kind would do, and takes several times as long.
 */
export const performed =
  ({ service, swapper, clock }: Pick<Ports, 'service' | 'swapper' | 'clock'>): OperatorFunction<Step, InputBody> =>
  (step$) =>
    new Observable((subscriber) => {
      const ask: Ask = (answer$, inputOf) => {
        answer$.subscribe(new Listener(subscriber, (answer) => subscriber.next(inputOf(answer))))
      }
      const perform = ({ orders, reads, swapRequests, calls, asks }: Step) => {
        if (!asks) return
        for (const order of orders) send(order, { service, swapper, ask })
        for (const request of reads) {
          const begunAt = clock.now()
          ask(service.read(request), (result) => ({ type: 'answer', request, begunAt, result }))
        }
        for (const swapRequest of swapRequests) run(swapRequest, swapper, ask)
        for (const { callId, answer } of calls) ask(from(settled(answer)), (result) => ({ type: 'late', callId, result }))
      }
      step$.subscribe(new Listener(subscriber, perform))
    })

interface Way {
  readonly service: ContestService
  readonly swapper: Swapper
  readonly ask: Ask
}

/** Sends an order, once: to the service or, in a world without a chain, to whoever carries swaps out. */
function send({ key, action, request }: SendOrder, { service, swapper, ask }: Way): void {
  invariant(isApproved(action), 'only what the guard approved is sent', { key })
  if (request.procedure !== 'swap') {
    ask(service.act(request), (outcome) => ({ type: 'outcome', key, outcome }))
    return
  }
  invariant(swapper.executePaper !== undefined, 'a swap is on paper only where there is no chain', { key })
  ask(swapper.executePaper(request.input), (result) =>
    result.status === 'rejected' ? { type: 'outcome', key, outcome: result } : { type: 'landing', key, result },
  )
}

/** Asks the DEX or the chain on behalf of a swap. Nothing of it moves money: what does is an order, and the guard's to approve. */
function run(swapRequest: SwapRequest, swapper: Swapper, ask: Ask): void {
  switch (swapRequest.kind) {
    case 'quote':
      ask(swapper.quote(swapRequest.request), (result) => ({ type: 'quoted', key: swapRequest.key, result }))
      return
    case 'build':
      ask(swapper.build(swapRequest), (result) => ({ type: 'built', key: swapRequest.key, result }))
      return
    case 'landing':
      ask(swapper.landing(swapRequest.sent), (result) => ({ type: 'landing', key: swapRequest.key, result }))
      return
    case 'path':
      if (swapper.check !== undefined) ask(swapper.check(swapRequest), (check) => ({ type: 'pathChecked', check }))
  }
}

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
      const setTo = (wakeAt: number | undefined) => {
        // One that has fired is set again even for the same time: something became due meanwhile.
        if (wakeAt === set && !hasFired) return
        cancel()
        set = wakeAt
        hasFired = false
        cancel = wakeAt === undefined ? () => {} : clock.at(wakeAt, fire)
      }
      wakeAt$.subscribe(new Listener(subscriber, setTo))
    })
