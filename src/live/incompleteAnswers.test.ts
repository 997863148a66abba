import { describe, expect, test } from 'vitest'
import { startRawServer } from '../../test/support/rawServer.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import type { InputBody, ReadRequest } from '../pipeline/index.ts'
import { HttpService } from './httpService.ts'
import { Poller } from './poller.ts'

const contestId = keyedUuid('contest')
const event = { id: keyedUuid('event'), type: 'ticket.expired', data: { ticketId: keyedUuid('ticket') }, createdAt: '2025-03-01T00:00:00Z' }

/** A service that answers every read with this. */
async function answering(json: unknown) {
  const server = await startRawServer((call) => call.json(200, { result: { data: { json } } }))
  const clock = new VirtualClock(1000)
  const service = new HttpService({ url: server.url, agentKey: 'key', timeoutMs: 20_000, clock })
  return {
    service,
    clock,
    async [Symbol.asyncDispose]() {
      await service.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('an answer without what it must hold is a failure that names the field', () => {
  const limits = { maxStake: '1', dailyLossCap: '1', lostToday: '0', inPlay: '0' }
  test.each<[ReadRequest, unknown, string]>([
    [{ procedure: 'agent.events', input: { after: null, limit: 100 } }, { items: [event], cursor: null }, 'events'],
    [{ procedure: 'agent.events', input: { after: null, limit: 100 } }, { events: [event] }, 'cursor'],
    [{ procedure: 'agent.queue.list', input: null }, { tickets: [] }, 'items'],
    [{ procedure: 'agent.queue.list', input: null }, [{ number: 7 }], 'items[].ticketId'],
    [{ procedure: 'agent.queue.get', input: { ticketId: contestId } }, { status: 'queued' }, 'ticketId'],
    [{ procedure: 'agent.contests.mine', input: null }, { contests: [] }, 'items'],
    [{ procedure: 'agent.contests.list', input: {} }, { rows: [] }, 'items'],
    [{ procedure: 'agent.contests.get', input: { contestId } }, { status: 'live' }, 'contestId'],
    [{ procedure: 'agent.limits', input: null }, limits, 'remaining'],
    [{ procedure: 'agent.bankroll', input: null }, { wallet: '1' }, 'available'],
    [{ procedure: 'agent.history', input: {} }, { rows: [] }, 'items'],
    [{ procedure: 'agent.me', input: null }, { agent: {} }, 'bankroll'],
  ])('%j answered with %j', async (request, json, lacks) => {
    await using world = await answering(json)
    expect(await world.service.read(request)).toMatchObject({ ok: false, refusal: undefined, lacks })
  })
})

test('the event list under another key is told by the first poll, and not as an empty stream', async () => {
  await using world = await answering({ items: [event], cursor: null })
  const inputs: InputBody[] = []
  const poller = new Poller({ name: 'bot', service: world.service, clock: world.clock, everyMs: () => 1000 })
  const told = new Promise<void>((resolve) => {
    const subscription = poller.from(undefined).subscribe((input) => {
      inputs.push(input)
      subscription.unsubscribe()
      resolve()
    })
  })
  await told
  expect(inputs).toMatchObject([{ type: 'behind', lacks: 'events' }])
})
