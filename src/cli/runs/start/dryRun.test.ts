import { describe, expect, test } from 'vitest'
import { ScriptedService } from '../../../../test/support/scriptedService.ts'
import { VirtualClock } from '../../../core/clock.ts'
import { usdc } from '../../../core/usdc.ts'
import { withoutPosts } from './dryRun.ts'

const enqueue = (stake: bigint) => ({ procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake, durationSec: 15 } }) as const

describe('withoutPosts', () => {
  test('keeps every action back, says so, and notes it in the form of the wire', async () => {
    const service = new ScriptedService(new VirtualClock(0))
    const dry = withoutPosts(service)
    for (const stake of [usdc('1'), usdc('2'), usdc('1')]) {
      expect(await dry.service.act(enqueue(stake))).toEqual({ status: 'notSent', reason: 'dry run' })
    }
    expect(service.acts).toEqual([])
    const noted = (stake: string, times: number) => ({
      procedure: 'agent.queue.enqueue',
      input: { mode: 'up_down', stake, durationSec: 15 },
      times,
    })
    expect(dry.keptBack()).toEqual([noted('1000000', 2), noted('2000000', 1)])
  })

  test('lets reads through', async () => {
    const service = new ScriptedService(new VirtualClock(0))
    const answer = await withoutPosts(service).service.read({ procedure: 'agent.bankroll', input: null })
    expect(answer).toMatchObject({ ok: true, output: { available: usdc('1000') } })
  })

  test('lists at most a thousand kinds', async () => {
    const dry = withoutPosts(new ScriptedService(new VirtualClock(0)))
    for (let stake = 1n; stake <= 1100n; stake++) await dry.service.act(enqueue(stake))
    await dry.service.act(enqueue(1n))
    expect(dry.keptBack()).toHaveLength(1000)
    expect(dry.keptBack()[0]?.times).toBe(2)
  })
})
