import { type OpenContestView, usdc } from 'cornerman'
import { contestView, expectConformance, NOW_MS, openContestView, queueContext, ticketView } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import sniper from './sniper.ts'

type Params = Parameters<typeof sniper>[0]

const open = (contestId: string, fields: Partial<OpenContestView> = {}) =>
  openContestView({ contestId, mode: 'pnl_usd', format: 'lobby', capacity: 4, filled: 2, ...fields })
const decide = (openContests: readonly OpenContestView[], params: Params = {}) => sniper(params).decide(queueContext({ openContests }))

describe('sniper', () => {
  test('keeps the contract of a strategy', () => expectConformance(sniper()))

  test('joins the fullest, then the one that closes soonest, and names the others of its mode', () => {
    const contests = [
      open('half'),
      open('late', { filled: 3, joinBy: NOW_MS + 40_000 }),
      open('soon', { filled: 3, joinBy: NOW_MS + 20_000 }),
      open('another', { mode: 'best_trade' }),
    ]
    expect(decide(contests)).toEqual([{ type: 'joinContest', contestId: 'soon', orElse: ['late', 'half'] }])
  })

  test.each<readonly [what: string, contest: Partial<OpenContestView>, params: Params]>([
    ['of another mode', {}, { modes: ['draft_basket'] }],
    ['of another format', {}, { formats: ['duel'] }],
    ['open to others', { opponents: 'HUMAN' }, { opponents: ['AGENT', 'ANY'] }],
    ['that does not say whom it is open to, where ANY is not wanted', { opponents: undefined }, { opponents: ['AGENT'] }],
    ['that stakes too little', { stake: usdc('0.49') }, { minStake: usdc('0.5') }],
    ['that stakes too much', { stake: usdc('1') + 1n }, {}],
    ['with too few seats taken', { filled: 1 }, { minFilled: 2 }],
    ['that is full', { filled: 4 }, {}],
    ['that is about to close', { joinBy: NOW_MS + 3999 }, {}],
    ['that is open for too long yet', { joinBy: NOW_MS + 30_001 }, { maxLeftSec: 30 }],
    ['that lasts too long', { durationSec: 901 }, {}],
  ])('joins none %s', (_, contest, params) => {
    expect(decide([open('x', contest)], params)).toEqual([])
    expect(decide([open('x')])).toHaveLength(1)
  })

  test('joins at the edges of its filter, and where it is not said until when', () => {
    const edges = { stake: usdc('1'), joinBy: NOW_MS + 4000, durationSec: 900 }
    expect(decide([open('x', edges)])).toHaveLength(1)
    expect(decide([open('x', { joinBy: undefined })], { maxLeftSec: 5 })).toHaveLength(1)
  })

  test('is in no more at once than it was told', () => {
    const busy = { openContests: [open('x')], tickets: [ticketView()], contests: [contestView()] }
    expect(sniper().decide(queueContext(busy))).toEqual([])
    expect(sniper({ atOnce: 3 }).decide(queueContext(busy))).toHaveLength(1)
  })

  test('asks to see what it may join, and takes no filter that lets nothing through', () => {
    expect(sniper({ modes: ['up_down'] }).browse).toEqual({ modes: ['up_down'], minStake: usdc('0.1'), maxStake: usdc('1') })
    expect(() => sniper({ minStake: usdc('2') })).toThrow('minStake must be at most maxStake')
    expect(() => sniper({ minLeftSec: 10, maxLeftSec: 5 })).toThrow('minLeftSec must be at most maxLeftSec')
  })
})
