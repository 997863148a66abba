import { mkdtempSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isGenuine, openReceiver, type TestReceiver } from '../../../test/support/sandbox/openReceiver.ts'
import { openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { VirtualClock } from '../../core/clock.ts'
import type { SandboxOptions } from '../startSandbox.ts'

let receiver: TestReceiver
const opened: { close(): Promise<void> }[] = []
beforeEach(async () => {
  receiver = await openReceiver()
  opened.push(receiver)
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function open(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await openTestSandbox({ house: false, loopbackWebhooks: true, webhooks: { alice: receiver.url }, ...options })
  opened.push(sandbox)
  return sandbox
}
const secretOf = (sandbox: TestSandbox) => sandbox.agents[0]?.webhookSecret ?? ''
const aliceId = (sandbox: TestSandbox) => sandbox.agents[0]?.agentId ?? ''

/** One event for alice: a ticket that expires at once. */
async function oneEvent(sandbox: TestSandbox): Promise<void> {
  outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '1000000', durationSec: 15, waitSec: 1 }))
  sandbox.advance(1000)
}
async function events(sandbox: TestSandbox): Promise<readonly { readonly id: string }[]> {
  return (outputOf(await sandbox.get('agent.events', { after: null })) as { events: { id: string }[] }).events
}
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe('a delivery', () => {
  test('has the body and the headers of the specification, signed over the exact bytes', async () => {
    const sandbox = await open()
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    const [delivery] = receiver.received
    const [event] = await events(sandbox)
    expect(delivery?.body).toEqual({ ...event, agentId: aliceId(sandbox) })
    expect(Object.keys(delivery?.body ?? {})).toEqual(['id', 'type', 'agentId', 'createdAt', 'data'])
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'svc-webhooks/1',
      'x-svc-timestamp': String(sandbox.clock.now() / 1000),
    })
    expect(delivery && isGenuine(delivery, secretOf(sandbox), sandbox.clock.now())).toBe(true)
    expect(delivery && isGenuine(delivery, `${secretOf(sandbox)}x`, sandbox.clock.now())).toBe(false)
    expect(delivery && isGenuine({ ...delivery, raw: `${delivery.raw} ` }, secretOf(sandbox), sandbox.clock.now())).toBe(false)
    expect(secretOf(sandbox)).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(sandbox.agents[1]).not.toHaveProperty('webhookSecret')
  })

  test('is made for every event of that agent, and for no other agent', async () => {
    const sandbox = await open({ house: true })
    const bob = sandbox.agents[1]?.key ?? ''
    for (const key of [undefined, bob]) {
      outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '1000000', durationSec: 15 }, key))
    }
    sandbox.advance(MINUTE_MS)
    await sandbox.webhooks.idle()
    const ids = (await events(sandbox)).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(3)
    expect(receiver.received.map(({ body }) => body.id).toSorted()).toEqual(ids)
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 0, delivered: ids.length, dropped: 0 })
  })
})

describe('a receiver that fails', () => {
  test('gets 8 attempts, after 10 s, 30 s, 2 min, 10 min, 30 min, 1 h and 2 h; then the event is dropped, and stays readable', async () => {
    receiver.reply = (response) => response.writeHead(500).end()
    const sandbox = await open()
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    for (const waitMs of [10_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS]) {
      const before = receiver.received.length
      sandbox.advance(waitMs - 1)
      await sandbox.webhooks.idle()
      expect([waitMs, receiver.received.length]).toEqual([waitMs, before])
      sandbox.advance(1)
      await sandbox.webhooks.idle()
      expect([waitMs, receiver.received.length]).toEqual([waitMs, before + 1])
    }
    expect(receiver.received).toHaveLength(8)
    // Each attempt is signed anew, at its own time.
    expect(receiver.received.at(-1)?.headers['x-svc-timestamp']).toBe(String(sandbox.clock.now() / 1000))
    expect(
      receiver.received.every((delivery) => isGenuine(delivery, secretOf(sandbox), Number(delivery.headers['x-svc-timestamp']) * 1000)),
    ).toBe(true)
    sandbox.advance(24 * HOUR_MS)
    await sandbox.webhooks.idle()
    expect(receiver.received).toHaveLength(8)
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 0, delivered: 0, dropped: 1 })
    expect(await events(sandbox)).toHaveLength(1)
  })

  test.each([199, 300, 301, 302, 307, 400, 404, 500].map((status) => ({ status })))('$status is no answer', async ({ status }) => {
    receiver.reply = (response) => {
      // An informational answer alone: then silence, until the connection goes.
      if (status < 200) response.socket?.end(`HTTP/1.1 ${status} Hm\r\n\r\n`)
      else response.writeHead(status, { location: receiver.url }).end()
    }
    const sandbox = await open()
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    expect(receiver.received).toHaveLength(1)
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 1, delivered: 0 })
  })

  test.each([200, 201, 204, 299])('%i is one', async (status) => {
    receiver.reply = (response) => response.writeHead(status).end(status === 204 ? '' : 'x'.repeat(100_000))
    const sandbox = await open()
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('answers within 5 seconds or not at all, and keeps nobody waiting meanwhile', async () => {
    receiver.reply = () => {}
    const other = await openReceiver()
    opened.push(other)
    const sandbox = await open({ webhooks: { alice: receiver.url, bob: other.url } })
    const before = performance.now()
    for (let event = 0; event < 6; event++) await oneEvent(sandbox)
    const bob = sandbox.agents[1]?.key ?? ''
    outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '2000000', durationSec: 15, waitSec: 1 }, bob))
    sandbox.advance(1000)
    const events = outputOf(await sandbox.get('agent.events', { after: null }))
    expect(events).toMatchObject({ events: { length: 6 } })
    while (other.received.length === 0) await new Promise(setImmediate)
    // None of the silent ones has been given up: nobody has waited for them.
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ lastFailure: null })
    // At most four at a time go to one endpoint; the others wait for their turn.
    expect(receiver.received).toHaveLength(4)
    while (receiver.received.length < 6) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(performance.now() - before).toBeGreaterThan(4_900)
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({
      pending: 6,
      delivered: 0,
      lastFailure: { reason: 'no whole answer within 5000 ms' },
    })
  })
})

