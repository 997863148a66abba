import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { lackingIn, PIECES, type Piece, type Shapes, shapesSchema } from '../../src/contract/shapes/shapes.ts'
import { sizeOf } from '../support/suite/cases.ts'
import type { Json } from './answers.ts'
import { PHASE_FLAGS } from './answers.ts'
import { type RecordedMoment, recordAnswers } from './recordedAnswers.ts'
import { listIn, type OwnIds, readPiece, type Sources, unwrapped, type Value } from './referenceReader.ts'
import { saidOfContest, saidOfListed, saidOfState, saidOfTicket } from './said.ts'
import { type ServiceShape, shapeOf } from './shape.ts'

const DEPARTURES = [0.15, 0.35, 0.6, 1]
/** One place cuts a time to whole seconds, and another rounds up what is left. */
const MOST_ROUNDED_MS = 2000
const SEEDS = Array.from({ length: sizeOf(301, 76) }, (_, index) => index * sizeOf(1, 4))
const recorded = recordAnswers()
const me = recorded.answers.find(({ procedure }) => procedure === 'agent.me')

const shapes = function* (): Generator<ServiceShape> {
  for (const departure of DEPARTURES) for (const seed of SEEDS) yield shapeOf(seed, { departure })
}

/** Who the agent is, by a mapping. */
function idsBy({ truth, answer }: ServiceShape, moment: RecordedMoment['context']): OwnIds {
  const json = {
    bankroll: (me?.json as Json).bankroll,
    activeContests: [],
    openTickets: [],
    agent: { agentId: moment.agentId, handle: moment.handle, kind: 'AGENT' },
  }
  const sources = { now: moment.now, ids: {}, me: answer('agent.me', null, json, moment) }
  const id = (piece: Piece) => readPiece(truth, piece, sources) as string
  return { agentId: id('agentId'), userId: id('userId'), handle: id('handle') }
}

/** Both answers about a contest, with all that is known of the agent. */
function sourcesOf(shape: ServiceShape, { context, contest, state }: RecordedMoment): Sources {
  const { truth } = shape
  const input = { contestId: contest.contestId }
  const sources = {
    now: context.now,
    ids: idsBy(shape, context),
    contest: unwrapped(shape.answer('agent.contests.get', input, contest, context), truth.records?.contest),
    state: unwrapped(shape.answer('agent.modes.state', input, state, context), truth.records?.state),
  }
  return { ...sources, ids: { ...sources.ids, entryId: readPiece(truth, 'entryId', sources) as string | undefined } }
}

/** A time as a form with whole seconds, or with time left, can say it. */
function sayable(truth: Shapes, piece: Piece, value: Value, now: number): Value {
  const found = truth.pieces?.[piece]
  const as = typeof found === 'object' && 'as' in found ? found.as : undefined
  if (typeof value !== 'number') return value
  if (as === 's') return Math.floor(value / 1000) * 1000
  if (as === 'leftMs') return Math.max(value, now)
  return as === 'leftSec' ? now + Math.max(0, Math.ceil((value - now) / 1000)) * 1000 : value
}

/** What a mapping without the words of phases can say of one. */
const saidByFlags = (truth: Shapes, piece: Piece, value: Value): Value => {
  const found = truth.pieces?.phase
  const isByFlags = typeof found === 'object' && 'flags' in found
  return piece === 'phase' && isByFlags && !PHASE_FLAGS.some((meaning) => meaning === value) ? undefined : value
}

/** What is read otherwise than it was said. */
function misread({ truth, seed, departure }: ServiceShape, said: Partial<Record<Piece, Value>>, sources: Sources): string[] {
  return Object.entries(said).flatMap(([name, value]) => {
    const piece = name as Piece
    if (truth.pieces?.[piece] === undefined) return []
    const expected = saidByFlags(truth, piece, sayable(truth, piece, value, sources.now))
    const read = readPiece(truth, piece, sources)
    return isDeepStrictEqual(read, expected)
      ? []
      : [
          `seed ${seed} at ${departure}: ${piece} is ${JSON.stringify(expected)}, read ${JSON.stringify(read)} by ${JSON.stringify(truth.pieces[piece])}`,
        ]
  })
}

