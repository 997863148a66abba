import { afterEach, describe, expect, test } from 'vitest'
import { HttpService, Poller, WebhookReceiver } from '../src/live/index.ts'
import type { InputBody } from '../src/pipeline/index.ts'
import { WebhookSender } from '../src/sandbox/webhooks/sender.ts'
import { openTestSandbox, outputOf, type TestSandbox } from './support/sandbox/openTestSandbox.ts'
import { AGENT_ID, bodyOf } from './support/webhookDeliveries.ts'

// The receiver and whoever sends to it: the sandbox's own deliveries wake a poller.

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const DAY_MS = 86_400_000

/** One event for alice: a ticket that expires at once. */
async function oneEvent(sandbox: TestSandbox): Promise<void> {
  outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '1000000', durationSec: 15, waitSec: 1 }))
  sandbox.advance(1000)
}
const eventIds = async (sandbox: TestSandbox): Promise<string[]> =>
  (outputOf(await sandbox.get('agent.events', { after: null })) as { events: { id: string }[] }).events.map(({ id }) => id)

/** A sandbox, a receiver for alice, and her poller, which polls of its own only every day. */
async function openWoken(faults: object) {
  const sandbox = await openTestSandbox({ house: false, loopbackWebhooks: true, faults })
  const { clock, agents, url } = sandbox
  const receiver = await WebhookReceiver.open({ host: '127.0.0.1', port: 0, clock })
  const service = new HttpService({ url, agentKey: agents[0]?.key ?? '', timeoutMs: 5000, clock })
  opened.push(
    () => sandbox.close(),
    () => receiver.close(),
    () => service.close(),
  )
  const agentId = agents[0]?.agentId ?? ''
  const { secret } = await sandbox.webhooks.set(agentId, `${receiver.url}/webhooks/alice`)
  const polls: unknown[] = []
  const counted = {
    ...{ timeoutMs: service.timeoutMs, figuresHoldMs: service.figuresHoldMs },
    act: () => Promise.reject(new Error('a poller does not act')),
    read: ((request) => {
      polls.push(request.input)
      return service.read(request)
    }) as HttpService['read'],
  }
  let wakes = 0
  const wake$ = receiver.admit('alice', { secrets: [secret], agentId: () => agentId })
  wake$.subscribe(() => {
    wakes += 1
  })
  const inputs: InputBody[] = []
  const poller = new Poller({ name: 'alice', service: counted, clock, everyMs: () => DAY_MS, wake$ })
  const reading = poller.from(undefined).subscribe((input) => inputs.push(input))
  opened.push(() => reading.unsubscribe())
  const read = () => inputs.flatMap((input) => (input.type === 'event' ? [(input.raw as { id: string }).id] : []))
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      // A poll that follows another at once waits for a turn of the clock.
      clock.advanceTo(clock.now())
    }
  }
  await until(() => inputs.length > 0)
  return { sandbox, inputs, polls, read, until, wakes: () => wakes }
}

describe('deliveries of the sandbox wake a poller', () => {
  test('which then reads the event, from its own cursor', async () => {
    const { sandbox, read, polls, until, wakes } = await openWoken({})
    for (let event = 1; event <= 5; event++) {
      await oneEvent(sandbox)
      await until(() => read().length === event)
    }
    await sandbox.webhooks.idle()
    expect(read()).toEqual(await eventIds(sandbox))
    expect(wakes()).toBe(5)
    const after = read()
    expect(polls).toContainEqual({ after: after[3], limit: 100 })
  })

  test('sent twice and out of order they lead to every event once and in order, and those sent again wake nobody', async () => {
    const { sandbox, read, until, wakes, inputs } = await openWoken({ webhookDuplicate: 1, webhookShuffle: 0.5 })
    const EVENTS = 30
    for (let event = 0; event < EVENTS; event++) {
      await oneEvent(sandbox)
      await sandbox.webhooks.idle()
    }
    // What was held back comes last.
    for (let second = 0; second < 6; second++) {
      sandbox.advance(1000)
      await sandbox.webhooks.idle()
    }
    await until(() => read().length >= EVENTS)
    expect(read()).toEqual(await eventIds(sandbox))
    expect(wakes()).toBe(EVENTS)
    expect(sandbox.webhooks.view(sandbox.agents[0]?.agentId ?? '')).toMatchObject({ pending: 0, delivered: EVENTS, dropped: 0 })
    expect(inputs.filter(({ type }) => type === 'behind')).toEqual([])
  })
})

test('what the sender of the sandbox signs is taken for the time it was signed at, and by that secret alone', async () => {
  const clock = { now: () => Date.parse('2025-07-21T12:00:00Z') }
  const receiver = await WebhookReceiver.open({ host: '127.0.0.1', port: 0, clock })
  const sender = new WebhookSender({ allowLoopback: true, resolve: () => Promise.resolve(['127.0.0.1']) })
  opened.push(
    () => receiver.close(),
    () => sender.close(),
  )
  receiver.admit('alice', { secrets: ['whsec_new', 'whsec_old'], agentId: () => AGENT_ID })
  const send = (secret: string, atMs: number, event: number) =>
    sender.send({ url: `${receiver.url}/webhooks/alice`, secret, body: bodyOf(event), atMs })
  expect(await send('whsec_new', clock.now(), 1)).toBeUndefined()
  expect(await send('whsec_old', clock.now() - 300_000, 2)).toBeUndefined()
  expect(await send('whsec_old', clock.now() - 301_000, 3)).toBe('it answered 401')
  expect(await send('whsec_new', clock.now() + 301_000, 4)).toBe('it answered 401')
  expect(await send('whsec_older', clock.now(), 5)).toBe('it answered 401')
})
