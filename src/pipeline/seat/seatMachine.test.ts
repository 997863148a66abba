import { describe, expect, test } from 'vitest'
import { type AnyMachine, movesMade, movesOf } from '../../../test/support/lifecycles/machines.ts'
import {
  type Changes,
  contestId,
  custody,
  DRAFT,
  follows,
  learnt,
  live,
  move,
  NOW,
  nothing,
  open,
  otherId,
  PLANNED,
  PRICE,
  plans,
  READS,
  readiedByPolicy,
  readUnderWay,
  revealable,
  SAMPLES,
  seatOf,
  see,
  standing,
  started,
  TASKS,
  tended,
  underWay,
  windUp,
} from '../../../test/support/lifecycles/seatSamples.ts'
import type { Seat } from '../books/books.ts'
import { seated, seatMachine } from './seatMachine.ts'
import type { OpenSeat, SeatEffect, SeatSeen } from './seatState.ts'

describe('the machine of a seat', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(seatMachine, SAMPLES)].sort()).toEqual([...movesOf(seatMachine as unknown as AnyMachine)].sort())
  })

  test('begins as its contest is, with nothing planned', () => {
    const begun = { dueAt: {}, followed: {}, isRefusedEarly: false }
    const [waiting, playing] = [seatOf({ phase: 'open' }), seatOf({ phase: 'live' })]
    expect(seated(waiting)).toStrictEqual({ is: 'open', seat: waiting, ...begun })
    expect(seated(waiting).seat).toBe(waiting)
    expect(seated(playing)).toStrictEqual({ is: 'live', seat: playing, ...begun, isWindowAsked: false })
    expect(seated(playing).seat).toBe(playing)
  })

  test('takes in what is learnt, and keeps its plans', () => {
    for (const state of [open({}, { dueAt: PLANNED }), live({}, { dueAt: PLANNED, isWindowAsked: true })])
      expect(move(state, learnt)).toEqual({ state: { ...state, seat: { ...state.seat, side: 'UP' } }, effects: [] })
  })

  test('is gone as its contest is over, and leads to nothing more', () => {
    for (const state of [open({}, { dueAt: PLANNED }), live({}, { dueAt: PLANNED })])
      expect(move(state, { type: 'over' })).toEqual({ state: undefined, effects: [] })
  })

  test('is live with the plans that go on, and without those of an open seat alone', () => {
    const followed = { contest: true, state: true } as const
    for (const isRefusedEarly of [true, false]) {
      const before = open({ side: 'UP' }, { dueAt: PLANNED, followed, isRefusedEarly })
      const { state, effects } = move(before, started)
      expect({ state, effects }).toEqual({
        state: {
          ...{ is: 'live', seat: { ...before.seat, phase: 'live', startsAt: NOW }, dueAt: { contest: NOW + 1, state: NOW + 2 }, followed },
          ...{ isRefusedEarly, isWindowAsked: false },
        },
        effects: [],
      })
      expect(state?.followed).toBe(before.followed)
    }
  })

  test('is due for each task at its time, and for none without', () => {
    const all = TASKS.map((task) => ({ task: `${task}:${contestId}`, at: PLANNED[task] }))
    for (const seat of [open, live]) {
      expect(seatMachine.dueAt(seat({}, { dueAt: PLANNED }))).toEqual(all)
      expect(seatMachine.dueAt(seat())).toEqual([])
      for (const task of TASKS) {
        expect(seatMachine.dueAt(seat({}, { dueAt: { [task]: 0 } }))).toEqual([{ task: `${task}:${contestId}`, at: 0 }])
        const others = seatMachine.dueAt(seat({}, { dueAt: { ...PLANNED, [task]: undefined } }))
        expect(others).toEqual(all.filter((deadline) => deadline.task !== `${task}:${contestId}`))
      }
    }
  })

  test('is read as a read falls due; that it may be readied or given back again says no more than that', () => {
    for (const seat of [open, live])
      for (const task of TASKS) {
        const effects: readonly SeatEffect[] = task === 'ready' || task === 'leave' ? [] : [{ type: 'read', read: task }]
        plans([seat({}, { dueAt: PLANNED }), { type: 'due', task }, see()], { [task]: undefined }, {}, effects)
        expect(move(seat({}, { dueAt: PLANNED }), { type: 'due', task }).state?.dueAt[task]).toBeUndefined()
      }
  })

  test('is due, where a read came to nothing, when it may be read, and no later than planned', () => {
    for (const seat of [open, live])
      for (const read of READS)
        for (const [planned, at] of [
          [undefined, NOW],
          [NOW + 1, NOW],
          [NOW, NOW],
          [NOW - 1, NOW - 1],
        ] as const) {
          const before = seat({}, { dueAt: { ...PLANNED, [read]: planned } })
          plans([before, { type: 'unread', read, at: NOW }, see()], { [read]: at })
        }
  })
})

