import { describe, expect, test } from 'vitest'
import { PauseFinder } from './pauses.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Prices as these steps lie between them. */
const knownAt = (...steps: readonly number[]) => {
  let at = 1_000_000
  return Float64Array.from([0, ...steps], (step) => {
    at += step
    return at
  })
}
const many = (step: number, count = 30) => Array.from({ length: count }, () => step)
const pausesOf = (known: Float64Array, heardAt: readonly number[] = []) => {
  const finder = new PauseFinder({ known })
  for (const at of heardAt) finder.hear(at)
  return finder.pauses()
}

describe('pauses', () => {
  test.each<[name: string, known: Float64Array]>([
    ['no price', knownAt().slice(1)],
    ['one price', knownAt()],
    ['a price a second, and one late by a minute', knownAt(...many(SECOND), MINUTE, ...many(SECOND))],
    ['a price a minute, and nine left out', knownAt(...many(MINUTE), 10 * MINUTE, ...many(MINUTE))],
    ['a price an hour', knownAt(...many(60 * MINUTE))],
  ])('%s: there is none', (_name, known) => {
    expect(pausesOf(known)).toEqual([])
  })

  test('between two runs, each of them', () => {
    const known = knownAt(...many(SECOND, 40), 15 * MINUTE, ...many(SECOND, 40), 10 * 24 * 60 * MINUTE, ...many(SECOND, 40))
    expect(pausesOf(known).map(({ from, to, tick }) => [to - from, tick, known[tick - 1] === to, known[tick - 2] === from])).toEqual([
      [15 * MINUTE, 42, true, true],
      [10 * 24 * 60 * MINUTE, 83, true, true],
    ])
  })

  test('the log ends with the last thing that was heard, and not with one that is far off', () => {
    const known = knownAt(...many(SECOND))
    const last = known.at(-1) ?? 0
    const endOf = (...heardAt: number[]) => {
      const finder = new PauseFinder({ known })
      for (const at of heardAt) finder.hear(at)
      return finder.endsAt() - last
    }
    expect([
      endOf(),
      endOf(last - 5),
      endOf(last + 2000),
      endOf(last + 50_000, last + 100_000),
      endOf(last + 2000, last + 365 * 24 * 60 * MINUTE),
    ]).toEqual([0, 0, 2000, 100_000, 2000])
  })

  test('none where prices failed and everything else went on', () => {
    const known = knownAt(...many(SECOND), 5 * MINUTE, ...many(SECOND))
    const [from = 0] = pausesOf(known).map((pause) => pause.from)
    const heard = Array.from({ length: 10 }, (_, index) => from + (index + 1) * 27 * SECOND)
    expect(pausesOf(known, heard)).toEqual([])
    expect(pausesOf(known, heard.slice(0, 3)), 'it begins after the last thing that was heard').toMatchObject([
      { from: from + 81 * SECOND },
    ])
    expect(pausesOf(known, [from + 5 * MINUTE - 500]), 'a run begins before its first price').toMatchObject([{ from }])
  })
})
