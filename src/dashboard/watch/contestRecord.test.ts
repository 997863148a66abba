import { describe, expect, test } from 'vitest'
import { SOL_MINT } from '../../core/tokens.ts'
import { PriceBook } from '../../pipeline/index.ts'
import { ContestRecord } from './contestRecord.ts'

const START_MS = Date.UTC(2026, 0, 1)

/** A contest of SOL, and its feed of one price a second: 100 at the start, and a dollar more each minute. */
function open({ hours, fromSec = -90 }: { readonly hours: number; readonly fromSec?: number }) {
  const book = new PriceBook()
  const record = new ContestRecord('one')
  const endsAt = START_MS + hours * 3_600_000
  record.update({ phase: 'live', mode: 'pnl_usd', token: SOL_MINT, startsAt: START_MS, endsAt })
  const feedAt = (second: number) => ({ book, tick: book.tick, now: START_MS + second * 1000 })
  let second = fromSec
  const run = (untilSec: number) => {
    for (; second <= untilSec; second++) {
      const price = String(100 + second / 60)
      book.append({ at: START_MS + second * 1000, prices: new Map([[SOL_MINT, price]]) })
      record.keepStart(feedAt(second))
    }
    return record.view('alice', feedAt(untilSec), 0).prices[SOL_MINT]
  }
  return { record, run, feedAt }
}

describe('what prices of a contest are a change from', () => {
  test('the price at the start, also of a contest that lasts longer than prices are remembered', () => {
    const { record, run, feedAt } = open({ hours: 4 })
    const after = run(4 * 3600)
    expect(after?.points[0]?.at).toBeGreaterThan(START_MS)
    expect(after?.startPrice).toBe('100')
    record.update({ phase: 'settled' })
    record.close(feedAt(4 * 3600))
    expect(run(8 * 3600)?.startPrice).toBe('100')
  })

  test('the first one known, where none was known at the start', () => {
    expect(open({ hours: 1, fromSec: 60 }).run(600)?.startPrice).toBe('101')
  })

  test('the start as it was last said', () => {
    const { record, run } = open({ hours: 1 })
    run(10)
    record.update({ startsAt: START_MS + 6000 })
    expect(run(70)?.startPrice).toBe('100.1')
  })

  test('before it, the newest', () => {
    const { run } = open({ hours: 1 })
    expect(run(-30)?.startPrice).toBe('99.5')
    expect(run(60)?.startPrice).toBe('100')
  })

  test('and a token that has no price takes none from the others', () => {
    const { record, run } = open({ hours: 1 })
    run(600)
    record.concern('a token that nobody has a price of')
    expect(run(700)?.startPrice).toBe('100')
  })
})
