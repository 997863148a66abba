import { describe, expect, test } from 'vitest'
import { type RawCall, type RawServer, startRawServer } from '../../test/support/rawServer.ts'
import { Translator } from '../contract/shapes/translator.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import type { ActionRequest, ReadRequest } from '../pipeline/index.ts'
import { HttpService } from './httpService.ts'
import { ServiceClock } from './serviceClock.ts'

const KEY = 'agent-key-of-the-test-7f3a'
/** A busy machine must not lose what is answered; only a test of what nobody answers waits for it. */
const PATIENCE = { timeoutMs: 20_000 }
const IMPATIENCE = { timeoutMs: 200 }
const ticketId = keyedUuid('ticket')
const bankroll = { procedure: 'agent.bankroll', input: null } as const
const state = { procedure: 'agent.modes.state', input: { contestId: ticketId } } as const
const enqueue: ActionRequest = { procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake: usdc('1'), durationSec: 15 } }
const cancel: ActionRequest = { procedure: 'agent.queue.cancel', input: { ticketId } }

const good = (json: unknown) => ({ result: { data: { json } } })
/** The same of a tRPC without a transformer. */
const plain = (data: object, message = 'no') => ({ error: { message, code: -32600, data } })
const refusal = (data: object, message = 'no') => ({ error: { json: { message, data } } })

interface Open extends AsyncDisposable {
  readonly server: RawServer
  readonly service: HttpService
  readonly clock: VirtualClock
}

