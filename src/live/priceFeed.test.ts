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
  /** When each next round was planned for. */
  readonly planned: number[]
  price(mint: string): string | undefined
  /** Waits for the rounds asked for so far: each ends with a tick or a failure. */
  rounds(count: number): Promise<void>
}

async function open(
  mints: readonly string[],
  answer: (call: RawCall) => void,
  options: { apiKey?: string; everyMs?: number; timeoutMs?: number } = {},
): Promise<Open> {
  const server = await startRawServer(answer)
  const clock = new VirtualClock(5000)
  const troubles: (string | undefined)[] = []
  const ticks: number[] = []
  const planned: number[] = []
  let wake = () => {}
  /** A round is over when the next one is planned. */
  const watched = {
    now: () => clock.now(),
    at(atMs: number, task: () => void) {
      planned.push(atMs)
      wake()
      return clock.at(atMs, task)
    },
  }
  const feed = new PriceFeed({
    url: `${server.url}/price/v3`,
    apiKey: options.apiKey,
    mints,
    everyMs: options.everyMs ?? EVERY_MS,
    timeoutMs: options.timeoutMs ?? 60_000,
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
    planned,
    price: (mint) => feed.book.asOf(feed.book.tick, clock.now()).text(mint),
    async rounds(count) {
      while (planned.length < count) {
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
    ['none of the prices', (call: RawCall) => call.json(200, { other: { usdPrice: 3 } })],
  ])('%s: it says so once, tries ever slower, and says when prices are back', async (what, failing) => {
    await using world = await open([SOL], failing, what === 'no answer' ? { timeoutMs: 300 } : {})
    const asked: number[] = [world.clock.now()]
    const delays = [2000, 4000, 8000]
    for (const [index, delayMs] of delays.entries()) {
      await world.rounds(index + 1)
      const from = asked.at(-1) ?? 0
      expect(world.planned.at(-1)).toBe(from + delayMs)
      asked.push(from + delayMs)
      if (index === delays.length - 1) world.server.answer = allAt(3)
      world.clock.advanceTo(from + delayMs)
    }
    await world.rounds(delays.length + 1)
    expect(world.troubles).toEqual([expect.any(String), undefined])
    expect(world.ticks).toEqual([1])
  })

  test('asked to wait, it sends nothing before, in that round or a later one', async () => {
    const mints = Array.from({ length: 120 }, (_, n) => `mint${n}`)
    let calls = 0
    await using world = await open(mints, (call) =>
      ++calls === 2 ? call.json(429, { error: 'slow down' }, { 'retry-after': '45' }) : allAt(3)(call),
    )
    await world.rounds(1)
    // The third batch of the round is not asked for, and what came before the refusal is in the book.
    expect(world.server.calls).toHaveLength(2)
    expect(world.troubles).toEqual(['the price feed answered HTTP 429: slow down'])
    expect([world.price('mint49'), world.price('mint50')]).toEqual(['3', undefined])
    // Longer than it would wait of its own.
    expect(world.planned).toEqual([5000 + 45_000])
    world.clock.advanceTo(5000 + 45_000)
    await world.rounds(2)
    expect(world.server.calls).toHaveLength(5)
    expect(world.price('mint119')).toBe('3')
    expect(world.troubles).toEqual([expect.any(String), undefined])
  })

  test('429 without a time holds it back as any failure does', async () => {
    await using world = await open([SOL], ({ json }) => json(429, {}))
    await world.rounds(1)
    expect(world.planned).toEqual([5000 + 2000])
  })

  test('it is never asked more often for failing', async () => {
    await using world = await open([SOL], ({ json }) => json(500, {}), { everyMs: 60_000 })
    await world.rounds(1)
    expect(world.planned).toEqual([5000 + 60_000])
  })

  test('a mint that an answer leaves out keeps its price, of the time it had it', async () => {
    await using world = await open([SOL, USDC], allAt(3))
    await world.rounds(1)
    world.server.answer = ({ json }) => json(200, { [SOL]: { usdPrice: 4 } })
    world.clock.advanceTo(5000 + EVERY_MS)
    await world.rounds(2)
    expect([world.price(SOL), world.price(USDC)]).toEqual(['4', '3'])
    const { book } = world.feed
    const history = (mint: string) => book.asOf(book.tick, world.clock.now()).history(mint, 3600)
    expect(history(SOL)).toEqual([
      { at: 5000, price: 3 },
      { at: 5000 + EVERY_MS, price: 4 },
    ])
    expect(history(USDC)).toEqual([{ at: 5000, price: 3 }])
  })

  test('prices of several answers are no younger than the first', async () => {
    const mints = Array.from({ length: 60 }, (_, n) => `mint${n}`)
    await using world = await open(mints, (call) => {
      world.clock.advanceTo(world.clock.now() + 400)
      allAt(3)(call)
    })
    await world.rounds(1)
    const { book } = world.feed
    for (const mint of ['mint0', 'mint59']) expect(book.asOf(book.tick, 9000).history(mint, 3600)).toEqual([{ at: 5400, price: 3 }])
  })

  test('a mint that was not asked for does not get in', async () => {
    await using world = await open([SOL], ({ json }) => json(200, { [SOL]: { usdPrice: 4 }, [USDC]: { usdPrice: 7 } }))
    await world.rounds(1)
    expect([world.price(SOL), world.price(USDC)]).toEqual(['4', undefined])
  })

  test.each([
    ['cut off', '{"So11111111111111111111111111111111111111112":{"usdPrice":1'],
    ['a page', '<html>hello</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a text', '"4"'],
    ['over 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`],
  ])('a body that is %s is no price, and keeps the old ones', async (_what, body) => {
    await using world = await open([SOL], allAt(3))
    await world.rounds(1)
    world.server.answer = ({ response }) => void response.writeHead(200).end(body)
    world.clock.advanceTo(5000 + EVERY_MS)
    await world.rounds(2)
    expect(world.ticks).toEqual([1])
    expect(world.price(SOL)).toBe('3')
    expect(world.troubles).toEqual([expect.stringMatching(/^the price feed /)])
  })

  test('what it says of a trouble holds no key', async () => {
    await using world = await open([SOL], ({ headers, json }) => json(401, { message: `who is ${String(headers['x-api-key'])}?` }), {
      apiKey: 'price-key',
    })
    await world.rounds(1)
    expect(world.troubles).toEqual(['the price feed refuses the key of market.apiKey (HTTP 401: who is ***?)'])
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
