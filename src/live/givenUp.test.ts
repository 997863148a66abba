import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { generate } from 'selfsigned'
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { startRawServer } from '../../test/support/rawServer.ts'
import { VirtualClock } from '../core/clock.ts'
import { systemClock } from '../core/systemClock.ts'
import { usdc } from '../core/usdc.ts'
import { TelegramChannel } from './alerts/telegramChannel.ts'
import { TelegramChat } from './alerts/telegramChat.ts'
import { Endpoint } from './endpoint.ts'
import { HttpService } from './httpService.ts'
import { resettingConnector } from './resettingConnector.ts'

const portOf = (server: Server): number => (server.address() as { port: number }).port

/** Stands before a server and, told to, reads nothing more of what it is sent: to the client a link that is cut. */
async function startRelay(port: number) {
  const clients: Socket[] = []
  const resets: string[] = []
  let isCut = false
  const relay = createServer((client) => {
    clients.push(client)
    const server = connect(port, '127.0.0.1')
    if (isCut) client.pause()
    client.on('data', (chunk) => server.write(chunk))
    client.on('end', () => server.end())
    server.on('data', (chunk) => client.write(chunk))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
    client.on('error', ({ code = '' }: NodeJS.ErrnoException) => resets.push(code))
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(relay)}`,
    /** How clients have broken off. */
    resets,
    cut() {
      isCut = true
      for (const client of clients) client.pause()
    },
    restore() {
      isCut = false
      for (const client of clients) client.resume()
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}

/** More than a receiver that reads nothing takes, and less than the sender's kernel holds. */
const LONG = 'x'.repeat(600_000)
const GIVEN_UP_MS = 300

/** What arrives of a request that is given up on a link that is cut, once the link is back; and of one by undici as it comes, beside it. */
async function arrivedAfterCut(send: (url: string) => Promise<{ close(): Promise<unknown> }>): Promise<string[]> {
  await using server = await startRawServer(({ response }) => response.end('{}'))
  await using relay = await startRelay(Number(new URL(server.url).port))
  relay.cut()
  const plain = new Pool(relay.url, { headersTimeout: GIVEN_UP_MS })
  const [client] = await Promise.all([
    send(relay.url),
    plain
      .request({ method: 'POST', path: '/plain', body: LONG, signal: AbortSignal.timeout(GIVEN_UP_MS) })
      .then(() => expect.unreachable('nothing answers'))
      .catch(() => {}),
  ])
  relay.restore()
  await expect.poll(() => server.calls.map(({ path }) => path)).toContain('/plain')
  await (await fetch(`${relay.url}/later`)).text()
  await Promise.all([plain.destroy(), client.close()])
  return server.calls.map(({ path }) => path)
}

test('an action that was given up on a link that is cut does not arrive when the link is back', async () => {
  const paths = await arrivedAfterCut(async (url) => {
    const service = new HttpService({ url, agentKey: 'key', timeoutMs: GIVEN_UP_MS, clock: systemClock })
    const params = { note: LONG }
    const input = { mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15, params } as const
    expect(await service.act({ procedure: 'agent.contests.create', input })).toMatchObject({ status: 'unknown' })
    return service
  })
  expect(paths).toEqual(['/plain', '/later'])
})

test('nor does a POST to anybody else’s address', async () => {
  const paths = await arrivedAfterCut(async (url) => {
    const endpoint = new Endpoint({ name: 'it', url, apiKey: undefined, timeoutMs: GIVEN_UP_MS, clock: new VirtualClock(1000) })
    expect(await endpoint.send({ method: 'POST', path: '/swap', body: LONG })).toMatchObject({ ok: false, retryable: true })
    return endpoint
  })
  expect(paths).toEqual(['/plain', '/later'])
})

// It is too short to be held back by a receiver that reads nothing: what a reset takes back is what the sender's kernel holds.
test('an alert by Telegram, whose client is not ours, is reset as well', async () => {
  await using server = await startRawServer(({ response }) => response.end('{}'))
  await using relay = await startRelay(Number(new URL(server.url).port))
  relay.cut()
  const channel = new TelegramChannel({
    name: 'telegram',
    token: '1:a',
    chat: new TelegramChat('7'),
    apiRoot: relay.url,
    timeoutMs: GIVEN_UP_MS,
  })
  expect(await channel.send([{ at: 0, bot: 'alice', kind: 'settled', severity: 'info', message: 'won' }])).toMatchObject({ ok: false })
  relay.restore()
  await expect.poll(() => relay.resets).toEqual(['ECONNRESET'])
  await channel.close()
})

test.each([
  'http',
  'https',
] as const)('%s: what is given up is reset; what is answered leaves its connection to the next', async (scheme) => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const ends: string[] = []
  let [connections, hanging] = [0, 0]
  const onClient = (socket: Socket) => {
    connections += 1
    socket.on('data', (chunk: Buffer) => {
      if (chunk.includes('/hang')) hanging += 1
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
    })
    socket.on('end', () => ends.push('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => ends.push(String(error.code)))
  }
  const server = scheme === 'http' ? createServer(onClient) : createTlsServer({ key, cert }, onClient)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `${scheme}://localhost:${portOf(server)}`
  const connector = resettingConnector({ timeoutMs: 10_000, tls: { ca: cert } })
  const ask = async (pool: Pool, path: string, signal?: AbortSignal) => {
    const { body } = await pool.request({ method: 'POST', path, body: '{}', ...(signal === undefined ? {} : { signal }) })
    return body.text()
  }
  const pool = new Pool(origin, { connections: 1, connect: connector })
  expect([await ask(pool, '/a'), await ask(pool, '/b')]).toEqual(['{}', '{}'])
  expect([connections, ends]).toEqual([1, []])
  const giveUp = new AbortController()
  const asking = ask(pool, '/hang', giveUp.signal)
  await expect.poll(() => hanging).toBe(1)
  giveUp.abort(new DOMException('late', 'TimeoutError'))
  await expect(asking).rejects.toThrow('late')
  await expect.poll(() => ends).toEqual(['ECONNRESET'])
  await pool.destroy()
  server.close()
  await once(server, 'close')
})
