import { afterEach, describe, expect, test } from 'vitest'
import { openTestSandbox, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'

const PRICE = `jup/price/v3?ids=${SOL_MINT}`
const QUOTE = `jup/swap/v1/quote?inputMint=${SOL_MINT}&outputMint=${USDC_MINT}&amount=1000000000`

let sandbox: TestSandbox | undefined
afterEach(() => sandbox?.close())
async function open(rateLimit: number): Promise<TestSandbox> {
  sandbox = await openTestSandbox({ house: false, faults: { rateLimit } })
  return sandbox
}
const ask = async (path: string, key?: string) => {
  const answer = await (sandbox as TestSandbox).send(path, { headers: key === undefined ? {} : { 'x-api-key': key } })
  const of = (name: string) => {
    const value = answer.headers.get(`x-ratelimit-${name}`)
    return value === null ? undefined : Number(value)
  }
  return { status: answer.status, body: answer.body, remaining: of('remaining'), current: of('current'), reset: of('reset') }
}

describe('rateLimit', () => {
  test('is one sliding window for prices and swaps, told of by headers, and a refused request does not count', async () => {
    const { clock, advance } = await open(3)
    const startedAt = clock.now()
    expect(await ask(PRICE)).toMatchObject({ status: 200, remaining: 2, current: 1, reset: Math.ceil((startedAt + 60_000) / 1000) })
    advance(20_000)
    expect(await ask(QUOTE)).toMatchObject({ status: 200, remaining: 1, current: 2 })
    expect(await ask(PRICE)).toMatchObject({ status: 200, remaining: 0, current: 3 })
    const refused = { status: 429, body: { code: 429, message: 'Too Many Requests' }, remaining: 0, current: 3 }
    for (const path of [PRICE, QUOTE, PRICE])
      expect(await ask(path)).toMatchObject({ ...refused, reset: Math.ceil((startedAt + 60_000) / 1000) })
    advance(40_000)
    expect(await ask(QUOTE)).toMatchObject({ status: 200, remaining: 0 })
    expect(await ask(QUOTE)).toMatchObject({ status: 429 })
  })

  test('is of each key by itself, and of all without one', async () => {
    await open(1)
    expect((await ask(PRICE)).status).toBe(200)
    expect((await ask(PRICE)).status).toBe(429)
    expect((await ask(PRICE, 'one')).status).toBe(200)
    expect((await ask(PRICE, 'two')).status).toBe(200)
    expect((await ask(PRICE, 'one')).status).toBe(429)
  })

  test('is told of by 200 and 429 alone, and left out there is none', async () => {
    const { setFaults } = await open(9)
    expect(await ask('jup/price/v3')).toMatchObject({ status: 400, remaining: undefined })
    expect(await ask(PRICE)).toMatchObject({ status: 200, current: 2 })
    setFaults({})
    for (let n = 0; n < 20; n++) expect(await ask(PRICE)).toMatchObject({ status: 200, remaining: undefined })
  })
})
