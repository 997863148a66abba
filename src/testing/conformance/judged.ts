import { show } from '../../core/show.ts'
import { judgeAction, type Verdict } from './answers.ts'
import type { Watch } from './watch.ts'

/** Actions of one call: nobody has that many to ask for. */
const MOST_ACTIONS = 20

/** Judges an answer, now or when it comes, and passes it on as it is. */
export function judged<T>(answer: T, watch: Watch, judge: (value: unknown) => void): T {
  if (!(answer instanceof Promise)) {
    judge(answer)
    return answer
  }
  const promised = answer as Promise<unknown>
  return promised.then(
    (value) => {
      judge(value)
      return value
    },
    (thrown: unknown) => {
      watch.noteThrown('its promise was rejected:', thrown)
      throw thrown
    },
  ) as T
}

/** Judges a list of actions that was answered on an input. */
export function judgeActions(value: unknown, input: number, watch: Watch): void {
  if (value === null || value === undefined) return
  if (!Array.isArray(value)) {
    watch.note('invalid-answer', `it answered ${show(value)}: a list of actions`)
    return
  }
  if (value.length > MOST_ACTIONS) watch.note('unbounded', `it asked for ${value.length} actions at once: more than ${MOST_ACTIONS}`)
  for (const action of value as unknown[]) {
    noteVerdict(judgeAction(action), undefined, watch)
    const { type, contestId } = (action ?? {}) as { type?: unknown; contestId?: unknown }
    // To sell what a contest has left is for after it; and a list of open contests may be some seconds old.
    if (typeof contestId !== 'string' || type === 'sweep' || type === 'joinContest') continue
    const endedAt = watch.ended.get(contestId)
    // On the input that says so, some of what it is told is still of before.
    if (endedAt !== undefined && endedAt < input) {
      watch.note('acts-after-end', `it asked for ${show(type)} in a contest that had been over since input ${endedAt}`, {
        contestId,
        input,
      })
    }
  }
}

export function noteVerdict(verdict: Verdict, contestId: string | undefined, watch: Watch): void {
  if (verdict !== undefined) watch.note(verdict.rule, verdict.message, { contestId })
}
