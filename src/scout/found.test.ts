import { describe, expect, test } from 'vitest'
import { Found, foundSentence, isOfUse } from './found.ts'

const seat = (score?: string | null) => ({ entryId: 'e', ...(score === undefined ? {} : { score }) })

describe('what settled contests tell', () => {
  test('is counted by what each could tell', () => {
    const found = new Found()
    found.settledAs({ mode: 'pnl_usd', entries: [seat('1'), seat(null)] }, undefined)
    found.settledAs({ mode: 'draft_basket', entries: [seat('1'), seat('2')] }, { picks: [{ tokens: ['SOL'] }], startPrices: { SOL: '1' } })
    found.settledAs({ mode: 'draft_basket', entries: [seat('1'), seat('2')] }, { picks: [{ tokens: [] }] })
    found.settledAs({ mode: 'up_down', entries: [seat('1'), seat()] }, { startPrice: '187.25' })
    found.settledAs({ mode: 'of_later' }, undefined)
    expect(foundSentence(found)).toBe('of 5 settled contests: entries of 4, scores of 3, picks of 1 of 2, start prices of 2 of 3')
    expect(isOfUse(found)).toBe(true)
  })

  test('is of no use for backtests without scores', () => {
    const found = new Found()
    found.settledAs({ mode: 'pnl_usd', entries: [seat(), seat()] }, undefined)
    expect(isOfUse(found)).toBe(false)
    expect(foundSentence(found)).toBe(
      'of 1 settled contest: entries of 1, scores of 0; without scores they are of no use for backtests: the prices are',
    )
  })
})
