import { NEVER } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type RawCall, startRawServer } from '../../../test/support/rawServer.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { readConfig } from '../../strategy/config.ts'
import { defineTrader } from '../../strategy/define.ts'
import { requestChecks, requestsOf } from './marketRequests.ts'

const trader = defineTrader({ name: 'trader', modes: ['pnl_usd'], params: z.object({}), trade: () => NEVER })

const configOf = (market: object = {}, guard: object = {}) =>
  readConfig(
    {
      service: { kind: 'contestService', url: 'https://contests.example' },
      market,
      bots: ['alice', 'bob'].map((name) => ({
        ...{ name, agentKey: { secret: `${name.toUpperCase()}_KEY` }, strategies: [trader({})] },
        guard: { maxStake: usdc('1'), dailyLoss: usdc('5'), ...guard },
      })),
    },
    'bots.config.ts',
  )

const accessOf = (base: string, { apiKey, requestsPerMinute }: { apiKey?: string; requestsPerMinute?: number } = {}) => ({
  prices: { url: `${base}/price/v3`, apiKey },
  swaps: { swapUrl: `${base}/swap/v1`, apiKey, rpcUrl: undefined },
  requestsPerMinute,
  timeoutMs: 5000,
})
const JUPITER = 'https://api.jup.ag'

describe('the requests that a config wants', () => {
  test('are there without a key for the contests of one bot, and with one for those of both', () => {
    expect(requestsOf(configOf(), accessOf(JUPITER))).toMatchObject({
      verdict: 'warn',
      message: expect.stringMatching(
        /^30 requests a minute without a key bear 5 contests of swaps at once, .* comes to 6: .*market\.apiKey/,
      ),
    })
    expect(requestsOf(configOf({}, { maxOpenContests: 2 }), accessOf(JUPITER))).toMatchObject({ verdict: 'ok' })
    expect(requestsOf(configOf(), accessOf(JUPITER, { apiKey: 'k' }))).toMatchObject({ verdict: 'ok' })
  })

  test('are too few for any contest of swaps', () => {
    const found = requestsOf(configOf(), accessOf(JUPITER, { requestsPerMinute: 11 }))
    expect(found).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('11 requests a minute without a key bear no contest of swaps'),
    })
    expect(requestsOf(configOf(), accessOf(JUPITER, { requestsPerMinute: 12 }))?.verdict).toBe('warn')
  })

  test('are not counted where no limit is known', () => {
    expect(requestsOf(configOf(), accessOf('http://127.0.0.1:1'))).toBeUndefined()
  })
})

describe('what Jupiter says', () => {
  const checked = async (answer: (call: RawCall) => void, access: Parameters<typeof accessOf>[1]) => {
    await using server = await startRawServer(answer)
    return await requestChecks(configOf(), accessOf(server.url, access))
  }
  const priced = (headers: Record<string, string>) => (call: RawCall) => call.json(200, { [SOL_MINT]: { usdPrice: 150 } }, headers)

  test('of the limit goes before the config, which is told where it wants more', async () => {
    const stated = { 'x-ratelimit-remaining': '59', 'x-ratelimit-current': '1', 'x-ratelimit-reset': '1785000060' }
    expect(await checked(priced(stated), { apiKey: 'k', requestsPerMinute: 600 })).toMatchObject([
      { name: 'market key', verdict: 'ok', message: 'accepted' },
      { name: 'requests', verdict: 'warn', message: expect.stringContaining('market.requestsPerMinute = 600, and Jupiter takes 60') },
    ])
    expect(await checked(priced(stated), { apiKey: 'k' })).toMatchObject([{ verdict: 'ok' }, { verdict: 'ok' }])
  })

  test.each([401, 403])('of the key is named: %i', async (status) => {
    const refusing = (call: RawCall) => call.json(status, { code: status, message: 'Unauthorized' })
    const [key] = await checked(refusing, { apiKey: 'secret-key' })
    expect(key).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining(`the price feed refuses the key of market.apiKey (HTTP ${status}: Unauthorized)`),
    })
    expect(JSON.stringify(key)).not.toContain('secret-key')
    const [none] = await checked(refusing, {})
    expect(none).toMatchObject({ verdict: 'fail', message: expect.stringContaining('takes no requests without a key: set market.apiKey') })
  })

  test('of nothing leaves it open', async () => {
    const [key] = await checked((call) => call.json(500, {}), { apiKey: 'k' })
    expect(key).toMatchObject({ verdict: 'warn', message: expect.stringContaining('is not known') })
  })
})
