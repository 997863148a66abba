import { expect, test } from 'vitest'
import { freshBot } from '../../test/support/randomWorld.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { readEvent } from '../contract/events.ts'
import { keyedUuid } from '../core/ids.ts'
import { PriceBook } from './prices/priceBook.ts'
import type { Input, InputBody } from './protocol/input.ts'

const [contestId, ticketId] = [keyedUuid('contest'), keyedUuid('ticket')]
const ENDS_MS = START_MS + 3000
const NO_COUNTS = { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 }
const iso = (ms: number) => new Date(ms).toISOString()

test.each([
  0, 999, 1000, 1500,
])('what the journal says is due is shown where nothing answers, though its last word is nobody’s and came %i ms after the first', (lastMs) => {
  const bot = freshBot(new PriceBook())
  let n = 0
  const take = (at: number, body: InputBody) => bot.step({ ...body, n: ++n, at } as Input)
  const hear = (at: number, raw: unknown) => take(at, { type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: true })
  const salt = 'a salt of sixteen letters'
  const custody = [{ contestId, entryId: keyedUuid('entry'), price: '1', salt, commitment: 'c', status: 'committed' as const }]
  take(START_MS, { type: 'started', pending: [], custody, claimed: [], swaps: [], fills: [], hasChain: true, counts: NO_COUNTS })
  hear(START_MS, rawEvent('match.found', { contestId, ticketId, mode: 'price_prediction' }, START_MS - 40_000))
  const live = { contestId, mode: 'price_prediction', startsAt: iso(START_MS - 30_000), endsAt: iso(ENDS_MS) }
  hear(START_MS, rawEvent('contest.live', live, START_MS - 30_000))
  let step = hear(START_MS + lastMs, { id: keyedUuid('odd'), type: 'of.a.later.service', data: {}, createdAt: iso(START_MS - 20_000) })
  const revealed: number[] = []
  // Nothing comes but the timers that it has asked for.
  for (let at = step?.wakeAt; at !== undefined && at < START_MS + 60_000 && revealed.length === 0; at = step?.wakeAt) {
    step = take(at, { type: 'timer' })
    for (const { action } of step?.orders ?? []) if (action.type === 'revealPrediction') revealed.push(at)
  }
  expect(revealed).toEqual([ENDS_MS + 50])
})
