import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alwaysSays, ENDS_MS, entryId, predictionId, revealsOf, shelvePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, decoded, openContest, queuedTicket, type ScriptedService } from '../../../test/support/scriptedService.ts'
import { seatsOf } from '../../../test/support/seatsOf.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { CONTEST, contestOf, openTradingBot } from '../../../test/support/tradingBot.ts'
import { FIELD_PATHS } from '../../contract/paths.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { guardConfig } from '../../strategy/guardConfig.ts'
import { PriceBook } from '../prices/priceBook.ts'
import type { InputOf, PlannedRead, ReadResult } from '../protocol/input.ts'
import { inPlace } from '../protocol/ports.ts'
import { Present } from '../state/present.ts'
import { Session } from '../state/session.ts'
import { StepDraft } from '../stepDraft.ts'
import { KnownSignatures } from './knownSignatures.ts'
import { Strays } from './strays.ts'

const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()

// Ids of things that the bot knows, each in another way.
const KNOWN = {
  seat: keyedUuid('seat'),
  ticket: keyedUuid('ticket'),
  over: keyedUuid('ticket that is over'),
  listed: keyedUuid('contest of others'),
  sibling: keyedUuid('contest of a sibling'),
  custody: keyedUuid('contest with a prediction'),
  named: keyedUuid('contest that an action made'),
  signature: 'known-signature-'.padEnd(88, 'x'),
} as const
const NOBODYS = keyedUuid('nobody knows this')

const ASKED = {
  'agent.contests.get': { field: 'contestId', id: keyedUuid('asked contest') },
  'agent.modes.state': { field: 'contestId', id: keyedUuid('asked contest') },
  'agent.queue.get': { field: 'ticketId', id: keyedUuid('asked ticket') },
  'agent.tx.status': { field: 'signature', id: 'asked-signature-'.padEnd(88, 'x') },
} as const
type Procedure = keyof typeof ASKED
const PROCEDURES = Object.keys(ASKED) as Procedure[]

function open() {
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') })
  const present = new Present({
    config: { name: 'alice', strategies: [], guard, sweep: true, seed: 0 },
    paths: {},
    timeoutMs: 5000,
    figuresHoldMs: 60_000,
    book: new PriceBook(),
    seal: () => ({ salt: '', commitment: '' }),
    isolation: inPlace,
  })
  const seats = seatsOf(present)
  const signatures = new KnownSignatures()
  const custody = { contestId: KNOWN.custody, entryId, price: '1', salt: '', commitment: '', status: 'committed' } as const
  seats.take(KNOWN.seat, {})
  seats.recover([KNOWN.over])
  const tell = (procedure: ReadName, wire: unknown) => {
    const result = decoded(procedure, wire)
    if (result.ok) seats.onAnswer({ procedure, input: null, output: result.output as never, begunAt: 0, now: START_MS, paths: {} })
  }
  tell('agent.queue.list', [queuedTicket(KNOWN.ticket)])
  tell('agent.contests.list', [openContest(KNOWN.listed)])
  present.owned.penFor('custody')({ custody: new Map([[KNOWN.custody, custody]]) })
  new Session(present.owned).siblingEntered({ bot: 'bob', key: 'c', contestId: KNOWN.sibling })
  signatures.add(KNOWN.signature)
  const strays = new Strays(present, { signatures, isNamed: (id) => id === KNOWN.named })
  let n = 0
  const hear = (procedure: Procedure, output: unknown, at = START_MS) => {
    n += 1
    const { field, id } = ASKED[procedure]
    const request = { procedure, input: { [field]: id }, purpose: `contest:${id}` } as unknown as PlannedRead
    const result = { ok: true, output } as ReadResult
    const answer: InputOf<'answer'> = { type: 'answer', n, at, begunAt: at, request, result }
    present.step = new StepDraft(answer)
    const sifted = strays.sift(answer)
    return {
      request,
      isDropped: !sifted.result.ok,
      isUntouched: sifted === answer,
      notes: present.step.finish({ wakeAt: undefined, drained: false }).notes,
    }
  }
  return { seats, strays, hear }
}

