import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { runsOf } from '../../../test/support/suite/cases.ts'
import {
  AGENT_ID,
  bodyOf,
  bytesOf,
  type Delivery,
  type DeliveryOptions,
  deliver,
  deliveryOf,
  sendBytes,
  withHeaders,
} from '../../../test/support/webhookDeliveries.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type RefusedDelivery, WebhookReceiver, type WebhookReceiverOptions } from './webhookReceiver.ts'

const NOW = Date.parse('2025-07-21T12:00:00Z')
const SECRET = 'whsec_alice'
const OLD_SECRET = 'whsec_alice_old'
const BOB_SECRET = 'whsec_bob'
const LARGEST = 64 * 1024

const opened: WebhookReceiver[] = []
afterEach(async () => {
  for (const receiver of opened.splice(0)) await receiver.close()
})

/** A receiver for alice, who is changing her secret, and for bob, who does not know his agent's id yet. */
async function open(options: Partial<WebhookReceiverOptions> = {}) {
  const clock = { time: NOW, now: () => clock.time }
  const refused: RefusedDelivery[] = []
  const onRefused = (one: RefusedDelivery) => void refused.push(one)
  const receiver = await WebhookReceiver.open({ host: '127.0.0.1', port: 0, clock, onRefused, ...options })
  opened.push(receiver)
  const wakes = { alice: 0, bob: 0 }
  receiver.admit('alice', { secrets: [SECRET, OLD_SECRET], agentId: () => AGENT_ID }).subscribe(() => {
    wakes.alice += 1
  })
  receiver.admit('bob', { secrets: [BOB_SECRET], agentId: () => undefined }).subscribe(() => {
    wakes.bob += 1
  })
  const send = (delivery: Delivery) => deliver(receiver.url, delivery)
  return { receiver, clock, refused, wakes, send }
}

let events = 0
/** A delivery of an event of its own. */
const good = (options: Partial<DeliveryOptions> = {}): Delivery => {
  events += 1
  return deliveryOf({ secret: SECRET, atMs: NOW, body: bodyOf(events), ...options })
}

describe('a good delivery', () => {
  test('is answered with 204 and wakes its bot, and no other', async () => {
    const { send, wakes, refused } = await open()
    expect(await send(good())).toBe(204)
    expect(await send(good({ bot: 'bob', secret: BOB_SECRET }))).toBe(204)
    expect(await send(good({ bot: 'bob', secret: BOB_SECRET }))).toBe(204)
    expect(wakes).toEqual({ alice: 1, bob: 2 })
    expect(refused).toEqual([])
  })

  test('is signed over its exact bytes: spaces, an odd order, letters beyond ASCII, and 64 KiB of them', async () => {
    const { send, wakes } = await open()
    const spaced = `{ "data": "café \\u0000", "createdAt": "x",\n "agentId": "${AGENT_ID}", "type": "", "id": "${keyedUuid('spaced')}" }\n`
    expect(await send(good({ body: spaced }))).toBe(204)
    const largest = bodyOf(-1).padEnd(LARGEST)
    expect(await send(good({ body: largest }))).toBe(204)
    expect(wakes.alice).toBe(2)
  })

  test('that comes byte by byte, and in chunks without a length, is as good', async () => {
    const { receiver, wakes } = await open()
    const { headers, path, body } = good()
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n${lines.join('')}\r\n`
    const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`)
    expect((await sendBytes(receiver.url, Buffer.from(`${head}${chunks.join('')}0\r\n\r\n`))).status).toBe(204)
    expect(wakes.alice).toBe(1)
  })

  test('is answered before anything comes of it: a bot that reads, and then keeps the whole process waiting, has been answered for', async () => {
    const { receiver } = await open()
    const isAnswered = new Int32Array(new SharedArrayBuffer(4))
    const delivery = bytesOf(good({ bot: 'carol' }))
    // In a thread of its own, or it would wait with the rest.
    const caller = new Worker(
      `const { workerData: { port, delivery, isAnswered } } = require('node:worker_threads')
      require('node:net').connect(port, '127.0.0.1').once('data', () => { isAnswered[0] = 1; Atomics.notify(isAnswered, 0) }).write(delivery)`,
      { eval: true, workerData: { port: Number(new URL(receiver.url).port), delivery, isAnswered } },
    )
    const carol$ = receiver.admit('carol', { secrets: [SECRET], agentId: () => undefined })
    const read = () => sendBytes(receiver.url, Buffer.from('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'))
    const waited = await new Promise((resolve) =>
      carol$.subscribe(() => void read().then(() => resolve(Atomics.wait(isAnswered, 0, 0, 10_000)))),
    )
    await caller.terminate()
    expect(waited).not.toBe('timed-out')
  })
})

