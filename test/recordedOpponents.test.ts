import { describe, expect, test } from 'vitest'
import { cancelTicket } from '../src/strategy/action.ts'
import type { ContestView } from '../src/strategy/view.ts'
import { SOL } from './support/logFiles.ts'
import { duelTicket, playDuel, playOn, recordedDuel } from './support/recordedDuel.ts'
import { policy } from './support/testStrategies.ts'

describe('an opponent of a log', () => {
  test('plays again with the score that was read', async () => {
    const { others } = await playDuel({ mode: 'pnl_usd', scores: { own: '0', other: '123.5' } })
    expect(others).toMatchObject([{ source: 'recorded', score: '123.5' }])
  })

  test('is met by the next ticket where the one that would have met it was taken back', async () => {
    let isTakenBack = false
    const changesItsMind = policy(
      ({ tickets: [ticket], contests }) => {
        if (ticket === undefined) return contests.length > 0 ? [] : [duelTicket('pnl_usd')]
        if (isTakenBack) return []
        isTakenBack = true
        return [cancelTicket({ ticketId: ticket.ticketId })]
      },
      { everySec: 1 },
    )
    const log = recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '123.5' } })
    const { bots } = await playOn([log], 'pnl_usd', undefined, changesItsMind)
    expect(isTakenBack).toBe(true)
    expect(bots[0]?.contests[0]?.others).toMatchObject([{ source: 'recorded', score: '123.5' }])
  })

  test.each([
    ['long', 15, ['WAITED_FOR_THE_LOG']],
    ['no longer than usual', 4, []],
  ])('is waited for %s, and it is said where that makes contests fewer', async (_name, matchedSec, codes) => {
    const log = recordedDuel({ mode: 'pnl_usd', matchedSec, scores: { own: '0', other: '123.5' } })
    const [bot] = (await playOn([log], 'pnl_usd')).bots
    expect(bot?.contests[0]?.others).toMatchObject([{ source: 'recorded' }])
    expect(bot?.warnings.map(({ code }) => code).filter((code) => code === 'WAITED_FOR_THE_LOG')).toEqual(codes)
  })

  test.each([
    ['whose entry was never read', {}],
    ['whose score was never read', { scores: { own: '0', other: '1' }, read: { status: 'live' } }],
    ['that nothing tells from the bot itself', { scores: { own: '0', other: '1' }, read: { you: undefined } }],
  ])('%s is one of the house, and plays', async (_name, recorded) => {
    const { others, result } = await playDuel({ mode: 'pnl_usd', ...recorded })
    expect(others).toMatchObject([{ source: 'reference', score: expect.any(String) }])
    expect(result).toMatch(/^(WIN|LOSS)$/)
  })
})

describe('the seats of a contest', () => {
  test('are what a strategy is shown in a backtest, without a score of the opponent’s that only the end tells', async () => {
    const shown: ContestView[] = []
    const looks = policy(
      ({ tickets, contests }) => {
        shown.push(...contests.filter(({ phase }) => phase === 'live'))
        return tickets.length + contests.length > 0 ? [] : [duelTicket('pnl_usd')]
      },
      { everySec: 1 },
    )
    const log = recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '123.5' } })
    const { bots } = await playOn([log], 'pnl_usd', undefined, looks)
    expect(bots[0]?.contests[0]?.others).toMatchObject([{ source: 'recorded', score: '123.5' }])
    const last = shown.findLast(({ standings }) => standings !== undefined)
    expect(last).toMatchObject({ capacity: 2, filled: 2 })
    expect(last?.standings?.map(({ isOwn, score }) => [isOwn, score]).toSorted()).toEqual([
      [false, undefined],
      [true, undefined],
    ])
    expect(shown.flatMap(({ standings = [] }) => standings.flatMap(({ score }) => score ?? []))).toEqual([])
  })
})

describe('logs of two bots', () => {
  test('come to the same in whatever order they are named', async () => {
    const [alice, bob] = [
      recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '0.25' } }),
      recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '0.5' }, bot: 'bob', laterMs: 2300 }),
    ]
    const { fingerprint } = await playOn([alice, bob], 'pnl_usd')
    expect((await playOn([bob, alice], 'pnl_usd')).fingerprint).toBe(fingerprint)
  })
})

describe('a race to a target', () => {
  const race = { mode: 'target_race', params: { targetPct: 1 } } as const

  test('is lost to an opponent who was there first', async () => {
    const risesLate = (sec: number) => (sec < 10 ? 100 : 105)
    const played = await playDuel({ ...race, priceAt: risesLate, endedSec: 3, scores: { own: '0', other: '0.011' } })
    expect(played).toMatchObject({ result: 'LOSS', others: [{ source: 'recorded', score: '0.011' }] })
    expect(played.endedAt - (played.startsAt ?? 0)).toBe(3000)
  })

  test('is won by the bot where it is there first, whatever the opponent came to later', async () => {
    const risesSoon = (sec: number) => (sec < 3 ? 100 : 101.3)
    const played = await playDuel({ ...race, priceAt: risesSoon, endedSec: 8, scores: { own: '0', other: '0.019' } })
    expect(played).toMatchObject({ result: 'WIN', others: [{ source: 'recorded', score: null }] })
    expect(played.endedAt - (played.startsAt ?? 0)).toBeLessThan(8000)
  })

  test('ends for an opponent also where the bot holds nothing', async () => {
    const played = await playDuel({ ...race, endedSec: 3, scores: { own: null, other: '0.011' } }, 0n)
    expect(played).toMatchObject({ result: 'LOSS', score: null })
    expect(played.endedAt - (played.startsAt ?? 0)).toBe(3000)
  })

  test('that nobody ended is decided by the scores', async () => {
    const played = await playDuel({ ...race, scores: { own: '0', other: '0.009' } })
    expect(played).toMatchObject({ result: 'LOSS', others: [{ source: 'recorded', score: '0.009' }] })
  })

  test('that the recorded bot ended says nothing of what its opponent would have come to: one of the house plays', async () => {
    const played = await playDuel({ ...race, endedSec: 6, scores: { own: '0.012', other: '0.009' }, result: 'WIN' })
    expect(played.others).toMatchObject([{ source: 'reference' }])
  })
})

describe('the last bag standing', () => {
  const bags = { mode: 'last_bag_standing', params: { token: SOL } } as const

  test.each([
    // The recorded bot was out with the first quarter: 5 seconds, and a bag of so much.
    ['wins with the larger bag', 5, '25', 'LOSS', '40.000000'],
    ['loses with the smaller bag', 5, '7', 'WIN', '22.000000'],
    ['that stood to the end has its score', 20, '40.5', 'LOSS', '40.5'],
  ])('an opponent %s', async (_name, endedSec, other, result, score) => {
    const played = await playDuel({ ...bags, endedSec, scores: { own: null, other } })
    expect(played).toMatchObject({ result, others: [{ source: 'recorded', score: expect.stringContaining(String(Number(score))) }] })
    expect(played.endedAt - (played.startsAt ?? 0)).toBe(20_000)
  })

  test.each([
    ['let go of its bag is out then', 8, '8', 8000],
    ['had none by the end of the first quarter is out with it', 5, '5', 5000],
  ])('an opponent that %s', async (_name, endedSec, other, ms) => {
    const played = await playDuel({ ...bags, endedSec, scores: { own: '18', other }, result: 'WIN' })
    expect(played.result).toBe('WIN')
    expect(played.endedAt - (played.startsAt ?? 0)).toBe(ms)
  })
})