const procedure = fc.constantFrom(...PROCEDURES)
/** What an answer carries at each place where its id may be. */
const carried = fc.array(fc.constantFrom('asked', 'nobodys', 'none', ...(Object.keys(KNOWN) as (keyof typeof KNOWN)[])), {
  minLength: 4,
  maxLength: 4,
})

function placed(path: string, value: unknown, into: Record<string, unknown>): void {
  const [first = '', second] = path.split('.')
  if (second === undefined) into[first] = value
  else into[first] = { ...(into[first] as object | undefined), [second]: value }
}

describe('an answer to a read by id', () => {
  test('is dropped where it carries an id that the bot knows as another, and is else the answer to what was asked', () => {
    let dropped = 0
    let taken = 0
    fc.assert(
      fc.property(procedure, carried, (asked, ids) => {
        const { strays, hear } = open()
        const { field, id } = ASKED[asked]
        const output: Record<string, unknown> = {}
        FIELD_PATHS[field].forEach((path, index) => {
          const what = ids[index]
          if (what === undefined || what === 'none') return
          placed(path, what === 'asked' ? id : what === 'nobodys' ? NOBODYS : KNOWN[what], output)
        })
        const { isDropped, isUntouched, notes } = hear(asked, output)
        const isAnother = !ids.includes('asked') && ids.some((what) => what in KNOWN)
        expect(isDropped).toBe(isAnother)
        expect(isUntouched).toBe(!isAnother)
        expect(strays.count).toBe(isAnother ? 1 : 0)
        expect(notes.map(({ level }) => level)).toEqual(isAnother ? ['warn'] : [])
        if (isAnother) dropped += 1
        else taken += 1
      }),
      { numRuns: runsOf(2000) },
    )
    expect(Math.min(dropped, taken)).toBeGreaterThan(0)
  })

  test.each(PROCEDURES)('%s: every drop counts, one is said, and the pauses grow until it is right again', (asked) => {
    const { field, id } = ASKED[asked]
    const { strays, hear } = open()
    const pauses: number[] = []
    let at = START_MS
    let said = 0
    for (let times = 1; times <= 12; times++) {
      const { request, notes } = hear(asked, { [field]: KNOWN.seat }, at)
      said += notes.length
      const until = strays.pausedUntil(request) ?? at
      pauses.push(until - at)
      at = until
    }
    expect(strays.count).toBe(12)
    expect(said).toBe(1)
    const [first = 0] = pauses
    const most = asked === 'agent.modes.state' ? 2000 : 60_000
    expect(pauses).toEqual(pauses.map((_, index) => Math.min(most, first * 2 ** index)))
    expect(pauses.at(-1)).toBe(most)
    const right = hear(asked, { [field]: id }, at)
    expect(right.notes.map(({ message }) => message)).toEqual([`${asked}: the answer is about ${id} again, after 12 about something else`])
    expect(strays.pausedUntil(right.request)).toBeUndefined()
    const { request } = hear(asked, { [field]: KNOWN.seat }, at)
    expect(strays.pausedUntil(request)).toBe(at + first)
  })

  test('the ticket that led to the contest asked for is no other', () => {
    const { hear, seats } = open()
    seats.take(ASKED['agent.contests.get'].id, { ticketId: KNOWN.over })
    expect(hear('agent.contests.get', { id: KNOWN.over }).isDropped).toBe(false)
    expect(hear('agent.contests.get', { id: KNOWN.ticket }).isDropped).toBe(true)
  })
})

const otherId = keyedUuid('other prediction')
const otherEntry = keyedUuid('other entry')