describe('the mapping of a shape', () => {
  test('is one, and lacks nothing that a mode needs', () => {
    for (const { truth } of shapes()) {
      expect(shapesSchema.parse(truth)).toEqual(truth)
      expect([...lackingIn(truth)]).toEqual([])
    }
  })

  test('reads every piece of a contest and its state as the sandbox said it', () => {
    const wrong: string[] = []
    let readings = 0
    for (const shape of shapes()) {
      for (const moment of recorded.moments) {
        const sources = sourcesOf(shape, moment)
        const said = { ...saidOfState(moment.state), ...saidOfContest(moment.contest) }
        readings += Object.keys(said).length
        wrong.push(...misread(shape, said, sources))
      }
      if (wrong.length > 10) break
    }
    expect(wrong).toEqual([])
    expect(readings).toBeGreaterThan(100_000)
  })

  test('reads every list, and what stands in it as in an answer of its own', () => {
    const wrong: string[] = []
    for (const shape of shapes()) {
      const { truth, answer } = shape
      for (const { procedure, input, json, context } of recorded.answers) {
        const ids = idsBy(shape, context)
        const given = answer(procedure, input, json, context)
        if (procedure === 'agent.queue.get') {
          wrong.push(
            ...misread(shape, saidOfTicket(json as Json), { now: context.now, ids, ticket: unwrapped(given, truth.records?.ticket) }),
          )
        }
        if (procedure === 'agent.queue.list') {
          const items = listIn(given, truth, 'tickets')
          const tickets = json as Json[]
          expect(items?.length).toBe(tickets.length)
          for (const [index, ticket] of tickets.entries()) {
            wrong.push(...misread(shape, saidOfTicket(ticket), { now: context.now, ids, ticket: items?.[index] }))
            const alone = unwrapped(answer('agent.queue.get', {}, ticket, context), truth.records?.ticket)
            expect(items?.[index]?.record).toEqual(alone.record)
          }
        }
        if (procedure === 'agent.contests.mine' || procedure === 'agent.contests.list') {
          const isOpen = procedure === 'agent.contests.list'
          const contests = isOpen ? (json as { items: Json[] }).items : (json as Json[])
          const items = listIn(given, truth, isOpen ? 'open' : 'mine')
          expect(items?.length).toBe(contests.length)
          for (const [index, contest] of contests.entries()) {
            wrong.push(...misread(shape, saidOfListed(contest), { now: context.now, ids, listed: items?.[index] }))
            const alone = unwrapped(answer('agent.contests.get', {}, contest, context), truth.records?.contest)
            expect(items?.[index]?.record).toEqual(alone.record)
          }
        }
      }
      if (wrong.length > 10) break
    }
    expect(wrong).toEqual([])
  })

  test('is one of several that read the same', () => {
    const wrong: string[] = []
    for (const shape of shapes()) {
      for (const piece of PIECES) {
        const [first, ...others] = shape.truthOf(piece)
        expect(shape.truth.pieces?.[piece] === undefined || isDeepStrictEqual(shape.truth.pieces[piece], first)).toBe(true)
        const moments =
          piece.startsWith('listed') || piece.startsWith('ticket') ? [] : recorded.moments.filter((_, index) => index % 5 === 0)
        for (const moment of others.length === 0 ? [] : moments) {
          const sources = sourcesOf(shape, moment)
          const read = (found: unknown) => readPiece(shape.truth, piece, sources, found as never)
          const value = read(first)
          for (const other of others) {
            const same = read(other)
            // One of them may be said where the other is not yet; said by both, it is the same.
            const isSame =
              isDeepStrictEqual(same, value) ||
              same === undefined ||
              value === undefined ||
              Math.abs(Number(same) - Number(value)) <= MOST_ROUNDED_MS
            const isQuiet = (piece === 'turn' || piece === 'committed' || piece === 'revealed') && !moment.state.phase
            const isOfOtherMode = moment.contest.mode !== 'price_prediction' && /commit|reveal/.test(piece)
            if (!isSame && !isQuiet && !isOfOtherMode && !isPast(sources, same, value))
              wrong.push(
                `seed ${shape.seed} at ${shape.departure}: ${piece} ${JSON.stringify(first)} ${value}, ${JSON.stringify(other)} ${same}`,
              )
          }
        }
      }
      if (wrong.length > 10) break
    }
    expect(wrong).toEqual([])
  })
})

