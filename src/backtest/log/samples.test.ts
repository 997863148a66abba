import { expect, test } from 'vitest'
import { rawEvent } from '../../../test/support/rawEvents.ts'
import { decoded } from '../../../test/support/scriptedService.ts'
import { readEvent } from '../../contract/events.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { Decision } from '../../recording/index.ts'
import type { HeaderLine } from '../../recording/lines.ts'
import { fitWorld, worldOf } from '../fit/assumptions.ts'
import { Samples } from './samples.ts'

const AT_MS = Date.UTC(2025, 6, 21, 12)

test('a swap counts as it was last quoted, once it was filled', () => {
  const samples = new Samples()
  let n = 0
  const decide = (decision: Decision) => samples.onOutput({ kind: 'output', n: ++n, at: AT_MS + n, decisions: [decision] })
  const approve = (key: string) => decide({ type: 'approved', key, strategy: 'trader', action: { type: 'swap' }, stake: '0', risk: '0' })
  const end = (key: string, status: string, detail = '') => decide({ type: 'outcome', key, status, detail })
  const quote = (key: string, outAmount: bigint | null) => {
    const pair = { from: USDC_MINT, to: SOL_MINT, inAmount: 10_000_000n, slippageBps: 50, impactBps: 1, askedAt: AT_MS }
    const result =
      outAmount === null
        ? ({ ok: false, reason: 'no route', retryable: true } as const)
        : ({ ok: true, quote: { ...pair, outAmount, minOut: outAmount }, raw: null } as const)
    samples.onInput({ n: ++n, at: AT_MS + n, type: 'quoted', key, result })
  }
  for (const key of ['filled', 'reverted', 'expired', 'unquoted', 'simulated', 'kept']) approve(key)
  quote('filled', 50n)
  quote('filled', 55n)
  quote('reverted', 60n)
  quote('expired', 65n)
  quote('unquoted', null)
  for (const key of ['filled', 'reverted', 'expired']) end(key, key)
  end('unquoted', 'filled')
  end('simulated', 'refused', 'SIMULATION_FAILED: the price has moved on')
  end('kept', 'refused', 'QUOTE_STALE: the quote is old')
  expect(samples.filled).toEqual([expect.objectContaining({ at: AT_MS + 8, inAmount: 10_000_000n, outAmount: 55n })])
  expect([samples.swapsFilled, samples.swapsFailed]).toEqual([2, 3])
  expect(samples.times).toMatchObject({ filled: [AT_MS + 12], swapsFilled: [AT_MS + 12, AT_MS + 15] })
  expect([samples.times.swapsFailed.length, samples.times.quoteMs.length]).toEqual([3, samples.quoteMs.length])
})

test('the rake is told by duels alone: the winner of a lobby gets a part of another pot', () => {
  const samples = new Samples()
  const tell = (raw: unknown) =>
    samples.onInput({ n: 1, at: AT_MS, type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: false })
  const won = (contestId: string, payout: string, profit: string) =>
    rawEvent('contest.settled', { contestId, result: 'WIN', stake: '1000000', payout, profit })
  tell(rawEvent('match.found', { ticketId: keyedUuid('ticket'), contestId: keyedUuid('duel') }))
  tell(won(keyedUuid('duel'), '1900000', '900000'))
  tell(won(keyedUuid('lobby'), '1520000', '520000'))
  expect(samples.paidShares).toEqual([0.95])
})

test('what a bot has and may is of its own log, else of the first', () => {
  const samples = new Samples()
  const read = (bot: string, available: string) => {
    samples.onHeader({ kind: 'header', bot } as HeaderLine)
    const { output } = decoded('agent.bankroll', { available, inPlay: '0' }) as { output: unknown }
    const request = { procedure: 'agent.bankroll', input: null, purpose: 'bankroll' } as const
    samples.onInput({ n: 1, at: AT_MS, type: 'answer', request, begunAt: AT_MS, result: { ok: true, output: output as never } })
  }
  read('alice', '1000000000')
  read('bob', '20000000')
  read('bob', '10000000')
  const { world } = fitWorld({ samples, prices: { mints: [] } as never, isImported: false, stepMs: 0 })
  const bankroll = (bot: string, stated = {}) => worldOf(bot, { world, samples, stated }).bankroll
  expect([bankroll('alice'), bankroll('bob'), bankroll('carol')]).toEqual([usdc('1000'), usdc('20'), usdc('1000')])
  expect(bankroll('bob', { bankroll: usdc('7') })).toBe(usdc('7'))
})