describe('an open seat that is looked after', () => {
  test('stays the same where there is nothing to do', () => {
    nothing([open(), tended, see()], 'a trade')
    nothing([open(), tended, see({ predictions: 1, ...custody('made') })], 'predictions elsewhere')
    nothing([open({}, { dueAt: PLANNED, followed: { contest: true }, isRefusedEarly: true }), tended, see()], 'with plans')
  })

  test('of which terms are not known is read at once, then every five seconds', () => {
    follows({ state: open({ stake: undefined }), seen: see(), read: 'contest', periodMs: 5000 })
    nothing([open({ stake: undefined }), tended, see({ isStreamRead: false })], 'the stream is not read')
  })

  test('whose prediction was committed to early is read at once, then less often the more predictions there are', () => {
    for (const predictions of [1, 2, 7]) {
      const shown = { predictions, ...revealable, ...custody('committed') }
      for (const isStreamRead of [true, false])
        follows({ state: open(PRICE), seen: see({ ...shown, isStreamRead }), read: 'contest', periodMs: predictions * 5000 })
      nothing([open(PRICE), tended, see({ ...shown, isRecorded: true })], 'the journal is read back')
      nothing([open(PRICE), tended, see({ ...shown, isRevealable: (id) => id === otherId })], 'of another contest')
      nothing([open(PRICE), tended, see({ ...shown, predictions: 0 })], 'no prediction')
    }
    const state = open({ ...PRICE, stake: undefined }, { followed: { contest: true } })
    plans([state, tended, see({ predictions: 3, ...revealable, ...custody('committed') })], { contest: NOW + 15_000 })
  })

  test('whose mode asks for moves is followed closely', () => {
    follows({ state: open({ ...PRICE, movesAhead: true }), seen: see({ moving: () => 3 }), read: 'state', periodMs: 1500 })
    follows({ state: open({ ...DRAFT, movesAhead: true }), seen: see({ moving: () => 2 }), read: 'state', periodMs: 460 })
    nothing([open({ ...DRAFT, movesAhead: true }), tended, see({ isStreamRead: false })], 'the stream is not read')
  })

  test('whose mode may ask for moves is read after a pause, and after each', () => {
    for (const seat of [DRAFT, PRICE, { ...DRAFT, movesAhead: false }]) {
      plans([open(seat), tended, see()], { early: NOW + 3000 })
      plans([open(seat, { dueAt: { state: NOW + 7 } }), tended, see()], { early: NOW + 3000 })
      plans([open(seat), tended, see({ early: () => 4 })], { early: NOW + 4000 })
      plans([open(seat), tended, see({ early: () => 4, moving: () => 1 })], { early: NOW + 10_000 })
      nothing([open(seat, { dueAt: { early: NOW + 7 } }), tended, see()], 'planned')
      nothing([open(seat), tended, see(readUnderWay('early'))], 'under way')
      nothing([open(seat), tended, see({ isStreamRead: false })], 'the stream is not read')
    }
    nothing([open(PRICE), tended, see(custody('committed'))], 'it was committed to')
  })

  test('is read for all that there is to be known at once', () => {
    const state = open({ ...DRAFT, stake: undefined, ready: undefined })
    plans([state, tended, see()], { contest: NOW, early: NOW + 3000 }, { followed: { contest: true } })
    const asked = open({ ...DRAFT, stake: undefined, movesAhead: true })
    plans([asked, tended, see()], { contest: NOW, state: NOW }, { followed: { contest: true, state: true } })
  })

  const propose: SeatEffect = { type: 'propose', action: { type: 'ready', contestId, ready: true } }
  test.each<[string, Partial<Seat>, Partial<SeatSeen>, Changes<OpenSeat>, boolean]>([
    ['where it is not ready', {}, {}, {}, true],
    ['while entries are stopped', {}, { stopped: 'entries' }, {}, true],
    ['beside another action in it', {}, underWay('leaveContest'), {}, true],
    ['beside other plans', {}, {}, { dueAt: { ...PLANNED, ready: undefined } }, true],
    ['not where it is ready', { ready: true }, {}, {}, false],
    ['not where the policy does', { readiedBy: 'policy' }, {}, {}, false],
    ['not where the policy of an earlier run does', {}, readiedByPolicy, {}, false],
    ['not while the bot drains', {}, { runMode: 'draining' }, {}, false],
    ['not while all is stopped', {}, { stopped: 'all' }, {}, false],
    ['not before the answer to its join', {}, underWay('joinContest'), {}, false],
    ['not before the stream is read', {}, { isStreamRead: false }, {}, false],
    ['not before its time has come', {}, {}, { dueAt: { ready: NOW + 1 } }, false],
    ['not while that is under way', {}, underWay('ready'), {}, false],
  ])('is readied by the framework %s', (_, seat, seen, changes, isReadied) => {
    nothing([open({ ready: false, ...seat }, changes), tended, see(seen)], 'what it is stays', isReadied ? [propose] : [])
  })

  test('is not readied by the framework where it is not known whether it is ready, nor once it is live', () => {
    expect(move(open({ ready: undefined }), tended).effects).toEqual([])
    nothing([live({ ready: false }), tended, see()], 'live')
  })

  test('may be readied and read by the same look', () => {
    plans([open({ ready: false, mode: undefined }), tended, see()], { contest: NOW }, { followed: { contest: true } }, [propose])
  })

  test('is given back as the run ends, and again after two seconds, unless that is planned or under way', () => {
    const effects: readonly SeatEffect[] = [{ type: 'propose', action: { type: 'leaveContest', contestId } }]
    plans([open(), windUp, see()], { leave: NOW + 2000 }, {}, effects)
    plans([open({}, { dueAt: { ...PLANNED, leave: undefined } }), windUp, see(underWay('ready'))], { leave: NOW + 2000 }, {}, effects)
    nothing([open({}, { dueAt: { leave: NOW + 1 } }), windUp, see()], 'planned')
    nothing([open({}, { dueAt: { leave: 0 } }), windUp, see()], 'planned, and past')
    nothing([open(), windUp, see(underWay('leaveContest'))], 'under way')
    nothing([open(), windUp, see({ leaveRetryMs: () => undefined })], 'refused too often')
  })
})