describe('a delivery that came before', () => {
  test('is answered with 2xx, so that it is not sent again, and wakes nobody', async () => {
    const { send, wakes, clock } = await open()
    const delivery = good()
    expect([await send(delivery), await send(delivery)]).toEqual([204, 204])
    clock.time += 60_000
    // A later attempt is signed anew.
    expect(await send(deliveryOf({ secret: SECRET, atMs: clock.time, body: delivery.body }))).toBe(204)
    expect(wakes.alice).toBe(1)
  })

  test('for one bot came for no other', async () => {
    const { send, wakes } = await open()
    const body = bodyOf(-2)
    await send(good({ body }))
    await send(good({ body, bot: 'bob', secret: BOB_SECRET }))
    expect(wakes).toEqual({ alice: 1, bob: 1 })
  })

  test('but was refused did not come', async () => {
    const { send, wakes } = await open()
    const delivery = good()
    expect(await send(withHeaders(delivery, { 'x-svc-signature': `sha256=${'0'.repeat(64)}` }))).toBe(401)
    expect(await send(delivery)).toBe(204)
    expect(wakes.alice).toBe(1)
  })
})

describe('refused', () => {
  const flip = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`
  const cases: [name: string, status: number, reason: RefusedDelivery['reason'], bad: (delivery: Delivery) => Delivery][] = [
    ['no signature', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-signature': undefined })],
    ['no timestamp', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-timestamp': undefined })],
    ['a signature without its scheme', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-signature': signatureOf(one).slice(7) })],
    ['a signature in capitals', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-signature': signatureOf(one).toUpperCase() })],
    ['a signature that ends early', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-signature': signatureOf(one).slice(0, -2) })],
    ['two signatures', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-signature': `${signatureOf(one)}, ${signatureOf(one)}` })],
    ['a wrong signature', 401, 'forged', (one) => withHeaders(one, { 'x-svc-signature': flip(signatureOf(one)) })],
    ['another body', 401, 'forged', (one) => ({ ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) })],
    ['another time', 401, 'forged', (one) => withHeaders(one, { 'x-svc-timestamp': String(NOW / 1000 + 1) })],
    ['a time with a sign', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-timestamp': `+${NOW / 1000}` })],
    ['a time in milliseconds', 401, 'unsigned', (one) => withHeaders(one, { 'x-svc-timestamp': String(NOW) })],
    ['no body', 401, 'forged', (one) => ({ ...one, body: Buffer.alloc(0) })],
    ['another agent', 401, 'otherAgent', () => good({ body: bodyOf(-3, keyedUuid('other')) })],
    ['no JSON, signed', 400, 'unreadable', () => good({ body: 'hello' })],
    ['an empty body, signed', 400, 'unreadable', () => good({ body: '' })],
    ['JSON of something else, signed', 400, 'unreadable', () => good({ body: '{"id":"1","type":"contest.live"}' })],
    ['GET', 405, 'notPosted', (one) => ({ ...one, method: 'GET' })],
    ['PUT', 405, 'notPosted', (one) => ({ ...one, method: 'PUT' })],
    ['over 64 KiB', 413, 'tooLarge', () => good({ body: bodyOf(-4).padEnd(LARGEST + 1) })],
  ]
  const signatureOf = ({ headers }: Delivery) => headers['x-svc-signature'] ?? ''

  test.each(cases)('%s: %i, %s', async (_name, status, reason, bad) => {
    const { send, wakes, refused } = await open()
    expect(await send(bad(good()))).toBe(status)
    expect(refused).toEqual([{ reason, bot: 'alice' }])
    expect(wakes).toEqual({ alice: 0, bob: 0 })
  })

  test.each([
    '/',
    '/webhooks',
    '/webhooks/',
    '/webhooks/alice/',
    '/webhooks/alice?x=1',
    '/Webhooks/alice',
    '/webhooks/Alice',
  ])('at %s: 404', async (path) => {
    const { send, wakes, refused } = await open()
    expect(await send({ ...good(), path })).toBe(404)
    expect(refused).toEqual([{ reason: 'notFound', bot: undefined }])
    expect(wakes.alice).toBe(0)
  })

  test('a bot that is not here is answered in the same words as a wrong signature: nobody learns which bots there are', async () => {
    const { receiver } = await open()
    const answerTo = async (delivery: Delivery) =>
      (await sendBytes(receiver.url, bytesOf(delivery))).text.replace(/^date: .*\r\n/im, '').toLowerCase()
    const wrong = { secret: 'whsec_wrong' }
    expect(await answerTo(good({ bot: 'nobody' }))).toBe(await answerTo(good(wrong)))
    const asGet = { ...good(wrong), method: 'GET' }
    expect(await answerTo({ ...asGet, path: '/webhooks/nobody' })).toBe(await answerTo(asGet))
    const unsigned = withHeaders(good(), { 'x-svc-signature': undefined })
    expect(await answerTo({ ...unsigned, path: '/webhooks/nobody' })).toBe(await answerTo(unsigned))
  })

  test('too much is refused by the length it says it has, before any of it came', async () => {
    const { receiver } = await open()
    const head = bytesOf(withHeaders(good(), { 'content-length': String(LARGEST + 1) }))
    const { status } = await sendBytes(receiver.url, head.subarray(0, head.indexOf('\r\n\r\n') + 4))
    expect(status).toBe(413)
  })

  test('too much without a length is cut off while it is read, and before all of it was sent', async () => {
    const { receiver, refused } = await open()
    const { headers, path } = good()
    const { hostname, port } = new URL(receiver.url)
    const socket = connect(Number(port), hostname)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    let answer = ''
    socket.on('data', (part) => {
      answer += part.toString()
    })
    socket.on('error', () => {})
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n${lines.join('')}\r\n`)
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
    // Without an end: an answer comes though the request is not over.
    for (let sent = 0; sent <= LARGEST; sent += 0x1000) socket.write(chunk)
    await ended
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*connection: close/i)
    expect(refused).toEqual([{ reason: 'tooLarge', bot: 'alice' }])
  })

  test('what is broken off is answered by nothing and counted by nobody', async () => {
    const { receiver, wakes, refused, send } = await open()
    const { hostname, port } = new URL(receiver.url)
    const socket = connect(Number(port), hostname)
    socket.write(bytesOf(good()).subarray(0, -10))
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
    expect(await send(good())).toBe(204)
    expect([wakes.alice, refused]).toEqual([1, []])
  })
})

