import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorOf, openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { openTestService, START_MS } from '../../../test/support/sandbox/openTestService.ts'
import { VirtualClock } from '../../core/clock.ts'
import { TOKENS, tokenOf } from '../../core/tokens.ts'
import { startHttpServer } from './httpServer.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox({ house: false })
})
afterAll(() => sandbox.close())

/** Everything a server says to these bytes until it hangs up. */
async function speak(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return heard(socket)
}

async function heard(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

const keyOf = () => sandbox.agents[0]?.key ?? ''
const ENQUEUE = '{"json":{"mode":"up_down","stake":"1000000","durationSec":15}}'

describe('the wire', () => {
  test('a read without input is a bare GET', async () => {
    const answer = await sandbox.send('agent.me', { headers: { 'x-agent-key': keyOf() } })
    expect(outputOf(answer)).toMatchObject({ agent: { handle: 'alice' } })
    expect(answer.body).toEqual({ result: { data: { json: expect.anything() } } })
  })

  test('every answer comes in one piece, with its length', async () => {
    const headers = { 'x-agent-key': keyOf(), 'content-type': 'application/json' }
    const action = (body: string) => sandbox.send('agent.queue.cancel', { method: 'POST', headers, body })
    const answers = {
      read: await sandbox.get('agent.me'),
      'refused read': await sandbox.get('agent.me', null, null),
      'refused action': await action('{"json":null}'),
      price: await sandbox.send('jup/price/v3'),
    }
    for (const [kind, { headers, body }] of Object.entries(answers)) {
      const bytes = String(Buffer.byteLength(JSON.stringify(body)))
      expect([kind, headers.get('content-length'), headers.get('transfer-encoding')]).toEqual([kind, bytes, null])
    }
  })

  test('an unknown procedure is not found, with or without a key', async () => {
    for (const path of ['agent.nope', 'agent', '', '..%2Fagent.me', 'agent.me/x', 'constructor', '__proto__', 'jup/price/v4']) {
      const answer = await sandbox.send(path)
      expect([path, answer.status, errorOf(answer).appCode]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  test('a GET of an action and a POST of a read are refused with 405', async () => {
    const headers = { 'x-agent-key': keyOf(), 'content-type': 'application/json' }
    const action = await sandbox.send('agent.queue.enqueue', { headers })
    expect([action.status, action.headers.get('allow'), errorOf(action).appCode]).toEqual([405, 'POST', 'INVALID_INPUT'])
    const read = await sandbox.send('agent.me', { method: 'POST', headers, body: '{"json":null}' })
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'GET'])
    for (const method of ['DELETE', 'PUT', 'OPTIONS']) {
      const answer = await sandbox.send('agent.me', { method })
      expect([answer.status, errorOf(answer)]).toEqual([
        405,
        expect.objectContaining({ appCode: 'INVALID_INPUT', message: `${method}: reads are GET and actions are POST` }),
      ])
    }
  })

  test('several calls in one are refused', async () => {
    const answer = await sandbox.send('agent.me,agent.rank?batch=1', { headers: { 'x-agent-key': keyOf() } })
    expect([answer.status, errorOf(answer).appCode]).toEqual([400, 'INVALID_INPUT'])
  })

  test.each([
    ['truncated JSON', '{"json":{"mode":', 'application/json', 400],
    ['no JSON', 'mode=up_down', 'application/json', 400],
    ['JSON without its envelope', '"up_down"', 'application/json', 400],
    ['a list for an envelope', '[]', 'application/json', 400],
    ['deep JSON', `{"json":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'application/json', 400],
    ['an empty body', '', 'application/json', 400],
    ['another content type', ENQUEUE, 'text/plain', 415],
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 415],
    ['bytes', ENQUEUE, 'application/octet-stream', 415],
    ['a form in parts', ENQUEUE, 'multipart/form-data; boundary=x', 415],
    ['fields without their envelope', ENQUEUE.slice('{"json":'.length, -1), 'application/json', 400],
    ['over 64 KiB', `{"json":"${'x'.repeat(64 * 1024)}"}`, 'application/json', 413],
  ])('%s is answered with 4xx and changes nothing', async (_name, body, contentType, status) => {
    const { lastSeq } = sandbox.service.store
    const headers = { 'x-agent-key': keyOf(), 'content-type': contentType }
    const answer = await sandbox.send('agent.queue.enqueue', { method: 'POST', headers, body })
    expect([answer.status, errorOf(answer).appCode]).toEqual([status, 'INVALID_INPUT'])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(JSON.stringify(answer.body).length).toBeLessThan(2000)
    expect(sandbox.service.store.lastSeq).toBe(lastSeq)
  })

  test('every answer says once what it is', async () => {
    const headers = { 'x-agent-key': keyOf(), 'content-type': 'application/json' }
    const answers = await Promise.all([
      sandbox.send('agent.queue.enqueue', { method: 'POST', headers, body: '{"json":{"mode":"up_down","stake":"1","durationSec":15}}' }),
      sandbox.send('agent.queue.enqueue', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
      sandbox.send('agent.nope'),
      sandbox.send('agent.me', { headers }),
      sandbox.send('agent.me'),
    ])
    expect(answers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual(
      [200, 401, 404, 200, 401].map((status) => [status, 'application/json']),
    )
  })

  test.each([
    'input={"status":"live"}',
    'input=%7Bbad',
    'input=null',
    'input=%5B%5D',
    'input=%E0%A4%A',
    'input={"json":1,"meta":{"values":[["class","x"]]}}',
  ])('a query of %s is answered with 400', async (query) => {
    const answer = await sandbox.send(`agent.history?${query}`, { headers: { 'x-agent-key': keyOf() } })
    expect([answer.status, errorOf(answer).appCode]).toEqual([400, 'INVALID_INPUT'])
  })

  test('a path that cannot be decoded is answered with 400', async () => {
    const answer = await sandbox.send('%E0%A4%A')
    expect([answer.status, errorOf(answer).appCode]).toEqual([400, 'INVALID_INPUT'])
  })

  test('a host that makes no URL is answered with 400', async () => {
    expect(
      await speak(sandbox.url, 'GET /agent.me HTTP/1.1\r\nhost: a b\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 400 [\s\S]*"appCode":"INVALID_INPUT"/)
  })

  test('what is not HTTP, and a header that is too long, are answered and cut off', async () => {
    expect(await speak(sandbox.url, '\0\x01garbage\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"appCode":"INVALID_INPUT"/)
    expect(await speak(sandbox.url, `GET /agent.me?input=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 [\s\S]*up to 16384 bytes/,
    )
  })
})

describe('rates', () => {
  test('300 reads and 120 actions a minute, each agent by itself, in any 60 seconds', async () => {
    const limited = await openTestSandbox({ house: false })
    const bob = limited.agents[1]?.key ?? ''
    for (let call = 0; call < 300; call++) {
      if (call === 100) limited.advance(20_000)
      expect((await limited.get('agent.rank')).status).toBe(200)
    }
    const refused = await limited.get('agent.rank')
    expect(refused.status).toBe(429)
    expect(errorOf(refused)).toMatchObject({ appCode: 'RATE_LIMITED', details: { retryAfterMs: 40_000 } })
    expect(refused.headers.get('retry-after')).toBe('40')
    expect((await limited.get('agent.rank', null, bob)).status).toBe(200)

    for (let call = 0; call < 120; call++) expect((await limited.post('agent.queue.cancel', {})).status).toBe(400)
    expect((await limited.post('agent.queue.cancel', {})).status).toBe(429)

    limited.advance(39_999)
    expect(errorOf(await limited.get('agent.rank')).details).toEqual({ retryAfterMs: 1 })
    limited.advance(1)
    for (let call = 0; call < 100; call++) expect((await limited.get('agent.rank')).status).toBe(200)
    expect((await limited.get('agent.rank')).status).toBe(429)
    await limited.close()
  })

  test('the read limit is an option', async () => {
    const limited = await openTestSandbox({ house: false, readLimit: 1 })
    expect((await limited.get('agent.rank')).status).toBe(200)
    expect((await limited.get('agent.rank')).status).toBe(429)
    await limited.close()
  })
})

describe('faults', () => {
  test('a fault of the sandbox is answered without saying what it was, and reported', async () => {
    const { service } = openTestService({ house: false })
    const faults: unknown[] = []
    const server = await startHttpServer({ service, host: '127.0.0.1', port: 0, onFault: (fault) => faults.push(fault) })
    service.close()
    const answer = await fetch(`${server.url}/agent.me`, { headers: { 'x-agent-key': 'ck_any' } })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({
      error: { json: { message: 'the sandbox failed; its log says why', data: { appCode: 'INTERNAL', details: null } } },
    })
    expect(faults).toEqual([expect.any(Error)])
    await server.close()
  })

  test('a port that is taken is named', async () => {
    const { port } = new URL(sandbox.url)
    const { service } = openTestService({ house: false })
    await expect(startHttpServer({ service, host: '127.0.0.1', port: Number(port), onFault: () => {} })).rejects.toThrow(
      expect.objectContaining({ code: 'SANDBOX_PORT', message: expect.stringMatching(`127.0.0.1:${port}.*choose another port`) }),
    )
  })

  test.each(['300.1.1.1', '192.0.2.1'])('%s, which is no address of this machine, is named, and not the port', async (host) => {
    const { service } = openTestService({ house: false })
    await expect(startHttpServer({ service, host, port: 0, onFault: () => {} })).rejects.toThrow(
      expect.objectContaining({ code: 'SANDBOX_PORT', message: expect.stringMatching(`${host}:0 .*the host must be an address of this`) }),
    )
  })
})

describe('slow clients', () => {
  test('who does not finish a request is cut off', async () => {
    const { service } = openTestService({ house: false, clock: new VirtualClock(START_MS) })
    const server = await startHttpServer({ service, host: '127.0.0.1', port: 0, requestTimeoutMs: 100, onFault: () => {} })
    const head = 'POST /agent.queue.enqueue HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n'
    expect(await speak(server.url, head)).toMatch(/^HTTP\/1.1 408 /)
    expect(await speak(server.url, `${head}\r\n{"json":`)).toMatch(/HTTP\/1.1 408 /)
    await server.close()
  })

  const openServer = (limits: { requestTimeoutMs?: number; stalledMs?: number; mostConnections?: number }) => {
    const { service } = openTestService({ house: false, clock: new VirtualClock(START_MS) })
    return startHttpServer({ service, host: '127.0.0.1', port: 0, onFault: () => {}, ...limits })
  }

  test('who says nothing, and who drips, is cut off when the time for a request is over', async () => {
    const server = await openServer({ requestTimeoutMs: 200 })
    const { hostname, port } = new URL(server.url)
    const silent = heard(connect(Number(port), hostname))
    const dripping = connect(Number(port), hostname)
    const drip = setInterval(() => dripping.write('x'), 20)
    dripping.write('GET /agent.me?input=')
    const answers = await Promise.all([silent, heard(dripping)])
    clearInterval(drip)
    expect(answers[1]).toMatch(/^HTTP\/1.1 408 /)
    await server.close()
  })

  test('who does not read the answer is cut off', async () => {
    const server = await openServer({ stalledMs: 200 })
    const { hostname, port } = new URL(server.url)
    const deaf = connect(Number(port), hostname).pause()
    const gone = new Promise((resolve) => deaf.once('close', resolve))
    deaf.on('error', () => {})
    // Answers nobody reads fill the buffers of both ends; then nothing moves any more.
    const ids = TOKENS.map(({ mint }) => mint).slice(0, 50)
    deaf.write(`GET /jup/price/v3?ids=${ids.join(',')} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(4000))
    // Whoever does not read notices only by writing.
    const nudge = setInterval(() => deaf.write('x'), 20)
    await gone
    clearInterval(nudge)
    await server.close()
  })

  test('one connection more than there may be is closed, and the others are served', async () => {
    const server = await openServer({ mostConnections: 2 })
    const { hostname, port } = new URL(server.url)
    const sockets = [1, 2].map(() => connect(Number(port), hostname))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    expect(await speak(server.url, 'GET /agent.me HTTP/1.1\r\nhost: x\r\n\r\n').catch(() => '')).toBe('')
    const [first] = sockets
    first?.write('GET /agent.me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(first && (await heard(first))).toMatch(/^HTTP\/1.1 401 /)
    await server.close()
  })

  test('closing waits for no client, though a client keeps its connection and another is in the middle of a request', async () => {
    const closing = await openTestSandbox({ house: false })
    const { hostname, port } = new URL(closing.url)
    const idle = connect(Number(port), hostname)
    idle.write('GET /agent.me HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(idle, 'data')
    const unfinished = connect(Number(port), hostname)
    const headers = `x-agent-key: ${closing.agents[0]?.key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue`
    unfinished.write(`POST /agent.queue.enqueue HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n{`)
    await once(unfinished, 'data')
    const ends = Promise.all([heard(idle), heard(unfinished)])
    const before = performance.now()
    await closing.close()
    // It would take ten seconds for the request to be given up.
    expect(performance.now() - before).toBeLessThan(9_000)
    await ends
  })
})

describe('/jup/price/v3', () => {
  const [sol, usdc, bonk] = ['SOL', 'USDC', 'BONK'].map((symbol) => tokenOf(symbol)?.mint ?? '')

  test('gives the price that contests are decided by, in the shape of the Price API', async () => {
    sandbox.advance(12_000)
    const answer = await sandbox.send(`jup/price/v3?ids=${sol},${usdc},${bonk},11111111111111111111111111111111`)
    expect(answer.status).toBe(200)
    const price = (mint = '') => Number(sandbox.service.priceAt(mint, sandbox.service.now()))
    const common = {
      createdAt: '2024-06-05T08:55:25.527Z',
      blockId: expect.any(Number),
      priceChange24h: expect.any(Number),
    }
    expect(answer.body).toEqual({
      [sol ?? '']: { ...common, usdPrice: price(sol), decimals: 9, liquidity: 80_000_000 },
      [usdc ?? '']: { ...common, usdPrice: 1, decimals: 6, priceChange24h: 0, liquidity: 0 },
      [bonk ?? '']: { ...common, usdPrice: price(bonk), decimals: 5, liquidity: 10_000_000 },
    })
    expect(price(sol)).toBeGreaterThan(150)
  })

  test('gives the change over a day in percent', async () => {
    const answer = await sandbox.send(`jup/price/v3?ids=${sol}`)
    const now = sandbox.service.now()
    const [today, yesterday] = [now, now - 86_400_000].map((atMs) => Number(sandbox.service.priceAt(sol ?? '', atMs)))
    const change = (answer.body as Record<string, { priceChange24h: number }>)[sol ?? '']?.priceChange24h
    expect(change).toBeCloseTo((100 * ((today ?? 0) - (yesterday ?? 0))) / (yesterday ?? 1), 9)
  })

  test('takes up to 50 mints', async () => {
    expect((await sandbox.send(`jup/price/v3?ids=${Array(50).fill(sol).join(',')}`)).status).toBe(200)
    for (const query of ['', '?ids=', `?ids=${Array(51).fill(sol).join(',')}`]) {
      const answer = await sandbox.send(`jup/price/v3${query}`)
      expect([answer.status, answer.body]).toEqual([400, { code: 400, message: expect.stringContaining('ids') }])
    }
    expect((await sandbox.send('jup/price/v3', { method: 'POST' })).status).toBe(405)
  })
})
