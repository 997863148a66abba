import { type Mint, type Price, TOKENS, usdc } from 'cornerman'
import { CustomUnderTest, contestView, expectConformance, ticketView } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import runaway from './runaway.ts'

const [first, second, third] = TOKENS.map(({ mint }) => mint) as [Mint, Mint, Mint]

/** After ten seconds in which each token went from 100 to what is said. */
function risen(ends: Readonly<Record<Mint, Price>>, params: Parameters<typeof runaway>[0] = {}, view = {}): CustomUnderTest {
  const strategy = new CustomUnderTest(runaway({ lookbackSec: 10, lead: 0.01, ...params }), view)
  strategy.prices(Object.fromEntries(Object.keys(ends).map((mint) => [mint, '100'])))
  strategy.wait(10)
  strategy.prices(ends)
  return strategy
}

const entered = { type: 'enqueue', mode: 'draft_basket', stake: usdc('1'), durationSec: 20, waitSec: 30 }

describe('runaway', () => {
  test('keeps the contract of a strategy', () => expectConformance(runaway()))

  test('enters a draft while a token leads by enough, of whatever it leads', () => {
    expect(risen({ [first]: '102', [second]: '100.5', [third]: '90' }).policyTurn()).toEqual([entered])
    expect(risen({ [first]: '99.5', [second]: '97', [third]: '102' }, { stake: usdc('2') }).policyTurn()).toEqual([
      { ...entered, stake: usdc('2') },
    ])
  })

  test('enters none where none leads, or by too little', () => {
    expect(risen({ [first]: '102', [second]: '101.5' }).policyTurn()).toEqual([])
    expect(risen({ [first]: '100', [second]: '100' }, { lead: 0 }).policyTurn()).toEqual([])
    expect(new CustomUnderTest(runaway()).policyTurn()).toEqual([])
  })

  test('has one draft at a time', () => {
    const ends = { [first]: '102', [second]: '100' }
    expect(risen(ends, {}, { tickets: [ticketView()] }).policyTurn()).toEqual([])
    expect(risen(ends, {}, { contests: [contestView()] }).policyTurn()).toEqual([])
  })

  test('picks what rose most of what is left', () => {
    const strategy = risen({ [first]: '102', [second]: '103', [third]: '101' })
    const pick = (available: readonly Mint[]) => strategy.draftTurn({ available, contest: { contestId: 'd' } })
    expect(pick([first, second, third])).toEqual([{ type: 'draftPick', contestId: 'd', token: second }])
    expect(pick([third, first])).toEqual([{ type: 'draftPick', contestId: 'd', token: first }])
    expect(pick([])).toEqual([])
  })
})
