import { type AddressInfo, createServer } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { isGenuine, openReceiver, type TestReceiver } from '../../../test/support/sandbox/openReceiver.ts'
import { openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'

// Deliveries over https. The name of the endpoint leads to loopback, and the authority of its certificate is one
// that this process trusts as if the system did: the sandbox itself is as it is anywhere.

const HOST = 'hooks.example.com'
const SECOND_MS = 1000
const DAY_MS = 86_400_000
/** Part 6 of the specification, "Delivery rules". */
const RETRY_AFTER_SEC = [10, 30, 120, 600, 1800, 3600, 7200]

interface Certificate {
  readonly key: string
  readonly cert: string
}
type Made = Parameters<typeof generate>[1]

async function certificateOf(name: string, options: Made): Promise<Certificate> {
  const made = await generate([{ name: 'commonName', value: name }], { keyType: 'ec', algorithm: 'sha256', ...options })
  return { key: made.private, cert: made.cert }
}
const authorityOf = (name: string) =>
  certificateOf(name, {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true },
    ],
  })
/** A certificate of a server, good for its name alone. */
const serverOf = (name: string, issuer: Certificate, options: Made = {}) =>
  certificateOf(name, { ca: issuer, extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }], ...options })

let authority: Certificate
let good: Certificate
const trusted = getCACertificates('default')
beforeAll(async () => {
  authority = await authorityOf('An authority this process trusts')
  setDefaultCACertificates([...trusted, authority.cert])
  good = await serverOf(HOST, authority)
})
afterAll(() => setDefaultCACertificates(trusted))

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of opened.splice(0).reverse()) await one.close()
})

interface TlsReceiver extends TestReceiver {
  /** The name each connection asked for. */
  readonly asked: readonly string[]
  /** Shows another certificate from the next connection on. */
  show(certificate: Certificate): void
}

async function openTlsReceiver(certificate: Certificate, options: TlsOptions = {}): Promise<TlsReceiver> {
  const asked: string[] = []
  // Without one of its own a connection has the server's, and can take up an earlier session of it.
  let context: SecureContext | undefined
  const SNICallback: TlsOptions['SNICallback'] = (name, answer) => {
    asked.push(name)
    answer(null, context)
  }
  const receiver = await openReceiver({ ...certificate, ...options, SNICallback })
  opened.push(receiver)
  const show = (other: Certificate) => {
    context = createSecureContext({ ...other, ...options })
  }
  return Object.assign(receiver, { asked, show })
}

const urlAt = (host: string, { url }: TestReceiver) => Object.assign(new URL(url), { hostname: host }).href

async function open(url: string): Promise<TestSandbox> {
  const resolve = () => Promise.resolve(['127.0.0.1'])
  const sandbox = await openTestSandbox({ house: false, loopbackWebhooks: true, resolve, webhooks: { alice: url } })
  opened.push(sandbox)
  return sandbox
}
const view = (sandbox: TestSandbox) => sandbox.webhooks.view(sandbox.agents[0]?.agentId ?? '')

/** One event for alice, a ticket that expires at once, and the first attempt to deliver it. */
async function deliverOne(sandbox: TestSandbox): Promise<void> {
  outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '1000000', durationSec: 15, waitSec: 1 }))
  sandbox.advance(SECOND_MS)
  await sandbox.webhooks.idle()
}
async function waitSec(sandbox: TestSandbox, seconds: number): Promise<void> {
  sandbox.advance(seconds * SECOND_MS)
  await sandbox.webhooks.idle()
}

