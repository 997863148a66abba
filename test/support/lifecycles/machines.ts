import { entryMachine } from '../../../src/pipeline/actions/entryMachine.ts'
import { figureMachine } from '../../../src/pipeline/money/figureMachine.ts'
import { custodyMachine } from '../../../src/pipeline/seat/custodyMachine.ts'
import { finalReadMachine } from '../../../src/pipeline/seat/finalReadMachine.ts'
import { overdueMachine } from '../../../src/pipeline/seat/overdueMachine.ts'
import { rejoinMachine } from '../../../src/pipeline/seat/rejoinMachine.ts'
import { seatMachine } from '../../../src/pipeline/seat/seatMachine.ts'
import { ticketMachine } from '../../../src/pipeline/seat/ticketMachine.ts'
import type { Machine, Move } from '../../../src/pipeline/state/lifecycle.ts'
import { swapMachine } from '../../../src/pipeline/swaps/swapMachine.ts'

// The machines of the pipeline, looked at from outside: which pairs of a state and a happening they have, and which a run has reached.

export type AnyMachine = Machine<{ readonly is: string }, { readonly type: string }, unknown, unknown>
export interface AnyTransition {
  readonly to: readonly string[]
  next(state: unknown, happening: unknown, seen: unknown): { readonly state: { readonly is: string } | undefined }
}

export const MACHINES = [
  ...[entryMachine, ticketMachine, seatMachine, custodyMachine, overdueMachine, rejoinMachine, finalReadMachine],
  ...[swapMachine, figureMachine],
] as unknown as readonly AnyMachine[]

export const transitionsOf = ({ on }: AnyMachine) =>
  Object.entries(on).flatMap(([state, ofState]) =>
    Object.entries(ofState as Readonly<Record<string, AnyTransition>>).map(([happening, transition]) => ({ state, happening, transition })),
  )

/** Moves that the runs of `test/system/botSimulation.test.ts` need not make, by machine: the machine's own test makes them. */
export const BY_TEST_ALONE: Readonly<Record<string, readonly string[]>> = {
  // A refusal, or a loss, and what contradicts it, within the one second of a look; looks at a refusal that is doubted, which come as seldom;
  // and answers that nobody waits for, as replays have them.
  entry: [
    ...['doubted due -> doubted', 'doubted unread -> doubted', 'doubted looked -> doubted'],
    ...['waiting answered -> waiting', 'waiting answered -> gone', 'waiting looked -> gone', 'waiting contestEnded -> gone'],
    ...['doubted answered -> doubted', 'doubted answered -> gone', 'doubted told -> doubted', 'doubted proved -> gone'],
    ...[
      'unknown answered -> unknown',
      'unknown answered -> gone',
      'unknown proved -> gone',
      'unknown closed -> gone',
      'sent proved -> gone',
    ],
  ],
  // A commitment without an answer that is revealed, or of a seat that was given back, or still open as its contest ends.
  custody: [
    ...['made revealed -> revealed', 'made dropped -> gone', 'made revealFailed -> made', 'made tended -> made'],
    ...['made revealing -> made', 'made heldBack -> made', 'revealed committed -> revealed', 'revealed revealFailed -> revealed'],
    ...['revealed heldBack -> revealed', 'revealed revealed -> revealed', 'revealed tended -> revealed'],
  ],
  // A ticket whose cancellation has no answer for as long as that takes to be asked again.
  ticket: ['waiting due -> waiting'],
  // A second look within the ten seconds of the first, where the event was on its way; and one that shows the end again.
  overdue: [
    ...['expected unread -> expected', 'doubted asked -> doubted', 'doubted unread -> doubted', 'doubted changed -> doubted'],
    ...['doubted looked -> expected', 'doubted looked -> gone', 'doubted due -> doubted'],
  ],
  // Whoever is matched into a contest that it is leaving, and a lobby of which more is heard than once before it is listed.
  rejoin: ['leaving heard -> heard', 'leaving left -> gone', 'heard heard -> heard', 'heard seated -> gone', 'heard listed -> heard'],
  // No answer is about something else there; and a read is asked for twice before its answer is lost, so that few are tried again.
  'final read': ['owed unread -> owed', 'owed due -> owed', 'owed answered -> owed'],
  // A figure that is wanted in the moment between its age and the read that is due for it.
  figure: ['old wanted -> asked'],
  // Nothing is held back there, and every swap is built at once, but for few: the simulated world of a backtest has none of that.
  swap: [
    'quoting quoted -> sending',
    'quoting quoted -> waiting',
    'waiting due -> quoting',
    'building settled -> building',
    'sending landing -> gone',
  ],
}

/** Every move of a machine, as `state happening -> next`. */
export const movesOf = (machine: AnyMachine): readonly string[] =>
  transitionsOf(machine).flatMap(({ state, happening, transition: { to } }) => to.map((next) => `${state} ${happening} -> ${next}`))

/** A state, a happening that its machine has there, and the present that it sees. */
export type Sample<S, H, Seen> = readonly [state: S, happening: H, seen: Seen]

/** The move that a machine makes of a sample. */
export function moveOf<S extends { readonly is: string }, H extends { readonly type: string }, E, Seen>(
  machine: Machine<S, H, E, Seen>,
  [state, happening, seen]: Sample<S, H, Seen>,
): Move<S, E> {
  const pairs = transitionsOf(machine as unknown as AnyMachine)
  const pair = pairs.find((one) => one.state === state.is && one.happening === happening.type)
  if (pair === undefined) throw new Error(`${state.is} ${happening.type} is no pair of the table`)
  return pair.transition.next(state, happening, seen) as Move<S, E>
}

/** The moves that samples make, as `movesOf` names them. */
export const movesMade = <S extends { readonly is: string }, H extends { readonly type: string }, E, Seen>(
  machine: Machine<S, H, E, Seen>,
  samples: readonly Sample<S, H, Seen>[],
): readonly string[] => [
  ...new Set(samples.map((sample) => `${sample[0].is} ${sample[1].type} -> ${moveOf(machine, sample).state?.is ?? 'gone'}`)),
]

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
