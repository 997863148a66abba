import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type RawCall, startRawServer } from '../../test/support/rawServer.ts'
import { VirtualClock } from '../core/clock.ts'
import { Endpoint, wordsOf } from './endpoint.ts'

/** Time enough on any machine, and what is waited for where nothing comes. */
const [TIMEOUT_MS, SHORT_MS] = [60_000, 250]
const KEY = 'endpoint-key-5d1f'
const NOW = Date.parse('2025-07-21T12:00:00Z')
const GET = { method: 'GET', path: '/x' } as const

async function open(
  answer?: (call: RawCall) => void,
  options: { url?: (server: string) => string; apiKey?: string; timeoutMs?: number } = {},
) {
  const server = await startRawServer(answer)
  const clock = new VirtualClock(NOW)
  const { url = (base: string) => base, apiKey = KEY, timeoutMs = TIMEOUT_MS } = options
  const endpoint = new Endpoint({ name: 'the feed', url: url(server.url), apiKey, timeoutMs, clock })
  return {
    server,
    clock,
    endpoint,
    get: () => endpoint.send(GET),
    async [Symbol.asyncDispose]() {
      await endpoint.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** A body that is begun and never ended. */
const drip = ({ response }: RawCall) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":')
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

describe('an answer', () => {
  test('is text, whatever it is; the key and the credentials go in headers', async () => {
    await using world = await open(({ response }) => response.writeHead(201).end('{"a":'), {
      url: (base) => base.replace('//', '//user:p%40ss@'),
    })
    expect(await world.endpoint.send({ method: 'POST', path: '/y?z=1', body: '{}' })).toEqual({ ok: true, text: '{"a":' })
    const [call] = world.server.calls
    expect(call).toMatchObject({ method: 'POST', path: '/y?z=1', body: '{}' })
    expect(call?.headers).toMatchObject({
      'x-api-key': KEY,
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
    })
  })

  test('of 1 MiB is read, and a byte more is none', async () => {
    await using world = await open(({ path, response }) => response.writeHead(200).end('x'.repeat(1024 * 1024 + Number(path.slice(1)))))
    expect(await world.endpoint.send({ method: 'GET', path: '/0' })).toMatchObject({ ok: true })
    expect(await world.endpoint.send({ method: 'GET', path: '/1' })).toEqual({
      ok: false,
      reason: 'the feed gave an answer of over 1048576 bytes',
      retryable: true,
    })
  })

  test.each([
    ['is not given in time', () => {}, SHORT_MS, `the feed gave no whole answer within ${SHORT_MS} ms`],
    ['is given too slowly', drip, SHORT_MS, `the feed gave no whole answer within ${SHORT_MS} ms`],
    ['is cut off', (call: RawCall) => call.reset(), TIMEOUT_MS, 'the feed cannot be reached (UND_ERR_SOCKET)'],
  ])('that %s is none, and may be had later', async (_what, answer, timeoutMs, reason) => {
    await using world = await open(answer, { timeoutMs })
    expect(await world.get()).toEqual({ ok: false, reason, retryable: true })
  })

  test('of nobody is none', async () => {
    const world = await open()
    await world.server[Symbol.asyncDispose]()
    expect(await world.get()).toEqual({ ok: false, reason: 'the feed cannot be reached (ECONNREFUSED)', retryable: true })
    await world.endpoint.close()
  })

  test.each([
    [400, false],
    [401, false],
    [404, false],
    [301, false],
    [408, true],
    [425, true],
    [500, true],
    [502, true],
    [503, true],
    [599, true],
    [999, true],
  ])('of HTTP %i is a trouble; that it may pass: %s', async (status, retryable) => {
    await using world = await open(({ response }) =>
      response.writeHead(status, { location: '/elsewhere' }).end('<html><body>no</body></html>'),
    )
    expect(await world.get()).toEqual({ ok: false, reason: `the feed answered HTTP ${status}`, retryable })
    expect(world.server.calls).toHaveLength(1)
  })
})

describe('asked to wait', () => {
  const refusal = (status: number, headers: Record<string, string>) => (call: RawCall) => call.json(status, { error: 'slow down' }, headers)
  const HOUR_MS = 3_600_000
  test.each([
    ['so many seconds', 429, { 'retry-after': '7' }, 7000],
    ['until a date', 429, { 'retry-after': new Date(NOW + 9000).toUTCString() }, 9000],
    ['for no time said', 429, {}, 1000],
    ['in words nobody knows', 429, { 'retry-after': 'soon' }, 1000],
    ['a second and a half', 429, { 'retry-after': '1.5' }, 1500],
    ['until its window is over', 429, { 'x-ratelimit-reset': '12' }, 12_000],
    ['a year', 429, { 'retry-after': '31536000' }, HOUR_MS],
    ['for longer than a number holds', 429, { 'retry-after': '9'.repeat(400) }, HOUR_MS],
    ['by a server that is down', 503, { 'retry-after': '3' }, 3000],
  ])('%s, it sends nothing before, and something then', async (_what, status, headers, waitMs) => {
    await using world = await open(refusal(status, headers))
    const limited = status === 429 ? { isHeldBack: true } : {}
    expect(await world.get()).toEqual({ ok: false, reason: `the feed answered HTTP ${status}: slow down`, retryable: true, ...limited })
    expect(world.endpoint.heldUntil).toBe(NOW + waitMs)
    world.clock.advanceTo(NOW + waitMs - 1)
    expect(await world.get()).toEqual({ ok: false, reason: 'the feed takes no more requests for 1 s', retryable: true, ...limited })
    expect(world.server.calls).toHaveLength(1)
    world.clock.advanceTo(NOW + waitMs)
    world.server.answer = ({ response }) => response.end('ok')
    expect(await world.get()).toMatchObject({ ok: true })
  })

  test('with a body that never ends, it waits all the same', async () => {
    await using world = await open(({ response }) => void response.writeHead(429, { 'retry-after': '7' }).write('{'), {
      timeoutMs: SHORT_MS,
    })
    expect(await world.get()).toMatchObject({ ok: false, retryable: true })
    expect(world.endpoint.heldUntil).toBe(NOW + 7000)
  })

  test('again and again for no time said, it waits longer each time, and after an answer from the beginning', async () => {
    await using world = await open(refusal(429, {}))
    const waits: number[] = []
    for (let times = 0; times < 8; times++) {
      await world.get()
      waits.push(world.endpoint.heldUntil - world.clock.now())
      world.clock.advanceTo(world.endpoint.heldUntil)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000])
    world.server.answer = ({ response }) => response.end('ok')
    await world.get()
    world.server.answer = refusal(429, {})
    await world.get()
    expect(world.endpoint.heldUntil - world.clock.now()).toBe(1000)
  })

  test('by several answers at once, it waits as after one', async () => {
    await using world = await open(refusal(429, {}))
    await Promise.all([world.get(), world.get(), world.get()])
    expect(world.endpoint.heldUntil).toBe(NOW + 1000)
  })

  test('an earlier answer does not shorten a longer wait', async () => {
    let calls = 0
    await using world = await open((call) => refusal(429, { 'retry-after': ++calls === 1 ? '9' : '1' })(call))
    await Promise.all([world.get(), world.get()])
    expect(world.server.calls).toHaveLength(2)
    expect(world.endpoint.heldUntil).toBe(NOW + 9000)
  })

  test('a server error without a word of it holds nothing back', async () => {
    await using world = await open(refusal(500, {}))
    await world.get()
    await world.get()
    expect(world.server.calls).toHaveLength(2)
  })
})

describe('a reason', () => {
  test('holds no secret, whoever repeats it, and is one short line', async () => {
    const key = 'a'.repeat(150) + KEY
    await using world = await open(
      ({ headers, path, response }) =>
        void response
          .writeHead(403)
          .end(`key ${String(headers['x-api-key'])}\n${String(headers.authorization)} ${path} ${'long '.repeat(100)}`),
      { apiKey: key, url: (base) => `${base.replace('//', '//user:p%40ss@')}/v2/0123456789abcdef?api-key=query-key-77` },
    )
    const answer = await world.endpoint.send({ method: 'GET', path: '/v2/0123456789abcdef?api-key=query-key-77' })
    expect(answer).toMatchObject({ ok: false, retryable: false })
    const { reason } = answer as { reason: string }
    expect(reason).toMatch(/^the feed answered HTTP 403: key \*\*\* Basic \*\*\* \/v2\/\*\*\*\?api-key=\*\*\* long long /)
    expect(reason.length).toBeLessThan(220)
    expect(world.endpoint.trouble(`got ${key}`)).toMatchObject({ reason: 'the feed got ***' })
  })

  const rows = JSON.parse(readFileSync(new URL('../../test/data/jupiter/error-bodies.json', import.meta.url), 'utf8')) as {
    body?: { error?: string; message?: string; errorCode?: string }
    bodyText?: string
  }[]
  test.each(
    rows.map((row) => [row.bodyText ?? row.body?.errorCode ?? row.body?.error ?? row.body?.message ?? '', row] as const),
  )('has the words of a real error body: %s', (words, { body, bodyText }) => {
    const said = wordsOf(bodyText ?? JSON.stringify(body))
    expect(words).not.toBe('')
    expect(said).toContain(words)
    if (body?.error !== undefined) expect(said).toContain(body.error)
  })

  test.each([
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Node is behind"}}', 'Node is behind'],
    ['<!doctype html><title>502</title>', ''],
    ['  \n<html>', ''],
    ['', ''],
    ['null', ''],
    ['[1]', ''],
    ['{"error":{"deep":{"er":1}},"message":7}', ''],
    ['{"error":"a"', '{"error":"a"'],
  ])('of %s is %s', (body, words) => {
    expect(wordsOf(body)).toBe(words)
  })
})