describe('the window', () => {
  test.each([
    ['five minutes old', 300_000, 204],
    ['a millisecond older', 300_001, 401],
    ['five minutes early', -300_000, 204],
    ['a millisecond earlier', -300_001, 401],
    ['a day old', 86_400_000, 401],
  ])('%s', async (_name, ageMs, status) => {
    const { send, clock } = await open()
    clock.time = NOW + ageMs
    expect(await send(good())).toBe(status)
  })
})

describe('secrets', () => {
  test('of the two that hold while they are changed either will do, and no third', async () => {
    const { send, wakes } = await open()
    expect(await send(good({ secret: SECRET }))).toBe(204)
    expect(await send(good({ secret: OLD_SECRET }))).toBe(204)
    for (const secret of ['whsec_alice_older', `${SECRET}\n`, SECRET.slice(0, -1), '']) expect(await send(good({ secret }))).toBe(401)
    expect(wakes.alice).toBe(2)
  })

  test('of one bot are of no use for another', async () => {
    const { send, wakes } = await open()
    expect(await send(good({ secret: BOB_SECRET }))).toBe(401)
    expect(await send(good({ bot: 'bob' }))).toBe(401)
    expect(await send(good({ bot: 'bob', secret: OLD_SECRET }))).toBe(401)
    expect(wakes).toEqual({ alice: 0, bob: 0 })
  })
})

