import { Subject } from 'rxjs'
import { BotState } from './botState.ts'
import { decided } from './flow/decided.ts'
import { speech } from './pipeline.ts'
import type { Input, InputBody } from './protocol/input.ts'
import type { Step } from './protocol/step.ts'
import type { BotStatus } from './state/botStatus.ts'
import type { BotOptions } from './state/present.ts'

export interface Stepwise {
  /**
   * All that one input leads to; undefined: nothing comes of a price.
   *
   * @throws whatever is thrown on the way
   */
  step(input: Input): Step | undefined
  status(): BotStatus
  stop(): void
}

/**
 * A bot that is handed its inputs one by one, as a recording has them: what decides is what decides in a bot that lives, without its ports.
 *
 * @param onLate told of what a strategy emits between inputs
 */
export function stepwise(options: BotOptions, onLate: (late: Extract<InputBody, { type: 'late' }>) => void): Stepwise {
  const state = new BotState(options, onLate)
  const input$ = new Subject<Input>()
  let step: Step | undefined
  let failure: { readonly thrown: unknown } | undefined
  input$.pipe(decided({ state, say: speech(state.strategies), onQuiet: () => {} })).subscribe({
    next: (taken) => {
      step = taken
    },
    error: (thrown: unknown) => {
      failure = { thrown }
    },
  })
  return {
    step(input) {
      step = undefined
      input$.next(input)
      if (failure !== undefined) throw failure.thrown
      return step
    },
    status: () => state.status,
    stop: () => state.stop(),
  }
}
