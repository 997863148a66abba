import { rebuildIndex } from '../state/rebuildIndex.ts'
import { stands } from '../state/schedule.ts'
import type { ContestsState } from '../state/state.ts'
import type { ContestsIndex } from '../state/stateIndex.ts'

/** Adds the problem unless the condition holds. */
export type Check = (holds: boolean, problem: () => string) => void

/** Checks that the index kept command by command is the one the state gives anew. */
export function auditIndex(state: ContestsState, check: Check): void {
  const kept = namesOf(state.index)
  const derived = namesOf(rebuildIndex(state))
  for (const [name, expected] of Object.entries(derived)) {
    const actual = kept[name] ?? 'nothing'
    check(actual === expected, () => `the index of ${name} holds ${actual}, the state gives ${expected}`)
  }
}

/** Each part of an index as text. Order counts where the engine goes by it. */
function namesOf({ due, queued, buckets, open, live, members }: ContestsIndex): Record<string, string> {
  const tickets = (of: Iterable<{ readonly seq: number }>) => [...of].map(({ seq }) => seq).join()
  const contests = (of: Iterable<{ readonly seq: number }>) =>
    [...of]
      .map(({ seq }) => seq)
      .sort((a, b) => a - b)
      .join()
  const waiting = due.data.filter(stands).map(({ at, order }) => `${at}/${order}`)
  return {
    due: waiting.sort().join(),
    queued: [...queued].map(([{ seq }, { waiting }]) => `${seq} of ${waiting}`).join('; '),
    buckets: [...buckets]
      .flatMap(([form, ofForm]) => [...ofForm].map(([stake, bucket]) => ({ key: `${form} ${stake}`, ...bucket })))
      .filter(({ waiting }) => waiting > 0)
      .map(({ key, slots, waiting }) => `${key}: ${waiting}, ${slots.map((slot) => tickets(slot ?? [])).join('/')}`)
      .sort()
      .join('; '),
    open: contests(open),
    live: contests(live),
    members: members.map((own, place) => `${place + 1}: ${tickets(own.tickets)} ${contests(own.contests)}`).join('; '),
  }
}
