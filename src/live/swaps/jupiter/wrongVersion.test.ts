import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { buildAnswer, TAKER } from '../../../../test/support/buildAnswer.ts'
import { type RawCall, startRawServer } from '../../../../test/support/rawServer.ts'
import { ASKED, FEES, QUOTE, START_MS } from '../../../../test/support/swapWorld.ts'
import { VirtualClock } from '../../../core/clock.ts'
import type { DexName } from '../../../strategy/dexes.ts'
import { openDex } from '../openDex.ts'

const absent = (call: RawCall) => call.json(404, { error: 'Not Found' })
const v1 = (call: RawCall) => call.json(200, QUOTE)
const v2 = (call: RawCall) => (call.method === 'GET' ? call.json(200, buildAnswer()) : absent(call))

/** What a swap that is tried and not sent comes to. */
async function lookBy(dexName: DexName, answer: (call: RawCall) => void): Promise<string | undefined> {
  await using server = await startRawServer(answer)
  const options = { apiKey: undefined, rpcUrl: undefined, timeoutMs: 60_000, clock: new VirtualClock(START_MS) }
  const dex = openDex({ dex: dexName, swapUrl: `${server.url}/swap`, ...options })
  try {
    const request = { ...ASKED, amount: 10_000_000n }
    const { quoted, built } = await firstValueFrom(dex.swapperFor(FEES).check({ wallet: TAKER.toBase58(), request, maxAgeMs: 0 }))
    if (!quoted.ok) return quoted.reason
    return built?.ok === false ? built.reason : undefined
  } finally {
    await dex.close()
  }
}

describe('a Swap API of the other version', () => {
  test.each<[DexName, string, (call: RawCall) => void, asked: string, came: string, write: string]>([
    [
      'jupiterV2',
      'has no such path',
      absent,
      'GET /swap/build of Jupiter’s Swap API v2',
      'Jupiter answered HTTP 404: Not Found',
      "market.dex: 'jupiterV1' if it is a Swap API v1, or market.swapUrl: 'https://api.jup.ag/swap/v2'",
    ],
    [
      'jupiterV2',
      'answers a quote of v1',
      v1,
      'GET /swap/build of Jupiter’s Swap API v2',
      'came was an answer of Swap API v1',
      "market.dex: 'jupiterV1'",
    ],
    [
      'jupiterV1',
      'has no such path',
      absent,
      'GET /swap/quote of Jupiter’s Swap API v1',
      'Jupiter answered HTTP 404: Not Found',
      "market.dex: 'jupiterV2' if it is a Swap API v2, or market.swapUrl: 'https://api.jup.ag/swap/v1'",
    ],
    [
      'jupiterV1',
      'answers what v2 builds',
      v2,
      'POST /swap/swap of Jupiter’s Swap API v1',
      'Jupiter answered HTTP 404: Not Found',
      "market.dex: 'jupiterV2'",
    ],
    [
      'jupiterV1',
      'answers what v2 builds to everything',
      (call) => call.json(200, { ...buildAnswer(), inAmount: undefined }),
      'GET /swap/quote of Jupiter’s Swap API v1',
      'came was an answer of Swap API v2',
      "market.dex: 'jupiterV2'",
    ],
  ])('%s says so where it %s: what was asked, what came, and what to write', async (dex, _how, answer, asked, came, write) => {
    const said = await lookBy(dex, answer)
    for (const part of [`market.dex is '${dex}'`, asked.replace('’', "'"), came, write]) expect(said).toContain(part)
  })

  test('is not suspected behind any other trouble', async () => {
    const noRoute = (call: RawCall) => call.json(400, { error: 'No routes found' })
    expect(await lookBy('jupiterV1', noRoute)).toBe('Jupiter answered HTTP 400: No routes found')
    expect(await lookBy('jupiterV2', noRoute)).toBe('Jupiter answered HTTP 400: No routes found')
    expect(await lookBy('jupiterV2', (call) => call.json(200, { hello: 'world' }))).toMatch(/^Jupiter answered with no swap \(/)
  })
})