async function open(
  answer?: (call: RawCall) => void,
  options: { path?: string; agentKey?: string; url?: string; timeoutMs?: number; maySend?: () => boolean } = {},
): Promise<Open> {
  const server = await startRawServer(answer)
  const clock = new VirtualClock(1000)
  const { path = '', agentKey = KEY, url = server.url, timeoutMs = PATIENCE.timeoutMs, maySend } = options
  const service = new HttpService({ url: url + path, agentKey, timeoutMs, clock, maySend })
  return {
    server,
    service,
    clock,
    async [Symbol.asyncDispose]() {
      await service.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** What has left by now: whatever had, has arrived before these answers. */
async function callsOf({ server }: Open): Promise<readonly RawCall[]> {
  for (let round = 0; round < 3; round++) await (await fetch(`${server.url}/ping`)).text()
  return server.calls.filter(({ path }) => path !== '/ping')
}

/** Answers `callsOf` whatever else is left to hang. */
const butPings =
  (answer: (call: RawCall) => void = () => {}) =>
  (call: RawCall) =>
    call.path === '/ping' ? call.json(200, null) : answer(call)

describe('a service that is for reading alone', () => {
  test('reads, and lets no action out', async () => {
    await using server = await startRawServer(butPings(({ json }) => json(200, good({ available: '1' }))))
    const service = new HttpService({
      url: server.url,
      agentKey: KEY,
      ...PATIENCE,
      clock: new VirtualClock(1000),
      isReadOnly: true,
      priority: 5,
    })
    expect(await service.read(bankroll)).toMatchObject({ ok: true })
    expect(await service.act(enqueue)).toMatchObject({ status: 'unknown', reason: expect.stringContaining('only reads go out') })
    await expect(service.raw('action', 'agent.queue.cancel', { ticketId })).rejects.toThrow('only reads go out')
    await (await fetch(`${server.url}/ping`)).text()
    expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'GET'])
    await service.close()
  })
})

test('what a bot must know before it plays does not wait for what an earlier run has read; all else does', async () => {
  await using server = await startRawServer(butPings(({ json }) => json(200, good({ available: '1' }))))
  const clock = new VirtualClock(100_000)
  const leases = { leases: () => [{ at: clock.now(), count: 290 }], lease: () => {} }
  const service = new HttpService({ url: server.url, agentKey: KEY, ...PATIENCE, clock, leases })
  const waiting = service.read(bankroll)
  for (let read = 0; read < 5; read++) expect(await service.readAtStart(bankroll)).toMatchObject({ ok: true })
  expect(server.calls.length).toBe(5)
  await clock.advanceBy(80_000, 1000)
  expect(await waiting).toMatchObject({ ok: true })
  await service.close()
})

describe('what is told of the traffic', () => {
  test.each<[string, (call: RawCall) => void, readonly string[]]>([
    ['a success', ({ json }) => json(200, good({ available: '1' })), ['asked', 'answered']],
    ['a refusal', ({ json }) => json(403, refusal({ appCode: 'FORBIDDEN' })), ['asked', 'answered']],
    ['a failure of whatever stands before the service', ({ json }) => json(502, refusal({})), ['asked']],
    ['a page of something else', ({ response }) => void response.writeHead(200).end('<html>log in'), ['asked']],
    ['no answer', ({ reset }) => reset(), ['asked', 'asked', 'asked']],
  ])('%s', async (_name, answer, expected) => {
    await using server = await startRawServer(answer)
    const told: string[] = []
    const onTraffic = (traffic: string) => told.push(traffic)
    const service = new HttpService({ url: server.url, agentKey: KEY, ...PATIENCE, clock: new VirtualClock(1000), onTraffic })
    await service.read(bankroll)
    expect(told).toEqual(expected)
    await service.close()
  })
})

describe('a read', () => {
  test('is a GET with the key and the encoded input, its answer read by the contract', async () => {
    await using world = await open(({ json }) => json(200, good({ ticketId, status: 'queued', stake: '1000000', extra: [1] })), {
      path: '/api/',
    })
    const result = await world.service.read({ procedure: 'agent.queue.get', input: { ticketId } })
    expect(result).toEqual({ ok: true, output: { ticketId, status: 'queued', stake: usdc('1'), extra: [1] } })
    const [call] = world.server.calls
    expect(call).toMatchObject({
      method: 'GET',
      path: `/api/agent.queue.get?input=${encodeURIComponent(JSON.stringify({ json: { ticketId } }))}`,
    })
    expect(call?.headers['x-agent-key']).toBe(KEY)
  })

  test('of who the agent is reaches a mapping that comes later', async () => {
    const userId = 'u-1'
    const state = { drafter: userId }
    await using world = await open(({ json, path }) =>
      json(200, good(path.includes('agent.me') ? { agent: { handle: 'a', userId } } : state)),
    )
    await world.service.read({ procedure: 'agent.me', input: null })
    world.service.translator = new Translator({
      version: 1,
      pieces: { userId: 'me:agent.userId', turn: { at: 'state:drafter', is: 'userId' } },
    })
    const read = await world.service.read({ procedure: 'agent.modes.state', input: { contestId: ticketId } })
    expect(read).toMatchObject({ ok: true, output: { yourTurn: true } })
  })

  test('of nothing has null for an input; `meta` beside `json` is read past', async () => {
    const superjson = { result: { data: { json: { available: '7000000' }, meta: { values: { at: ['Date'] } } } } }
    await using world = await open(({ json }) => json(200, superjson))
    expect(await world.service.read(bankroll)).toMatchObject({ ok: true, output: { available: usdc('7') } })
    expect(world.server.calls[0]?.path).toBe('/agent.bankroll?input=%7B%22json%22%3Anull%7D')
  })

  test.each([
    ['appCode', { appCode: 'NOT_FOUND', code: 'BAD_REQUEST', details: { a: 1 } }, { code: 'NOT_FOUND', details: { a: 1 } }],
    ['code', { code: 'BAD_REQUEST' }, { code: 'BAD_REQUEST' }],
    ['the status', {}, { code: 'HTTP_404' }],
  ])('refused, says so by %s, and is not tried again', async (_by, data, expected) => {
    await using world = await open(({ json }) => json(404, refusal(data)))
    expect(await world.service.read(bankroll)).toEqual({
      ok: false,
      refusal: { message: 'no', status: 404, ...expected },
      reason: `${expected.code}: no`,
    })
    expect(world.server.calls).toHaveLength(1)
  })

  test('of a failing server is not tried again by itself', async () => {
    await using world = await open(({ response }) => response.writeHead(502).end('<html>bad gateway</html>'))
    expect(await world.service.read(bankroll)).toMatchObject({ ok: false, refusal: { code: 'HTTP_502' } })
    expect(world.server.calls).toHaveLength(1)
  })

  test('that was cut off is tried again, three times in all', async () => {
    let tries = 0
    await using world = await open((call) => (++tries < 3 ? call.reset() : call.json(200, good({ available: '1' }))))
    expect(await world.service.read(bankroll)).toMatchObject({ ok: true })
    tries = Number.NEGATIVE_INFINITY
    const { length } = world.server.calls
    expect(await world.service.read(bankroll)).toMatchObject({ ok: false, refusal: undefined })
    expect(world.server.calls).toHaveLength(length + 3)
  })

  test('that moves wait for and that hangs is begun a second time, and the first answer counts', async () => {
    let hanging = 1
    const answer = butPings(({ json }) => {
      if (hanging-- <= 0) json(200, good({ phase: 'drafting' }))
    })
    await using world = await open(answer)
    const result = world.service.read(state)
    expect(await callsOf(world)).toHaveLength(1)
    world.clock.advanceTo(world.clock.now() + 999)
    expect(await callsOf(world)).toHaveLength(1)
    world.clock.advanceTo(world.clock.now() + 1)
    expect(await result).toEqual({ ok: true, output: { phase: 'drafting' } })
    expect(new Set((await callsOf(world)).map(({ path }) => path)).size).toBe(1)
    expect(await callsOf(world)).toHaveLength(2)
  })

  test('of what the bot has goes before lists that have used up their share: until it is read the bot decides nothing', async () => {
    await using world = await open(({ json }) => json(200, good([])))
    const answered: string[] = []
    const ask = async (request: ReadRequest) => {
      await world.service.read(request)
      answered.push(request.procedure)
    }
    for (let read = 0; read < 300; read++) void ask({ procedure: 'agent.contests.list', input: {} })
    await expect.poll(() => answered.length).toBeGreaterThan(200)
    await Promise.all([
      ask({ procedure: 'agent.queue.list', input: null }),
      ask({ procedure: 'agent.queue.get', input: { ticketId } }),
      ask({ procedure: 'agent.contests.mine', input: null }),
      ask({ procedure: 'agent.contests.get', input: { contestId: ticketId } }),
    ])
    expect(answered.filter((procedure) => procedure === 'agent.contests.list').length).toBeLessThan(300)
  })

  test('that hangs and that no move waits for is begun once', async () => {
    await using world = await open(butPings())
    void world.service.read(bankroll)
    expect(await callsOf(world)).toHaveLength(1)
    world.clock.advanceTo(world.clock.now() + 5000)
    expect(await callsOf(world)).toHaveLength(1)
  })

  test('is begun a second time as well after a single answer that was late', async () => {
    const waiting: RawCall[] = []
    await using world = await open(butPings((call) => void waiting.push(call)))
    const answerAll = (json: unknown) => {
      for (const call of waiting.splice(0)) call.json(200, good(json))
    }
    for (const tookMs of [0, 4000]) {
      const read = world.service.read(bankroll)
      await expect.poll(() => waiting.length).toBe(1)
      world.clock.advanceTo(world.clock.now() + tookMs)
      answerAll({ available: '1' })
      expect(await read).toMatchObject({ ok: true })
    }
    const urgent = world.service.read(state)
    await expect.poll(() => waiting.length).toBe(1)
    world.clock.advanceTo(world.clock.now() + 1000)
    await expect.poll(() => waiting.length).toBe(2)
    answerAll({ phase: 'drafting' })
    expect(await urgent).toMatchObject({ ok: true })
  })

  test('of a service that is slow throughout is begun once', async () => {
    const waiting: RawCall[] = []
    await using world = await open(butPings((call) => void waiting.push(call)))
    const answerAll = () => {
      for (const { json } of waiting.splice(0)) json(200, good({ phase: 'drafting' }))
    }
    const first = world.service.read(state)
    await expect.poll(() => waiting.length).toBe(1)
    world.clock.advanceTo(world.clock.now() + 1000)
    await expect.poll(() => waiting.length).toBe(2)
    world.clock.advanceTo(world.clock.now() + 1000)
    answerAll()
    expect(await first).toMatchObject({ ok: true })
    const second = world.service.read(state)
    await expect.poll(() => waiting.length).toBe(1)
    world.clock.advanceTo(world.clock.now() + 3000)
    expect(await callsOf(world)).toHaveLength(3)
    answerAll()
    expect(await second).toMatchObject({ ok: true })
  })

  test.each([
    ['no JSON', 'hello'],
    ['cut off JSON', '{"result":{"data":{"json":{"available":"1"'],
    ['another form', '{"available":"1"}'],
    ['an output the contract cannot read', '{"result":{"data":{"json":{"available":-1}}}}'],
  ])('whose answer is %s has failed', async (_what, text) => {
    await using world = await open(({ response }) => response.writeHead(200).end(text))
    expect(await world.service.read(bankroll)).toMatchObject({ ok: false, refusal: undefined })
  })

  test('that is not answered in time has failed', async () => {
    await using world = await open(undefined, IMPATIENCE)
    expect(await world.service.read(bankroll)).toMatchObject({ ok: false, refusal: undefined })
  })

  test('with an input the contract does not allow never leaves, and never throws', async () => {
    await using world = await open()
    const request = { procedure: 'agent.contests.get', input: { contestId: 'x' } } as const
    expect(await world.service.read(request)).toMatchObject({ ok: false })
    expect(world.server.calls).toHaveLength(0)
  })
})

describe('the read limit', () => {
  test('429 with retry-after holds every read of the key until then', async () => {
    let isOver = true
    await using world = await open(({ json }) =>
      isOver
        ? json(429, refusal({ appCode: 'RATE_LIMITED', details: { retryAfterMs: 7000 } }), { 'retry-after': '7' })
        : json(200, good({ available: '1' })),
    )
    expect(await world.service.read(bankroll)).toMatchObject({ ok: false, refusal: { code: 'RATE_LIMITED', status: 429 } })
    isOver = false
    const second = world.service.read(bankroll)
    world.clock.advanceTo(7999)
    expect(await callsOf(world)).toHaveLength(1)
    world.clock.advanceTo(8000)
    expect(await second).toMatchObject({ ok: true })
  })

  test.each([
    ['1.5', [1500, 1500, 1500, 1500]],
    ['30.0', [30_000, 30_000, 30_000, 30_000]],
    ['soon', [1000, 2000, 4000, 8000]],
    [undefined, [1000, 2000, 4000, 8000]],
  ])('429 with a retry-after of %s: no read is sent sooner than that, nor faster and faster', async (retryAfter, waits) => {
    await using world = await open(({ json }) =>
      json(429, refusal({ appCode: 'RATE_LIMITED' }), retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    )
    await world.service.read(bankroll)
    for (const [index, waitMs] of waits.entries()) {
      const next = world.service.read(bankroll)
      world.clock.advanceTo(world.clock.now() + waitMs - 1)
      expect(await callsOf(world)).toHaveLength(index + 1)
      world.clock.advanceTo(world.clock.now() + 1)
      expect(await next).toMatchObject({ ok: false })
    }
  })

  test('429 to actions without a word of how long: each waits longer, and none is given up for it; reads go on', async () => {
    await using world = await open(
      butPings(({ json, method }) => (method === 'POST' ? json(429, refusal({})) : json(200, good({ available: '1' })))),
      { timeoutMs: 5000 },
    )
    await world.service.act(cancel)
    for (const [index, waitMs] of [1000, 2000, 4000, 5000, 5000].entries()) {
      const next = world.service.act(cancel)
      expect(await world.service.read(bankroll)).toMatchObject({ ok: true })
      world.clock.advanceTo(world.clock.now() + waitMs - 1)
      expect((await callsOf(world)).filter(({ method }) => method === 'POST')).toHaveLength(index + 1)
      world.clock.advanceTo(world.clock.now() + 1)
      expect(await next).toMatchObject({ status: 'rejected' })
    }
  })

  test('429 as the first answer holds by the clock that the same answer sets right', async () => {
    let isOver = false
    await using server = await startRawServer(({ json }) => {
      const date = { date: new Date(10_000).toUTCString() }
      if (isOver) json(200, good({ available: '1' }), date)
      else json(429, refusal({ appCode: 'RATE_LIMITED' }), { ...date, 'retry-after': '7' })
    })
    // Two hours ahead of the service.
    const machine = new VirtualClock(10_000 + 7_200_000)
    const clock = new ServiceClock(machine)
    const service = new HttpService({
      url: server.url,
      agentKey: KEY,
      ...PATIENCE,
      ...{ clock, steady: clock.steady },
      onDate: (sample) => clock.observe(sample),
    })
    expect(await service.read(bankroll)).toMatchObject({ ok: false, refusal: { code: 'RATE_LIMITED' } })
    isOver = true
    const second = service.read(bankroll)
    machine.advanceTo(machine.now() + 8000)
    expect(await second).toMatchObject({ ok: true })
    await service.close()
  })

  test('429 to a read is of the read limit: a reveal does not wait for it', async () => {
    await using world = await open(({ json, method }) =>
      method === 'POST' ? json(200, good({})) : json(429, refusal({ appCode: 'RATE_LIMITED' }), { 'retry-after': '60' }),
    )
    await world.service.read(bankroll)
    const contestId = keyedUuid('contest')
    const reveal = {
      procedure: 'agent.modes.revealPrediction',
      input: { contestId, value: '187.25', salt: 'salt-of-the-test-01' },
    } as const
    expect(await world.service.act(reveal)).toMatchObject({ status: 'accepted' })
  })

  test.each([
    ['an action meets 429', 429, 'POST'],
    ['a read meets a service that is down', 503, 'GET'],
  ])('where %s the actions of the key wait: a short wait is waited, after a long one what was approved is not sent', async (_where, status, refused) => {
    let isHeld = true
    await using world = await open(
      ({ json, method }) => {
        if (!isHeld || method !== refused) return json(200, good({}))
        return json(status, refusal({}), { 'retry-after': '7' })
      },
      { timeoutMs: 6000 },
    )
    if (refused === 'GET') await world.service.read(bankroll)
    else await world.service.act(cancel)
    isHeld = false
    expect(await world.service.act(cancel)).toEqual({ status: 'notSent', reason: 'the service asked this key to wait 7 s' })
    world.clock.advanceTo(1000 + 2000)
    const waiting = world.service.act(cancel)
    expect(await callsOf(world)).toHaveLength(1)
    world.clock.advanceTo(8000)
    expect(await waiting).toMatchObject({ status: 'accepted' })
  })

  test('in a fleet an entry does not wait for it: the operator may be told meanwhile that none leaves any more', async () => {
    let isHeld = true
    const answer = ({ json }: RawCall) => (isHeld ? json(503, refusal({}), { 'retry-after': '2' }) : json(200, good({})))
    await using world = await open(answer, { maySend: () => true })
    await world.service.read(bankroll)
    isHeld = false
    expect(await world.service.act(enqueue)).toEqual({ status: 'notSent', reason: 'the service asked this key to wait 2 s' })
    const waiting = world.service.act(cancel)
    world.clock.advanceTo(3000)
    expect(await waiting).toMatchObject({ status: 'accepted' })
    expect(await world.service.act(enqueue)).toMatchObject({ status: 'accepted' })
  })

  test('an action that meets 429 holds the reads', async () => {
    await using world = await open(({ json, method }) =>
      method === 'POST' ? json(429, refusal({ appCode: 'RATE_LIMITED' }), { 'retry-after': '3' }) : json(200, good({ available: '1' })),
    )
    expect(await world.service.act(cancel)).toMatchObject({ status: 'rejected', refusal: { code: 'RATE_LIMITED' } })
    const read = world.service.read(bankroll)
    expect(await callsOf(world)).toHaveLength(1)
    world.clock.advanceTo(4000)
    expect(await read).toMatchObject({ ok: true })
  })

  test('in a minute fewer reads leave than the service takes; actions are not held up', async () => {
    await using world = await open(({ json }) => json(200, good({ available: '1' })))
    const contestId = keyedUuid('contest')
    const read = () => world.service.read({ procedure: 'agent.modes.state', input: { contestId } })
    await Promise.all(Array.from({ length: 290 }, read))
    const held = Promise.all(Array.from({ length: 20 }, read))
    expect(await world.service.act(cancel)).toMatchObject({ status: 'accepted' })
    expect(world.server.calls).toHaveLength(291)
    world.clock.advanceTo(1000 + 62_000)
    await held
    expect(world.server.calls).toHaveLength(311)
  })

  test('closed, it lets go of whoever waits', async () => {
    const world = await open(({ json }) => json(429, refusal({}), { 'retry-after': '3600' }))
    await world.service.read(bankroll)
    const waiting = world.service.read(bankroll)
    await world[Symbol.asyncDispose]()
    expect(await waiting).toMatchObject({ ok: false })
  })
})

describe('an action', () => {
  test('is a POST with the key and the wire’s form of its input', async () => {
    await using world = await open(({ json }) => json(200, good({ ticketId, stake: '1000000' })))
    expect(await world.service.act(enqueue)).toEqual({ status: 'accepted', output: { ticketId, stake: usdc('1') } })
    const [call] = world.server.calls
    expect(call).toMatchObject({
      method: 'POST',
      path: '/agent.queue.enqueue',
      body: '{"json":{"mode":"up_down","stake":"1000000","durationSec":15}}',
    })
    expect(call?.headers).toMatchObject({ 'x-agent-key': KEY, 'content-type': 'application/json' })
  })

  test.each([
    [null],
    [true],
    ['fine'],
    [{ ticketId: 7 }],
    [[]],
  ])('answered with a success is accepted, whatever is in it: %j', async (output) => {
    await using world = await open(({ json }) => json(200, good(output)))
    expect(await world.service.act(cancel)).toMatchObject({ status: 'accepted' })
  })

  test.each([200, 400, 401, 403, 404, 409, 429])('refused with %i was not taken', async (status) => {
    await using world = await open(({ json }) => json(status, refusal({ appCode: 'STAKE_OVER_CAP' }, 'too much')))
    expect(await world.service.act(enqueue)).toEqual({
      status: 'rejected',
      refusal: { code: 'STAKE_OVER_CAP', message: 'too much', status },
    })
  })

  test.each<[string, (call: RawCall) => void, typeof PATIENCE?]>([
    ['a server error', (call) => call.json(500, refusal({ appCode: 'INTERNAL' }))],
    ['a server error without a status of its own', (call) => call.json(200, refusal({ code: 'INTERNAL_SERVER_ERROR' }))],
    ...(['code', 'httpStatus'] as const).flatMap((field): [string, (call: RawCall) => void][] =>
      (field === 'code' ? ['INTERNAL_SERVER_ERROR', 'TIMEOUT', 'CLIENT_CLOSED_REQUEST', 'SERVICE_UNAVAILABLE'] : [500, 503, 408, 499]).map(
        (value) => [
          `an app code beside a ${field} of ${value}`,
          (call) => call.json(400, refusal({ appCode: 'CONTEST_FULL', [field]: value })),
        ],
      ),
    ),
    ['a failure inside that is told plainly', (call) => call.json(400, plain({ appCode: 'CONTEST_FULL', code: 'INTERNAL_SERVER_ERROR' }))],
    ['a failure inside that is told by JSON-RPC’s number alone', (call) => call.json(400, { error: { message: 'no', code: -32603 } })],
    ['a time-out of the service’s own', (call) => call.json(408, refusal({ appCode: 'TIMEOUT' }))],
    ['a closed request', (call) => call.json(499, refusal({ appCode: 'CLIENT_CLOSED_REQUEST' }))],
    ['a gateway’s time-out', (call) => call.response.writeHead(504).end('<html>')],
    ['a connection cut after the request', (call) => call.reset()],
    ['no answer in time', () => {}, IMPATIENCE],
    ['half an answer', ({ response }) => void response.writeHead(200, { 'content-length': '500' }).write('{"result":'), IMPATIENCE],
    ['an answer that is no JSON', ({ response }) => response.writeHead(200).end('hello')],
    ['an answer of another form', (call) => call.json(200, { ticketId })],
    ['an answer without a result', (call) => call.json(200, { result: { data: {} } })],
    ['an answer beyond all bounds', ({ response }) => response.writeHead(200).end(Buffer.alloc(5 * 1024 * 1024, 32))],
  ])('that meets %s may have been taken, and is sent once', async (_what, answer, patience) => {
    await using world = await open(answer, patience)
    expect(await world.service.act(enqueue)).toMatchObject({ status: 'unknown' })
    expect(world.server.calls).toHaveLength(1)
  })

  test.each([200, 400, 409])('that is refused plainly, without superjson, with HTTP %i is refused', async (status) => {
    await using world = await open((call) =>
      call.json(status, plain({ appCode: 'CONTEST_FULL', code: 'CONFLICT', httpStatus: 409 }, 'no seat')),
    )
    expect(await world.service.act(enqueue)).toEqual({ status: 'rejected', refusal: { code: 'CONTEST_FULL', message: 'no seat', status } })
  })

  test('that finds nobody has not left', async () => {
    const gone = await startRawServer()
    await gone[Symbol.asyncDispose]()
    await using world = await open(undefined, { url: gone.url })
    expect(await world.service.act(enqueue)).toMatchObject({ status: 'notSent', reason: expect.stringContaining('ECONNREFUSED') as string })
  })

  test.each<[string, ActionRequest]>([
    ['a contest of no length', { procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake: usdc('1'), durationSec: 0 } }],
    ['a negative stake', { procedure: 'agent.queue.enqueue', input: { mode: 'up_down', stake: -1n, durationSec: 15 } }],
    ['an id that is none', { procedure: 'agent.contests.leave', input: { contestId: 'x' } }],
  ])('with %s never leaves', async (_what, request) => {
    await using world = await open()
    expect(await world.service.act(request)).toMatchObject({ status: 'notSent' })
    expect(world.server.calls).toHaveLength(0)
  })

  test.each([301, 302, 303, 307, 308])('that is answered HTTP %d is not sent elsewhere, and may have been taken', async (status) => {
    await using world = await open(({ response }) => response.writeHead(status, { location: '/elsewhere' }).end())
    expect(await world.service.act(enqueue)).toMatchObject({ status: 'unknown', reason: expect.stringContaining(String(status)) })
    expect(world.server.calls).toHaveLength(1)
  })
})

describe('the key', () => {
  test('is in no text about a failure', async () => {
    const answers: ((call: RawCall) => void)[] = [
      (call) => call.reset(),
      (call) => call.json(401, refusal({ appCode: 'AGENT_KEY_INVALID' })),
      (call) => call.json(401, refusal({ appCode: 'AGENT_KEY_INVALID', details: { key: KEY } }, `no agent has the key ${KEY}`)),
      (call) => call.json(200, good({ available: 'none', key: KEY })),
      (call) => call.response.writeHead(200).end('hello'),
      () => {},
    ]
    const texts: string[] = []
    for (const agentKey of [KEY, `${KEY}\n`, `${KEY}\u0000`]) {
      for (const answer of answers) {
        await using world = await open(answer, { ...IMPATIENCE, agentKey })
        const requests: [ReadRequest, ActionRequest] = [bankroll, cancel]
        texts.push(JSON.stringify(await world.service.read(requests[0])), JSON.stringify(await world.service.act(requests[1])))
      }
    }
    expect(texts).toHaveLength(36)
    expect(texts.filter((text) => text.includes(KEY))).toEqual([])
  })
})

describe('an exchange as it is', () => {
  test('gives status, body and the time the service says it is', async () => {
    await using world = await open(({ method, json }) =>
      method === 'GET' ? json(200, good({ any: 'thing' }), { date: 'Sat, 01 Mar 2025 12:00:00 GMT' }) : json(400, { whatever: 1 }),
    )
    const dateMs = Date.parse('2025-03-01T12:00:00Z')
    expect(await world.service.raw('read', 'agent.me', null)).toEqual({ ok: true, status: 200, json: { any: 'thing' }, dateMs })
    expect(await world.service.raw('action', 'agent.queue.cancel', { ticketId })).toMatchObject({
      ok: false,
      status: 400,
      refusal: { code: 'HTTP_400' },
      said: '{\n  "whatever": 1\n}',
    })
    expect(world.server.calls.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', JSON.stringify({ json: { ticketId } })],
    ])
  })
})
