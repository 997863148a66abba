import { describe, expect, test } from 'vitest'
import { playDuel, playOn, recordedDuel } from './support/recordedDuel.ts'

describe('an opponent of a log', () => {
  test('plays again with the score that was read', async () => {
    const { others } = await playDuel({ mode: 'pnl_usd', scores: { own: '0', other: '123.5' } })
    expect(others).toMatchObject([{ source: 'recorded', score: '123.5' }])
  })

  test.each([
    ['whose entry was never read', {}],
    ['whose score was never read', { scores: { own: '0', other: '1' }, read: { status: 'live' } }],
    ['that nothing tells from the bot itself', { scores: { own: '0', other: '1' }, read: { you: undefined } }],
  ])('%s is one of the house, and plays', async (_name, recorded) => {
    const { others, result } = await playDuel({ mode: 'pnl_usd', ...recorded })
    expect(others).toMatchObject([{ source: 'reference', score: expect.any(String) }])
    expect(result).toMatch(/^(WIN|LOSS)$/)
  })
})

describe('logs of two bots', () => {
  test('come to the same in whatever order they are named', async () => {
    const [alice, bob] = [
      recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '0.25' } }),
      recordedDuel({ mode: 'pnl_usd', scores: { own: '0', other: '0.5' }, bot: 'bob', laterMs: 2300 }),
    ]
    const { fingerprint } = await playOn([alice, bob], 'pnl_usd')
    expect((await playOn([bob, alice], 'pnl_usd')).fingerprint).toBe(fingerprint)
  })
})
