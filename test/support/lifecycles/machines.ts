import type { Machine } from '../../../src/pipeline/state/lifecycle.ts'
import { swapMachine } from '../../../src/pipeline/swaps/swapMachine.ts'

// The machines of the pipeline, looked at from outside: which pairs of a state and a happening they have, and which a run has reached.

export type AnyMachine = Machine<{ readonly is: string }, { readonly type: string }, unknown, unknown>
export interface AnyTransition {
  readonly to: readonly string[]
  next(state: unknown, happening: unknown, seen: unknown): { readonly state: { readonly is: string } | undefined }
}

export const MACHINES = [swapMachine] as unknown as readonly AnyMachine[]

export const transitionsOf = ({ on }: AnyMachine) =>
  Object.entries(on).flatMap(([state, ofState]) =>
    Object.entries(ofState as Readonly<Record<string, AnyTransition>>).map(([happening, transition]) => ({ state, happening, transition })),
  )

/** Moves that the sixty runs of `test/system/botSimulation.test.ts` do not make, by machine: its own test makes them. */
export const BY_TEST_ALONE: Readonly<Record<string, readonly string[]>> = {
  // Nothing is held back there, and every swap is built: the simulated world of a backtest has none of that.
  swap: ['quoting quoted -> sending', 'building built -> quoting', 'sending landing -> confirming', 'sending landing -> gone'],
}

/** Every move of a machine, as `state happening -> next`. */
export const movesOf = (machine: AnyMachine): readonly string[] =>
  transitionsOf(machine).flatMap(({ state, happening, transition: { to } }) => to.map((next) => `${state} ${happening} -> ${next}`))

/** Counts every move from now on, by `machine: state happening -> next`. */
export function watchPairs(machines: readonly AnyMachine[]): ReadonlyMap<string, number> {
  const reached = new Map<string, number>()
  for (const machine of machines)
    for (const { state, happening, transition } of transitionsOf(machine)) {
      const { next } = transition
      transition.next = (...args) => {
        const move = next(...args)
        const pair = `${machine.name}: ${state} ${happening} -> ${move.state?.is ?? 'gone'}`
        reached.set(pair, (reached.get(pair) ?? 0) + 1)
        return move
      }
    }
  return reached
}
