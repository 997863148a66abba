import { Observable, type OperatorFunction, Subject } from 'rxjs'
import type { BotState } from '../botState.ts'
import type { Input, InputOf } from '../protocol/input.ts'
import type { Step } from '../protocol/step.ts'
import { Listener } from './listener.ts'
import type { Heard, Turn } from './proposal.ts'

export interface DecidedOptions {
  readonly state: BotState
  /** What strategies say to what they hear of, and in their turn, and what becomes of it: all of it at once. */
  readonly say: (heard$: Observable<Heard>, turn$: Observable<Turn>) => Observable<unknown>
  /** Told of a price that led to nothing: no step is made of it. */
  readonly onQuiet: (input: InputOf<'prices'>) => void
}

/**
 * All that each input leads to: it is taken into the state, of which strategies may hear at once; the framework does its part; strategies
 * have their turn; and the step is closed. The same inputs give the same steps, in a bot that lives and in a replay.
 */
export const decided =
  ({ state, say, onQuiet }: DecidedOptions): OperatorFunction<Input, Step> =>
  (input$) =>
    new Observable((subscriber) => {
      const turn$ = new Subject<Turn>()
      const decide = (input: Input) => {
        const isLoud = state.take(input)
        if (subscriber.closed) return
        if (!isLoud) {
          onQuiet(input as InputOf<'prices'>)
          state.closeQuietly()
          return
        }
        const turn = state.tend()
        if (turn !== undefined) turn$.next(turn)
        if (!subscriber.closed) subscriber.next(state.close())
      }
      say(state.heard$, turn$).subscribe(new Listener(subscriber, () => {}))
      input$.subscribe(new Listener(subscriber, decide))
    })
