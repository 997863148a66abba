import { saysGone } from '../../contract/refusals.ts'
import { CornermanError } from '../../core/error.ts'
import { isEntry } from '../../guard/index.ts'
import { after, sooner } from '../state/lifecycle.ts'
import { describeAction } from './describeAction.ts'
import { conclude, type EntryMove, followed, type HappeningOf, settled, stay, troubleOf } from './entryAnswers.ts'
import type { Doubted, EntryEffect, EntrySeen, EntryState, Sent, Unknown, Waiting } from './entryState.ts'
import { CONCLUSIONS, type Look, lookAt, lookUpOf } from './reconciliation.ts'

// What follows from a look at the service (docs/recovery.md).

/** Reads that must miss an action before it counts as never having happened (law 5). */
const ABSENCES_NEEDED = 2
/** For so long the service must fail at what is over, and not at the stream, before that says that it has no more word on it. */
const FAILS_FOR_MS = 60_000
/** Between those reads, and between looks at what is sent again as soon as it is missed: its time may be short. */
const CHECK_MS = 1000
/** Requests of a move that hangs: more would not arrive either. */
const MOST_REQUESTS = 3
/** What a list has no room for is told by the stream alone: the look is only there to notice that it has ended. */
const OUT_OF_RANGE_CHECK_MS = 60_000

export const lookUp = (state: EntryState): EntryMove => stay({ ...state, dueAt: undefined }, { type: 'lookUp' })

/** A reveal that was tried in vain is sent once more. */
export function sendAgain({ is: _, ...state }: Waiting, __: HappeningOf<'due'>, seen: EntrySeen): EntryMove {
  const { order } = state
  return stay({ is: 'sent', ...state, unanswered: 1, heard: undefined, dueAt: seen.now + seen.hangingMs() }, { type: 'order', order })
}

/** A look comes to nothing: it is due again, no later than it was planned. */
export const onUnread = (state: EntryState, { at }: HappeningOf<'unread'>): EntryMove => stay({ ...state, dueAt: sooner(state.dueAt, at) })

/** A look at what hangs, before its answer is lost. */
export function onEarlyLook(before: Sent | Waiting, { begunAt, result }: HappeningOf<'looked'>, seen: EntrySeen): EntryMove {
  const { state, evidence, id } = look(before, result, seen)
  const { entry, order, requests } = state
  const { action } = entry.intent
  // A state of another seat, in a contest that was left and joined again, says nothing of a move of this one.
  const isOfThisSeat = !('contestId' in action) || seen.isForSeat(action.contestId)
  const conclusion = isOfThisSeat ? CONCLUSIONS[action.type][evidence] : 'wait'
  if (conclusion === 'done')
    return settled({ status: 'accepted', made: id, detail: 'it has no answer yet; the service shows that it took effect' })
  // Since it was refused last, a look is only there to see whether it had been taken before.
  if (state.is === 'waiting' && begunAt >= (state.tries.refusedAt ?? Number.POSITIVE_INFINITY)) return stay(state)
  const planned = { ...state, dueAt: seen.now + seen.hangingMs() }
  const isMissing = conclusion === 'again' && !seen.isOver(action)
  if (!isMissing || requests >= MOST_REQUESTS) return stay(planned)
  const message = `${action.type} has no answer yet, and the service does not show it: it is sent once more`
  const note: EntryEffect = { type: 'note', level: 'info', message, fields: { intent: entry.intent.key } }
  const { unanswered, heard } = planned.is === 'sent' ? planned : { unanswered: 0, heard: undefined }
  const again = { ...planned, is: 'sent', requests: requests + 1, unanswered: unanswered + 1, heard } as const
  return stay(again, { type: 'order', order }, note)
}

