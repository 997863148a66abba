import { describe, expect, test } from 'vitest'
import { keyedRandom, type Random } from '../../core/random.ts'
import { usdc } from '../../core/usdc.ts'
import { chunkedDifference, chunkOf, intervalOf, LEAST_PAIRED, type PairedContest, pairedEdge, standardErrorOf } from './pairedEdge.ts'

const MINUTE = 60_000
const [WON, LOST] = [usdc('0.9'), -usdc('1')]

interface Play {
  readonly random: Random
  readonly contests: number
  /** The chance to win of each side. */
  readonly chances: readonly [number, number]
  /** Share of the luck that is the contest's own, and befalls both sides. */
  readonly common?: number
  /** How far the chances of sixteen neighbours go up and down together, for one side alone. */
  readonly tides?: number
}

/** The same contests, played twice. */
function playedTwice({ random, contests, chances, common = 0.75, tides = 0 }: Play): readonly [PairedContest[], PairedContest[]] {
  const sides: [PairedContest[], PairedContest[]] = [[], []]
  let tide = 0
  for (let index = 0; index < contests; index++) {
    if (index % 16 === 0) tide = tides * random.normal()
    const [luck, isCommon] = [random.next(), random.next() < common]
    for (const [side, chance] of chances.entries()) {
      const wins = (isCommon ? luck : random.next()) < chance + (side === 0 ? tide : 0)
      const at = index * MINUTE
      sides[side]?.push({
        ...{ contestId: `c${index}`, enteredAt: at, startsAt: at + 1000, stake: usdc('1'), swapProfit: 0n },
        ...{ profit: wins ? WON : LOST, result: wins ? 'WIN' : 'LOSS' },
      })
    }
  }
  return sides
}

const compare = (play: Play) => pairedEdge(...playedTwice(play))
const shareOf = (count: number, play: (random: Random) => Play, is: (p: number) => boolean) => {
  let found = 0
  for (let index = 0; index < count; index++) if (is(compare(play(keyedRandom(1, 'paired', index)))?.p ?? 1)) found += 1
  return found / count
}

describe('a paired edge', () => {
  test('counts both sides, and what both have played', () => {
    const [own, other] = playedTwice({ random: keyedRandom(1), contests: 300, chances: [0.6, 0.5] })
    const paired = pairedEdge(own.slice(0, 290), other.slice(20))
    expect(paired).toMatchObject({ contests: 290, against: 280, shared: 270, chunks: 11 })
    const edgeOf = (contests: readonly PairedContest[]) =>
      contests.reduce((sum, { profit }) => sum + Number(profit), 0) / 1e6 / contests.length
    expect(paired?.edge).toBeCloseTo(edgeOf(own.slice(0, 290)), 12)
    expect(paired?.edgeAgainst).toBeCloseTo(edgeOf(other.slice(20)), 12)
    expect(paired?.difference).toBeCloseTo((paired?.edge ?? 0) - (paired?.edgeAgainst ?? 0), 12)
  })

  test('counts what swaps brought, and leaves out what was given back', () => {
    const [own, other] = playedTwice({ random: keyedRandom(2), contests: 200, chances: [0.5, 0.5] })
    const richer = own.map((contest) => ({ ...contest, swapProfit: usdc('0.1') }))
    const refunded = own
      .slice(0, 20)
      .map((contest): PairedContest => ({ ...contest, result: 'REFUND', profit: 0n, swapProfit: usdc('50') }))
    const plain = pairedEdge(own, other)
    expect(pairedEdge([...richer, ...refunded], other)?.edge).toBeCloseTo((plain?.edge ?? 0) + 0.1, 12)
  })

  test('of the same contests says nothing is there, and of too few nothing at all', () => {
    const [own] = playedTwice({ random: keyedRandom(3), contests: LEAST_PAIRED, chances: [0.5, 0.5] })
    expect(pairedEdge(own, own)).toBeUndefined()
    expect(pairedEdge(own.slice(1), own)).toBeUndefined()
    const other = own.map((contest, index): PairedContest => (index % 9 === 0 ? { ...contest, profit: LOST } : contest))
    expect(pairedEdge(own, other)).toMatchObject({ chunks: 10, contests: LEAST_PAIRED })
  })

  test('finds nothing where there is nothing, neighbours that belong together or not', () => {
    const none = (tides: number) =>
      shareOf(
        400,
        (random) => ({ random, contests: 600, chances: [0.5, 0.5], tides }),
        (p) => p < 0.05,
      )
    // 5 %, within three standard errors of 400 tries.
    for (const tides of [0, 0.15]) expect(none(tides)).toBeLessThan(0.083)
  })

  test('finds ten points in a thousand contests, and says how many it takes', () => {
    const play = (random: Random): Play => ({ random, contests: 1000, chances: [0.5 + 0.1 / 1.9, 0.5] })
    expect(shareOf(100, play, (p) => p < 0.05)).toBeGreaterThan(0.8)
    const paired = compare(play(keyedRandom(4)))
    expect(paired?.low).toBeLessThan(0.1)
    expect(paired?.high).toBeGreaterThan(0.1)
    expect(paired?.contestsNeeded).toBeGreaterThan(100)
    expect(paired?.contestsNeeded).toBeLessThan(3000)
  })
})

describe('a difference by known chunks', () => {
  const chunksOf = (contests: readonly PairedContest[], size: number) =>
    Array.from({ length: contests.length / size }, (_, chunk) => chunkOf(contests.slice(chunk * size, (chunk + 1) * size)))

  test('is that of the paired edge where the chunks are the same', () => {
    const [own, other] = playedTwice({ random: keyedRandom(5), contests: 480, chances: [0.6, 0.5] })
    const paired = pairedEdge(own, other)
    const found = chunkedDifference(chunksOf(own, 24), chunksOf(other, 24))
    expect(found).toMatchObject({ chunks: 20, edge: paired?.edge, edgeAgainst: paired?.edgeAgainst, difference: paired?.difference })
    expect(found && intervalOf(found)).toEqual({ low: paired?.low, high: paired?.high })
    expect(paired && standardErrorOf(paired)).toBeCloseTo(found?.error ?? 0, 12)
  })

  test('a chunk has what contests and swaps made, without what was given back', () => {
    const [[first, second, third]] = playedTwice({ random: keyedRandom(6), contests: 3, chances: [1, 0] })
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
    const chunk = chunkOf([
      { ...first, swapProfit: usdc('0.5') },
      { ...second, result: 'REFUND' },
      { ...third, result: null },
    ])
    expect(chunk).toEqual({ profit: 1_400_000, stake: 1_000_000 })
  })

  test('says nothing of one chunk, of a side that staked nothing, and where nothing varies', () => {
    const [won, lost, none] = [
      { profit: 9, stake: 10 },
      { profit: -10, stake: 10 },
      { profit: 0, stake: 0 },
    ]
    expect(chunkedDifference([won, lost], [lost, lost])).toMatchObject({ difference: 0.95 })
    expect(chunkedDifference([won], [lost])).toBeUndefined()
    expect(chunkedDifference([none, none], [won, lost])).toBeUndefined()
    expect(chunkedDifference([won, lost], [none, none])).toBeUndefined()
    expect(chunkedDifference([won, lost], [won, lost])).toBeUndefined()
  })
})