describe('the newest failed attempt', () => {
  const lastFailure = (sandbox: TestSandbox) => sandbox.webhooks.view(aliceId(sandbox))?.lastFailure

  test('is shown with its reason until another URL is set', async () => {
    receiver.reply = (response) => response.writeHead(503).end()
    const sandbox = await open()
    expect(lastFailure(sandbox)).toBeNull()
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    const failedAt = sandbox.clock.now()
    expect(lastFailure(sandbox)).toEqual({ at: failedAt, reason: 'it answered 503' })
    receiver.reply = (response) => response.writeHead(204).end()
    sandbox.advance(10_000)
    await sandbox.webhooks.idle()
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ delivered: 1, lastFailure: { at: failedAt } })
    await sandbox.webhooks.set(aliceId(sandbox), receiver.url)
    expect(lastFailure(sandbox)).toBeNull()
  })

  test('says where a name led', async () => {
    let leadsTo = '127.0.0.1'
    const resolve = () => Promise.resolve([leadsTo])
    const sandbox = await open({ webhooks: { alice: 'https://hooks.example.com/' }, resolve })
    leadsTo = '10.0.0.1'
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    expect(lastFailure(sandbox)?.reason).toBe('hooks.example.com leads to 10.0.0.1, which is not public')
  })

  test('says that nobody answered', async () => {
    const gone = await openReceiver()
    await gone.close()
    const sandbox = await open({ webhooks: { alice: gone.url } })
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    expect(lastFailure(sandbox)?.reason).toMatch(/ECONNREFUSED/)
  })
})

