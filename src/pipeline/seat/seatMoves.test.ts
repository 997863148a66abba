import { describe, expect, test } from 'vitest'
import {
  commit,
  contestId,
  type FailedAction,
  failed,
  live,
  lost,
  move,
  NOW,
  nothing,
  notSent,
  open,
  PLANNED,
  pick,
  plans,
  rejected,
  see,
  turn,
} from '../../../test/support/lifecycles/seatSamples.ts'
import type { Outcome } from '../protocol/outcome.ts'

describe('a seat in which an action came to nothing', () => {
  const refusedEarly = { isRefusedEarly: true }

  test('is read where it was to be readied, which is tried again after a second, unless its contest is live', () => {
    for (const ready of [undefined, NOW + 1, NOW + 5000])
      for (const outcome of [lost, notSent, rejected('CONTEST_NOT_OPEN', 400)]) {
        const happening = failed({ type: 'ready', contestId, ready: true }, outcome)
        const read = [{ type: 'read', read: 'contest' }] as const
        plans([open({}, { dueAt: { ...PLANNED, ready } }), happening, see()], { ready: NOW + 1000 }, {}, read)
        nothing([live({}, { dueAt: { ...PLANNED, ready } }), happening, see()], 'live', read)
      }
  })

  const swapped = { contestId, from: 'SOL', to: 'USDC', amount: 1n }
  test.each<[FailedAction]>([
    [{ type: 'joinContest', contestId }],
    [{ type: 'leaveContest', contestId }],
    [{ type: 'revealPrediction', contestId }],
    [{ type: 'swap', ...swapped }],
    [{ type: 'sweep', ...swapped }],
  ])('stays the same where that is no move of its mode: $type', (action) => {
    for (const outcome of [lost, notSent, rejected('CONTEST_NOT_OPEN', 400), rejected('LATE', 400, 'tooLate'), rejected('T', 400, 'taken')])
      for (const state of [open({ turn }), live({ turn })]) nothing([state, failed(action, outcome), see()], outcome.status)
  })

  const SOON = [undefined, NOW + 1, NOW + 9000]
  /** What `state` is planned for: a little later, in place of nothing or of a later time. */
  const soonAfter = (planned: number | undefined, ms: number) => (planned === NOW + 1 ? NOW + 1 : NOW + ms)

  test.each<[string, Outcome]>([
    ['whose answer is lost', lost],
    ['that was not sent', notSent],
    ['that came too often', rejected('RATE_LIMITED', 429)],
    ['that came too often, by a status of its own', rejected('SLOW_DOWN', 429)],
    ['that the service has failed at', rejected('INTERNAL', 500)],
    ['of a key that is not taken', rejected('UNAUTHORIZED', 400)],
  ])('is looked at again soon after a move %s', (_, outcome) => {
    for (const seat of [open, live])
      for (const isRefusedEarly of [false, true])
        for (const planned of SOON)
          for (const [action, ms] of [
            [pick, 230],
            [commit, 500],
          ] as const) {
            const before = seat({ commitBy: NOW }, { isRefusedEarly, dueAt: { ...PLANNED, state: planned } })
            plans([before, failed(action, outcome), see()], { state: soonAfter(planned, ms) })
          }
  })

  test.each<[string, FailedAction, Outcome]>([
    ['a pick that is not due yet', pick, rejected('NOT_YOUR_TURN', 409)],
    ['a pick that is not due yet, whatever else fails', pick, rejected('NOT_YOUR_TURN', 500)],
    ['a pick that is not due yet, in words of the service', pick, rejected('EARLY', 500, 'notYet')],
    ['a pick that is refused plainly', pick, rejected('CONTEST_NOT_LIVE', 400)],
    ['a commitment that is not due yet, in words of the service', commit, rejected('EARLY', 500, 'notYet')],
    ['a commitment that is refused plainly', commit, rejected('INVALID_INPUT', 400)],
    ['a commitment that is refused by the code of a pick', commit, rejected('TOKEN_TAKEN', 409)],
  ])('is looked at again, after %s, in five seconds before it is live, and soon once it is', (_, action, outcome) => {
    for (const planned of SOON) {
      plans([open({}, { dueAt: { state: planned } }), failed(action, outcome), see()], { state: NOW + 5000 }, refusedEarly)
      const ms = action.type === 'draftPick' ? 230 : 500
      plans([live({}, { dueAt: { state: planned } }), failed(action, outcome), see()], { state: soonAfter(planned, ms) })
    }
  })

  test.each<[string, FailedAction, Outcome, boolean]>([
    ['a commitment, by the code of the sandbox', commit, rejected('COMMIT_CLOSED', 409), true],
    ['a commitment, in words of the service', commit, rejected('OVER', 400, 'tooLate'), true],
    ['a commitment, with a status of a failure', commit, rejected('COMMIT_CLOSED', 500), false],
    ['a pick, in words of the service', pick, rejected('OVER', 400, 'tooLate'), true],
  ])('takes no other one after a move that was too late: %s', (_, action, outcome, isNo) => {
    const late = { isTooLate: true, commitBy: undefined }
    const ms = action.type === 'draftPick' ? 230 : 500
    for (const planned of SOON) {
      const before = { commitBy: NOW + 5, commitsUntil: NOW + 6, turn }
      const early = open(before, { dueAt: { state: planned } })
      expect(move(early, failed(action, outcome))).toEqual({
        state: {
          ...{ ...early, seat: { ...early.seat, ...late } },
          ...(isNo ? { isRefusedEarly: true, dueAt: { state: NOW + 5000 } } : { dueAt: { state: soonAfter(planned, ms) } }),
        },
        effects: [],
      })
      const state = live(before, { dueAt: { state: planned } })
      expect(move(state, failed(action, outcome))).toEqual({
        state: { ...state, seat: { ...state.seat, ...late }, dueAt: { state: soonAfter(planned, ms) } },
        effects: [],
      })
    }
  })

  test('is asked for another pick at once, without the token that was taken', () => {
    const refusedPicks = Object.freeze(['F'])
    for (const outcome of [rejected('TOKEN_TAKEN', 409), rejected('TOKEN_NOT_ALLOWED', 400), rejected('GONE', 500, 'taken')])
      for (const seat of [open, live])
        for (const planned of SOON) {
          const before = seat({ turn, refusedPicks }, { dueAt: { state: planned } })
          const changes = { turn: { ...turn, available: ['A', 'C'] }, refusedPicks: ['F', 'B'] }
          const state = { ...before, seat: { ...before.seat, ...changes }, dueAt: { state: soonAfter(planned, 230) } }
          expect(move(before, failed(pick, outcome))).toEqual({ state, effects: [] })
          // The turn that it was asked in has ended since.
          plans([seat({ refusedPicks }, { dueAt: { state: planned } }), failed(pick, outcome), see()], { state: soonAfter(planned, 230) })
        }
  })

  test('keeps the tokens of its turn after a commitment that is refused as taken, and is looked at soon', () => {
    for (const seat of [open, live]) plans([seat({ turn }), failed(commit, rejected('GONE', 400, 'taken')), see()], { state: NOW + 500 })
  })
})
