import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { RawCall } from '../../../../test/support/rawServer.ts'
import {
  API_KEY,
  ASKED,
  FEES,
  openSwapWorld,
  QUOTE,
  REAL_QUOTES,
  REAL_SWAPS,
  SECRETS,
  SHORT_MS,
  SIMULATION_ERROR,
  START_MS,
} from '../../../../test/support/swapWorld.ts'
import type { SwapTrouble } from '../../../pipeline/index.ts'

const [REAL] = REAL_SWAPS
const WALLET = REAL?.feePayer ?? ''
const BUILT = { swapTransaction: REAL?.base64 ?? '', lastValidBlockHeight: 317_252_774 }
const good = (call: RawCall) => call.json(200, call.path.includes('/quote') ? QUOTE : BUILT)

describe('a quote', () => {
  test('is asked for by its amount in, and read with what nobody here knows of it', async () => {
    await using world = await openSwapWorld({ jupiter: good })
    const unknown = { ...QUOTE, scoreReport: { of: ['tomorrow'] } }
    world.jupiter.answer = (call) => call.json(200, unknown)
    const quoted = await world.swapper.quote(ASKED)
    expect(quoted).toEqual({ ok: true, raw: unknown, quote: expect.objectContaining({ inAmount: ASKED.amount, askedAt: START_MS }) })
    const [call] = world.jupiter.calls
    const { pathname, searchParams } = new URL(call?.path ?? '', 'http://x')
    expect(pathname).toBe('/swap/v1/quote')
    expect(Object.fromEntries(searchParams)).toEqual({
      inputMint: ASKED.from,
      outputMint: ASKED.to,
      amount: '1000000000',
      slippageBps: '50',
      swapMode: 'ExactIn',
      restrictIntermediateTokens: 'true',
      instructionVersion: 'V2',
      asLegacyTransaction: 'true',
    })
    expect(call?.headers['x-api-key']).toBe(API_KEY)
  })

  test('is as old as the moment it was asked for', async () => {
    await using world = await openSwapWorld()
    world.jupiter.answer = (call) => {
      world.clock.advanceTo(START_MS + 900)
      good(call)
    }
    expect(await world.swapper.quote(ASKED)).toMatchObject({ quote: { askedAt: START_MS } })
  })

  test.each([0n, -1n, 2n ** 53n, 2n ** 64n])('of %s base units is not asked for', async (amount) => {
    await using world = await openSwapWorld({ jupiter: good })
    const reason = `Jupiter is asked for 1 to 9007199254740991 base units, not ${amount}: swap less at a time`
    expect(await world.swapper.quote({ ...ASKED, amount })).toEqual({ ok: false, reason, retryable: false })
    expect(world.jupiter.calls).toHaveLength(0)
    await world.swapper.quote({ ...ASKED, amount: 2n ** 53n - 1n })
    expect(world.jupiter.calls[0]?.path).toContain('amount=9007199254740991&')
  })
})

