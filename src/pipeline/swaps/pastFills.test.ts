import { expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { openTestBot } from '../../../test/support/testBot.ts'
import { once } from '../../../test/support/testStrategies.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import type { Fill } from '../../strategy/view.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import type { JournalRecord } from '../protocol/journalRecord.ts'

// What a journal gives back of swaps and of contests comes to the same as it did when it happened.

const contestId = keyedUuid('contest')
const HOUR_MS = 3_600_000
const SOL = 1_000_000_000n

/** A contest won by 9 USDC in which a SOL was bought for 10, and swept an hour after its end for 4. */
function journalOf(wonAt: number): MemoryJournal {
  const journal = new MemoryJournal()
  const record = (fields: Partial<JournalRecord> & Pick<JournalRecord, 'n' | 'at'>): JournalRecord => ({
    ...{ intents: [], outcomes: [], custody: [], swaps: [], fills: [], refusals: [] },
    ...fields,
  })
  const fill = (n: number, at: number, fields: Pick<Fill, 'from' | 'to' | 'given' | 'received'>) =>
    record({ n, at, fills: [{ key: `${n}:t:0`, contestId, signature: undefined, at, feeLamports: 0n, source: 'chain', ...fields }] })
  const won = rawEvent('contest.settled', { contestId, mode: 'pnl_usd', result: 'WIN', stake: '10000000', profit: '9000000' }, wonAt)
  journal.commit(fill(1, wonAt - 60_000, { from: USDC_MINT, to: SOL_MINT, given: usdc('10'), received: SOL }))
  journal.commit(record({ n: 2, at: wonAt, event: { raw: won, problem: undefined } }))
  journal.commit(fill(3, wonAt + HOUR_MS, { from: SOL_MINT, to: USDC_MINT, given: SOL, received: usdc('4') }))
  return journal
}

test('the peak of the profit is where it was: what was lost after it is a fall', async () => {
  const bot = await openTestBot({
    journal: journalOf(START_MS - 2 * HOUR_MS),
    clock: new VirtualClock(START_MS),
    strategies: [once(enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 }))],
    guard: { maxDrawdown: usdc('6.5') },
  })
  await bot.run(1000)
  expect(bot.refusals()).toEqual(['DRAWDOWN_STOP'])
  expect(bot.status().swapProfit).toBe(usdc('-6'))
})

test('what is swept after midnight is of the day it was swept on', async () => {
  const midnight = Date.parse('2025-03-01T00:00:00Z')
  const bot = await openTestBot({ journal: journalOf(midnight - 10_000), clock: new VirtualClock(START_MS) })
  await bot.run(1000)
  expect(bot.status().today()?.lost).toBe(usdc('6'))
})

test('a swap after the last event is in its portfolio once the journal is read', async () => {
  const journal = journalOf(START_MS - 2 * HOUR_MS)
  const open = keyedUuid('open')
  const bought = { from: USDC_MINT, to: SOL_MINT, given: usdc('3'), received: SOL } as const
  journal.commit({
    ...{ n: 4, at: START_MS - 1, intents: [], outcomes: [], custody: [], swaps: [], refusals: [] },
    fills: [{ key: '4:t:0', contestId: open, signature: undefined, at: START_MS - 1, feeLamports: 0n, source: 'chain', ...bought }],
  })
  const bot = await openTestBot({ journal, clock: new VirtualClock(START_MS) })
  expect([...bot.status().portfolios.keys()]).toEqual([open])
})