/** A look at what was refused, which may have been taken all the same. */
export function onDoubtedLook(before: Doubted, { result }: HappeningOf<'looked'>, seen: EntrySeen): EntryMove {
  const { state, evidence, id } = look(before, result, seen)
  const { doubted, entry } = state
  const { action, key, stake } = entry.intent
  if (CONCLUSIONS[action.type][evidence] === 'done') {
    const done = settled({ status: 'accepted', made: id, detail: 'it was refused; the service shows that it took effect' })
    const taken = followed(done, { type: 'concluded', outcome: { status: 'accepted', output: undefined } })
    if (!isEntry(action)) return taken
    const { code, message } = new CornermanError(
      'REFUSAL_CONTRADICTED',
      `the service has refused ${describeAction(action, stake)} (${troubleOf(doubted)}), and shows that it was taken: it counts as taken`,
    )
    return after<EntryState, EntryEffect>([{ type: 'note', level: 'error', message, fields: { code, intent: key } }], taken)
  }
  if (evidence === 'unanswered') return stay({ ...state, dueAt: seen.now + CHECK_MS })
  return followed(conclude(state, doubted, seen), { type: 'concluded', outcome: doubted })
}

/** A look at what may have been sent. */
export function onLook(before: Unknown, { begunAt, result }: HappeningOf<'looked'>, seen: EntrySeen): EntryMove {
  const { now, timeoutMs, caughtUp } = seen
  const { state, evidence, id } = look(before, result, seen)
  const { entry, isTaken, lateAt, since } = state
  const { action } = entry.intent
  const conclusions = CONCLUSIONS[action.type]
  const isLate = begunAt >= lateAt
  const againAt = Math.max(since, entry.intent.at + seen.pauseMs(action))
  let { absences, gone } = state
  let nextMs = evidence === 'outOfRange' ? OUT_OF_RANGE_CHECK_MS : timeoutMs
  switch (conclusions[evidence]) {
    case 'done':
      if (action.type === 'leaveContest') {
        // It shows by what is not there: a list may lack the newest seat, or that of a contest which was played to its end.
        if (!isLate || seen.phaseOf(action.contestId) === 'live') break
        gone += 1
        nextMs = CHECK_MS
        if (gone < ABSENCES_NEEDED) break
      }
      return settled({ status: 'accepted', made: id, detail: 'its answer was lost; the service shows that it took effect' })
    case 'again':
      if (begunAt < againAt) break
      return settled({ status: 'notTaken', detail: 'the service shows that it was not taken' })
    case 'absence':
      // What is over need not show any more: the stream has told of it, once it is read.
      if (!isLate || isTaken || !caughtUp) break
      absences += 1
      nextMs = CHECK_MS
      if (absences < ABSENCES_NEEDED) break
      return settled({ status: 'absent', detail: `${ABSENCES_NEEDED} reads do not show it` })
    case 'wait':
      break
  }
  if (conclusions.missing === 'again') nextMs = Math.max(CHECK_MS, againAt - now)
  return stay({ ...state, absences, gone, dueAt: now < lateAt ? Math.min(now + nextMs, lateAt) : now + nextMs })
}

/** What the answer to a look shows, and since when looks fail. */
function look<S extends EntryState>(
  state: S,
  result: HappeningOf<'looked'>['result'],
  seen: EntrySeen,
): { readonly state: S; readonly evidence: Look['evidence']; readonly id?: string | undefined } {
  const { intent } = state.entry
  const { action } = intent
  if (result.ok) {
    const isCertain = state.is === 'unknown' && state.isTaken && seen.isAlone(intent.key)
    const context = { intent, claimed: seen.claimed, queued: seen.queued(), isCertain, paths: seen.paths }
    const shown = lookAt(result.output, action, context)
    const next = { ...state, failingSince: undefined }
    // Of what is over the service may show nothing any more.
    return shown.evidence === 'inconclusive' && seen.isOver(action) ? { state: next, evidence: 'over' } : { state: next, ...shown }
  }
  const { refusal } = result
  const unanswered = { state, evidence: 'unanswered' } as const
  // An answer that fails for a while says nothing, nor does a list that the service fails at.
  if (refusal === undefined || lookUpOf(action).input === null) return unanswered
  const isOver = seen.isOver(action)
  if (saysGone(refusal)) return isOver ? { state, evidence: 'over' } : unanswered
  const failingSince = seen.caughtUp && isOver ? (state.failingSince ?? seen.now) : undefined
  const hasNoWord = failingSince !== undefined && seen.now - failingSince >= FAILS_FOR_MS
  return { state: { ...state, failingSince }, evidence: hasNoWord ? 'over' : 'unanswered' }
}