describe('a swap', () => {
  test.each(Object.entries(REAL_QUOTES))('is built of the whole quote, as it came: %s', async (_name, raw) => {
    await using world = await openSwapWorld({ jupiter: good })
    expect(await world.swapper.build({ raw, wallet: WALLET }, FEES)).toEqual({
      ok: true,
      built: {
        transaction: BUILT.swapTransaction,
        lastValidBlockHeight: BUILT.lastValidBlockHeight,
        tables: undefined,
        simulated: undefined,
      },
    })
    const [call] = world.jupiter.calls
    expect(call).toMatchObject({ method: 'POST', path: '/swap/v1/swap' })
    expect(call?.headers['x-api-key']).toBe(API_KEY)
    expect(JSON.parse(call?.body ?? '')).toEqual({
      userPublicKey: WALLET,
      quoteResponse: raw,
      wrapAndUnwrapSol: true,
      asLegacyTransaction: true,
      dynamicComputeUnitLimit: true,
      prioritizationFeeLamports: { priorityLevelWithMaxLamports: { priorityLevel: 'high', maxLamports: 250_000 } },
    })
  })

  test('is asked for with lookup tables where an RPC reads them, and in the quote as in the swap', async () => {
    await using world = await openSwapWorld({ jupiter: good, methods: {} })
    await world.swapper.quote(ASKED)
    await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)
    const [quote, swap] = world.jupiter.calls
    const { searchParams } = new URL(quote?.path ?? '', 'http://x')
    expect([searchParams.get('asLegacyTransaction'), searchParams.get('instructionVersion')]).toEqual(['false', 'V2'])
    expect(JSON.parse(swap?.body ?? '')).toMatchObject({ asLegacyTransaction: false })
  })

  test('pays what the bot it is for may pay', async () => {
    await using world = await openSwapWorld({ jupiter: good })
    const swapper = world.swapper.swapperFor({ priorityLevel: 'medium', maxPriorityFeeLamports: 7n })
    expect(swapper.hasChain).toBe(false)
    expect(await firstValueFrom(swapper.quote(ASKED))).toMatchObject({ ok: true })
    expect(await firstValueFrom(swapper.build({ raw: QUOTE, wallet: WALLET }))).toMatchObject({ ok: true })
    expect(JSON.parse(world.jupiter.calls[1]?.body ?? '')).toMatchObject({
      prioritizationFeeLamports: { priorityLevelWithMaxLamports: { priorityLevel: 'medium', maxLamports: 7 } },
    })
  })

  test.each(
    REAL_SWAPS.map(({ base64, bytes }) => [bytes, base64] as const),
  )('of a real transaction of %i bytes is handed on', async (_bytes, base64) => {
    await using world = await openSwapWorld({
      jupiter: (call) => call.json(200, { ...BUILT, swapTransaction: base64, simulationError: null }),
    })
    expect(await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)).toMatchObject({ ok: true, built: { transaction: base64 } })
  })

  test('that Jupiter has seen fail is none', async () => {
    await using world = await openSwapWorld({ jupiter: (call) => call.json(200, SIMULATION_ERROR) })
    expect(await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)).toEqual({
      ok: false,
      reason: 'Jupiter simulated the swap, and it failed: Error processing Instruction 2: custom program error: 0x1',
      retryable: true,
      isOfMarket: true,
    })
    world.jupiter.answer = (call) => call.json(200, { ...BUILT, simulationError: ['odd'] })
    expect(await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('["odd"]'),
    })
  })

  test.each([
    ['no transaction', { swapTransaction: 'AAAA' }, 'Jupiter built what reads as no transaction'],
    ['nothing', { swapTransaction: '' }, /no swap \(swapTransaction: /],
    ['no base64', { swapTransaction: '%%' }, /no swap \(swapTransaction: /],
    ['no height', { lastValidBlockHeight: '5' }, /no swap \(lastValidBlockHeight: /],
    ['half a block', { lastValidBlockHeight: 0.5 }, /no swap \(lastValidBlockHeight: /],
  ])('of %s is none', async (_what, changed, reason) => {
    await using world = await openSwapWorld({ jupiter: (call) => call.json(200, { ...BUILT, ...changed }) })
    const built = await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)
    expect(built).toMatchObject({ ok: false, retryable: true })
    expect((built as SwapTrouble).reason).toMatch(reason)
  })

  test('of a quote nested too deep to be written again is none', async () => {
    await using world = await openSwapWorld({ jupiter: good })
    const raw: unknown = JSON.parse(`{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
    expect(await world.swapper.build({ raw, wallet: WALLET }, FEES)).toMatchObject({
      ok: false,
      reason: 'Jupiter gave a quote that cannot be sent back',
    })
  })
})

const page = ({ response }: RawCall) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
const text = (body: string) => (call: RawCall) => void call.response.writeHead(200, { 'content-type': 'application/json' }).end(body)

describe('what goes wrong is a reason', () => {
  test.each<[string, (call: RawCall) => void, boolean, RegExp]>([
    ['nobody there', (call) => call.reset(), true, /^Jupiter cannot be reached \(UND_ERR_SOCKET\)$/],
    ['no answer', () => {}, true, new RegExp(`^Jupiter gave no whole answer within ${SHORT_MS} ms$`)],
    ['half an answer', ({ response }) => void response.writeHead(200).write('{"inputMint":'), true, /no whole answer within/],
    [
      'no route',
      (call) => call.json(400, { error: 'No routes found', errorCode: 'NO_ROUTES_FOUND' }),
      false,
      /HTTP 400: NO_ROUTES_FOUND: No routes found$/,
    ],
    [
      'a plain text',
      ({ response }) => void response.writeHead(400).end('Query parameter amount cannot be parsed'),
      false,
      /HTTP 400: Query parameter/,
    ],
    [
      'no key',
      (call) => call.json(401, { code: 401, message: 'Unauthorized' }),
      false,
      /^Jupiter refuses the key of market.apiKey \(HTTP 401: Unauthorized\)$/,
    ],
    ['a failing server', (call) => call.json(500, { error: 'Internal' }), true, /HTTP 500: Internal$/],
    ['a page', page, true, /HTTP 502$/],
    ['HTML for an answer', text('<html>hello</html>'), true, /^Jupiter answered with no (quote|swap) \(/],
    ['JSON cut off', text('{"inputMint":"So111'), true, /^Jupiter answered with no (quote|swap) \(/],
    [
      'an error that says 200',
      (call) => call.json(200, { error: 'No routes found', errorCode: 'NO_ROUTES_FOUND' }),
      true,
      /\(NO_ROUTES_FOUND: No routes found\)$/,
    ],
    ['a body without end', text(`{"pad":"${'x'.repeat(1024 * 1024)}"}`), true, /over 1048576 bytes$/],
    ['nothing', text(''), true, /^Jupiter answered with no (quote|swap) \(/],
  ])('%s', async (_what, jupiter, retryable, reason) => {
    const timeoutMs = reason.source.includes('no whole answer') ? SHORT_MS : undefined
    await using world = await openSwapWorld({ jupiter, timeoutMs })
    for (const result of [await world.swapper.quote(ASKED), await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)]) {
      expect(result).toMatchObject({ ok: false, retryable, reason: expect.stringMatching(reason) })
    }
    expect(world.jupiter.calls).toHaveLength(2)
  })

  test('a port nobody listens on', async () => {
    await using world = await openSwapWorld()
    await world.jupiter[Symbol.asyncDispose]()
    const refused = { ok: false, reason: 'Jupiter cannot be reached (ECONNREFUSED)', retryable: true }
    expect(await world.swapper.quote(ASKED)).toEqual(refused)
    expect(await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)).toEqual(refused)
  })

  test('a 429 holds quotes and swaps of every bot until the time it names', async () => {
    await using world = await openSwapWorld({ jupiter: (call) => call.json(429, { error: 'Too many requests' }, { 'retry-after': '3' }) })
    const another = world.swapper.swapperFor({ priorityLevel: 'medium', maxPriorityFeeLamports: 7n })
    expect(await world.swapper.quote(ASKED)).toMatchObject({
      ok: false,
      retryable: true,
      reason: 'Jupiter answered HTTP 429: Too many requests',
    })
    world.jupiter.answer = good
    world.clock.advanceTo(START_MS + 2999)
    const held = { ok: false, retryable: true, isHeldBack: true, reason: 'Jupiter takes no more requests for 1 s' }
    expect(await firstValueFrom(another.quote(ASKED))).toEqual(held)
    expect(await firstValueFrom(another.build({ raw: QUOTE, wallet: WALLET }))).toEqual(held)
    expect(world.jupiter.calls).toHaveLength(1)
    world.clock.advanceTo(START_MS + 3000)
    expect(await firstValueFrom(another.quote(ASKED))).toMatchObject({ ok: true })
  })

  test('and holds no secret, whatever Jupiter and the RPC repeat', async () => {
    const repeat = (call: RawCall) => call.json(403, { error: `who is ${String(call.headers['x-api-key'])} at ${call.path}?` })
    await using world = await openSwapWorld({ jupiter: repeat, methods: {} })
    world.rpc.answer = repeat
    const quoted = await world.swapper.quote(ASKED)
    expect(quoted).toMatchObject({ reason: expect.stringContaining('who is *** at /swap/v1/quote') })
    world.jupiter.answer = good
    const built = await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)
    expect(built).toMatchObject({ reason: 'the RPC answered HTTP 403: who is undefined at /v2/***?api-key=***?' })
    const sent = { wallet: WALLET, transaction: BUILT.swapTransaction, signature: undefined, lastValidBlockHeight: 5 }
    const landing = await world.swapper.landing(sent)
    world.rpc.answer = ({ body, path, response }) =>
      void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: `no ${path} ${body.length}` } }))
    const refused = await world.swapper.landing(sent)
    world.rpc.answer = ({ body, path, response }) => {
      const isTables = body.includes('getMultipleAccounts')
      const value = isTables ? [] : { err: { InstructionError: [0, path] } }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { value } }))
    }
    const simulated = await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)
    expect(simulated).toMatchObject({ built: { simulated: { error: 'instruction 0: /v2/***?api-key=***' } } })
    const said = JSON.stringify([quoted, built, landing, refused])
    expect(said).toContain('refused getSignaturesForAddress: no /v2/***')
    for (const secret of SECRETS) expect(said).not.toContain(secret)
  })
})

test('without an RPC a sent swap cannot be looked up', async () => {
  await using world = await openSwapWorld()
  expect(world.swapper.swapperFor(FEES).hasChain).toBe(false)
  expect(await world.swapper.landing({ wallet: WALLET, transaction: '', signature: undefined, lastValidBlockHeight: 1 })).toEqual({
    status: 'unavailable',
    reason: 'no RPC is configured: set market.rpcUrl',
  })
})