/** Time left stands still once nothing is left. */
const isPast = ({ now }: Sources, ...times: readonly Value[]): boolean => times.every((time) => typeof time === 'number' && time <= now)

describe('a shape', () => {
  test('is the same for the same seed, and that of seed 0 is the sandbox', () => {
    for (const departure of DEPARTURES) {
      const sandbox = shapeOf(0, { departure })
      expect(sandbox.departures).toEqual([])
      for (const { procedure, input, json, context } of recorded.answers)
        expect(sandbox.answer(procedure, input, json, context)).toEqual(json)
      for (const seed of SEEDS.slice(1, 8)) {
        const [first, second] = [shapeOf(seed, { departure }), shapeOf(seed, { departure })]
        expect(first.truth).toEqual(second.truth)
        for (const { procedure, input, json, context } of recorded.answers)
          expect(first.answer(procedure, input, json, context)).toEqual(second.answer(procedure, input, json, context))
      }
    }
  })

  test('departs in about as many dimensions as it was asked to, of over forty', () => {
    const all = new Set([...shapes()].flatMap(({ departures }) => departures))
    expect(all.size).toBeGreaterThan(80)
    for (const departure of DEPARTURES) {
      const counts = SEEDS.slice(1).map((seed) => shapeOf(seed, { departure }).departures.length)
      const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
      expect(mean / all.size).toBeGreaterThan(0.75 * departure)
      expect(mean / all.size).toBeLessThan(1.05 * departure)
    }
  })

  test('leaves alone what the specification shows', () => {
    for (const { answer } of shapes()) {
      const { context } = recorded.moments[0] as RecordedMoment
      for (const procedure of ['agent.bankroll', 'agent.limits', 'agent.history', 'agent.trade.signAndSend']) {
        const json = { items: [{ contestId: 'c' }], available: '1', signature: 's' }
        expect(answer(procedure, null, json, context)).toBe(json)
      }
      expect(answer('agent.me', null, me?.json, context)).toMatchObject({
        agent: { handle: 'alice' },
        bankroll: (me?.json as Json).bankroll,
      })
    }
  })

  test('takes its own words of sides, and no others', () => {
    for (const { request, truth, answer } of shapes()) {
      const { UP = '', DOWN = '' } = truth.words?.side ?? {}
      const asked = (side: string) => request('agent.contests.join', { contestId: 'c', side })
      expect(asked(UP)).toEqual({ contestId: 'c', side: 'UP' })
      expect(asked(DOWN)).toEqual({ contestId: 'c', side: 'DOWN' })
      expect(asked('T2')).toEqual({ contestId: 'c', side: 'T2' })
      if (UP !== 'UP') expect(asked('UP')).toEqual({ contestId: 'c', side: 'no side' })
      const pick = { contestId: 'c', token: 't' }
      expect(request('agent.modes.draftPick', pick)).toBe(pick)
      const event = { id: 'e', type: 'contest.joined', createdAt: '', data: { contestId: 'c', side: 'DOWN' } }
      const { context } = recorded.moments[0] as RecordedMoment
      expect(answer('agent.events', null, { events: [event], cursor: 'e' }, context)).toEqual({
        events: [{ ...event, data: { contestId: 'c', side: DOWN } }],
        cursor: 'e',
      })
    }
  })

  test('refuses in its own codes, each in the words of its mapping', () => {
    for (const { error, truth } of shapes()) {
      const codeOf = (appCode: string, message = 'no') => (error({ message, data: { appCode, code: 'CONFLICT' } }) as { data: Json }).data
      expect(truth.words?.refusal?.taken).toContain(codeOf('TOKEN_TAKEN').appCode)
      expect(truth.words?.refusal?.notYet).toContain(codeOf('REVEAL_NOT_OPEN').appCode)
      expect(truth.words?.refusal?.rate).toContain(codeOf('RATE_LIMITED').appCode)
      expect(codeOf('TOKEN_TAKEN').code).toBe('CONFLICT')
    }
  })
})
