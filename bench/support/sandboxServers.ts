// `node bench/support/sandboxServers.ts NAME`, forked: starts one server of the comparison and sends where it answers.

import type { AddressInfo } from 'node:net'
import { initTRPC } from '@trpc/server'
import { createHTTPServer } from '@trpc/server/adapters/standalone'
import superjson from 'superjson'
import { VirtualClock } from '../../src/core/clock.ts'
import { startSandbox } from '../../src/sandbox/index.ts'

/** Enough for a page of 50 events and more. */
const CONTESTS = 20
/** Nothing is refused for its rate here: the rate is what is measured. */
const READ_LIMIT = 1_000_000_000
const START_MS = Date.parse('2025-03-01T12:00:00Z')

export const SERVERS = { hello: startHello, sandbox: startPlayed } as const
export type ServerName = keyof typeof SERVERS

/** The least a tRPC server with superjson can do. */
async function startHello() {
  const trpc = initTRPC.create({ transformer: superjson })
  const server = createHTTPServer({ router: trpc.router({ hello: trpc.procedure.query(() => ({ hello: 'world' })) }) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers: {}, paths: { hello: '/hello' } }
}

/** A sandbox whose agent has played some contests and is in three more. Its clock stands still afterwards, so that every answer is alike. */
async function startPlayed() {
  const clock = new VirtualClock(START_MS)
  const { url, agents } = await startSandbox({ agents: ['alice'], clock, readLimit: READ_LIMIT })
  const headers = { 'x-agent-key': agents[0]?.key ?? '' }
  const enqueue = async (mode: string) => {
    const body = JSON.stringify({ json: { mode, stake: '1000000', durationSec: 15 } })
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const { ok, status } = await fetch(`${url}/agent.queue.enqueue`, init)
    if (!ok) throw new Error(`the ticket was refused with HTTP ${status}`)
  }
  for (let contest = 0; contest < CONTESTS; contest++) {
    await enqueue('up_down')
    clock.advanceTo(clock.now() + 60_000)
  }
  for (const mode of ['up_down', 'draft_basket', 'price_prediction']) await enqueue(mode)
  const page = encodeURIComponent(JSON.stringify({ json: { after: null, limit: 50 } }))
  return { url, headers, paths: { 'agent.me': '/agent.me', 'agent.events, a page of 50': `/agent.events?input=${page}` } }
}

const name = process.argv[2]
if (name === 'hello' || name === 'sandbox') process.send?.(await SERVERS[name]())
