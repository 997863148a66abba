import { describe, expect, test } from 'vitest'
import { keyedUuid } from '../../core/ids.ts'
import type { Exchange } from '../exchange.ts'
import type { FactMove, Facts } from '../facts.ts'
import { find } from './find.ts'

// What the first contest of a service with words of its own tells, while it is played.

const START_MS = Date.parse('2026-11-26T12:00:00.000Z')
const [US, THEM, AGENT] = ['us', 'them', 'agent'].map((name) => keyedUuid('first', name)) as [string, string, string]
const MINTS = [
  'So11111111111111111111111111111111111111112',
  'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN',
  'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  'jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL',
] as const
type Json = Readonly<Record<string, unknown>>

/** A recording that is written second by second. */
class Recording {
  readonly exchanges: Exchange[] = []
  readonly events: Facts['events'][number][] = []
  readonly moves: FactMove[] = []
  now = START_MS

  /** @param lateMs it arrives so much later than it was given */
  read(procedure: string, input: unknown, json: unknown, lateMs = 0): void {
    const headers = { date: new Date(this.now).toUTCString() }
    const body = { result: { data: { json } } }
    this.exchanges.push({ n: this.exchanges.length + 1, at: this.now + lateMs, procedure, input, status: 200, headers, body })
  }

  event(type: string, data: Json): void {
    this.events.push({ id: `e${this.events.length}`, type, createdAt: new Date(this.now).toISOString(), data })
  }

  move(move: Partial<FactMove> & { readonly type: string; readonly contestId: string }): void {
    this.moves.push({ at: this.now, accepted: true, began: [], ...move })
  }

  /** A seat in a contest, and an answer that says who the agent is. */
  seat(contestId: string, mode: string): void {
    this.read('agent.me', null, { agent: { handle: 'us', identity: { id: AGENT, userId: US } } })
    this.event('match.found', { ticketId: keyedUuid('ticket', contestId), contestId, mode, stake: '1000000' })
    for (const userId of [US, THEM]) this.event('contest.joined', { contestId, userId })
    this.now += 2000
  }

  contest(contestId: string, mode: string, seat: Json | null): void {
    const roster = (seat === null ? ['a', 'b'] : [US, THEM]).map((player) => ({ player, bet: null, isReady: true }))
    const record = { uid: contestId, stage: 'live', mode, stake: '1000000', durationSec: 20, about: { coin: MINTS[0] }, roster }
    this.read('agent.contests.get', { contestId }, { contest: record, seat })
  }

  board(contestId: string, board: Json): void {
    this.read('agent.modes.state', { contestId }, { board: { act: 'PICKING', finish: { unix: null }, ...board } })
    this.now += 1000
  }

  get findings() {
    const { exchanges, events, moves } = this
    return find(exchanges, { version: 1, service: 'http://127.0.0.1:1', startedAt: START_MS, events, moves }).pieces
  }
}

const [DRAFT, OTHER] = [keyedUuid('first', 'draft'), keyedUuid('first', 'other')]
const slipOf = (contestId: string): string => keyedUuid('slip', contestId)
const coins = (...taken: readonly string[]) => Object.fromEntries(MINTS.map((mint) => [mint, { free: !taken.includes(mint) }]))
const seats = (contestId: string, more: Json = {}) => [{ who: US, slip: slipOf(contestId), ...more }, { who: THEM }]

/** Two contests of others, where this bot has no seat. */
function ofOthers(recording: Recording, mode: string): void {
  for (const name of ['one', 'two']) recording.contest(keyedUuid('others', name), mode, null)
}

function drafting(): Recording {
  const recording = new Recording()
  ofOthers(recording, 'draft_basket')
  recording.seat(DRAFT, 'draft_basket')
  recording.contest(DRAFT, 'draft_basket', { slip: slipOf(DRAFT), bet: null })
  return recording
}

