import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestHttp, type Server } from 'node:http'
import { connect } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startRawServer } from '../../test/support/rawServer.ts'
import { VirtualClock } from '../core/clock.ts'
import { systemClock } from '../core/systemClock.ts'
import { usdc } from '../core/usdc.ts'
import type { Occurrence } from '../pipeline/index.ts'
import { PostChannel } from './alerts/postChannel.ts'
import { TelegramChannel } from './alerts/telegramChannel.ts'
import { TelegramChat } from './alerts/telegramChat.ts'
import { Endpoint } from './endpoint.ts'
import { HttpService } from './httpService.ts'
import { connectionsTo, PROXIED_LATE_MS, proxySettings } from './outgoing.ts'

afterEach(() => vi.unstubAllEnvs())

const portOf = (server: Server): number => (server.address() as { port: number }).port

/** A proxy that brings every host to one server of this machine, and keeps what it was asked for. */
async function startProxy(upstreamPort: number) {
  const asked: string[] = []
  const tokens: (string | undefined)[] = []
  const proxy = createServer((request: IncomingMessage, response) => {
    asked.push(`${request.method} ${request.url}`)
    tokens.push(request.headers['proxy-authorization'])
    const { pathname, search } = new URL(request.url ?? '')
    const onward = requestHttp(
      { port: upstreamPort, host: '127.0.0.1', method: request.method, path: `${pathname}${search}`, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  proxy.on('connect', ({ url, headers }: IncomingMessage, client) => {
    asked.push(`CONNECT ${url}`)
    tokens.push(headers['proxy-authorization'])
    const server = connect(upstreamPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    for (const socket of [server, client]) socket.on('error', () => socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    ...{ asked, tokens, url: `127.0.0.1:${portOf(proxy)}` },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

const occurrence: Occurrence = { at: 0, bot: 'alice', kind: 'missedReveal', severity: 'alarm', message: 'a prediction was not shown' }
const none = {
  HTTP_PROXY: undefined,
  http_proxy: undefined,
  HTTPS_PROXY: undefined,
  https_proxy: undefined,
  NO_PROXY: undefined,
  no_proxy: undefined,
}
function stub(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries({ ...none, ...environment })) vi.stubEnv(name, value)
}

describe('a proxy that the environment names', () => {
  test('is taken by every client, with its credentials', async () => {
    await using server = await startRawServer(({ response }) => response.end('{"ok":true,"result":{"data":{"json":{}}}}'))
    await using proxy = await startProxy(Number(new URL(server.url).port))
    stub({ HTTP_PROXY: `http://me:s3cret@${proxy.url}` })
    const service = new HttpService({ url: 'http://service.test/api', agentKey: 'key', timeoutMs: 5000, clock: systemClock })
    const endpoint = new Endpoint({
      name: 'it',
      url: 'http://prices.test',
      apiKey: undefined,
      timeoutMs: 5000,
      clock: new VirtualClock(1000),
    })
    const post = new PostChannel({
      name: 'webhook',
      url: 'http://alerts.test/hook',
      clock: systemClock,
      bodyOf: () => ({ body: {}, taken: 1 }),
    })
    const telegram = new TelegramChannel({
      name: 'telegram',
      token: '12:abc',
      chat: new TelegramChat('7'),
      apiRoot: 'http://telegram.test',
    })
    await service.read({ procedure: 'agent.me', input: null })
    expect(await endpoint.send({ method: 'GET', path: '/price' })).toMatchObject({ ok: true })
    expect(await post.send([occurrence])).toMatchObject({ ok: true })
    expect(await telegram.send([occurrence])).toEqual({ ok: true, taken: 1 })
    expect(proxy.asked).toEqual([
      expect.stringMatching(/^GET http:\/\/service\.test\/api\/agent\.me/),
      'GET http://prices.test/price',
      'POST http://alerts.test/hook',
      'POST http://telegram.test/bot12:abc/sendMessage',
    ])
    expect(new Set(proxy.tokens)).toEqual(new Set([`Basic ${Buffer.from('me:s3cret').toString('base64')}`]))
    await Promise.all([service.close(), endpoint.close(), post.close(), telegram.close()])
  })

  test('is asked for a tunnel where TLS is spoken, and sees nothing of it', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'service.test' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'service.test' }] }],
    })
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
      socket.on('error', () => {})
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using proxy = await startProxy((server.address() as { port: number }).port)
    const environment = { https_proxy: `http://${proxy.url}` }
    const connections = connectionsTo('https://service.test', {
      timeoutMs: 5000,
      connections: 1,
      maxResponseSize: 1000,
      ca: cert,
      environment,
    })
    const { body } = await connections.request({ method: 'GET', path: '/secret' })
    expect(await body.text()).toBe('{}')
    expect(proxy.asked).toEqual(['CONNECT service.test:443'])
    await connections.destroy()
    server.close()
  })

  test('is kept from what NO_PROXY excepts, and from this machine', async () => {
    await using server = await startRawServer(({ response }) => response.end('{}'))
    const port = Number(new URL(server.url).port)
    await using proxy = await startProxy(port)
    const environment = { HTTP_PROXY: `http://${proxy.url}`, NO_PROXY: '.local.test, 127.0.0.2' }
    const options = { timeoutMs: 5000, connections: 1, maxResponseSize: 1000, environment }
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.2:${port}`]) {
      const connections = connectionsTo(origin, options)
      await connections
        .request({ method: 'GET', path: '/' })
        .then(({ body }) => body.text())
        .catch(() => '')
      await connections.destroy()
    }
    expect(proxy.asked).toEqual([])
    expect(connectionsTo('http://127.0.0.1:1', options).isProxied).toBe(false)
    expect(connectionsTo('http://elsewhere.test', options).isProxied).toBe(true)
  })

  test('may hold what was given up: an action without an answer may arrive for a minute', async () => {
    await using server = await startRawServer(() => {})
    await using proxy = await startProxy(Number(new URL(server.url).port))
    const act = async (url: string) => {
      const service = new HttpService({ url, agentKey: 'key', timeoutMs: 200, clock: systemClock })
      const outcome = await service.act({
        procedure: 'agent.queue.enqueue',
        input: { mode: 'up_down', stake: usdc('1'), durationSec: 15 },
      } as never)
      await service.close()
      return { outcome, mayArriveForMs: service.mayArriveForMs }
    }
    stub({ HTTP_PROXY: `http://${proxy.url}` })
    const proxied = await act('http://service.test')
    expect(proxied).toMatchObject({ outcome: { status: 'unknown', mayArriveForMs: PROXIED_LATE_MS }, mayArriveForMs: PROXIED_LATE_MS })
    const direct = await act(server.url)
    expect(direct.outcome).toMatchObject({ status: 'unknown' })
    expect(direct.outcome).not.toHaveProperty('mayArriveForMs')
  })

  test('that is no address is refused, and not repeated', () => {
    stub({ HTTP_PROXY: 'not an address with s3cret' })
    const open = () => connectionsTo('http://service.test', { timeoutMs: 1, connections: 1, maxResponseSize: 1 })
    expect(open).toThrow(/HTTP_PROXY is no address of a proxy/)
    expect(open).not.toThrow(/s3cret/)
  })
})

test.each([
  [{}, []],
  [{ NO_PROXY: 'a.test' }, []],
  [{ HTTP_PROXY: '' }, []],
  [{ HTTP_PROXY: 'http://p.test:3128' }, [['HTTP_PROXY', 'http://p.test:3128']]],
  [{ HTTP_PROXY: 'http://P.test', http_proxy: 'http://small.test' }, [['http_proxy', 'http://small.test']]],
  [
    { HTTPS_PROXY: 'http://me:s3cret@p.test:3128/x', no_proxy: 'a.test,b.test' },
    [
      ['HTTPS_PROXY', 'http://***@p.test:3128'],
      ['no_proxy', 'a.test,b.test'],
    ],
  ],
  [{ HTTPS_PROXY: 's3cret' }, [['HTTPS_PROXY', '***']]],
])('of %j a person is shown %j', (environment, expected) => {
  expect(proxySettings(environment).map(({ name, value }) => [name, value])).toEqual(expected)
})