/** Two live predictions; what the first one's state is answered with is the test's. */
async function openTwo(stateOfFirst: (service: ScriptedService, asked: number) => unknown): Promise<TestBot> {
  const bot = await openTestBot({ strategies: [alwaysSays('187.25')] })
  const { service } = bot
  shelvePrediction(service)
  const shelf = service.states.get(predictionId) ?? {}
  service.states.set(otherId, { ...shelf, contestId: otherId, entryId: otherEntry })
  let asked = 0
  service.onRead('agent.modes.state', ({ contestId }) => {
    if (contestId === predictionId) asked += 1
    return decoded('agent.modes.state', contestId === predictionId ? stateOfFirst(service, asked) : service.states.get(contestId))
  })
  service.onAct('agent.modes.commitPrediction', ({ contestId }) => {
    service.states.set(contestId, { ...service.states.get(contestId), committed: true })
    return accepted()
  })
  for (const contestId of [otherId, predictionId]) {
    const ticketId = keyedUuid('ticket of', contestId)
    const window = { startsAt: iso(5000), endsAt: new Date(ENDS_MS).toISOString() }
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'price_prediction' }))
    await bot.tell(rawEvent('contest.live', { contestId, mode: 'price_prediction', ...window }))
  }
  return bot
}

describe('a bot that is told of another contest than it asked for', () => {
  test('seals each prediction for the entry of its own contest, and shows both', async () => {
    const bot = await openTwo((service, asked) => service.states.get(asked <= 3 ? otherId : predictionId))
    await bot.run(30_000)
    const sealed = bot.steps.flatMap(({ record }) => record?.custody ?? []).filter(({ status }) => status === 'made')
    expect(new Map(sealed.map((custody) => [custody.contestId, custody.entryId]))).toEqual(
      new Map([
        [otherId, otherEntry],
        [predictionId, entryId],
      ]),
    )
    expect(new Set(revealsOf(bot).map(({ contestId }) => contestId))).toEqual(new Set([otherId, predictionId]))
    expect(bot.status().strayAnswers).toBe(3)
    expect(bot.notes('warn').filter((note) => note.includes('dropped'))).toHaveLength(1)
  })

  test('asks no more than every two seconds for ever, and plays the other contest', async () => {
    const bot = await openTwo((service) => service.states.get(otherId))
    await bot.run(15_000)
    const looks = bot.service.reads.filter(
      ({ procedure, input }) =>
        procedure === 'agent.modes.state' && input !== null && 'contestId' in input && input.contestId === predictionId,
    )
    expect(looks.length).toBeLessThan(16)
    expect(bot.service.sent('agent.modes.commitPrediction').map(({ contestId }) => contestId)).toEqual([otherId])
  })
})

describe('a service whose records call themselves otherwise', () => {
  test('a contest without its id, or with one that nobody knows, is read, and its trader asked', async () => {
    for (const name of [{}, { id: NOBODYS }, { uuid: NOBODYS }]) {
      const bot = await openTradingBot({
        prepare: (service) => {
          service.contests = []
          service.onRead('agent.contests.get', () =>
            decoded('agent.contests.get', { ...contestOf({ mode: 'pnl_usd', params: {} }), contestId: undefined, ...name }),
          )
        },
      })
      await bot.tell(rawEvent('contest.live', { contestId: CONTEST, mode: 'pnl_usd', startsAt: iso(0), endsAt: iso(600_000) }))
      await bot.run(2000)
      expect([...bot.status().books.seats.values()].map(({ isRead }) => isRead)).toEqual([true])
      expect(bot.positions.length).toBeGreaterThan(0)
      expect(bot.status().strayAnswers).toBe(0)
    }
  })

  test('a ticket that was asked for by its id waits, whatever it calls itself; one that is another is none', async () => {
    const ticketId = keyedUuid('own ticket')
    const other = keyedUuid('other own ticket')
    const bot = await openTestBot({ prepare: (service) => service.tickets.push(queuedTicket(ticketId), queuedTicket(other)) })
    bot.service.onRead('agent.queue.get', (input) =>
      decoded('agent.queue.get', input.ticketId === ticketId ? { ...queuedTicket(other), status: 'expired' } : { status: 'expired' }),
    )
    await bot.run(400_000)
    expect([...bot.status().books.tickets.keys()]).toEqual([ticketId])
    expect(bot.status().strayAnswers).toBeGreaterThan(0)
  })
})
