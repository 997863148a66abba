import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { VirtualClock } from '../../src/core/clock.ts'
import type { Outgoing } from '../../src/live/outgoing.ts'
import { QUOTE, REAL_SWAPS } from './swapWorld.ts'

// For tests: a Jupiter with its true limit, on a virtual clock and without a network.

const WINDOW_MS = 60_000
const SLOT_MS = 400

export interface LimitedJupiterOptions {
  readonly clock: VirtualClock
  /** Requests of any kind in any 60 s. */
  readonly limit: number
  /** Whether answers say how the limit stands. Default: they do. */
  readonly hasHeaders?: boolean
  /** How long the n-th request takes, each way, in milliseconds. */
  readonly latencyMs: (n: number) => number
}

/** Jupiter as it was documented in August 2026: one sliding window of 60 s for prices and swaps; what is refused does not count. */
export class LimitedJupiter {
  readonly #options: LimitedJupiterOptions
  #taken: number[] = []
  #asked = 0
  /** Requests that were refused with 429, by path. */
  readonly refused: string[] = []
  readonly answered: Record<'price' | 'quote' | 'swap', number> = { price: 0, quote: 0, swap: 0 }

  constructor(options: LimitedJupiterOptions) {
    this.#options = options
  }

  /** In place of `connectionsTo`: any number of callers share the limit. */
  readonly connect = (): Outgoing => ({
    isProxied: false,
    dispatcher: undefined as unknown as Dispatcher,
    request: async ({ path }) => {
      const latencyMs = this.#options.latencyMs(this.#asked++)
      await this.#pass(latencyMs)
      const head = this.#admit(String(path))
      await this.#pass(latencyMs)
      return head
    },
    close: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  })

  #pass(ms: number): Promise<void> {
    const { clock } = this.#options
    return new Promise((resolve) => {
      clock.at(clock.now() + ms, resolve)
    })
  }

  #admit(path: string): Dispatcher.ResponseData {
    const { clock, limit, hasHeaders = true } = this.#options
    const now = clock.now()
    this.#taken = this.#taken.filter((at) => at > now - WINDOW_MS)
    const isTaken = this.#taken.length < limit
    if (isTaken) this.#taken.push(now)
    else this.refused.push(path)
    const current = this.#taken.length
    const headers = {
      'x-ratelimit-remaining': `${limit - current}`,
      'x-ratelimit-current': `${current}`,
      'x-ratelimit-reset': `${Math.ceil(((this.#taken[0] ?? now) + WINDOW_MS) / 1000)}`,
    }
    const text = isTaken ? this.#bodyOf(path) : '{"code":429,"message":"Too Many Requests"}'
    const body = Object.assign(Readable.from([text]), { text: () => Promise.resolve(text) })
    return { statusCode: isTaken ? 200 : 429, headers: hasHeaders ? headers : {}, body } as unknown as Dispatcher.ResponseData
  }

  /** Of the newest slot. */
  #price() {
    return { usdPrice: 1, blockId: Math.floor(this.#options.clock.now() / SLOT_MS) }
  }

  #bodyOf(path: string): string {
    const { pathname, searchParams } = new URL(path, 'http://x')
    const kind = pathname.endsWith('/quote') ? 'quote' : pathname.endsWith('/swap') ? 'swap' : 'price'
    this.answered[kind] += 1
    switch (kind) {
      case 'quote':
        return JSON.stringify(QUOTE)
      case 'swap':
        return JSON.stringify({ swapTransaction: REAL_SWAPS[0]?.base64, lastValidBlockHeight: 317_252_774 })
      case 'price':
        return JSON.stringify(Object.fromEntries((searchParams.get('ids') ?? '').split(',').map((mint) => [mint, this.#price()])))
    }
  }
}
