import { describe, expect, test } from 'vitest'
import type { ServiceEvent } from '../../contract/events.ts'
import { usdc } from '../../core/usdc.ts'
import { emptyBooks } from './books.ts'
import { type ByTerms, type SettledTerms, withTerms } from './byTerms.ts'
import { foldEvent } from './foldEvent.ts'
import { statsOf } from './views.ts'

const won: SettledTerms = {
  ...{ mode: 'up_down', versus: 'AGENT', stake: usdc('1'), durationSec: 20, result: 'WIN', profit: usdc('0.9') },
}
const played = (...settled: readonly Partial<SettledTerms>[]): ByTerms =>
  settled.reduce<ByTerms>((byTerms, terms) => withTerms(byTerms, { ...won, ...terms }), new Map())

describe('byTerms', () => {
  test('adds up what was played on the same terms', () => {
    const lost = { result: 'LOSS', profit: usdc('-1') } as const
    expect([...played({}, lost, {}).values()]).toEqual([
      {
        ...{ mode: 'up_down', versus: 'AGENT', stake: usdc('1'), durationSec: 20 },
        ...{ WIN: 2, LOSS: 1, DRAW: 0, REFUND: 0, profit: usdc('0.8') },
      },
    ])
  })

  test.each<Partial<SettledTerms>>([
    { mode: 'pnl_usd' },
    { versus: 'HUMAN' },
    { stake: usdc('2') },
    { durationSec: 21 },
    { durationSec: undefined },
  ])('tells terms apart: case %#', (other) => {
    expect(played({}, other, {}).size).toBe(2)
  })

  test('forgets the terms played least recently, and no others', () => {
    const many = Array.from({ length: 512 }, (_, second) => ({ durationSec: second + 1 }))
    const full = played(...many)
    expect(full.size).toBe(512)
    const after = [...withTerms(withTerms(full, { ...won, durationSec: 1 }), { ...won, durationSec: 1000 }).values()]
    expect(after).toHaveLength(512)
    expect(after.map(({ durationSec }) => durationSec).slice(-2)).toEqual([1, 1000])
    expect(after.some(({ durationSec }) => durationSec === 2)).toBe(false)
  })

  test('comes from the events: who it was against from the result, how long from the start', () => {
    const at = Date.UTC(2025, 6, 21)
    const event = <T extends ServiceEvent['type']>(type: T, data: object) => ({ id: type, type, data, createdAt: at }) as ServiceEvent
    const live = { contestId: 'c', mode: 'up_down', chain: 'solana', status: 'live', startsAt: at, endsAt: at + 20_000 }
    const settled = {
      contestId: 'c',
      mode: 'up_down',
      result: 'WIN',
      stake: usdc('1'),
      payout: usdc('1.9'),
      profit: usdc('0.9'),
      versus: 'HUMAN',
      rpDelta: null,
      rpAfter: null,
    }
    const ended = new Set<string>()
    const heard = foldEvent(foldEvent(emptyBooks, event('contest.live', live), ended), event('contest.settled', settled), ended)
    const record = { mode: 'up_down', versus: 'HUMAN', stake: usdc('1'), WIN: 1, LOSS: 0, DRAW: 0, REFUND: 0, profit: usdc('0.9') }
    expect(statsOf(heard).byTerms).toEqual([{ ...record, durationSec: 20 }])
    // Its start was never heard of.
    expect(statsOf(foldEvent(emptyBooks, event('contest.settled', settled), new Set())).byTerms).toEqual([
      { ...record, durationSec: undefined },
    ])
  })
})