describe('a draft', () => {
  test('two answers say what to try: the turn, the pool less what is taken, the own entry', () => {
    const recording = drafting()
    for (const drafter of [US, US]) recording.board(DRAFT, { drafter, coins: coins(MINTS[1]), seats: seats(DRAFT) })
    const { turn, pool, entryId, userId } = recording.findings
    expect([turn?.place, pool?.place, entryId?.place]).toEqual([undefined, undefined, undefined])
    expect(turn?.candidates[0]).toMatchObject({ form: { at: 'state:drafter', is: 'userId' } })
    expect(pool?.candidates[0]).toMatchObject({ form: { at: 'state:coins', token: '$key', free: { at: 'free', is: true } } })
    expect(entryId?.candidates.map(({ place }) => place)).toEqual(['contest:^.seat.slip', 'state:seats[own].slip'])
    expect(userId).toMatchObject({ verdict: 'proven', place: 'me:agent.identity.userId' })
  })

  test('a turn that goes from hand to hand of those who sit there is found', () => {
    const recording = drafting()
    const shown = [US, US, THEM, US, THEM]
    for (const drafter of shown) recording.board(DRAFT, { drafter, coins: coins(), seats: seats(DRAFT) })
    expect(recording.findings.turn).toMatchObject({ verdict: 'found', place: { at: 'state:drafter', is: 'userId' } })
  })

  test.each([
    ['one that was only ours', [US, US, US, US], 'drafter'],
    ['one that changed but once', [US, US, THEM, THEM], 'drafter'],
    ['one that names who has picked last', [US, THEM, US, THEM], 'lastDrafter'],
    ['one that names somebody who does not sit there', [US, AGENT, US, AGENT], 'drafter'],
  ])('a turn is not found by %s', (_name, shown, key) => {
    const recording = drafting()
    for (const who of shown) recording.board(DRAFT, { [key]: who, coins: coins(), seats: seats(DRAFT) })
    expect(recording.findings.turn?.place).toBeUndefined()
  })

  test('a turn against which the picks speak is not found', () => {
    const recording = drafting()
    const [first, second, third, fourth] = MINTS
    const taken: string[] = []
    for (const [mint, isOurs] of [
      [first, true],
      [second, false],
      [third, true],
      [fourth, false],
    ] as const) {
      // It names who comes after.
      recording.board(DRAFT, { drafter: isOurs ? THEM : US, coins: coins(...taken), seats: seats(DRAFT) })
      if (isOurs) recording.move({ type: 'draftPick', contestId: DRAFT, mode: 'draft_basket', token: mint, at: recording.now - 500 })
      taken.push(mint)
    }
    recording.board(DRAFT, { drafter: US, coins: coins(...taken), seats: seats(DRAFT) })
    expect(recording.findings.pool).toMatchObject({ verdict: 'proven' })
    expect(recording.findings.turn?.place).toBeUndefined()
  })

  test('picks that were answered after a state shows them are ours all the same', () => {
    const recording = drafting()
    const taken: string[] = []
    for (const [index, mint] of MINTS.slice(0, 4).entries()) {
      const isOurs = index % 2 === 0
      recording.board(DRAFT, { drafter: isOurs ? US : THEM, coins: coins(...taken), seats: seats(DRAFT) })
      if (isOurs) recording.move({ type: 'draftPick', contestId: DRAFT, mode: 'draft_basket', token: mint, at: recording.now + 30 })
      taken.push(mint)
    }
    recording.board(DRAFT, { drafter: null, coins: coins(...taken), seats: seats(DRAFT) })
    expect(recording.findings.turn).toMatchObject({ verdict: 'proven', place: { at: 'state:drafter', is: 'userId' } })
  })
})

describe('the own entry', () => {
  test('is proven in one contest by a reveal that was made with it', () => {
    const recording = drafting()
    for (const act of ['SEALING', 'OPENING']) recording.board(DRAFT, { act, seats: seats(DRAFT) })
    recording.move({ type: 'revealPrediction', contestId: DRAFT, mode: 'price_prediction', entryId: slipOf(DRAFT) })
    expect(recording.findings.entryId).toMatchObject({ verdict: 'proven', place: 'contest:^.seat.slip' })
  })

  function twoContests(more: Json = {}, ofRow: Json = {}): Recording {
    const recording = drafting()
    recording.seat(OTHER, 'pnl_usd')
    for (const contestId of [DRAFT, OTHER]) {
      recording.contest(contestId, contestId === OTHER ? 'pnl_usd' : 'draft_basket', {
        slip: slipOf(contestId),
        ...Object.fromEntries(Object.keys(more).map((key) => [key, keyedUuid(key, contestId)])),
      })
      recording.board(contestId, { seats: seats(contestId, ofRow) })
    }
    return recording
  }

  test('is found in two contests where the own object and the own row agree', () => {
    expect(twoContests().findings.entryId).toMatchObject({ verdict: 'found', place: 'contest:^.seat.slip' })
  })

  test('is to be chosen where the own object has two ids that differ', () => {
    const { entryId } = twoContests({ receipt: true }).findings
    expect(entryId).toMatchObject({ verdict: 'ambiguous' })
    expect(entryId?.place).toBeUndefined()
  })

  test('is none that the rows of others have as well', () => {
    const recording = new Recording()
    for (const contestId of [DRAFT, OTHER]) {
      recording.seat(contestId, 'draft_basket')
      recording.contest(contestId, 'draft_basket', null)
      const table = keyedUuid('table', contestId)
      const rows = [US, THEM].map((who) => ({ who, table }))
      for (let second = 0; second < 3; second += 1) recording.board(contestId, { seats: rows })
    }
    expect(recording.findings.entryId).toMatchObject({ verdict: 'missing', candidates: [] })
  })

  test('on the own row of the state alone, the row is found with it', () => {
    const recording = new Recording()
    for (const contestId of [DRAFT, OTHER]) {
      recording.seat(contestId, 'draft_basket')
      for (let second = 0; second < 3; second += 1) recording.board(contestId, { seats: seats(contestId) })
    }
    const { entryId, own } = recording.findings
    expect(entryId).toMatchObject({ verdict: 'found', place: 'state:seats[own].slip' })
    expect(own?.place).toEqual({ rows: 'seats', by: { who: 'userId' } })
  })
})