describe('an endpoint', () => {
  test('that is set anew has a new secret and gets what is pending; cleared, deliveries stop', async () => {
    receiver.reply = (response) => response.writeHead(503).end()
    const sandbox = await open()
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    const second = await openReceiver()
    opened.push(second)
    const { secret } = await sandbox.webhooks.set(aliceId(sandbox), second.url)
    expect(secret).not.toBe(secretOf(sandbox))
    sandbox.advance(10_000)
    await sandbox.webhooks.idle()
    expect([receiver.received.length, second.received.length]).toEqual([1, 1])
    const [delivery] = second.received
    expect(delivery && isGenuine(delivery, secret, sandbox.clock.now())).toBe(true)
    expect(outputOf(await sandbox.get('agent.profile'))).toMatchObject({ webhookUrl: second.url })

    sandbox.webhooks.clear(aliceId(sandbox))
    await oneEvent(sandbox)
    sandbox.advance(HOUR_MS)
    await sandbox.webhooks.idle()
    expect(second.received).toHaveLength(1)
    expect(outputOf(await sandbox.get('agent.profile'))).toMatchObject({ webhookUrl: null })
    expect(sandbox.webhooks.view(aliceId(sandbox))).toBeUndefined()
  })

  test('that is set anew in the middle of an attempt gets the event too: the answer of the one before says nothing', async () => {
    const answers: (() => void)[] = []
    receiver.reply = (response) => void answers.push(() => response.writeHead(204).end())
    const sandbox = await open()
    await oneEvent(sandbox)
    while (answers.length === 0) await new Promise(setImmediate)
    const second = await openReceiver()
    opened.push(second)
    await sandbox.webhooks.set(aliceId(sandbox), second.url)
    for (const answer of answers) answer()
    await sandbox.webhooks.idle()
    expect(second.received.map(({ body }) => body.id)).toEqual(receiver.received.map(({ body }) => body.id))
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('takes up its pending deliveries after a restart, with its secret and its schedule', async () => {
    receiver.reply = (response) => response.writeHead(503).end()
    const dbFile = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'sandbox.db')
    const first = await open({ dbFile })
    await oneEvent(first)
    await first.webhooks.idle()
    const secret = secretOf(first)
    await first.close()

    receiver.reply = (response) => response.writeHead(204).end()
    const clock = new VirtualClock(first.clock.now())
    const second = await open({ dbFile, clock, webhooks: {} })
    expect(second.webhooks.view(aliceId(second))).toMatchObject({ url: receiver.url, pending: 1 })
    clock.advanceTo(clock.now() + 9999)
    await second.webhooks.idle()
    expect(receiver.received).toHaveLength(1)
    clock.advanceTo(clock.now() + 1)
    await second.webhooks.idle()
    expect(receiver.received.map(({ body }) => body.id)).toEqual([receiver.received[0]?.body.id, receiver.received[0]?.body.id])
    const [, again] = receiver.received
    expect(again && isGenuine(again, secret, clock.now())).toBe(true)
    expect(second.webhooks.view(aliceId(second))).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('that was cut off in the middle of an attempt gets it again after the restart', async () => {
    receiver.reply = () => {}
    const dbFile = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'sandbox.db')
    const first = await open({ dbFile })
    await oneEvent(first)
    while (receiver.received.length === 0) await new Promise(setImmediate)
    await first.close()
    receiver.reply = (response) => response.writeHead(204).end()
    const second = await open({ dbFile, clock: new VirtualClock(first.clock.now()), webhooks: {} })
    await second.webhooks.idle()
    expect(receiver.received).toHaveLength(2)
    expect(second.webhooks.view(aliceId(second))).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('is refused where it is not public, without --loopback-webhooks loopback too', async () => {
    await expect(openTestSandbox({ webhooks: { alice: receiver.url } })).rejects.toThrow(expect.objectContaining({ code: 'WEBHOOK_URL' }))
    await expect(openTestSandbox({ webhooks: { carol: 'https://example.com/' } })).rejects.toThrow(/for one of the agents alice, bob/)
  })

  test('whose name leads to a public host when it is set and elsewhere afterwards gets nothing', async () => {
    // Whoever comes to this door was let through, whatever they say then.
    let visitors = 0
    const door = createServer((socket) => {
      visitors++
      socket.destroy()
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    opened.push({ close: () => new Promise((resolve) => door.close(() => resolve())) })
    const { port } = door.address() as AddressInfo
    let leadsTo = '8.8.8.8'
    const asked: string[] = []
    const resolve = (hostname: string) => {
      asked.push(hostname)
      return Promise.resolve([leadsTo])
    }
    const sandbox = await open({ loopbackWebhooks: false, resolve, webhooks: { alice: `https://rebind.example.com:${port}/` } })
    leadsTo = '127.0.0.1'
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    expect(asked).toEqual(['rebind.example.com', 'rebind.example.com'])
    expect(visitors).toBe(0)
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 1, delivered: 0 })
    // With loopback opened the same name leads there: the door is one that can be reached.
    const reachable = await open({ resolve, webhooks: { alice: `https://rebind.example.com:${port}/` } })
    await oneEvent(reachable)
    await reachable.webhooks.idle()
    expect(visitors).toBe(1)
  })
})

describe('faults on request', () => {
  test('webhookDuplicate sends what was taken once more', async () => {
    const sandbox = await open({ faults: { webhookDuplicate: 1 } })
    await oneEvent(sandbox)
    await sandbox.webhooks.idle()
    expect(receiver.received.map(({ raw }) => raw)).toEqual([receiver.received[0]?.raw, receiver.received[0]?.raw])
    expect(sandbox.webhooks.view(aliceId(sandbox))).toMatchObject({ pending: 0, delivered: 1 })
  })

  test('webhookShuffle lets later ones overtake, and loses none', async () => {
    const sandbox = await open({ faults: { webhookShuffle: 0.5 } })
    // So many that whatever the seed draws, some of them are overtaken.
    for (let event = 0; event < 40; event++) {
      await oneEvent(sandbox)
      await sandbox.webhooks.idle()
    }
    for (let second = 0; second < 6; second++) {
      sandbox.advance(1000)
      await sandbox.webhooks.idle()
    }
    const ids = receiver.received.map(({ body }) => body.id)
    expect(ids.toSorted()).toEqual((await events(sandbox)).map(({ id }) => id))
    expect(ids).not.toEqual(ids.toSorted())
  })
})
