import { setImmediate } from 'node:timers/promises'
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { LimitedJupiter } from '../../../test/support/limitedJupiter.ts'
import { ASKED } from '../../../test/support/swapWorld.ts'
import { VirtualClock } from '../../core/clock.ts'
import { keyedRandom } from '../../core/random.ts'
import { TOKENS } from '../../core/tokens.ts'
import { PriceFeed } from '../priceFeed.ts'
import type { Dex } from '../swaps/dex.ts'
import { openDex } from '../swaps/openDex.ts'
import { RequestBudgets } from './requestBudgets.ts'

// Whole price feeds, swappers and budgets against a Jupiter with its true limit, for thirty minutes of a virtual clock.

const MINUTES = 30
const MINUTE_MS = 60_000
const START_MS = 1_785_000_000_000
const STALE_MS = 15_000
const PATIENCE_MS = 30_000
const WALLET = '11111111111111111111111111111111'
const SEED = 40

interface Shape {
  readonly name: string
  readonly requestsPerSwap: 1 | 2
  /** What Jupiter takes; and what the config says. */
  readonly limit: number
  readonly configured?: number
  /** True where neither the config nor the host states a limit. */
  readonly isUnknown?: boolean
  readonly hasHeaders?: boolean
  readonly processes?: number
  readonly swapsPerMinute?: number
}

interface Figures {
  /** The worst of the processes. */
  readonly staleShare: number
  readonly oldestMs: number
  readonly swaps: number
  readonly lost: readonly string[]
  readonly refused: number
  readonly asked: Record<string, number>
}

/** A swap of one request is a quote alone: what the other DEX needs is the same for the budget. */
function costOf(dex: Dex, requestsPerSwap: number): Dex {
  return requestsPerSwap === 2 ? dex : Object.defineProperty(dex, 'requestsPerSwap', { value: requestsPerSwap })
}

async function played({
  requestsPerSwap,
  limit,
  configured = limit,
  hasHeaders = true,
  isUnknown = false,
  processes = 1,
  swapsPerMinute = 3,
}: Shape): Promise<Figures> {
  const clock = new VirtualClock(START_MS)
  const random = keyedRandom(SEED, 'pace')
  const jupiter = new LimitedJupiter({ clock, limit, hasHeaders, latencyMs: () => random.integer(20, 120) })
  const url = isUnknown ? 'http://127.0.0.1:1' : 'https://jupiter.example'
  const apiKey = 'key'
  const endMs = START_MS + MINUTES * MINUTE_MS
  const lost: string[] = []
  let swaps = 0
  const closing: (() => unknown)[] = []
  const newest: number[] = []
  const stale: number[] = []
  let oldestMs = 0
  for (let process = 0; process < processes; process++) {
    const budgets = new RequestBudgets(clock, isUnknown ? undefined : configured)
    const shared = { timeoutMs: 60_000, clock, budget: budgets.of({ url, apiKey }), connect: jupiter.connect }
    const mints = TOKENS.map(({ mint }) => mint)
    const feed = new PriceFeed({ ...shared, url: `${url}/price/v3`, apiKey, mints, everyMs: 1000, onTrouble: () => {} })
    feed.tick$.subscribe(() => {
      newest[process] = clock.now()
    })
    newest[process] = START_MS
    stale[process] = 0
    const dex = costOf(openDex({ ...shared, swapUrl: `${url}/swap/v1`, apiKey, rpcUrl: undefined }), requestsPerSwap)
    closing.push(
      () => budgets.close(),
      () => feed.close(),
      () => dex.close(),
    )
    const swapper = dex.swapperFor({ priorityLevel: 'medium', maxPriorityFeeLamports: 1n })
    const swap = async () => {
      swaps += 1
      // As the pipeline does it: what did not get its turn is asked for again, after a pause.
      for (const until = clock.now() + PATIENCE_MS; ; await new Promise<void>((resolve) => void clock.at(clock.now() + 1000, resolve))) {
        const quoted = await firstValueFrom(swapper.quote(ASKED))
        if (!quoted.ok && quoted.isHeldBack === true && clock.now() < until) continue
        if (!quoted.ok) return lost.push(quoted.reason)
        if (requestsPerSwap === 1) return
        const built = await firstValueFrom(swapper.build({ raw: quoted.raw, wallet: WALLET, by: quoted.quote.askedAt + 5000 }))
        if (built.ok) return
        if (built.isHeldBack !== true || clock.now() > until) return lost.push(built.reason)
      }
    }
    const look = async () => {
      if (requestsPerSwap === 2) await firstValueFrom(swapper.check({ wallet: WALLET, request: ASKED, maxAgeMs: 50_000 }))
      else await firstValueFrom(swapper.quote(ASKED))
    }
    for (let minute = 0; minute < MINUTES; minute++) {
      const at = START_MS + minute * MINUTE_MS
      clock.at(at + 500, () => void look())
      for (let n = 0; n < 2 * swapsPerMinute; n++) clock.at(at + random.integer(0, MINUTE_MS - 1), () => void swap())
    }
    feed.start()
  }
  for (let at = START_MS; at < endMs; at += 20) {
    clock.advanceTo(at)
    // What was answered goes on in turns of the loop, and not in time.
    await setImmediate()
    for (const [process, newestAt] of newest.entries()) {
      const ageMs = at - newestAt
      oldestMs = Math.max(oldestMs, ageMs)
      if (ageMs > STALE_MS) stale[process] = (stale[process] ?? 0) + 20
    }
  }
  clock.advanceTo(endMs + MINUTE_MS)
  await setImmediate()
  await Promise.all(closing.map((close) => close()))
  return {
    staleShare: Math.max(...stale) / (endMs - START_MS),
    oldestMs,
    swaps,
    lost,
    refused: jupiter.refused.length,
    asked: jupiter.answered,
  }
}

const SHAPES: readonly Shape[] = [
  { name: '60 a minute, two requests a swap', requestsPerSwap: 2, limit: 60 },
  { name: '30 a minute, one request a swap', requestsPerSwap: 1, limit: 30 },
  { name: '60 a minute, no headers', requestsPerSwap: 2, limit: 60, hasHeaders: false },
  { name: '40 a minute where 60 are configured', requestsPerSwap: 2, limit: 40, configured: 60 },
  { name: '40 a minute where 60 are configured, no headers', requestsPerSwap: 2, limit: 40, configured: 60, hasHeaders: false },
  { name: '60 a minute, no headers, and nobody has stated it', requestsPerSwap: 2, limit: 60, hasHeaders: false, isUnknown: true },
  { name: '60 a minute shared by two processes', requestsPerSwap: 2, limit: 60, processes: 2 },
]

describe(`${MINUTES} minutes of prices, dry swaps, and two bots of three swaps a minute`, () => {
  test.each(SHAPES)('$name', async (shape) => {
    const { staleShare, oldestMs, swaps, lost, refused, asked } = await played(shape)
    process.stdout.write(
      `${shape.name}: stale ${(100 * staleShare).toFixed(2)} %, oldest ${oldestMs} ms, ${swaps} swaps, ${lost.length} lost, ${refused} times 429, asked ${JSON.stringify(asked)}\n`,
    )
    expect(lost).toEqual([])
    expect(staleShare).toBeLessThanOrEqual(0.01)
    expect(swaps).toBe(MINUTES * 6 * (shape.processes ?? 1))
    // It is not for want of asking that nothing was refused.
    expect(asked.price).toBeGreaterThan(MINUTES * 4)
  })
})