test('listed contests in wrappers are read before the bot has one of its own', () => {
  const recording = new Recording()
  ofOthers(recording, 'up_down')
  const item = (name: string) => ({ contest: { uid: keyedUuid('others', name), mode: 'up_down', about: { coin: MINTS[0] } }, seat: null })
  for (let round = 0; round < 3; round += 1)
    recording.read('agent.contests.list', { status: 'open' }, { data: [item('one'), item('two'), item('three')], more: null })
  const { listedContestId, listedMode, 'records.contest': record } = recording.findings
  expect([listedContestId?.place, listedMode?.place, record?.place]).toEqual(['listed:uid', 'listed:mode', 'contest'])
})

const ITEM = (name: string) => ({ contest: { uid: keyedUuid('listed', name), mode: 'up_down', about: { coin: MINTS[0] } }, seat: null })

describe('listed contests that nobody has read', () => {
  const listing = (recording: Recording) => {
    for (let round = 0; round < 3; round += 1) {
      recording.read('agent.contests.list', { status: 'open' }, { data: ['one', 'two', 'three'].map(ITEM), more: null })
      recording.now += 1000
    }
  }

  test('have their id and their token where a contest has them by itself', () => {
    const recording = new Recording()
    const coined = keyedUuid('first', 'coined')
    recording.seat(coined, 'same_token')
    for (let second = 0; second < 3; second += 1) {
      recording.contest(coined, 'same_token', { slip: slipOf(coined) })
      recording.board(coined, { coin: MINTS[0], seats: seats(coined) })
    }
    listing(recording)
    const { listedContestId, listedToken } = recording.findings
    expect(listedContestId).toMatchObject({ verdict: 'found', place: 'listed:uid' })
    expect(listedToken).toMatchObject({ verdict: 'found', place: 'listed:about.coin' })
  })
})

describe('a phase', () => {
  const PREDICTION = keyedUuid('first', 'prediction')
  /** A prediction of so many seconds in each phase; a reveal is tried from its commit on, every second, and the answers to moves come late. */
  function predicting(): Recording {
    const recording = new Recording()
    recording.seat(PREDICTION, 'price_prediction')
    recording.event('contest.live', {
      ...{ contestId: PREDICTION, mode: 'price_prediction', startsAt: new Date(recording.now).toISOString() },
      endsAt: new Date(recording.now + 12_000).toISOString(),
    })
    const move = (
      type: string,
      times: { readonly at: number; readonly sentAt: number },
      more: Pick<Partial<FactMove>, 'accepted' | 'code' | 'entryId'> = {},
    ) => recording.move({ type, contestId: PREDICTION, mode: 'price_prediction', ...times, ...more })
    recording.now += 1000
    const say = (act: string) => recording.board(PREDICTION, { act, game: 'price_prediction', seats: seats(PREDICTION) })
    for (let second = 0; second < 3; second += 1) say('ALPHA')
    move('commitPrediction', { sentAt: recording.now - 950, at: recording.now - 900 })
    say('ALPHA')
    for (let second = 0; second < 4; second += 1) {
      say('BETA')
      if (second > 1) move('revealPrediction', { sentAt: recording.now - 990, at: recording.now - 950 }, { accepted: false, code: 'EARLY' })
    }
    say('BETA')
    say('GAMMA')
    // It was sent while the last word stood, and taken under the next one.
    move('revealPrediction', { sentAt: recording.now - 1900, at: recording.now - 900 }, { entryId: slipOf(PREDICTION) })
    say('GAMMA')
    return recording
  }

  test('has the word under which a move was taken, where the one before is known to refuse it', () => {
    const { 'words.phase': words, phase } = predicting().findings
    expect(phase).toMatchObject({ verdict: 'proven', place: 'state:act' })
    expect(words?.place).toMatchObject({ commit: ['ALPHA'], reveal: ['GAMMA'] })
  })

  test('is nothing that never changes in a contest, whatever was taken under it', () => {
    const recording = predicting()
    expect(recording.findings.phase?.candidates.map(({ place }) => place)).toEqual(['state:act'])
  })

  test('is none whose words of picks stand in a prediction as well', () => {
    const recording = predicting()
    recording.seat(DRAFT, 'draft_basket')
    recording.event('contest.live', { contestId: DRAFT, mode: 'draft_basket', startsAt: new Date(recording.now).toISOString() })
    for (let second = 0; second < 6; second += 1) {
      recording.board(DRAFT, { act: second < 4 ? 'BETA' : 'DELTA', drafter: US, coins: coins(), seats: seats(DRAFT) })
      if (second === 2)
        recording.move({ type: 'draftPick', contestId: DRAFT, mode: 'draft_basket', token: MINTS[0], at: recording.now - 900 })
    }
    expect(recording.findings.phase?.place).toBeUndefined()
  })
})

