import { describe, expect, test } from 'vitest'
import { type RawCall, type RawServer, startRawServer } from '../../test/support/rawServer.ts'
import { VirtualClock } from '../core/clock.ts'
import { TOKENS } from '../core/tokens.ts'
import { PriceFeed } from './priceFeed.ts'

const [SOL = '', USDC = '', JUP = '', BONK = ''] = TOKENS.map(({ mint }) => mint)
const EVERY_MS = 1000

interface Open extends AsyncDisposable {
  readonly server: RawServer
  readonly clock: VirtualClock
  readonly feed: PriceFeed
  readonly troubles: (string | undefined)[]
  readonly ticks: number[]
  price(mint: string): string | undefined
  /** Waits for the rounds asked for so far: each ends with a tick or a failure. */
  rounds(count: number): Promise<void>
}

async function open(mints: readonly string[], answer: (call: RawCall) => void, options: { apiKey?: string } = {}): Promise<Open> {
  const server = await startRawServer(answer)
  const clock = new VirtualClock(5000)
  const troubles: (string | undefined)[] = []
  const ticks: number[] = []
  let done = 0
  let wake = () => {}
  /** A round is over when the next one is planned. */
  const watched = {
    now: () => clock.now(),
    at(atMs: number, task: () => void) {
      done += 1
      wake()
      return clock.at(atMs, task)
    },
  }
  const feed = new PriceFeed({
    url: `${server.url}/price/v3`,
    apiKey: options.apiKey,
    mints,
    everyMs: EVERY_MS,
    timeoutMs: 300,
    clock: watched,
    onTrouble: (reason) => troubles.push(reason),
  })
  feed.tick$.subscribe((tick) => ticks.push(tick))
  feed.start()
  return {
    server,
    clock,
    feed,
    troubles,
    ticks,
    price: (mint) => feed.book.asOf(feed.book.tick, clock.now()).text(mint),
    async rounds(count) {
      while (done < count) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
    },
    async [Symbol.asyncDispose]() {
      await feed.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const idsOf = ({ path }: RawCall) => new URL(path, 'http://x').searchParams.get('ids')?.split(',') ?? []
const allAt = (usdPrice: number) => (call: RawCall) =>
  call.json(200, Object.fromEntries(idsOf(call).map((mint) => [mint, { usdPrice, decimals: 6 }])))

describe('PriceFeed', () => {
  test('asks for its mints, and puts the answer in the book, with a tick', async () => {
    await using world = await open(
      [SOL, USDC],
      ({ json }) => json(200, { [SOL]: { usdPrice: 187.123456789012 }, [USDC]: { usdPrice: 1 } }),
      { apiKey: 'price-key' },
    )
    await world.rounds(1)
    expect(world.ticks).toEqual([1])
    expect([world.price(SOL), world.price(USDC)]).toEqual(['187.123456789', '1'])
    expect(world.server.calls[0]).toMatchObject({ method: 'GET', path: `/price/v3?ids=${SOL},${USDC}` })
    expect(world.server.calls[0]?.headers['x-api-key']).toBe('price-key')
  })

  test('what has no price, or none that can be one, stays without; the rest is not held up', async () => {
    const answer = { [SOL]: { usdPrice: 2 }, [USDC]: null, [JUP]: { usdPrice: 0 }, [BONK]: { usdPrice: 'much' } }
    const odd = TOKENS.slice(4, 8).map(({ mint }) => mint)
    const [tiny = '', huge = '', negative = ''] = odd
    await using world = await open([SOL, USDC, JUP, BONK, ...odd], ({ json }) =>
      json(200, { ...answer, [tiny]: { usdPrice: 1e-30 }, [huge]: { usdPrice: 1e300 }, [negative]: { usdPrice: -1 } }),
    )
    await world.rounds(1)
    expect(world.troubles).toEqual([])
    expect(world.price(SOL)).toBe('2')
    expect([USDC, JUP, BONK, ...odd].map(world.price)).toEqual(Array.from({ length: 7 }, () => undefined))
  })

  test('of more than 50 mints it asks in several requests, for each mint once', async () => {
    const mints = Array.from({ length: 120 }, (_, n) => `mint${n}`)
    await using world = await open(mints, allAt(3))
    await world.rounds(1)
    expect(world.server.calls.map((call) => idsOf(call).length)).toEqual([50, 50, 20])
    expect(world.server.calls.flatMap(idsOf)).toEqual(mints)
    expect(world.ticks).toEqual([1])
    expect(world.price('mint119')).toBe('3')
  })

  test('asks once a period', async () => {
    await using world = await open([SOL], allAt(3))
    for (let round = 1; round <= 3; round++) {
      await world.rounds(round)
      world.clock.advanceTo(5000 + round * EVERY_MS)
    }
    await world.rounds(4)
    expect(world.ticks).toEqual([1, 2, 3, 4])
  })

  test.each([
    ['a server error', ({ response }: RawCall) => void response.writeHead(503).end('x')],
    ['a cut connection', (call: RawCall) => call.reset()],
    ['no answer', () => {}],
    ['no JSON', ({ response }: RawCall) => void response.writeHead(200).end('hello')],
    ['another form', (call: RawCall) => call.json(200, [1, 2])],
  ])('%s: it says so once, tries ever slower, and says when prices are back', async (_what, failing) => {
    await using world = await open([SOL], failing)
    const asked: number[] = [world.clock.now()]
    const delays = [2000, 4000, 8000]
    for (const [index, delayMs] of delays.entries()) {
      await world.rounds(index + 1)
      const before = world.server.calls.length
      const from = asked.at(-1) ?? 0
      world.clock.advanceTo(from + delayMs - 1)
      expect(world.server.calls).toHaveLength(before)
      asked.push(from + delayMs)
      if (index === delays.length - 1) world.server.answer = allAt(3)
      world.clock.advanceTo(from + delayMs)
    }
    await world.rounds(delays.length + 1)
    expect(world.troubles).toEqual([expect.any(String), undefined])
    expect(world.ticks).toEqual([1])
  })

  test('closed, it asks and says nothing more', async () => {
    await using world = await open([SOL], allAt(3))
    await world.rounds(1)
    await world.feed.close()
    world.clock.advanceTo(1e6)
    expect(world.server.calls).toHaveLength(1)
    expect(world.troubles).toEqual([])
  })
})
