import { describe, expect, test } from 'vitest'
import { decoded, unreadable } from '../../test/support/scriptedService.ts'
import { usdc } from '../core/usdc.ts'
import { guardConfig } from '../strategy/guardConfig.ts'
import { IncompleteAnswers } from './answers/incompleteAnswers.ts'
import { KnownSignatures } from './answers/knownSignatures.ts'
import { Strays } from './answers/strays.ts'
import { PriceBook } from './prices/priceBook.ts'
import type { InputOf, ReadResult } from './protocol/input.ts'
import { inPlace } from './protocol/ports.ts'
import { Reads } from './reads.ts'
import { Present } from './state/present.ts'
import { StepDraft } from './stepDraft.ts'

const NOW = 50_000

function open() {
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') })
  const present = new Present({
    config: { name: 'alice', strategies: [], guard, sweep: true, seed: 0 },
    paths: {},
    timeoutMs: 5000,
    figuresHoldMs: 60_000,
    book: new PriceBook(),
    seal: () => ({ salt: '', commitment: '' }),
    isolation: inPlace,
  })
  present.step = new StepDraft({ type: 'timer', n: 1, at: NOW })
  const answer = (result: ReadResult): InputOf<'answer'> => ({
    type: 'answer',
    n: 1,
    at: NOW,
    begunAt: NOW,
    request: { procedure: 'agent.bankroll', input: null, purpose: 'bankroll' },
    result,
  })
  const strays = new Strays(present, { signatures: new KnownSignatures(), isNamed: () => false })
  return {
    present,
    reads: new Reads(present, { strays, incomplete: new IncompleteAnswers(present) }),
    answer,
    good: answer(decoded('agent.bankroll', { available: '1' })),
  }
}

describe('Reads', () => {
  test('one of a purpose at a time; asked for meanwhile, again at once', () => {
    const { present, reads, good } = open()
    reads.ask('bankroll', 'agent.bankroll', null)
    expect([reads.askedIn('bankroll'), reads.askedIn('limits')]).toEqual([1, undefined])
    present.step = new StepDraft({ type: 'timer', n: 2, at: NOW })
    reads.ask('bankroll', 'agent.bankroll', null)
    expect(present.step.reads).toHaveLength(0)
    expect(reads.isUnderWay('bankroll')).toBe(true)
    expect(reads.answered(good)).toEqual({ askedIn: 1, againAt: NOW })
    expect(reads.isUnderWay('bankroll')).toBe(false)
    reads.ask('bankroll', 'agent.bankroll', null)
    reads.ask('bankroll', 'agent.bankroll', null)
    expect(present.step.reads).toHaveLength(1)
    expect(reads.answered(good), 'asked for twice by one input').toEqual({ askedIn: 2, againAt: undefined })
    expect(reads.answered(good).askedIn, 'asked for by nobody').toBeUndefined()
  })

  test('after a failure again in a second, or when the service says', () => {
    const { present, reads, answer } = open()
    expect(reads.answered(answer(unreadable())).againAt).toBe(NOW + 1000)
    const refusal = { code: 'RATE_LIMITED', message: 'slow down', status: 429, details: { retryAfterMs: 12_000 } }
    expect(reads.answered(answer({ ok: false, refusal, reason: 'slow down' })).againAt).toBe(NOW + 12_000)
    const forADay = { ok: false, refusal: { ...refusal, details: { retryAfterMs: 86_400_000 } }, reason: 'slow down' } as const
    expect(reads.answered(answer(forADay)).againAt, 'its limit is of a minute').toBe(NOW + 60_000)
    const state = {
      ...answer(forADay),
      request: { procedure: 'agent.modes.state', input: { contestId: 'c' }, purpose: 'state:c' },
    } as const
    expect(reads.answered(state).againAt, 'a move may hang on it').toBe(NOW + 2000)
    for (const details of [{ retryAfterMs: 'soon' }, { retryAfterMs: -5 }, null, 'x']) {
      expect(reads.answered(answer({ ok: false, refusal: { ...refusal, details }, reason: 'x' })).againAt).toBe(NOW + 1000)
    }
    expect(present.step.notes[0]).toEqual({
      level: 'warn',
      message: 'agent.bankroll could not be read: HTTP 503',
      fields: { purpose: 'bankroll' },
    })
  })
})