test('what is said between the end of a contest and its result is of neither, but for words of its own', () => {
  const recording = new Recording()
  const contestId = keyedUuid('first', 'ending')
  recording.seat(contestId, 'pnl_usd')
  const startsAt = new Date(recording.now).toISOString()
  recording.event('contest.live', { contestId, mode: 'pnl_usd', startsAt, endsAt: new Date(recording.now + 5000).toISOString() })
  const say = (stage: string) => {
    recording.now += 1000
    recording.read(
      'agent.contests.get',
      { contestId },
      { contest: { uid: contestId, stage, mode: 'pnl_usd', stake: '1000000', roster: [] } },
    )
  }
  for (const stage of ['playing', 'playing', 'playing', 'playing', 'weighing', 'over']) say(stage)
  recording.now += 1000
  recording.event('contest.settled', { contestId, mode: 'pnl_usd', result: 'WIN' })
  for (const stage of ['over', 'over', 'over']) say(stage)
  expect(recording.findings['words.contest']?.place).toMatchObject({ live: ['playing', 'weighing'], settled: ['over'] })
})

test('an answer that came late says what was so in its second', () => {
  const recording = new Recording()
  const ticketId = keyedUuid('first', 'ticket')
  recording.event('match.found', { ticketId: keyedUuid('first', 'another'), contestId: OTHER, mode: 'pnl_usd' })
  const say = (standing: string, lateMs = 0) => {
    recording.now += 1000
    recording.read(
      'agent.queue.list',
      null,
      { rows: [{ ref: ticketId, standing, seatedIn: standing === 'SEATED' ? DRAFT : null }] },
      lateMs,
    )
  }
  for (let second = 0; second < 3; second += 1) say('WAITING', 50)
  say('WAITING', 4000)
  recording.now += 1500
  recording.event('match.found', { ticketId, contestId: DRAFT, mode: 'pnl_usd' })
  recording.now += 1500
  for (let second = 0; second < 3; second += 1) say('SEATED', 50)
  expect(recording.findings['words.ticket']?.place).toEqual({ waiting: ['WAITING'], seated: ['SEATED'] })
})

test('a row at the number of our seat is tried, and proven by a reveal in one contest', () => {
  const recording = new Recording()
  recording.seat(DRAFT, 'price_prediction')
  const rows = ['mine', 'theirs'].map((name) => ({ id: keyedUuid('row', name), ready: true }))
  for (let second = 0; second < 3; second += 1) {
    const record = { uid: DRAFT, stage: 'live', mode: 'price_prediction', stake: '1000000', mySeatNumber: 0, seats: rows }
    recording.read('agent.contests.get', { contestId: DRAFT }, record)
    recording.now += 1000
  }
  const tried = recording.findings
  expect(tried.entryId).toMatchObject({ verdict: 'missing', candidates: [{ place: 'contest:[own].id', sample: rows[0]?.id }] })
  expect(tried.own?.candidates).toMatchObject([{ form: { rows: 'seats', seat: 'mySeatNumber' } }])
  recording.move({ type: 'revealPrediction', contestId: DRAFT, mode: 'price_prediction', entryId: rows[0]?.id ?? '' })
  expect(recording.findings.entryId).toMatchObject({ verdict: 'proven', place: 'contest:[own].id' })
  expect(recording.findings.own).toMatchObject({ verdict: 'proven', place: { rows: 'seats', seat: 'mySeatNumber' } })
})