describe('connections', () => {
  test('that say nothing, or say it slowly, are ended in time', async () => {
    const { receiver } = await open({ requestTimeoutMs: 100 })
    const half = bytesOf(good())
    const answers = await Promise.all(
      [Buffer.alloc(0), half.subarray(0, 60), half.subarray(0, -1)].map((bytes) => sendBytes(receiver.url, bytes)),
    )
    expect(answers.map(({ status }) => status)).toEqual([408, 408, 408])
  })

  test('one more than there may be ends the one that has been the longest without a good delivery', async () => {
    const { receiver, wakes } = await open({ mostConnections: 3 })
    const { hostname, port } = new URL(receiver.url)
    const ended: string[] = []
    const dial = async (name: string) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.once('close', () => ended.push(name))
      await new Promise((resolve) => socket.once('connect', resolve))
      return socket
    }
    const proven = await dial('proven')
    await dial('silent')
    const answered = new Promise((resolve) => proven.once('data', resolve))
    proven.write(bytesOf(withHeaders(good(), { connection: 'keep-alive' })))
    await answered
    const late = await dial('late')
    await dial('last')
    while (ended.length === 0) await new Promise(setImmediate)
    expect(ended).toEqual(['silent'])
    late.write(bytesOf(good()))
    await new Promise((resolve) => late.once('data', resolve))
    expect(wakes.alice).toBe(2)
  })
})

test('a host that is not of this machine is said so', async () => {
  const clock = { now: () => NOW }
  await expect(WebhookReceiver.open({ host: '192.0.2.1', port: 0, clock })).rejects.toMatchObject({
    code: 'WEBHOOK_PORT',
    message: expect.stringMatching(/cannot listen on 192\.0\.2\.1:0 .*: the host must be an address of this machine/) as unknown,
  })
})

test('a port that is taken is said so, by where it stands in the config', async () => {
  const { receiver } = await open()
  const port = Number(new URL(receiver.url).port)
  const clock = { now: () => NOW }
  await expect(WebhookReceiver.open({ host: '127.0.0.1', port, clock })).rejects.toMatchObject({
    code: 'WEBHOOK_PORT',
    message: expect.stringMatching(new RegExp(`cannot listen on 127.0.0.1:${port} .*EADDRINUSE.*webhooks.port`)) as unknown,
  })
})

describe('no change of a good delivery is accepted', () => {
  /** What is signed, or says where to: each as a range of the bytes on the wire. */
  function partsOf(bytes: Buffer): (readonly [part: string, start: number, end: number])[] {
    const text = bytes.toString('latin1')
    const of = (part: string, content: string) => [part, text.indexOf(content), text.indexOf(content) + content.length] as const
    return [
      of('method', 'POST'),
      of('path', '/webhooks/alice'),
      of('header', 'x-svc-timestamp'),
      of('timestamp', /x-svc-timestamp: (\d+)/.exec(text)?.[1] ?? ''),
      of('header', 'x-svc-signature'),
      of('signature', /x-svc-signature: (\S+)/.exec(text)?.[1] ?? ''),
      ['body', text.indexOf('\r\n\r\n') + 4, bytes.length],
    ]
  }
  const isSameName = (part: string, before: number, after: number) =>
    part === 'header' && String.fromCharCode(before).toLowerCase() === String.fromCharCode(after).toLowerCase()

  test('of one byte', async () => {
    const { receiver, wakes } = await open({ requestTimeoutMs: 300 })
    const change = fc.record({ part: fc.nat(6), at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), byte: fc.nat(255) })
    await fc.assert(
      fc.asyncProperty(change, async ({ part, at, byte }) => {
        const bytes = bytesOf(good())
        const [name, start, end] = partsOf(bytes)[part] ?? ['', 0, 0]
        const place = start + Math.floor(at * (end - start))
        const before = bytes[place] ?? 0
        fc.pre(byte !== before && !isSameName(name, before, byte))
        bytes[place] = byte
        const { status } = await sendBytes(receiver.url, bytes)
        expect([name, status < 200 || status >= 300, wakes.alice + wakes.bob]).toEqual([name, true, 0])
      }),
      { numRuns: runsOf(1500) },
    )
    // What was changed was good before.
    const { receiver: patient } = await open()
    expect((await sendBytes(patient.url, bytesOf(good()))).status).toBe(204)
  })

  test('of its length: bytes left out or put in anywhere in the body', async () => {
    const { send, wakes } = await open()
    const edit = fc.record({ at: fc.nat(400), remove: fc.nat(5), insert: fc.uint8Array({ maxLength: 5 }) })
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, remove, insert }) => {
        const delivery = good()
        const place = at % delivery.body.length
        const body = Buffer.concat([delivery.body.subarray(0, place), insert, delivery.body.subarray(place + remove)])
        fc.pre(!body.equals(delivery.body))
        expect([await send({ ...delivery, body }), wakes.alice]).toEqual([401, 0])
      }),
      { numRuns: 300 },
    )
  })
})
