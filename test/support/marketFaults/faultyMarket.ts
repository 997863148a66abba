import { request } from 'undici'
import type { VirtualClock } from '../../../src/core/clock.ts'
import { type RawCall, startRawServer } from '../rawServer.ts'

// For tests: a service and its market behind one address, whose parts fail on request.

const WINDOW_MS = 60_000

export type MarketPart = 'dex' | 'rpc' | 'prices' | 'service'

/** How an answer is spoilt; undefined: it is passed on. */
export type MarketFault = (call: RawCall, market: FaultyMarket) => 'hang' | 'reset' | Answer | undefined

interface Answer {
  readonly status: number
  readonly text: string
}

export interface FaultyMarket extends AsyncDisposable {
  readonly url: string
  readonly clock: VirtualClock
  /** Requests that have no answer yet, and get none. */
  hanging(): number
  /** Of each part, from now on. */
  faults: Partial<Record<MarketPart, MarketFault>>
  /** When the first request was spoilt, in Unix milliseconds; undefined: none was. */
  readonly spoiltAt: number | undefined
  /** Requests of each part so far. */
  readonly asked: Record<MarketPart, number>
  /** The newest sound answer of the price feed. */
  readonly newestPrices: string
  /** Whether the DEX and the price feed together were asked less than so often in the last minute; counts this request if they were. */
  takes(limit: number): boolean
}

const partOf = ({ path }: RawCall): MarketPart => {
  if (path.startsWith('/jup/swap/')) return 'dex'
  if (path.startsWith('/jup/price/')) return 'prices'
  return path.startsWith('/rpc') ? 'rpc' : 'service'
}

export async function startFaultyMarket(target: string, clock: VirtualClock): Promise<FaultyMarket> {
  const server = await startRawServer((call) => void take(call).catch(() => call.reset()))
  let hanging = 0
  let newestPrices = ''
  let spoiltAt: number | undefined
  let taken: number[] = []

  async function take(call: RawCall): Promise<void> {
    const part = partOf(call)
    market.asked[part] += 1
    const fault = market.faults[part]?.(call, market)
    if (fault !== undefined) spoiltAt ??= clock.now()
    if (fault === 'reset') call.reset()
    else if (fault === 'hang') {
      hanging += 1
      // Whoever asks gives up, by the virtual clock.
      call.response.once('close', () => {
        hanging -= 1
      })
    } else if (fault === undefined) await pass(call, part)
    else call.response.writeHead(fault.status, { 'content-type': 'application/json' }).end(fault.text)
  }

  async function pass(call: RawCall, part: MarketPart): Promise<void> {
    const { 'x-agent-key': key, 'content-type': type } = call.headers
    const answer = await request(target + call.path, {
      method: call.method as 'GET' | 'POST',
      headers: { ...(typeof key === 'string' ? { 'x-agent-key': key } : {}), ...(type === undefined ? {} : { 'content-type': type }) },
      ...(call.method === 'POST' ? { body: call.body } : {}),
    })
    const text = await answer.body.text()
    if (part === 'prices') newestPrices = text
    const { date } = answer.headers
    call.response
      .writeHead(answer.statusCode, { 'content-type': 'application/json', ...(date === undefined ? {} : { date: String(date) }) })
      .end(text)
  }

  const market: FaultyMarket = {
    url: server.url,
    clock,
    hanging: () => hanging,
    faults: {},
    asked: { dex: 0, rpc: 0, prices: 0, service: 0 },
    get spoiltAt() {
      return spoiltAt
    },
    get newestPrices() {
      return newestPrices
    },
    takes(limit) {
      taken = taken.filter((at) => at > clock.now() - WINDOW_MS)
      if (taken.length >= limit) return false
      taken.push(clock.now())
      return true
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return market
}
