import { describe, expect, test } from 'vitest'
import { type Recorded, recordSandbox } from '../../../test/support/probe/recordSandbox.ts'
import { sizeOf } from '../../../test/support/suite/cases.ts'
import { lackingIn } from '../../contract/shapes/shapes.ts'
import { keyedRandom } from '../../core/random.ts'
import { find } from './find.ts'
import type { Findings } from './finding.ts'

// The service's times differ from the recorder's clock. The `Date` header differs alike, is right, or is missing.

const OFFSETS_SEC = [-600, -60, -2, -0.4, 0, 0.4, 2, 60, 600]
const HEADERS = ['shifted', 'right', 'missing'] as const
const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/g

const recorded = recordSandbox()
const findIn = ({ exchanges, facts }: Recorded) => find(exchanges, facts)
const plain = findIn(recorded)

function shifted({ exchanges, facts }: Recorded, offsetMs: number, header: (typeof HEADERS)[number]): Recorded {
  const moved = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(TIME, (time) =>
        JSON.stringify(new Date(Date.parse(JSON.parse(time) as string) + offsetMs).toISOString()),
      ),
    ) as T
  const dated = (at: number) => (header === 'missing' ? {} : { date: new Date(at + (header === 'shifted' ? offsetMs : 0)).toUTCString() })
  return {
    exchanges: exchanges.map((exchange) => ({
      ...exchange,
      body: moved(exchange.body),
      headers: { 'content-type': 'application/json', ...dated(exchange.at) },
    })),
    facts: { ...facts, events: moved(facts.events) },
  }
}

type Words = Readonly<Record<string, string | readonly string[]>>
const meaningsIn = (words: Words): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([meaning, of]) => [of].flat().map((word) => [word, meaning] as const)))

/** True if a word has another meaning than with clocks that agree. Fewer words are fine. */
function differ(words: Words, right: Words): boolean {
  const meant = meaningsIn(right)
  return [...meaningsIn(words)].some(([word, meaning]) => meant.has(word) && meant.get(word) !== meaning)
}

/** Pieces that are pinned elsewhere, or as other words, than where the clocks agree. */
const wrongIn = (found: Findings): readonly string[] =>
  Object.values(found.pieces).flatMap(({ name, verdict, place }) => {
    if (verdict !== 'proven' && verdict !== 'found') return []
    const right = plain.pieces[name]?.place
    const isRight = name.startsWith('words.') ? !differ(place as Words, right as Words) : JSON.stringify(place) === JSON.stringify(right)
    return isRight ? [] : [`${name}: ${JSON.stringify(place)} instead of ${JSON.stringify(right)}`]
  })

describe.each(HEADERS)('a Date header that is %s', (header) => {
  test.each(OFFSETS_SEC)('and times %d s off pin no wrong piece, and lose no mode', (offsetSec) => {
    const found = findIn(shifted(recorded, offsetSec * 1000, header))
    expect({ wrong: wrongIn(found), lacking: [...lackingIn(found.shapes).keys()] }).toEqual({ wrong: [], lacking: [] })
  })
})

/** As a service that does not say when a ticket was made. */
const undated = (given: Recorded): Recorded => ({
  ...given,
  exchanges: JSON.parse(JSON.stringify(given.exchanges), (key, value: unknown) =>
    key === 'createdAt' ? undefined : value,
  ) as Recorded['exchanges'],
})

describe.each(HEADERS)('tickets without a date, and a Date header that is %s', (header) => {
  test.each(OFFSETS_SEC)('and times %d s off pin no wrong piece', (offsetSec) => {
    expect(wrongIn(findIn(undated(shifted(recorded, offsetSec * 1000, header))))).toEqual([])
  })
})

describe('times that contradict each other', () => {
  const random = keyedRandom('odd times')
  const oddBy = (ms: number) => Math.round((random.next() * 2 - 1) * ms)
  /** Each event is dated anew, as far off as `ms`. */
  const withOddEvents = (given: Recorded, ms: number): Recorded => ({
    ...given,
    facts: {
      ...given.facts,
      events: given.facts.events.map((event) => ({ ...event, createdAt: new Date(Date.parse(event.createdAt) + oddBy(ms)).toISOString() })),
    },
  })

  test.each([5000, 20_000, 60_000, 600_000])('by up to %d ms pin no wrong piece', (ms) => {
    for (let draw = 0; draw < sizeOf(100, 10); draw++) {
      expect(wrongIn(findIn(withOddEvents(recorded, ms)))).toEqual([])
      expect(wrongIn(findIn(undated(withOddEvents(recorded, ms))))).toEqual([])
    }
  })

  test('leave out a contest that would be settled before it was live, with a word why', () => {
    const [live] = recorded.facts.events.filter(({ type }) => type === 'contest.live')
    const events = recorded.facts.events.map((event) =>
      event.type === 'contest.settled' && event.data.contestId === live?.data.contestId
        ? { ...event, createdAt: new Date(Date.parse(live?.createdAt ?? '') - 30_000).toISOString() }
        : event,
    )
    const found = findIn({ ...recorded, facts: { ...recorded.facts, events } })
    expect(wrongIn(found)).toEqual([])
    expect(found.conflicts).toEqual([expect.stringContaining(`the service dates events of 1 of`)])
    expect(found.conflicts[0]).toContain(live?.data.contestId)
  })

  test('say that the clock is not known, where most of them do', () => {
    const found = findIn(undated(withOddEvents(recorded, 600_000)))
    expect(found.conflicts).toEqual([expect.stringContaining('the times that the service names contradict each other')])
    expect(wrongIn(found)).toEqual([])
  })
})
