import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { keyedRandom } from '../../src/core/random.ts'
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
} from '../support/webhookDeliveries.ts'
import type { ReceiverReport } from '../support/webhookReceiverProcess.ts'

const SECRETS = { alice: 'whsec_alice', bob: 'whsec_bob' }
const BOTS = ['alice', 'bob'] as const
/** Shorter than in earnest, so that the slow ones do not take minutes. */
const REQUEST_TIMEOUT_MS = 1000
const GOOD = 1000
const BAD = { forged: 3000, stale: 2000, replayed: 2000, truncated: 1500, oversized: 1000, slow: 500 } as const
type Kind = keyof typeof BAD | 'good'
const AT_ONCE = 64
/** Slow ones wait on the receiver and not on this process. */
const SLOW_AT_ONCE = 250
const LARGEST = 64 * 1024
const MINUTE_MS = 60_000
/** A body kept of one in ten is over it. */
const MOST_GROWTH_BYTES = 2 * 1024 * 1024
const MOST_PEAK_BYTES = 400 * 1024 * 1024

let child: ChildProcess | undefined
afterAll(() => child?.kill('SIGKILL'))

async function report(): Promise<ReceiverReport> {
  const answer = once(child as ChildProcess, 'message')
  child?.send('report')
  return ((await answer) as [ReceiverReport])[0]
}

const random = keyedRandom('webhook abuse')
const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)] as T
const below = (most: number) => Math.floor(random.next() * most)

let events = 0
const good = (options: Partial<DeliveryOptions> = {}): Delivery => {
  const bot = pick(BOTS)
  events += 1
  return deliveryOf({ bot, secret: SECRETS[bot], atMs: Date.now(), body: bodyOf(events), ...options })
}
const taken: Delivery[] = []

/** A wrong secret, somebody else's, a signature over another body, another time, no signature at all. */
const FORGERIES: (() => Delivery)[] = [
  () => good({ secret: 'whsec_guessed' }),
  () => good({ bot: 'alice', secret: SECRETS.bob }),
  () => good({ bot: 'nobody' }),
  () => ({ ...good(), body: Buffer.from(bodyOf(-below(1e6))) }),
  () => withHeaders(good(), { 'x-svc-timestamp': String(Math.floor(Date.now() / 1000) + 7) }),
  () => withHeaders(good(), { 'x-svc-signature': `sha256=${'ab'.repeat(32)}` }),
  () => withHeaders(good(), { 'x-svc-signature': undefined }),
  () => withHeaders(good(), { 'x-svc-timestamp': undefined }),
  () => good({ body: bodyOf(-below(1e6), AGENT_ID.replace(/^./, 'x')) }),
]

const SENDERS: Readonly<Record<Kind, (url: string) => Promise<number>>> = {
  good: async (url) => {
    const delivery = good()
    const status = await deliver(url, delivery)
    taken.push(delivery)
    return status
  },
  forged: (url) => deliver(url, pick(FORGERIES)()),
  stale: (url) => deliver(url, good({ atMs: Date.now() + pick([-1, 1]) * (6 * MINUTE_MS + below(60 * MINUTE_MS)) })),
  replayed: (url) => deliver(url, pick(taken)),
  truncated: (url) => breakOff(url, good()),
  oversized: (url) => deliver(url, good({ body: bodyOf(0).padEnd(LARGEST + 1 + below(LARGEST)) })),
  slow: async (url) => (await sendBytes(url, bytesOf(good()).subarray(0, -1 - below(300)))).status,
}

/** Sends part of a delivery and hangs up. */
function breakOff(url: string, delivery: Delivery): Promise<number> {
  const bytes = bytesOf(delivery)
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.once('close', () => resolve(0))
    socket.write(bytes.subarray(0, 1 + below(bytes.length - 1)), () => socket.destroy())
  })
}

/** Sends so many of each kind, mixed, and counts the answers. */
async function send(url: string, counts: Readonly<Partial<Record<Kind, number>>>): Promise<Map<string, number>> {
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, () => kind as Kind))
  const queues = [kinds.filter((kind) => kind !== 'slow'), kinds.filter((kind) => kind === 'slow')]
  const answers = new Map<string, number>()
  const work = async (queue: Kind[]) => {
    while (queue.length > 0) {
      const [kind] = queue.splice(below(queue.length), 1) as [Kind]
      const key = `${kind}: ${await SENDERS[kind](url)}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
    }
  }
  await Promise.all(queues.flatMap((queue, index) => Array.from({ length: [AT_ONCE, SLOW_AT_ONCE][index] ?? 0 }, () => work(queue))))
  return answers
}

test('10,000 bad deliveries beside 1,000 good ones: none is accepted, no good one is refused, and no memory is kept', async () => {
  child = fork(
    fileURLToPath(new URL('../support/webhookReceiverProcess.ts', import.meta.url)),
    [JSON.stringify(SECRETS), String(REQUEST_TIMEOUT_MS)],
    { execArgv: ['--expose-gc'] },
  )
  await once(child, 'message')
  const { url } = await report()
  // The first half makes the process warm; what the second leaves behind is left behind by any other.
  const half = (counts: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(counts).map(([kind, n]) => [kind, n / 2]))
  // Before anything can be sent again.
  const first = await SENDERS.good(url)
  const answers = await send(url, half({ good: GOOD - 2, ...BAD }))
  const before = await report()
  for (const [answer, count] of await send(url, half({ good: GOOD, ...BAD }))) answers.set(answer, (answers.get(answer) ?? 0) + count)
  const after = await report()

  expect([first, answers.get('good: 204')]).toEqual([204, GOOD - 1])
  expect(answers.get('replayed: 204')).toBe(BAD.replayed)
  expect([answers.get('forged: 401'), answers.get('stale: 401')]).toEqual([BAD.forged, BAD.stale])
  // Of those that are cut off some hear why, and some only that they are.
  const odd = [...answers.keys()].filter(
    (key) => !/^(?:good|replayed): 204$|^(?:forged|stale): 401$|^(?:truncated: 0|oversized: (?:0|413)|slow: (?:0|408))$/.test(key),
  )
  expect(odd).toEqual([])
  expect(BOTS.reduce((sum, bot) => sum + (after.wakes[bot] ?? 0), 0)).toBe(GOOD)
  expect(after.heldBytes - before.heldBytes).toBeLessThan(MOST_GROWTH_BYTES)
  expect(after.peakBytes).toBeLessThan(MOST_PEAK_BYTES)
})
