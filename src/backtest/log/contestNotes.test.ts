import { describe, expect, test } from 'vitest'
import type { Input, InputBody } from '../../pipeline/index.ts'
import { inputOf } from '../../pipeline/index.ts'
import { ContestNotes } from './contestNotes.ts'
import type { Opportunity } from './opportunity.ts'

const START = Date.UTC(2025, 6, 21, 12)
const CONTEST = '00000000-0000-4000-8000-000000000001'
const [OWN, OTHER] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']
const AGENT = '00000000-0000-4000-8000-00000000000c'

/** A log of one duel of the match queue, told line by line. */
class ToldLog {
  readonly notes = new ContestNotes()
  #n = 0

  constructor(agentId: string | null = AGENT) {
    const software = { cornerman: '0', node: '24' }
    const segment = { bot: 'alice', run: 'r', segment: 1, at: START, software, config: null, mints: [] }
    this.notes.onHeader({ kind: 'header', version: 1, source: 'live', agentId, ...segment })
    this.#event('match.found', { ticketId: AGENT, opponents: 'ANY', mode: 'pnl_usd', stake: '1000000' })
    const window = { startsAt: new Date(START).toISOString(), endsAt: new Date(START + 60_000).toISOString() }
    this.#event('contest.live', { mode: 'pnl_usd', chain: 'solana', status: 'live', ...window })
  }

  /** A read of the contest; `entries` where nothing else is said, the bot's own first. */
  read(fields: object = {}): this {
    const record = {
      contestId: CONTEST,
      mode: 'pnl_usd',
      status: 'settled',
      stake: 1_000_000n,
      durationSec: 60,
      entries: entries(),
      ...fields,
    }
    return this.#answer('agent.contests.get', record)
  }

  state(fields: object): this {
    return this.#answer('agent.modes.state', { contestId: CONTEST, mode: 'pnl_usd', ...fields })
  }

  settled(): this {
    const paid = { stake: '1000000', payout: '0', profit: '-1000000', versus: 'AGENT', rpDelta: null, rpAfter: null }
    return this.#event('contest.settled', { mode: 'pnl_usd', result: 'LOSS', ...paid })
  }

  opportunity(): Opportunity {
    const [only] = this.notes.opportunities()
    if (only === undefined) throw new Error('the log has one contest')
    return only
  }

  /** By seat. */
  scores(): (string | null | undefined)[] {
    return this.opportunity().others.map(({ score }) => score)
  }

