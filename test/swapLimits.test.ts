import { setImmediate } from 'node:timers/promises'
import { firstValueFrom } from 'rxjs'
import { afterEach, describe, expect, test } from 'vitest'
import { SOL_MINT, TOKENS, USDC_MINT } from '../src/core/tokens.ts'
import { usdc } from '../src/core/usdc.ts'
import { type Dex, type DexOptions, openDex, PriceFeed, RequestBudgets } from '../src/live/index.ts'
import { connectionsTo, type Outgoing, type OutgoingOptions } from '../src/live/outgoing.ts'
import { openTestSandbox, outputOf, type TestSandbox } from './support/sandbox/openTestSandbox.ts'

// Sixty swaps by each DEX of the live bots against the sandbox's own with Jupiter's limit, on its virtual clock, with prices beside them.

const SWAPS = 60
const PER_MINUTE = 60
const EVERY_MS = 3000
const STEP_MS = 100

interface Way {
  readonly name: string
  readonly open: (options: DexOptions) => Dex
  readonly path: string
  readonly requestsPerSwap: number
}

const WAYS: readonly Way[] = [
  { name: 'jupiterV1', open: openDex, path: 'jup/swap/v1', requestsPerSwap: 2 },
  { name: 'jupiterV2', open: (options) => openDex({ ...options, dex: 'jupiterV2' }), path: 'jup/swap/v2', requestsPerSwap: 1 },
]

let sandbox: TestSandbox | undefined
afterEach(() => sandbox?.close())

/** Real connections, of which it is known what is under way: meanwhile time stands still. */
function counted() {
  const asked: { readonly path: string; readonly status: number }[] = []
  let underWay = 0
  const whole = async <T>(task: () => Promise<T>): Promise<T> => {
    underWay += 1
    try {
      return await task()
    } finally {
      underWay -= 1
    }
  }
  const connect = (origin: string, options: OutgoingOptions): Outgoing => {
    const real = connectionsTo(origin, options)
    const request: Outgoing['request'] = (asking) =>
      whole(async () => {
        const answer = await real.request(asking)
        asked.push({ path: String(asking.path), status: answer.statusCode })
        const text = await answer.body.text()
        return Object.assign(answer, { body: Object.assign(answer.body, { text: () => Promise.resolve(text) }) })
      })
    return { ...real, request }
  }
  return { asked, connect, whole, isIdle: () => underWay === 0 }
}

describe(`${SWAPS} swaps at ${PER_MINUTE} requests a minute`, () => {
  test.each(WAYS)('by $name: none is lost, and each costs $requestsPerSwap', async ({ name, open, path, requestsPerSwap }) => {
    sandbox = await openTestSandbox({ house: false, faults: { rateLimit: PER_MINUTE } })
    const { clock, url, get, post } = sandbox
    const { walletAddress: wallet } = outputOf(await get('agent.bankroll')) as { walletAddress: string }
    const { asked, connect, whole, isIdle } = counted()
    const apiKey = 'key'
    const budgets = new RequestBudgets(clock, PER_MINUTE)
    const shared = { apiKey, timeoutMs: 60_000, clock, budget: budgets.of({ url, apiKey }), connect }
    let [newestAt, oldestMs] = [clock.now(), 0]
    const mints = TOKENS.map(({ mint }) => mint)
    const feed = new PriceFeed({ ...shared, url: `${url}/jup/price/v3`, mints, everyMs: 1000, onTrouble: () => {} })
    feed.tick$.subscribe(() => {
      newestAt = clock.now()
    })
    const dex = open({ ...shared, swapUrl: `${url}/${path}`, rpcUrl: undefined })
    const swapper = dex.swapperFor({ priorityLevel: 'medium', maxPriorityFeeLamports: 100_000n })
    const lost: string[] = []
    let done = 0
    /** Each of another amount: equal ones under one blockhash would be one transaction. */
    const swap = async (n: number) => {
      const request = { from: USDC_MINT, to: SOL_MINT, amount: usdc('1') + BigInt(n), slippageBps: 50, wallet }
      const quoted = await firstValueFrom(swapper.quote(request))
      const built = quoted.ok ? await firstValueFrom(swapper.build({ raw: quoted.raw, wallet })) : quoted
      if (!built.ok) lost.push(built.reason)
      else outputOf(await whole(() => post('agent.trade.signAndSend', { transaction: built.built.transaction })))
      done += 1
    }
    feed.start()
    const startedAt = clock.now()
    for (let n = 0; n < SWAPS; n++) clock.at(startedAt + n * EVERY_MS, () => void swap(n))
    while (done < SWAPS) {
      await setImmediate()
      if (!isIdle()) continue
      clock.advanceTo(clock.now() + STEP_MS)
      oldestMs = Math.max(oldestMs, clock.now() - newestAt)
    }
    budgets.close()
    await Promise.all([feed.close(), dex.close()])
    const refused = asked.filter(({ status }) => status === 429).length
    const ofSwaps = asked.filter((request) => request.path.includes('/swap/') && request.status === 200).length
    process.stdout.write(
      `${name}: ${SWAPS} swaps in ${(clock.now() - startedAt) / 1000} s, ${lost.length} lost, ${ofSwaps} requests, ${refused} times 429, oldest price ${oldestMs} ms\n`,
    )
    expect(lost).toEqual([])
    expect(ofSwaps).toBe(SWAPS * requestsPerSwap)
    expect(dex.requestsPerSwap).toBe(requestsPerSwap)
    expect(oldestMs).toBeLessThan(15_000)
  })
})
