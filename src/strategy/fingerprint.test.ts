import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SOL_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { defineQueuePolicy, type QueueContext } from './define.ts'
import { fingerprintOf } from './fingerprint.ts'
import { guardConfig } from './guardConfig.ts'

const KEY = 'sk-9f2b7c41d8e3'
const MINT = '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs'

let seen: unknown
const model = defineQueuePolicy({
  name: 'model',
  params: z.looseObject({ stake: z.bigint().default(usdc('1')) }),
  external: true,
  decide: ({ params }) => {
    seen = params
    return []
  },
})
const printOf = (params: object) => {
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') })
  return fingerprintOf({ name: 'alice', strategies: [model(params as never)], guard, sweep: true, seed: 0 })
}

describe('the fingerprint of a bot', () => {
  test.each<readonly [name: string, params: object]>([
    ['a key', { apiKey: KEY }],
    ['a token', { access_token: KEY }],
    ['a secret', { SECRET: KEY }],
    ['a password', { dbPassword: KEY }],
    ['one in a list', { keys: [KEY] }],
    ['one within an object', { model: { key: KEY } }],
    ['whatever is within one', { secrets: { first: KEY } }],
  ])('has no secret of a strategy: %s', (_name, params) => {
    const print = JSON.stringify(printOf(params))
    expect(print).not.toContain(KEY)
    expect(print).toContain('***')
  })

  test('has all other parameters as they are: amounts, mints, empty texts', () => {
    const params = { stake: usdc('2'), token: SOL_MINT, tokens: [MINT, 'BONK'], apiKey: '', keyLevels: [1, 2n], note: 'the best' }
    const shown = { ...params, stake: '2000000', keyLevels: [1, '2'] }
    expect(printOf(params).strategies[0]?.params).toEqual(shown)
  })

  test('is another for other parameters, and the same for another secret, which is no part of how a bot plays', () => {
    expect(printOf({ note: 'a' }).config).not.toBe(printOf({ note: 'b' }).config)
    expect(printOf({ token: SOL_MINT }).config).not.toBe(printOf({ token: MINT }).config)
    expect(printOf({ apiKey: KEY })).toEqual(printOf({ apiKey: `${KEY}0` }))
    expect(printOf({ apiKey: KEY }).config).not.toBe(printOf({ apiKey: '' }).config)
  })

  test('takes nothing from the strategy itself', () => {
    void model({ apiKey: KEY }).decide({} as QueueContext<unknown>)
    expect(seen).toEqual({ stake: usdc('1'), apiKey: KEY })
  })
})