describe('over https', () => {
  test('a delivery has the same headers, and its signature is over the exact body', async () => {
    const receiver = await openTlsReceiver(good)
    const sandbox = await open(urlAt(HOST, receiver))
    await deliverOne(sandbox)
    const [delivery] = receiver.received
    const { events } = outputOf(await sandbox.get('agent.events', { after: null })) as { events: object[] }
    expect(receiver.received.map(({ body }) => body)).toEqual([{ ...events[0], agentId: sandbox.agents[0]?.agentId }])
    const now = sandbox.clock.now()
    expect(delivery?.headers).toEqual({
      host: new URL(urlAt(HOST, receiver)).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(delivery?.raw ?? '')),
      'user-agent': 'svc-webhooks/1',
      'x-svc-timestamp': String(now / 1000),
      'x-svc-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    })
    const secret = sandbox.agents[0]?.webhookSecret ?? ''
    expect(delivery && isGenuine(delivery, secret, now)).toBe(true)
    expect(delivery && isGenuine({ ...delivery, raw: `${delivery.raw}\n` }, secret, now)).toBe(false)
    // The connection went to the address that was looked at, and was for the name in the URL all the same.
    expect(receiver.asked).toEqual([HOST])
    expect(view(sandbox)).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('a redirect is not followed, though it leads where a delivery may go', async () => {
    const elsewhere = await openTlsReceiver(good)
    const receiver = await openTlsReceiver(good)
    receiver.reply = (response) => response.writeHead(307, { location: urlAt(HOST, elsewhere) }).end()
    const sandbox = await open(urlAt(HOST, receiver))
    await deliverOne(sandbox)
    expect([receiver.received.length, elsewhere.asked]).toEqual([1, []])
    expect(view(sandbox)).toMatchObject({ pending: 1, delivered: 0 })
  })

  test('an endpoint named by its address shows a certificate for that address', async () => {
    const receiver = await openTlsReceiver(good)
    const sandbox = await open(receiver.url)
    await deliverOne(sandbox)
    expect(receiver.received).toEqual([])
    const altNames = [{ type: 7, ip: '127.0.0.1' }] as const
    const forAddress = await serverOf('an address', authority, { extensions: [{ name: 'subjectAltName', altNames: [...altNames] }] })
    const right = await openTlsReceiver(forAddress)
    await sandbox.webhooks.set(sandbox.agents[0]?.agentId ?? '', right.url)
    await waitSec(sandbox, 10)
    expect(right.received).toHaveLength(1)
  })

  test('who does not speak TLS gets nothing', async () => {
    const heard: Buffer[] = []
    const plain = createServer((socket) => {
      socket.on('data', (chunk: Buffer) => heard.push(chunk))
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    opened.push({ close: () => new Promise((resolve) => plain.close(() => resolve())) })
    const sandbox = await open(`https://${HOST}:${(plain.address() as AddressInfo).port}/`)
    await deliverOne(sandbox)
    expect(view(sandbox)).toMatchObject({ pending: 1, delivered: 0 })
    expect(Buffer.concat(heard).toString()).not.toContain('ticket.expired')
  })
})

describe('a certificate', () => {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
  const bad: [name: string, make: () => Promise<Certificate>][] = [
    ['that is self-signed', () => certificateOf(HOST, {})],
    ['of an authority nobody trusts', async () => serverOf(HOST, await authorityOf('An authority nobody trusts'))],
    ['for another host', () => serverOf('other.example.com', authority)],
    ['for the domain above', () => serverOf('example.com', authority)],
    ['that has expired', () => serverOf(HOST, authority, { notBeforeDate: inDays(-2), notAfterDate: inDays(-1) })],
    ['that is not valid yet', () => serverOf(HOST, authority, { notBeforeDate: inDays(1), notAfterDate: inDays(2) })],
  ]
  const versions = ['TLSv1.2', 'TLSv1.3'] as const

  test.each(
    bad.flatMap(([name, make]) => versions.map((version) => ({ name, make, version }))),
  )('$name is a failed attempt, and so is the next one ($version); with the right one the delivery arrives', async ({ make, version }) => {
    const receiver = await openTlsReceiver(await make(), { minVersion: version, maxVersion: version })
    const sandbox = await open(urlAt(HOST, receiver))
    await deliverOne(sandbox)
    await waitSec(sandbox, 10)
    expect([receiver.asked, receiver.received]).toEqual([[HOST, HOST], []])
    expect(view(sandbox)).toMatchObject({ pending: 1, delivered: 0 })
    receiver.show(good)
    await waitSec(sandbox, 30)
    expect(receiver.received).toHaveLength(1)
    expect(view(sandbox)).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('for another host gets 8 attempts and no delivery; the event stays readable', async () => {
    const receiver = await openTlsReceiver(await serverOf('other.example.com', authority))
    const sandbox = await open(urlAt(HOST, receiver))
    await deliverOne(sandbox)
    for (const seconds of RETRY_AFTER_SEC) await waitSec(sandbox, seconds)
    expect([receiver.asked.length, receiver.received.length]).toEqual([8, 0])
    expect(view(sandbox)).toMatchObject({ pending: 0, delivered: 0, dropped: 1 })
    expect(outputOf(await sandbox.get('agent.events', { after: null }))).toMatchObject({ events: { length: 1 } })
  })

  test('is looked at whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const receiver = await openTlsReceiver(await certificateOf(HOST, {}))
    const sandbox = await open(urlAt(HOST, receiver))
    await deliverOne(sandbox)
    expect([receiver.asked.length, receiver.received.length]).toEqual([1, 0])
  })
})
