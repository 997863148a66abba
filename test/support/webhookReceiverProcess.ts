// Forked with --expose-gc: a webhook receiver in a process of its own, which says on request what came through and what it holds.

import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/systemClock.ts'
import { WebhookReceiver } from '../../src/live/index.ts'
import { AGENT_ID } from './webhookDeliveries.ts'

export interface ReceiverReport {
  readonly url: string
  /** By bot. */
  readonly wakes: Readonly<Record<string, number>>
  readonly refused: number
  /** What is left after a garbage collection, in bytes. */
  readonly heldBytes: number
  /** The most that was resident so far. */
  readonly peakBytes: number
}

const [secrets = '{}', requestTimeoutMs] = process.argv.slice(2)
const wakes: Record<string, number> = {}
let refused = 0
const receiver = await WebhookReceiver.open({
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  requestTimeoutMs: Number(requestTimeoutMs),
  onRefused: () => {
    refused += 1
  },
})
for (const [bot, secret] of Object.entries(JSON.parse(secrets) as Record<string, string>)) {
  wakes[bot] = 0
  receiver.admit(bot, { secrets: [secret], agentId: () => AGENT_ID }).subscribe(() => {
    wakes[bot] = (wakes[bot] ?? 0) + 1
  })
}

/** Once what is given up has been given up for good: buffers, and code that is not run any more, go later than the rest. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await delay(100)
  }
}

async function answer(): Promise<void> {
  await settle()
  const { heapUsed, external } = process.memoryUsage()
  const report: ReceiverReport = {
    ...{ url: receiver.url, wakes, refused },
    heldBytes: heapUsed + external,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  }
  process.send?.(report)
}

process.on('message', () => void answer())
process.send?.('ready')
