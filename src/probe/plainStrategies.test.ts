import { expect, test } from 'vitest'
import { usdc } from '../core/usdc.ts'
import type { QueueContext } from '../strategy/define.ts'
import { ProbePolicy } from './plainStrategies.ts'

const STAKE = usdc('1')
const open = (contestId: string, sidesTaken: readonly string[] = []) => ({
  contestId,
  mode: 'up_down',
  stake: STAKE,
  filled: 0,
  capacity: 2,
  sidesTaken,
})

function asked(policy: ProbePolicy, ...openContests: readonly ReturnType<typeof open>[]) {
  const { strategy } = policy
  if (strategy.kind !== 'queue') throw new Error('a policy is no other strategy')
  return strategy.decide({ openContests } as unknown as QueueContext<unknown>) as unknown
}

test('a contest with sides is joined with one, once', () => {
  const policy = new ProbePolicy()
  policy.want({ mode: 'up_down', stake: STAKE, durationSec: 20 })
  expect(asked(policy)).toEqual([])
  expect(asked(policy, open('a'))).toMatchObject([{ type: 'joinContest', contestId: 'a', side: 'UP' }])
  expect(asked(policy, open('a'), open('b'))).toEqual([])
})

test('a side that is taken is left alone, a join that was refused is followed by another', () => {
  const policy = new ProbePolicy()
  policy.want({ mode: 'up_down', stake: STAKE, durationSec: 20 })
  expect(asked(policy, open('a', ['UP']))).toMatchObject([{ contestId: 'a', side: 'DOWN' }])
  expect(policy.refused()).toBe(true)
  expect(asked(policy, open('a', ['UP']))).toEqual([])
  expect(asked(policy, open('b'))).toMatchObject([{ contestId: 'b', side: 'DOWN' }])
  expect(policy.refused()).toBe(true)
  expect(asked(policy, open('b'))).toMatchObject([{ contestId: 'b', side: 'UP' }])
  for (const [index, contestId] of ['c', 'd', 'e'].entries()) {
    expect(policy.refused(), String(index)).toBe(true)
    expect(asked(policy, open(contestId))).toHaveLength(1)
  }
  expect(policy.refused()).toBe(false)
})

test('a mode of the queue is asked for once, and given up with its refusal', () => {
  const policy = new ProbePolicy()
  policy.want({ mode: 'draft_basket', stake: STAKE, durationSec: 20 })
  expect(asked(policy)).toMatchObject([{ type: 'enqueue', mode: 'draft_basket' }])
  expect(policy.refused()).toBe(false)
  expect(asked(policy)).toEqual([])
})
