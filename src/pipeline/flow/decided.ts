import { Observable, type OperatorFunction, Subject } from 'rxjs'
import type { Bot } from '../bot.ts'
import type { Input, InputOf } from '../protocol/input.ts'
import type { Step } from '../protocol/step.ts'
import { Listener } from './listener.ts'
import { type Heard, TURN, type Turn } from './proposal.ts'

export interface DecidedOptions {
  readonly bot: Pick<Bot, 'take' | 'tend' | 'close' | 'heard$'>
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
  ({ bot, say, onQuiet }: DecidedOptions): OperatorFunction<Input, Step> =>
  (input$) =>
    new Observable((subscriber) => {
      const turn$ = new Subject<Turn>()
      const decide = (input: Input) => {
        const isLoud = bot.take(input)
        if (subscriber.closed) return
        if (!isLoud) {
          if (input.type === 'prices') onQuiet(input)
          return
        }
        if (bot.tend()) turn$.next(TURN)
        if (!subscriber.closed) subscriber.next(bot.close())
      }
      say(bot.heard$, turn$).subscribe(new Listener(subscriber, () => {}))
      input$.subscribe(new Listener(subscriber, decide))
    })