describe('a live seat that is looked after', () => {
  const untold = { startsAt: NOW - 1000, endsAt: NOW + 3000 }

  test('stays the same where there is nothing to do', () => {
    nothing([live(), tended, see()], 'a trade')
    nothing([live(untold, { dueAt: PLANNED, followed: { contest: true }, isWindowAsked: true }), tended, see()], 'with plans')
    const lacking = live({ ...DRAFT, ...untold, stake: undefined }, { isRefusedEarly: true })
    nothing([lacking, tended, see({ isStreamRead: false, ...custody('committed') })], 'the stream is not read')
    nothing([live(PRICE), tended, see({ predictions: 1, isRevealable: () => true, ...custody('revealed') })], 'all is shown')
  })

  test('of which terms are not known is read at once, then every five seconds', () => {
    follows({ state: live({ isRead: false }), seen: see(), read: 'contest', periodMs: 5000 })
    follows({ state: live({ stake: undefined }), seen: see(), read: 'contest', periodMs: 5000 })
  })

  test('whose mode takes moves is followed closely', () => {
    follows({ state: live(PRICE), seen: see({ moving: () => 3, ...custody('made') }), read: 'state', periodMs: 1500 })
    const draft = live({ ...DRAFT, turnMs: 8000 }, { isWindowAsked: false })
    follows({ state: draft, seen: see({ moving: () => 2, predictions: 1, ...custody('committed') }), read: 'state', periodMs: 1230 })
  })

  test('in which a move was refused early is read at once, and once', () => {
    const refused = (state?: number) => live({}, { isRefusedEarly: true, dueAt: { state } })
    for (const [planned, at] of [
      [undefined, NOW],
      [NOW + 1, NOW],
      [NOW, NOW],
      [NOW - 1, NOW - 1],
    ])
      plans([refused(planned), tended, see()], { state: at }, { isRefusedEarly: false })
    const moving = live(DRAFT, { isRefusedEarly: true, followed: { state: true } })
    plans([moving, tended, see({ moving: () => 9 })], { state: NOW }, { isRefusedEarly: false })
    nothing([live({}, { dueAt: { state: NOW + 1 } }), tended, see()], 'nothing was refused')
  })

  test('with a commitment is asked at once for when it is shown, then every two seconds, or five once that is told', () => {
    for (const [revealFrom, eachMs] of [
      [undefined, 2000],
      [NOW + 9, 5000],
    ] as const)
      for (const predictions of [1, 3]) {
        const seen = see({ predictions, moving: () => 1, ...custody('committed') })
        const seat = { ...PRICE, revealFrom }
        follows({ state: live(seat, { isWindowAsked: true }), seen, read: 'state', periodMs: predictions * eachMs })
        const isAsked = { followed: { state: true }, isWindowAsked: true } as const
        plans([live(seat), tended, seen], { state: NOW }, isAsked)
        plans([live(seat, { followed: { state: true } }), tended, seen], { state: NOW }, isAsked)
        for (const [planned, at] of [
          [NOW + 1, NOW],
          [NOW - 1, NOW - 1],
        ])
          plans([live(seat, { dueAt: { state: planned } }), tended, seen], { state: at }, { isWindowAsked: true })
        const asking = { ...seen, ...readUnderWay('state') }
        plans([live(seat), tended, asking], { state: NOW }, { isWindowAsked: true })
      }
    for (const status of ['revealed', 'missed', 'dropped', undefined] as const)
      nothing([live(), tended, see({ predictions: 1, ...custody(status) })], status ?? 'none')
    nothing([live(), tended, see({ predictions: 1, custodyOf: (id) => (id === otherId ? 'committed' : undefined) })], 'of another contest')
  })

  test('is read for its standings half way through, unless that is planned or under way', () => {
    plans([live(untold), tended, see()], { standings: NOW + 1000 })
    plans([live({ ...untold, standings: [standing('1')], endsAt: NOW + 60_000 }), tended, see()], { standings: NOW + 10_000 })
    nothing([live(untold, { dueAt: { standings: NOW + 7 } }), tended, see()], 'planned')
    nothing([live(untold), tended, see(readUnderWay('standings'))], 'under way')
    nothing([live({ ...untold, endsAt: NOW + 1000 }), tended, see()], 'the half is over')
    plans([live({ ...DRAFT, ...untold }), tended, see()], { state: NOW, standings: NOW + 1000 }, { followed: { state: true } })
  })
})