  #event(type: string, data: object): this {
    const raw = { id: AGENT, type, data: { contestId: CONTEST, ...data }, createdAt: new Date(START).toISOString() }
    this.notes.onInput(inputOf({ type: 'event', body: { raw, cursor: AGENT, recorded: false } }, { n: ++this.#n, at: START }))
    return this
  }

  #answer(procedure: 'agent.contests.get' | 'agent.modes.state', output: object): this {
    const request = { procedure, input: { contestId: CONTEST }, purpose: 'test' }
    const body = { type: 'answer', request, begunAt: START, result: { ok: true, output } } as unknown as InputBody
    this.notes.onInput({ ...body, n: ++this.#n, at: START } as Input)
    return this
  }
}

const entries = (fields: object = { score: '1.5' }, own: object = { score: '-0.5' }) => [
  { entryId: OWN, kind: 'AGENT', ...own },
  { entryId: OTHER, kind: 'AGENT', ...fields },
]
const you = { entryId: OWN, side: null }

describe("an opponent's score", () => {
  test('is what a read of the settled contest says, null where it made no valid move', () => {
    expect(new ToldLog().read({ you }).scores()).toEqual(['1.5'])
    expect(new ToldLog().read({ you, entries: entries({ score: null }) }).scores()).toEqual([null])
  })

  test.each([
    [
      'read before the end, and of whom no more than the end was heard',
      (log: ToldLog) => log.read({ you, status: 'live', entries: entries({ score: null }) }).settled(),
    ],
    ['with a score that stood before the end', (log: ToldLog) => log.read({ you, status: 'live' }).settled()],
    ['whom the settled contest shows without the field', (log: ToldLog) => log.read({ you, entries: entries({}) })],
    ['of a contest that was cancelled', (log: ToldLog) => log.read({ you, status: 'cancelled', entries: entries({ score: null }) })],
  ])('is not known of one %s', (_name, tell) => {
    expect(tell(new ToldLog()).scores()).toEqual([undefined])
  })

  test('stays what it was where a later read says less', () => {
    expect(
      new ToldLog()
        .read({ you })
        .read({ you, entries: entries({}) })
        .scores(),
    ).toEqual(['1.5'])
  })
})

describe("the recorded bot's own entry", () => {
  const withUsers = entries({ score: '1.5', userId: OTHER }, { score: '-0.5', userId: AGENT })

  test.each([
    ['from `you`', () => new ToldLog(null).read({ you })],
    ["from the mode's state", () => new ToldLog(null).state({ entryId: OWN }).read()],
    ["from another place in the mode's state", () => new ToldLog(null).state({ me: { entryId: OWN } }).read()],
    ["from the log's agent", () => new ToldLog().read({ entries: withUsers })],
    ['from `you`, whatever else is said', () => new ToldLog(OTHER).state({ entryId: OTHER }).read({ you, entries: withUsers })],
    ["from the mode's state before the log's agent", () => new ToldLog(OTHER).state({ entryId: OWN }).read({ entries: withUsers })],
  ])('is known %s, and is none of its opponents', (_name, tell) => {
    expect(tell().scores()).toEqual(['1.5'])
  })

  test('is not known where nothing says it: then no seat is an opponent', () => {
    expect(new ToldLog(null).read({ entries: withUsers }).scores()).toEqual([])
    expect(new ToldLog().read({ you: { side: null } }).scores()).toEqual([])
    expect(new ToldLog().read({ entries: entries({ userId: null }, { userId: null }) }).scores()).toEqual([])
  })

  test('has its side, with `you` or without', () => {
    const sided = entries({ side: 'DOWN', score: '0' }, { side: 'UP', score: '1' })
    expect(new ToldLog().read({ you: { ...you, side: 'UP' }, entries: sided }).opportunity().side).toBe('UP')
    expect(new ToldLog().state({ entryId: OWN }).read({ entries: sided }).opportunity().side).toBe('UP')
  })
})

describe('a contest in which the recorded bot had no seat', () => {
  const CONTESTS = Array.from({ length: 20 }, (_, index) => `00000000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`)
  const sided = (one: string, other: string) => entries({ score: '1.5', side: other }, { score: '-0.5', side: one })

  function seen(reads: readonly object[], contestId = CONTEST): Opportunity[] {
    const notes = new ContestNotes()
    const terms = { contestId, mode: 'pnl_usd', stake: 1n, durationSec: 60, you: null, startsAt: START + 10_000 }
    for (const [n, fields] of reads.entries()) {
      const request = { procedure: 'agent.contests.get', input: { contestId }, purpose: `contest:${contestId}` }
      const result = { ok: true, output: { ...terms, entries: entries(), ...fields } }
      notes.onInput({ type: 'answer', n, at: START + n * 1000, request, begunAt: START, result } as unknown as Input)
    }
    return [...notes.opportunities()]
  }

  test('has everyone for an opponent while a seat is free', () => {
    const [open] = seen([{ status: 'open', capacity: 4 }])
    expect(open?.others).toHaveLength(2)
  })

  test('and all seats were taken has one free, drawn by its id', () => {
    const scores = CONTESTS.map((contestId) => seen([{ status: 'settled' }], contestId)[0]?.others.map(({ score }) => score))
    expect(new Set(scores.map((all) => JSON.stringify(all)))).toEqual(new Set(['["1.5"]', '["-0.5"]']))
    expect(CONTESTS.map((contestId) => seen([{ status: 'settled' }], contestId)[0]?.others.map(({ score }) => score))).toEqual(scores)
  })

  test('is entered on the side of the seat that is free', () => {
    for (const contestId of CONTESTS) {
      const [duel] = seen([{ status: 'settled', mode: 'up_down', entries: sided('UP', 'DOWN') }], contestId)
      expect([duel?.side, duel?.others[0]?.side].toSorted()).toEqual(['DOWN', 'UP'])
    }
  })

  test('is of the match queue where it was only ever seen live, and locked when it began', () => {
    const [live] = seen([{ status: 'live' }, { status: 'settled' }])
    expect(live).toMatchObject({ via: 'queue', openAt: START, lockedAt: START + 10_000, joinBy: null })
    const [late] = seen([{ status: 'settled', startsAt: START - 5000 }])
    expect(late).toMatchObject({ via: 'queue', openAt: START - 5000, lockedAt: START - 5000 })
  })

  test('stays one to be joined where it was seen open', () => {
    const [open] = seen([{ status: 'open' }, { status: 'live' }, { status: 'settled' }])
    expect(open).toMatchObject({ via: 'list', joinBy: START, lockedAt: START + 10_000 })
  })

  test('and has more than two seats is not offered where nobody saw it open: the queue seats duels', () => {
    expect(seen([{ status: 'live', capacity: 4, format: 'lobby' }])).toEqual([])
  })
})
